/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of whole batches against their definition, for every shape and instruction set. */
#include "tests/agents/value_of.h"
#include "tests/agents/values/best_of.h"
#include "tests/random_board.h"
#include "tests/test.h"

#include <math.h>

enum { SEED = 20484 };

/* A value and its parameters. */
struct value_setting {
	const char *value, *settings;
	bool exact; /* sums of values do not depend on their order */
};

static const struct value_setting heuristics[] = {
    {"heuristic", "", true},
    {"heuristic", "w_empty=-3,w_merge=0.125", true},
    {"heuristic", "w_empty=0,w_corner=-7,w_monotone=0,w_merge=3", true},
    {"heuristic", "w_empty=1000000,w_corner=-128,w_monotone=1000,w_merge=-3", true},
    {"heuristic", "w_empty=2.7,w_corner=19.3,w_monotone=-0.1,w_merge=3.14159", false},
    {"heuristic", "w_corner=0.01", false},
};

static const struct value_setting strongs[] = {
    {"strong", "", true},
    {"strong", "w_edge=3.3,w_corner=5000,w_sum=0", true},
    {"strong", "w_edge=0.25,mono_power=2.5,base=0", true},
    {"strong", "w_empty=-50,w_merge=-20.4,w_corner=77,sum_power=1", true},
    {"strong", "w_mono=0,w_sum=0", true},
};

/* A board without empty cells and, but for PAIRS cells, without equal neighbours. */
static void near_end_board(const struct game *game, int pairs, struct rng *rng, struct board *board)
{
	*board = (struct board){0};
	for (int r = 0; r < game->rows; r++)
		for (int c = 0; c < game->cols; c++)
			board->cell[r][c] =
			    (uint8_t)(1 + (r + c) % 2 +
				      (game->max_exponent > 5 ? 2 : 0) * (int)rng_below(rng, 2));
	for (int i = 0; i < pairs; i++)
		board->cell[rng_below(rng, (uint32_t)game->rows)]
			   [rng_below(rng, (uint32_t)game->cols)] =
		    (uint8_t)(1 + rng_below(rng, 3));
}

/* Position N of a test: every kind of board in turn, with tiles that can still merge. */
static void some_board(const struct game *game, size_t n, struct rng *rng, struct board *board)
{
	const int kind = (int)(n % (RANDOM_KINDS + 2));
	const uint8_t most = (uint8_t)(game->max_exponent - 1);
	if (kind < RANDOM_KINDS)
		random_board(game, kind, rng, board);
	else
		near_end_board(game, kind - RANDOM_KINDS + (int)rng_below(rng, 2), rng, board);
	for (int r = 0; r < game->rows; r++)
		for (int c = 0; c < game->cols; c++)
			board->cell[r][c] = board->cell[r][c] < most ? board->cell[r][c] : most;
}

static int done_count;

static void best_check(const struct game *game, const struct value_setting *setting, bool spawns,
		       size_t n, uint64_t stream)
{
	static struct batch batch;
	static double out[BATCH_MAX];
	struct value *value = value_of(setting->value, setting->settings, game);
	struct rng rng;
	struct board board[BATCH_MAX];
	rng_init(&rng, SEED, RNG_TEST, stream);
	const struct leaf_rule rule = leaf_rule_of(game, spawns, false, -100.25);
	memset(&batch, 0xa5, sizeof batch);
	for (size_t i = 0; i < n; i++) {
		some_board(game, i, &rng, &board[i]);
		batch_put(&batch, i, &board[i], game->rows);
	}
	for (size_t i = 0; i < BATCH_MAX; i++)
		out[i] = 12345;
	const bool done = value->class->best(value->self, &rule, &batch, n, out);
	done_count += done;
	for (size_t i = 0; i < BATCH_MAX && !done; i++)
		assert_true(out[i] == 12345);
	/* What no kernel offers, a search gets from the evaluator of leaves in the same way. */
	if (!done)
		value_best(value, game, &rule, &batch, n, out);
	for (size_t i = 0; i < n; i++) {
		const double expected = best_of(game, value, &rule, &board[i], setting->exact);
		if (memcmp(&out[i], &expected, sizeof expected) != 0) {
			char text[BOARD_TEXT_MAX];
			board_format(game, &board[i], text);
			fail_msg(
			    "%s on %s, %s, spawns %d, position %zu of %zu: %.17g, not %.17g: %s",
			    setting->value, game->name, isa_name(game->isa), spawns, i, n, out[i],
			    expected, text);
		}
	}
	for (size_t i = n; i < BATCH_MAX; i++)
		assert_true(out[i] == 12345);
	value_free(value);
}

