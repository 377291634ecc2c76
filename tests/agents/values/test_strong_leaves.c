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

/* Chance nodes with their sums, which begin at START. */
enum { START = 7 };

struct list {
	size_t n;
	struct board after[NODES];
	double sum[NODES][SPAWN_KINDS_MAX];
	struct leaf_node node[NODES];
};

/* Adds AFTER, with all kinds of spawn or with a single one. */
static void nodes_add(struct list *list, const struct game *game, const struct board *after)
{
	const struct spawn_rule *spawn = &game->spawn;
	const size_t i = list->n++;
	struct leaf_node *node = &list->node[i];
	const int first = i % 4 == 3 ? (int)(i / 4) % spawn->kinds : 0;
	list->after[i] = *after;
	*node =
	    (struct leaf_node){.after = &list->after[i], .kinds = i % 4 == 3 ? 1 : spawn->kinds};
	for (int j = 0; j < node->kinds; j++) {
		node->k[j] = spawn->exponent[first + j];
		node->sum[j] = &list->sum[i][j];
		list->sum[i][j] = START;
	}
}

/* Checks the sums of node I, by their definition or unchanged. Returns how many games are lost. */
static int node_check(const struct game *game, const struct value *value,
		      const struct leaf_rule *rule, const struct list *list, size_t i, bool done)
{
	const struct leaf_node *node = &list->node[i];
	int lost = 0;
	for (int j = 0; j < node->kinds; j++) {
		const double sum = leaves(game, value, rule, node->after, node->k[j]);
		const double expected = START + (done ? sum : 0);
		lost += done && sum == rule->terminal;
		if (memcmp(node->sum[j], &expected, sizeof expected) != 0) {
			char text[BOARD_TEXT_MAX];
			board_format(game, node->after, text);
			fail_msg("%s, %s, kind %d of %d: %.17g, not %.17g: %s", game->name,
				 isa_name(game->isa), j, node->kinds, *node->sum[j], expected,
				 text);
		}
	}
	return lost;
}

/* Checks the nodes of LIST that strong sums; returns their number, and adds to LOST. */
static size_t nodes_sum_check(const struct game *game, const struct value *value, struct list *list,
			      int *lost)
{
	const struct leaf_rule rule = leaf_rule_of(game, false, false, -100.25);
	const size_t done = value->class->leaf_sums(value->self, &rule, list->node, list->n);
	for (size_t i = 0; i < list->n; i++)
		*lost += node_check(game, value, &rule, list, i, i < done);
	return done;
}

static size_t nodes_check(const struct game *game, int setting, int largest, uint64_t stream,
			  int *lost)
{
	static struct list list;
	struct value *value = value_of("strong", settings[setting], game);
	struct rng rng;
	if (largest > game->max_exponent - 2) /* a move here and one in the search merge tiles */
		largest = game->max_exponent - 2;
	rng_init(&rng, SEED, RNG_TEST, stream);
	list.n = 0;
	for (size_t n = 0; n < NODES / SANITIZED_SHARE; n++) {
		struct board after;
		some_node(game, n, largest, &rng, &after);
		nodes_add(&list, game, &after);
	}
	const size_t done = nodes_sum_check(game, value, &list, lost);
	value_free(value);
	return done;
}

/* Shapes of which batches are slower. */
static bool by_nodes(const struct game *game)
{
	return game->isa == ISA_AVX512 || (game->rows >= 4 && game->cols >= 4 && game->cells >= 20);
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
				const size_t done =
				    nodes_check(&game, j, largest[(i + j) % 5], (uint64_t)i, &lost);
				assert_int_equal(done,
						 by_nodes(&game) ? NODES / SANITIZED_SHARE : 0);
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
			const struct leaf_rule rule = leaf_rule_of(&game, false, false, 0);
			static struct list list;
			struct board after = {0};
			int lost = 0;
			after.cell[3][3] = 1;
			list.n = 0;
			nodes_add(&list, &game, &after);
			after.cell[2][0] = after.cell[2][1] = (uint8_t)k;
			nodes_add(&list, &game, &after);
			assert_int_equal(nodes_sum_check(&game, value, &list, &lost),
					 k <= 30 ? 2 : 1);
			list.sum[0][0] = list.sum[0][1] = START;
			list.sum[1][0] = list.sum[1][1] = START;
			value_leaf_sums(value, &game, &rule, list.node, list.n);
			node_check(&game, value, &rule, &list, 0, true);
			node_check(&game, value, &rule, &list, 1, true);
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
	double sum = 12345;
	const struct leaf_node node = {.after = &after, .kinds = 1, .k = {1}, .sum = {&sum}};
	game_make(&(struct game_options){.shape = "5x5"}, &game);
	struct value *value = value_of("strong", "", &game);
	for (int i = 1; i < 4; i++) {
		const struct leaf_rule rule = leaf_rule_of(&game, i & 1, i & 2, 0);
		assert_int_equal(value->class->leaf_sums(value->self, &rule, &node, 1), 0);
	}
	assert_true(sum == 12345);
	value_free(value);
}

/* By hand: 24 cells, each time 23 empty ones that count 1 in their row and 1 in their column. */
TEST(a_lone_tile_has_the_value_that_was_computed_by_hand)
{
	for (int isa = 0; isa < ISAS; isa++) {
		struct game game;
		struct board after = {0};
		double sum = 0;
		const struct leaf_node node = {
		    .after = &after, .kinds = 1, .k = {1}, .sum = {&sum}};
		if (!isa_ask((enum isa)isa))
			continue;
		game_make(&(struct game_options){.shape = "5x5"}, &game);
		struct value *value = value_of(
		    "strong", "base=0,w_empty=1,w_merge=0,w_mono=0,w_sum=0,w_edge=0,w_corner=0",
		    &game);
		const struct leaf_rule rule = leaf_rule_of(&game, false, false, 0);
		after.cell[1][3] = 2;
		assert_int_equal(value->class->leaf_sums(value->self, &rule, &node, 1), 1);
		assert_true(sum == 24 * 2 * 23);
		value_free(value);
	}
	unsetenv("NXN_ISA");
}

TESTS(NULL, NULL)
