/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels of all shapes against the oracle. */
#include "boards/oracle.h"
#include "tests/random_board.h"
#include "tests/test.h"

enum { BOARDS_A_KIND = 10000 / SANITIZED_SHARE, SEED = 20480 };

static bool moves_agree(const struct game *game, const struct board *board,
			const struct moves *oracle)
{
	struct moves kernel;
	memset(&kernel, 0xff, sizeof kernel);
	game->moves(board, &kernel);
	bool equal = kernel.legal == oracle->legal && game->over(board) == (oracle->legal == 0);
	for (int d = 0; d < DIRECTIONS; d++)
		equal &= kernel.reward[d] == oracle->reward[d] &&
			 board_equal(&kernel.after[d], &oracle->after[d]);
	return equal;
}

static void board_check(const struct game *games, int isas, const struct board *board)
{
	struct moves oracle;
	oracle_moves(&games[0], board, &oracle);
	for (int i = 0; i < isas; i++)
		if (!moves_agree(&games[i], board, &oracle)) {
			char text[BOARD_TEXT_MAX];
			board_format(&games[i], board, text);
			fail_msg("%s differs from the oracle on %s", isa_name(games[i].isa), text);
		}
}

/* Makes the same game for every instruction set of the machine; their number. */
static int games_make(const struct game_options *options, struct game games[ISAS])
{
	int isas = 0;
	for (int isa = 0; isa < ISAS; isa++)
		if (isa_ask((enum isa)isa))
			game_make(options, &games[isas++]);
	unsetenv("NXN_ISA");
	return isas;
}

static void shape_check(const struct game_options *options, uint64_t stream)
{
	struct game games[ISAS];
	int isas = games_make(options, games);
	struct rng rng;
	assert_true(isas >= 1);
	rng_init(&rng, SEED, RNG_TEST, stream);
	for (int n = 0; n < RANDOM_KINDS * BOARDS_A_KIND; n++) {
		struct board board;
		random_board(&games[0], n % RANDOM_KINDS, &rng, &board);
		board_check(games, isas, &board);
	}
}

TEST(moves_of_every_shape_and_isa_agree_with_the_oracle)
{
	for (int i = 0; i < 25; i++) {
		struct game game;
		shape_game(i, &game);
		shape_check(&(struct game_options){.shape = game.name}, (uint64_t)i);
	}
}

TEST(tiles_of_every_size_agree_with_the_oracle)
{
	static const char *const shapes[] = {"2x3", "4x4", "5x3", "6x6"};
	for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
		shape_check(&(struct game_options){.shape = shapes[i], .spawn = "256:1"}, 25 + i);
}

/* The rule: one draw for the empty cell in reading order, then one real number for the kind. */
static void spawn_by_rule(const struct game *game, struct board *board, struct rng *rng)
{
	uint8_t cells[CELLS_MAX];
	const int empty = board_empty_cells(game, board, cells);
	uint8_t *cell = board_at(board, cells[rng_below(rng, (uint32_t)empty)]);
	double u = rng_real(rng);
	int kind = 0;
	for (; kind < game->spawn.kinds - 1 && u >= game->spawn.probability[kind]; kind++)
		u -= game->spawn.probability[kind];
	*cell = game->spawn.exponent[kind];
}

static void spawn_check(const struct game *game, const struct board *before, struct rng *rng)
{
	struct rng draws = *rng, more = *rng;
	struct board want = *before, within = *before, apart;
	memset(&apart, 0xff, sizeof apart);
	spawn_by_rule(game, &want, rng);
	board_spawn(game, &within, &draws);
	game->spawn_into(game, before, &apart, &more);
	assert_memory_equal(&within, &want, sizeof want);
	assert_memory_equal(&apart, &want, sizeof want);
	assert_int_equal(rng_draws(&draws), rng_draws(rng));
}

TEST(spawns_of_every_shape_and_isa_follow_the_rule)
{
	for (int i = 0; i < 25; i++) {
		const struct game_options options = {.shape = shape_name(i),
						     .spawn = "2:0.5,4:0.3,8:0.2"};
		struct game games[ISAS];
		const int isas = games_make(&options, games);
		struct rng rng;
		rng_init(&rng, SEED, RNG_TEST, (uint64_t)i);
		for (int n = 0; n < BOARDS_A_KIND / 10; n++) {
			struct board board;
			random_board(&games[0], n % 2 ? SPARSE : CHAINS, &rng, &board);
			if (board_empty(&games[0], &board))
				spawn_check(&games[n % isas], &board, &rng);
		}
	}
}

TEST(the_best_isa_of_the_machine_is_taken_unless_another_is_asked_for)
{
	struct game game;
	unsetenv("NXN_ISA");
	game_of("4x4", &game);
	assert_true(isa_available(game.isa));
	for (int isa = (int)game.isa + 1; isa < ISAS; isa++)
		assert_false(isa_available((enum isa)isa));
	for (int isa = 0; isa < ISAS; isa++)
		if (isa_ask((enum isa)isa)) {
			game_of("4x4", &game);
			assert_int_equal(game.isa, isa);
		}
	unsetenv("NXN_ISA");
}

TEST(an_unknown_isa_is_refused)
{
	static const char *const wrong[] = {"avx", "AVX2", "avx5120"};
	struct game_options options = {.shape = "4x4"};
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		struct game game;
		struct why why = {""};
		setenv("NXN_ISA", wrong[i], 1);
		assert_int_equal(game_init(&game, &options, &why), STATUS_INPUT);
		assert_non_null(strstr(why.text, "expected portable, avx2 or avx512"));
	}
	unsetenv("NXN_ISA");
}

/* The rules that beginners get wrong, by hand. */
TEST(known_lines_slide_as_the_rules_say)
{
	static const struct {
		const char *before, *after;
		uint64_t reward;
	} cases[] = {
	    {"2,2,2,2/0,0,0,0", "4,4,0,0/0,0,0,0", 8},
	    {"2,2,2,0/4,0,0,4", "4,2,0,0/8,0,0,0", 12},
	    {"4,2,2,0/2,2,4,0", "4,4,0,0/4,4,0,0", 8},
	    {"0,0,0,2/2,0,2,4", "2,0,0,0/4,4,0,0", 4},
	    {"2,4,8,16/16,8,4,2", "2,4,8,16/16,8,4,2", 0},
	};
	struct game game;
	game_of("2x4", &game);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct board before, after;
		struct moves moves;
		int rows, cols;
		assert_int_equal(board_parse(cases[i].before, &before, &rows, &cols, NULL), 0);
		assert_int_equal(board_parse(cases[i].after, &after, &rows, &cols, NULL), 0);
		game.moves(&before, &moves);
		assert_memory_equal(&moves.after[LEFT], &after, sizeof after);
		assert_int_equal(moves.reward[LEFT], cases[i].reward);
		assert_int_equal(moves.legal >> LEFT & 1, !board_equal(&before, &after));
	}
}

TESTS(NULL, NULL)