/*
 * Each setting in turn on every shape and instruction set, and on rules of other spawns. At least
 * LEAST of each hundred are not declined.
 */
static void settings_check(const struct value_setting *settings, size_t count, bool spawns,
			   int least)
{
	int all = 0;
	done_count = 0;
	static const size_t sizes[] = {256, 65, 64, 63, 1};
	static const char *const rules[] = {"2:0.9,4:0.1", "2:1", "2:0.2,4:0.3,8:0.1,64:0.4",
					    "4:0.75,256:0.25"};
	for (int isa = 0; isa < ISAS; isa++)
		for (int i = 0; i < 25 && isa_ask((enum isa)isa); i++)
			for (size_t j = 0; j < count; j++) {
				struct game any, game;
				shape_game(i, &any);
				game_make(
				    &(struct game_options){.shape = any.name,
							   .spawn = rules[(j + (size_t)i) % 4]},
				    &game);
				all++;
				best_check(&game, &settings[j], spawns, sizes[(j + (size_t)i) % 5],
					   (uint64_t)i);
			}
	unsetenv("NXN_ISA");
	assert_true(done_count * 100 >= all * least);
}

TEST(the_best_after_state_of_the_heuristic_is_what_the_definition_says)
{
	settings_check(heuristics, sizeof heuristics / sizeof heuristics[0], false, 100);
}

TEST(the_best_spawns_of_the_heuristic_are_what_the_definition_says)
{
	settings_check(heuristics, sizeof heuristics / sizeof heuristics[0], true, 100);
}

TEST(the_best_after_state_of_strong_is_what_the_definition_says)
{
	settings_check(strongs, sizeof strongs / sizeof strongs[0], false, 50);
}

TEST(the_best_spawns_of_strong_are_what_the_definition_says)
{
	settings_check(strongs, sizeof strongs / sizeof strongs[0], true, 0);
}

/*
 * A line of strong by agents/values/strong.c's definition, with w_empty 270 and so on, mono_power
 * POWER.
 */
static double strong_line(const int *k, int n, double power)
{
	double falls = 0, rises = 0, sum = 0;
	int last = 0, run = 0, runs = 0, empty = 0;
	for (int i = 0; i < n; i++) {
		const double step = i ? pow(k[i - 1], power) - pow(k[i], power) : 0;
		falls += step > 0 ? step : 0;
		rises -= step < 0 ? step : 0;
		sum += rint(11 * pow(k[i], 3.5));
		empty += k[i] == 0;
		if (k[i] == 0)
			continue;
		run = k[i] == last ? run + 1 : 1;
		runs += run == 2 ? 2 : run > 2 ? 1 : 0;
		last = k[i];
	}
	return 270 * empty + 700 * runs - 47 * (falls < rises ? falls : rises) - sum;
}

