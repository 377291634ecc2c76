/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The leaves of chance nodes under the value strong against their definition. */
#include "tests/agents/value_of.h"
#include "tests/agents/values/best_of.h"
#include "tests/random_board.h"
#include "tests/test.h"

enum { SEED = 20485, NODES = 400 };

/*
 * Parameters of strong: the defaults, no corner, no edge, prices of several digits, negative ones.
 */
static const char *const settings[] = {
    "",
    "w_edge=3.3,w_corner=5000,w_sum=0",
    "w_edge=0,mono_power=2.5,base=0,w_corner=0",
    "w_empty=-50,w_merge=-20.4,w_corner=77,sum_power=1",
    "w_mono=0,w_sum=0,w_edge=9",
};
enum { SETTINGS = sizeof settings / sizeof settings[0] };

static const char *const spawns[] = {"2:0.9,4:0.1", "2:1", "2:0.2,4:0.3,8:0.5", "4:0.75,256:0.25"};

/* What one value at a time says of all spawns of exponent K. */
static double leaves(const struct game *game, const struct value *value,
		     const struct leaf_rule *rule, const struct board *after, uint8_t k)
{
	uint8_t cells[CELLS_MAX];
	const int count = board_empty_cells(game, after, cells);
	double sum = 0;
	for (int i = 0; i < count; i++) {
		struct board board = *after;
		*board_at(&board, cells[i]) = k;
		sum += best_of(game, value, rule, &board, true);
	}
	return sum;
}

/*
 * After-state N of a test, with tiles up to 2^LARGEST and merges of these: of every kind, with a
 * few cells that are empty and with a single one, also where the spawn in it ends the game; with
 * lines that a move has closed.
 */
static void some_node(const struct game *game, size_t n, int largest, struct rng *rng,
		      struct board *after)
{
	random_board(game, (int)(n % RANDOM_KINDS), rng, after);
	if (n % 5 == 4)
		for (int r = 0; r < game->rows; r++)
			for (int c = 0; c < game->cols; c++)
				after->cell[r][c] = (uint8_t)(3 + (r + c) % 2);
	for (int r = 0; r < game->rows; r++)
		for (int c = 0; c < game->cols; c++)
			if (after->cell[r][c] > largest)
				after->cell[r][c] = (uint8_t)largest;
	const uint32_t more = n % 3 ? 0 : rng_below(rng, (uint32_t)game->cells);
	for (uint32_t i = 0; i <= more; i++)
		after->cell[rng_below(rng, (uint32_t)game->rows)]
			   [rng_below(rng, (uint32_t)game->cols)] = 0;
	if (n % 2) {
		struct moves moves;
		oracle_moves(game, after, &moves);
		if (moves.legal)
			*after = moves.after[moves_any(&moves, rng)];
	}
}

struct tally {
	int done, declined, lost;
};

static void node_check(const struct game *game, const struct value *value,
		       const struct board *after, struct tally *tally)
{
	const struct leaf_rule rule = leaf_rule_of(game, false, false, -100.25);
	double sums[SPAWN_KINDS_MAX] = {12345};
	const struct spawn_rule *spawn = &game->spawn;
	if (!value->class->leaf_sums(value->self, &rule, after, spawn->exponent, spawn->kinds,
				     sums)) {
		assert_true(sums[0] == 12345);
		tally->declined++;
		return;
	}
	tally->done++;
	for (int i = 0; i < spawn->kinds; i++) {
		const double expected = leaves(game, value, &rule, after, spawn->exponent[i]);
		tally->lost += expected == rule.terminal;
		if (memcmp(&sums[i], &expected, sizeof expected) != 0) {
			char text[BOARD_TEXT_MAX];
			board_format(game, after, text);
			fail_msg("%s, %s, kind %d of %d: %.17g, not %.17g: %s", game->name,
				 isa_name(game->isa), i, spawn->kinds, sums[i], expected, text);
		}
	}
}