static double strong_naive(const struct game *game, const struct board *board, double power)
{
	double value = 1e7;
	int largest = 0, corner = 0, line[SIDE_MAX];
	for (int r = 0; r < game->rows; r++) {
		for (int c = 0; c < game->cols; c++) {
			const bool end = r == 0 || r == game->rows - 1;
			const bool side = c == 0 || c == game->cols - 1;
			line[c] = board->cell[r][c];
			largest = line[c] > largest ? line[c] : largest;
			corner = end && side && line[c] > corner ? line[c] : corner;
			if (!end && !side)
				value -= rint(2.5 * pow(line[c], power));
		}
		value += strong_line(line, game->cols, power);
	}
	for (int c = 0; c < game->cols; c++) {
		for (int r = 0; r < game->rows; r++)
			line[r] = board->cell[r][c];
		value += strong_line(line, game->rows, power);
	}
	return value + (corner == largest ? 321 : 0);
}

/* A power of 3 needs no scale for tiles up to 2^31. */
TEST(strong_is_what_its_definition_says_on_every_shape)
{
	for (int i = 0; i < 25; i++)
		for (int third = 0; third < 2; third++) {
			struct game game;
			struct rng rng;
			shape_game(i, &game);
			if (!third && (game.rows > 4 || game.cols > 4))
				continue;
			struct value *value = value_of(
			    "strong",
			    text_of("base=1e7,w_empty=270,w_merge=700,w_mono=47,mono_power=%d,"
				    "w_sum=11,sum_power=3.5,w_edge=2.5,w_corner=321",
				    third ? 3 : 4),
			    &game);
			rng_init(&rng, SEED, RNG_TEST, 200 + (uint64_t)i);
			for (size_t n = 0; n < 600; n++) {
				struct board board;
				double x;
				some_board(&game, n, &rng, &board);
				for (int c = 0; c < CELLS_MAX; c++) {
					uint8_t *k = &board.cell[c / 6][c % 6];
					*k = *k < (third ? 31 : 15) ? *k : 15;
				}
				value_eval(value, &board, 1, &x);
				assert_true(x == strong_naive(&game, &board, third ? 3 : 4));
			}
			value_free(value);
		}
}

/*
 * nneonneo/2048-ai, 2048.cpp, init_tables(), said again: 200000 a line and nothing rounded. We
 * round each of the 32 prices of tiles.
 */
static double published(const struct board *board)
{
	double value = 0;
	for (int i = 0; i < 8; i++) {
		double rank[4], up = 0, down = 0;
		int counter = 0, previous = 0;
		value += 200000;
		for (int j = 0; j < 4; j++) {
			rank[j] = i < 4 ? board->cell[i][j] : board->cell[j][i - 4];
			value -= 11 * pow(rank[j], 3.5);
			if (j > 0)
				*(rank[j - 1] > rank[j] ? &down : &up) +=
				    fabs(pow(rank[j - 1], 4) - pow(rank[j], 4));
			if (rank[j] == 0)
				value += 270;
			else if ((int)rank[j] == previous)
				counter++;
			else {
				value += counter > 0 ? 700 * (1 + counter) : 0;
				counter = 0;
				previous = (int)rank[j];
			}
		}
		value += counter > 0 ? 700 * (1 + counter) : 0;
		value -= 47 * fmin(up, down);
	}
	return value;
}

TEST(strong_with_published_weights_is_the_published_heuristic)
{
	struct game game;
	struct rng rng;
	game_of("4x4", &game);
	struct value *value =
	    value_of("strong",
		     "base=1600000,w_empty=270,w_merge=700,w_mono=47,mono_power=4,"
		     "w_sum=11,sum_power=3.5,w_edge=0,w_corner=0",
		     &game);
	rng_init(&rng, SEED, RNG_TEST, 300);
	for (size_t n = 0; n < 2000; n++) {
		struct board board;
		double x;
		some_board(&game, n, &rng, &board);
		for (int c = 0; c < 16; c++) /* it has no larger tile */
			if (board.cell[c / 4][c % 4] > 15)
				board.cell[c / 4][c % 4] = 15;
		value_eval(value, &board, 1, &x);
		assert_true(fabs(x - published(&board)) <= 16);
	}
	/* 4 alone in a corner, by hand: 1600000 + 30 * 270 - 2 * 11 * 2^3.5. */
	struct board alone = {0};
	double x;
	alone.cell[0][0] = 2;
	value_eval(value, &alone, 1, &x);
	assert_true(x == 1607852);
	value_free(value);
}

/* What one call says of N boards must be what N calls say. */
static void eval_check(const struct game *game, const struct value_setting *setting, size_t n)
{
	struct board board[300];
	double all[301], one;
	struct value *value = value_of(setting->value, setting->settings, game);
	struct rng rng;
	rng_init(&rng, SEED, RNG_TEST, 400 + n);
	for (size_t i = 0; i < n; i++)
		some_board(game, i, &rng, &board[i]);
	all[n] = 12345;
	value_eval(value, board, n, all);
	for (size_t i = 0; i < n; i++) {
		value_eval(value, &board[i], 1, &one);
		if (all[i] != one)
			fail_msg("%s on %s, %s: board %zu of %zu is %.17g, alone %.17g",
				 setting->value, game->name, isa_name(game->isa), i, n, all[i],
				 one);
	}
	assert_true(all[n] == 12345);
	value_free(value);
}

TEST(boards_have_the_same_value_together_as_alone)
{
	static const size_t sizes[] = {1, 3, 4, 33, 64, 300};
	for (int isa = 0; isa < ISAS; isa++)
		for (int i = 0; i < 25 && isa_ask((enum isa)isa); i++) {
			struct game game;
			shape_game(i, &game);
			eval_check(&game, &heuristics[4], sizes[i % 6]);
			for (int j = 0; j < 6; j++)
				eval_check(&game, &strongs[(i + j) % 5], sizes[j]);
		}
	unsetenv("NXN_ISA");
}

/* Batches whose largest tile is K, next to another K, and which merge into K + 1. */
static void largest_check(const struct game *game, uint8_t k, struct rng *rng)
{
	static struct batch batch;
	struct board board[40];
	double best[40], all[40], one;
	struct value *value = value_of("strong", strongs[1].settings, game);
	const struct leaf_rule rule = leaf_rule_of(game, false, false, -100.25);
	for (size_t i = 0; i < 40; i++) {
		some_board(game, i, rng, &board[i]);
		for (int c = 0; c < CELLS_MAX; c++) {
			uint8_t *cell = &board[i].cell[c / SIDE_MAX][c % SIDE_MAX];
			*cell = *cell > k ? k : *cell;
		}
		board[i].cell[0][0] = board[i].cell[0][1] = k;
		batch_put(&batch, i, &board[i], game->rows);
	}
	if (value->class->best(value->self, &rule, &batch, 40, best))
		for (size_t i = 0; i < 40; i++)
			assert_true(best[i] == best_of(game, value, &rule, &board[i], true));
	value_eval(value, board, 40, all);
	for (size_t i = 0; i < 40; i++) {
		value_eval(value, &board[i], 1, &one);
		assert_true(all[i] == one);
	}
	value_free(value);
}

TEST(every_largest_tile_is_looked_up)
{
	struct rng rng;
	rng_init(&rng, SEED, RNG_TEST, 500);
	for (int isa = 0; isa < ISAS; isa++) {
		if (!isa_ask((enum isa)isa))
			continue;
		struct game game;
		game_make(&(struct game_options){.shape = "6x6", .spawn = "256:1"}, &game);
		for (uint8_t k = 1; k < game.max_exponent; k++)
			largest_check(&game, k, &rng);
	}
	unsetenv("NXN_ISA");
}

/* Positions as a search has them: every fifth is any, the others are spawns on what it leaves. */
static void families_make(const struct game *game, struct rng *rng, size_t n, struct board *board)
{
	struct board after = {0};
	for (size_t i = 0; i < n; i++) {
		if (i % 5 == 0)
			some_board(game, i / 5, rng, &after);
		board[i] = after;
		if (i % 5 == 0 && !board_empty(game, &after))
			memset(after.cell[0], 0, (size_t)game->cols);
		if (i % 5)
			board_spawn(game, &board[i], rng);
	}
}