static struct tally nodes_check(const struct game *game, int setting, int largest, uint64_t stream)
{
	struct tally tally = {0};
	struct value *value = value_of("strong", settings[setting], game);
	struct rng rng;
	rng_init(&rng, SEED, RNG_TEST, stream);
	for (size_t n = 0; n < NODES / SANITIZED_SHARE; n++) {
		struct board after;
		some_node(game, n, largest, &rng, &after);
		node_check(game, value, &after, &tally);
	}
	value_free(value);
	return tally;
}

/* Shapes of which batches are slower. */
static bool by_nodes(const struct game *game)
{
	return game->rows >= 4 && game->cols >= 4 &&
	       game->cells >= (game->isa == ISA_AVX512 ? 24 : 20);
}

TEST(the_leaves_of_a_chance_node_are_what_the_definition_says)
{
	static const int largest[] = {5, 13, 15, 20, 29};
	int lost = 0;
	for (int isa = 0; isa < ISAS; isa++)
		for (int i = 0; i < 25 && isa_ask((enum isa)isa); i++)
			for (int j = 0; j < SETTINGS; j++) {
				struct game any, game;
				shape_game(i, &any);
				const struct game_options options = {.shape = any.name,
								     .spawn = spawns[(i + j) % 4]};
				game_make(&options, &game);
				const struct tally tally =
				    nodes_check(&game, j, largest[(i + j) % 5], (uint64_t)i);
				assert_int_equal(by_nodes(&game) ? tally.declined : tally.done, 0);
				lost += tally.lost;
			}
	unsetenv("NXN_ISA");
	assert_true(lost > 0);
}

/* Look-ups reach tiles up to 2^31, after a merge; beyond, batches do the work. */
TEST(tiles_beyond_the_tables_are_left_to_batches)
{
	for (int isa = 0; isa < ISAS; isa++) {
		struct game game;
		if (!isa_ask((enum isa)isa))
			continue;
		game_make(&(struct game_options){.shape = "6x6"}, &game);
		struct value *value = value_of("strong", "", &game);
		for (int k = 29; k <= 33; k++) {
			struct tally tally = {0};
			struct board after = {0};
			after.cell[2][0] = after.cell[2][1] = (uint8_t)k;
			node_check(&game, value, &after, &tally);
			assert_int_equal(tally.done, by_nodes(&game) && k <= 30);
		}
		value_free(value);
	}
	unsetenv("NXN_ISA");
}

/* Other rules of leaves are left to value_best(), too. */
TEST(spawns_and_rewards_at_the_leaf_are_declined)
{
	struct game game;
	const struct board after = {0};
	const uint8_t k = 1;
	double sum = 12345;
	game_make(&(struct game_options){.shape = "5x5"}, &game);
	struct value *value = value_of("strong", "", &game);
	for (int i = 1; i < 4; i++) {
		const struct leaf_rule rule = leaf_rule_of(&game, i & 1, i & 2, 0);
		assert_false(value->class->leaf_sums(value->self, &rule, &after, &k, 1, &sum));
	}
	assert_true(sum == 12345);
	value_free(value);
}

/* By hand: 24 cells, each time 23 empty ones that count 1 in their row and 1 in their column. */
TEST(a_lone_tile_has_the_value_that_was_computed_by_hand)
{
	for (int isa = 0; isa < ISAS; isa++) {
		struct game game;
		const uint8_t k = 1;
		struct board after = {0};
		double sum = 24 * 2 * 23;
		if (!isa_ask((enum isa)isa))
			continue;
		game_make(&(struct game_options){.shape = "5x5"}, &game);
		struct value *value = value_of(
		    "strong", "base=0,w_empty=1,w_merge=0,w_mono=0,w_sum=0,w_edge=0,w_corner=0",
		    &game);
		const struct leaf_rule rule = leaf_rule_of(&game, false, false, 0);
		after.cell[1][3] = 2;
		assert_int_equal(value->class->leaf_sums(value->self, &rule, &after, &k, 1, &sum),
				 by_nodes(&game));
		assert_true(sum == 24 * 2 * 23);
		value_free(value);
	}
	unsetenv("NXN_ISA");
}

TESTS(NULL, NULL)