/* Leaves for which there is no kernel: a search asks for all in the same way. */
TEST(leaves_without_a_kernel_are_what_the_definition_says)
{
	enum { N = 200 };
	static const struct {
		const char *value, *settings;
		bool spawns, rewards;
	} cases[] = {
	    {"heuristic", "", false, true},
	    {"heuristic", "", true, true},
	    {"strong", "w_edge=3.3,w_corner=5000,w_sum=0", true, false},
	    {"strong", "", true, true},
	    {"empty", "", false, false},
	    {"empty", "", true, true},
	};
	struct rng rng;
	rng_init(&rng, SEED, RNG_TEST, 100);
	for (int i = 0; i < 25; i++)
		for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
			static struct batch batch;
			struct board board[N];
			struct game game;
			double out[N];
			shape_game(i, &game);
			struct value *value = value_of(cases[c].value, cases[c].settings, &game);
			const struct leaf_rule rule =
			    leaf_rule_of(&game, cases[c].spawns, cases[c].rewards, -100.25);
			families_make(&game, &rng, N, board);
			for (size_t n = 0; n < N; n++)
				batch_put(&batch, n, &board[n], game.rows);
			value_best(value, &game, &rule, &batch, N, out);
			for (size_t n = 0; n < N; n++)
				assert_true(out[n] ==
					    best_of(&game, value, &rule, &board[n], true));
			value_free(value);
		}
}

/* Plays at random from AFTER: no position within SPAWNS spawns is above the bound. */
static void bound_walk(const struct game *game, const struct value *value,
		       const struct board *after, int spawns, struct rng *rng)
{
	const double bound = value->class->bound(value->self, after, spawns);
	struct board board = *after;
	double x;
	assert_true(bound == rint(bound) && fabs(bound) < 0x1p34);
	for (int i = 0; i <= spawns; i++) {
		struct moves moves;
		value_eval(value, &board, 1, &x);
		assert_true(x <= bound);
		if (i == spawns || !board_empty(game, &board))
			return;
		board_spawn(game, &board, rng);
		value_eval(value, &board, 1, &x);
		assert_true(x <= bound);
		/* A move may also be none, as at the end of a search. */
		oracle_moves(game, &board, &moves);
		if (moves.legal && rng_below(rng, 8))
			board = moves.after[moves_any(&moves, rng)];
	}
	/* The last own move. */
	struct moves moves;
	oracle_moves(game, &board, &moves);
	if (!moves.legal)
		return;
	value_eval(value, &moves.after[moves_any(&moves, rng)], 1, &x);
	assert_true(x <= bound);
}

TEST(no_position_is_above_the_bound_of_one_before)
{
	static const char *const extremes[] = {
	    "w_mono=0,w_edge=0,w_corner=0",
	    "w_mono=0,w_empty=-300,w_merge=-20",
	    "w_mono=0.1,w_sum=9,sum_power=4",
	    "w_mono=0.1,w_sum=3000,sum_power=0.5",
	};
	static const char *const rules[] = {"2:0.9,4:0.1", "2:1", "2:0.2,4:0.3,8:0.1,64:0.4"};
	for (int i = 0; i < 25; i++)
		for (size_t j = 0; j < 9; j++) {
			struct game any, game;
			struct rng rng;
			shape_game(i, &any);
			game_make(&(struct game_options){.shape = any.name, .spawn = rules[j % 3]},
				  &game);
			struct value *value = value_of(
			    "strong", j < 5 ? strongs[j].settings : extremes[j - 5], &game);
			rng_init(&rng, SEED, RNG_TEST, 500 + (uint64_t)i);
			for (size_t n = 0; n < 200 / SANITIZED_SHARE; n++) {
				struct board board;
				some_board(&game, n, &rng, &board);
				bound_walk(&game, value, &board, (int)rng_below(&rng, 12), &rng);
			}
			value_free(value);
		}
}

TESTS(NULL, NULL)
