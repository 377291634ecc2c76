/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The value linear9: its features, its moves and the 2-ply policy against plain definitions. */
#include "tests/agents/agent_of.h"
#include "tests/agents/value_of.h"
#include "boards/oracle.h"
#include "tests/random_board.h"
#include "tests/test.h"

#include <math.h>
#include <string.h>

enum { SEED = 9, LINEAR9 = 9 };

/* A board as tiles in reading order. */
struct grid {
	int rows, cols;
	long tile[CELLS_MAX];
};

static void grid_of(const struct game *game, const struct board *board, struct grid *grid)
{
	*grid = (struct grid){.rows = game->rows, .cols = game->cols};
	for (int i = 0; i < game->cells; i++) {
		const int k = board->cell[i / game->cols][i % game->cols];
		grid->tile[i] = k ? 1L << k : 0;
	}
}

static bool are_neighbours(const struct grid *grid, int i, int j)
{
	const int dr = i / grid->cols - j / grid->cols, dc = i % grid->cols - j % grid->cols;
	return dr * dr + dc * dc == 1;
}

/* The three largest tiles, each as often as it is there. */
static void largest(const struct grid *grid, long t[3])
{
	struct grid rest = *grid;
	for (int n = 0; n < 3; n++) {
		int at = 0;
		for (int i = 0; i < grid->rows * grid->cols; i++)
			at = rest.tile[i] > rest.tile[at] ? i : at;
		t[n] = rest.tile[at];
		rest.tile[at] = 0;
	}
}

static bool is_corner(const struct grid *grid, int i)
{
	const int r = i / grid->cols, c = i % grid->cols;
	return (r == 0 || r == grid->rows - 1) && (c == 0 || c == grid->cols - 1);
}

static int equal_neighbour(const struct grid *grid, int i)
{
	for (int j = 0; j < grid->rows * grid->cols; j++)
		if (grid->tile[i] && grid->tile[j] == grid->tile[i] && are_neighbours(grid, i, j))
			return 1;
	return 0;
}

/* The I-th of the lines of a grid, rows first: the place of its cell J, or -1 behind its end. */
static int line_at(const struct grid *grid, int i, int j)
{
	if (i < grid->rows)
		return j < grid->cols ? i * grid->cols + j : -1;
	return j < grid->rows ? j * grid->cols + i - grid->rows : -1;
}

static bool line_leads(const struct grid *grid, int i, const long t[3])
{
	for (int a = 0; line_at(grid, i, a) >= 0; a++)
		for (int b = 0; line_at(grid, i, b) >= 0; b++)
			if (a != b && grid->tile[line_at(grid, i, a)] == t[0] &&
			    grid->tile[line_at(grid, i, b)] == t[1])
				return true;
	return false;
}

static double line_sum(const struct grid *grid, int i)
{
	double sum = 0;
	for (int j = 0; line_at(grid, i, j) >= 0; j++)
		sum += (double)grid->tile[line_at(grid, i, j)];
	return sum;
}

/* f7, f8 and f9. */
static void expect_lines(const struct grid *grid, const long t[3], double f[LINEAR9])
{
	double total = 0;
	for (int i = 0; i < grid->rows; i++)
		total += line_sum(grid, i);
	for (int i = 0; t[1] && i < grid->rows + grid->cols; i++) {
		const int first = i < grid->rows ? 0 : grid->rows;
		const int end = i < grid->rows ? grid->rows : grid->rows + grid->cols;
		bool full = true, up = true, down = true;
		double sum = line_sum(grid, i);
		if (!line_leads(grid, i, t))
			continue;
		for (int j = 0; line_at(grid, i, j) >= 0; j++)
			full &= grid->tile[line_at(grid, i, j)] > 0;
		for (int j = 1; line_at(grid, i, j) >= 0; j++) {
			const long a = grid->tile[line_at(grid, i, j - 1)],
				   b = grid->tile[line_at(grid, i, j)];
			up &= a <= b;
			down &= a >= b;
		}
		sum += i > first ? line_sum(grid, i - 1) : 0;
		sum += i + 1 < end ? line_sum(grid, i + 1) : 0;
		f[6] = full ? 1 : f[6];
		f[7] = up || down ? 1 : f[7];
		f[8] = fmax(f[8], sum / total);
	}
}

static void expect_features(const struct grid *grid, double f[LINEAR9])
{
	const int cells = grid->rows * grid->cols;
	long t[3];
	largest(grid, t);
	memset(f, 0, LINEAR9 * sizeof *f);
	for (int i = 0; i < cells; i++) {
		const int r = i / grid->cols, c = i % grid->cols;
		const bool inside = r > 0 && c > 0 && r + 1 < grid->rows && c + 1 < grid->cols;
		if (is_corner(grid, i) && grid->tile[i] && grid->tile[i] == t[0])
			f[0] = 1;
		for (int j = 0; j < cells; j++)
			if (are_neighbours(grid, i, j) && grid->tile[i] == t[0] && grid->tile[j] &&
			    (grid->tile[j] == t[1] || grid->tile[j] == t[2]))
				f[1] = 1;
		f[3] += grid->tile[i] > 0;
		if (is_corner(grid, i) ? i != cells - 1 : inside && (r + c) % 2 == 0)
			f[4] += equal_neighbour(grid, i);
		if (!inside && !is_corner(grid, i))
			f[5] += equal_neighbour(grid, i);
	}
	expect_lines(grid, t, f);
}

static const double weights[LINEAR9] = {4.5, -2.25, 0.03, -1.1, 1.7, 0.9, -3.3, 2.6, 7.7};
#define WEIGHTS_TEXT "w1=4.5,w2=-2.25,w3=0.03,w4=-1.1,w5=1.7,w6=0.9,w7=-3.3,w8=2.6,w9=7.7"

/* Each feature by a value of its own, in which nothing else has a weight. */
struct features {
	struct game game;
	struct value *of[LINEAR9];
};

static void features_init(struct features *features, const char *shape)
{
	game_of(shape, &features->game);
	for (int i = 0; i < LINEAR9; i++) {
		char settings[] = "w1=0,w2=0,w3=0,w4=0,w5=0,w6=0,w7=0,w8=0,w9=0";
		settings[5 * i + 3] = '1';
		features->of[i] = value_of("linear9", settings, &features->game);
	}
}

static void features_fini(struct features *features)
{
	for (int i = 0; i < LINEAR9; i++)
		value_free(features->of[i]);
}

static void expect_equal_features(const struct features *features, const struct board *board,
				  const double expected[LINEAR9])
{
	for (int i = 0; i < LINEAR9; i++) {
		double f;
		char text[BOARD_TEXT_MAX];
		value_eval(features->of[i], board, 1, &f);
		board_format(&features->game, board, text);
		if (f != expected[i])
			fail_msg("f%d of %s: %g, not %g", i + 1, text, f, expected[i]);
	}
}

/* Few tiles, so that the second and third largest matter, ties included. */
static void few_tiles(const struct game *game, struct rng *rng, struct board *board)
{
	*board = (struct board){0};
	for (uint32_t n = rng_below(rng, 5); n > 0; n--)
		board->cell[rng_below(rng, (uint32_t)game->rows)]
			   [rng_below(rng, (uint32_t)game->cols)] =
		    (uint8_t)(1 + rng_below(rng, 4));
}

/* Tiles that fall along a snake, some of them changed: leading lines that descend, full and not. */
static void snake(const struct game *game, struct rng *rng, struct board *board)
{
	const uint32_t holes = rng_below(rng, 4);
	*board = (struct board){0};
	for (int i = 0; i < game->cells; i++) {
		const int r = i / game->cols, c = i % game->cols, k = game->max_exponent - 1 - i;
		board->cell[r][r % 2 ? game->cols - 1 - c : c] =
		    (uint8_t)(k < 0 || rng_below(rng, 16) < holes ? 0 : k);
	}
}

static void some_board(const struct game *game, int n, struct rng *rng, struct board *board)
{
	const int kind = n % (RANDOM_KINDS + 2);
	if (kind < RANDOM_KINDS)
		random_board(game, kind, rng, board);
	else if (kind == RANDOM_KINDS)
		few_tiles(game, rng, board);
	else
		snake(game, rng, board);
}

TEST(features_are_their_definitions_on_every_shape)
{
	double seen[LINEAR9] = {0};
	for (int s = 0; s < 25; s++) {
		struct features features;
		struct rng rng;
		features_init(&features, shape_name(s));
		rng_init(&rng, SEED, RNG_TEST, (uint64_t)s);
		for (int n = 0; n < 3000 / SANITIZED_SHARE; n++) {
			struct board board;
			struct grid grid;
			double f[LINEAR9];
			some_board(&features.game, n, &rng, &board);
			grid_of(&features.game, &board, &grid);
			expect_features(&grid, f);
			expect_equal_features(&features, &board, f);
			assert_true(f[8] >= 0 && f[8] <= 1);
			for (int i = 0; i < LINEAR9; i++)
				seen[i] += f[i];
		}
		features_fini(&features);
	}
	for (int i = 0; i < LINEAR9; i++)
		assert_true(i == 2 ? seen[i] == 0 : seen[i] > 0);
}

/* Worked out by hand. */
TEST(features_by_hand)
{
	static const struct {
		const char *shape, *board;
		double f[LINEAR9];
	} cases[] = {
	    {"4x4", "2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0", {1, 0, 0, 1, 0, 0, 0, 0, 0}},
	    /* 64 and 32 share a full row that descends; beside it are 2 and 4. */
	    {"4x4", "64,32,8,2/2,0,4,0/0,0,0,0/2,0,0,0", {1, 1, 0, 7, 0, 0, 1, 1, 112. / 114}},
	    /* Two largest: the line of both is their column, which has a hole. */
	    {"4x4", "0,8,2,2/0,0,0,0/0,8,0,4/0,0,0,0", {0, 0, 0, 5, 1, 1, 0, 0, 18. / 24}},
	    /* The second is elsewhere; the third is a neighbour. */
	    {"4x4", "0,0,8,4/0,16,0,0/0,4,0,0/0,0,0,0", {0, 1, 0, 4, 0, 0, 0, 0, 0}},
	    /* Largest tiles in no common line, though beside the third. */
	    {"2x2", "4,2/2,4", {1, 1, 0, 4, 0, 0, 0, 0, 0}},
	    /* Three in a row at the last corner, of which only the middle one counts: set 6. */
	    {"3x3", "0,0,0/0,0,2/0,0,2", {1, 1, 0, 2, 0, 1, 0, 1, 1}},
	    /* The middle of 5x5 is in set 5; the second row and its neighbours hold all but 4. */
	    {"5x5",
	     "0,0,0,0,0/2,0,0,0,0/0,8,8,0,0/0,0,2,0,0/0,0,0,0,4",
	     {0, 1, 0, 5, 1, 0, 0, 0, 20. / 24}},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct features features;
		features_init(&features, cases[i].shape);
		const struct board board = board_of(&features.game, cases[i].board);
		expect_equal_features(&features, &board, cases[i].f);
		features_fini(&features);
	}
}

/* Eval of a move as it is printed. */
static double eval_move(const struct game *game, const struct board *before,
			const struct board *after, double points, bool by_points)
{
	struct grid was, is;
	double f[LINEAR9], sum = 0;
	grid_of(game, before, &was);
	grid_of(game, after, &is);
	expect_features(&is, f);
	for (int i = 0; i < game->cells; i++)
		f[2] += (double)labs(is.tile[i] - was.tile[i]);
	f[2] = by_points ? points : f[2];
	for (int i = 0; i < LINEAR9; i++)
		sum += weights[i] * f[i];
	return sum;
}

TEST(moves_and_positions_are_judged_by_the_printed_sum)
{
	static const char *const shapes[] = {"2x2", "2x5", "3x4", "4x4", "5x5", "6x6"};
	for (int s = 0; s < 12; s++) {
		struct game game;
		struct rng rng;
		game_of(shapes[s / 2], &game);
		rng_init(&rng, SEED, RNG_TEST, 200 + (uint64_t)s);
		struct value *value = value_of(
		    "linear9", text_of(WEIGHTS_TEXT ",f3=%s", s % 2 ? "points" : "changes"), &game);
		for (int n = 0; n < 200; n++) {
			struct board board;
			struct moves moves;
			double x;
			some_board(&game, n, &rng, &board);
			oracle_moves(&game, &board, &moves);
			value_eval(value, &board, 1, &x);
			assert_true(x == eval_move(&game, &board, &board, 0, false));
			for (int d = 0; d < DIRECTIONS; d++) {
				const double points = (double)moves.reward[d];
				const struct transition move = {&board, &moves.after[d], points};
				value->class->eval_moves(value->self, &move, 1, &x);
				assert_true(
				    x == eval_move(&game, &board, &moves.after[d], points, s % 2));
			}
		}
		value_free(value);
	}
}

/*
 * The largest value of the moves of a position, Reward(S) of the paper, plus SHARE of its points.
 */
static double reward(const struct game *game, const struct board *board, double share,
		     double terminal)
{
	struct moves moves;
	double best = -INFINITY;
	oracle_moves(game, board, &moves);
	for (int d = 0; d < DIRECTIONS; d++)
		if (moves.legal >> d & 1)
			best = fmax(best, eval_move(game, board, &moves.after[d], 0, false) +
					      share * (double)moves.reward[d]);
	return moves.legal ? best : terminal;
}

/* A batch of a search is judged one by one, whatever else is in it. */
TEST(leaves_are_the_best_moves_one_by_one)
{
	static struct batch batch;
	static double out[BATCH_MAX];
	static const char *const shapes[] = {"2x2", "3x5", "4x4", "6x6"};
	static const size_t counts[] = {1, 63, 64, 65, 129, BATCH_MAX};
	for (size_t s = 0; s < 4 * sizeof counts / sizeof counts[0]; s++) {
		const size_t n = counts[s / 4];
		static struct board board[BATCH_MAX];
		struct game game;
		struct rng rng;
		game_of(shapes[s % 4], &game);
		rng_init(&rng, SEED, RNG_TEST, 300 + (uint64_t)s);
		struct value *value = value_of("linear9", WEIGHTS_TEXT, &game);
		const struct leaf_rule rule = leaf_rule_of(&game, false, s % 3 == 0, -100.25);
		for (size_t i = 0; i < n; i++) {
			some_board(&game, (int)i, &rng, &board[i]);
			batch_put(&batch, i, &board[i], game.rows);
		}
		value_best(value, &game, &rule, &batch, n, out);
		for (size_t i = 0; i < n; i++)
			assert_true(out[i] == reward(&game, &board[i], rule.rewards, -100.25));
		value_free(value);
	}
}

/* Exp(Reward(S, a)) of the paper. */
static double expected_reward(const struct game *game, const struct board *after, double terminal)
{
	double sum = 0;
	const int empty = board_empty(game, after);
	for (int r = 0; r < game->rows; r++)
		for (int c = 0; c < game->cols; c++)
			for (int j = 0; j < game->spawn.kinds && !after->cell[r][c]; j++) {
				struct board next = *after;
				next.cell[r][c] = game->spawn.exponent[j];
				sum += game->spawn.probability[j] / empty *
				       reward(game, &next, 0, terminal);
			}
	return sum;
}

TEST(the_policy_of_two_plies_is_this_search)
{
	static const char *const shapes[] = {"2x2", "2x3", "3x3", "4x3", "4x4", "5x5", "6x6"};
	static const char *const text =
	    "expectimax:depth=1,value=linear9,rewards=0,cutoff=0,terminal=-31," WEIGHTS_TEXT;
	for (uint64_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
		struct game game;
		struct rng rng;
		struct board board;
		game_of(shapes[s], &game);
		rng_init(&rng, SEED, RNG_TEST, 400 + s);
		struct agent *agent = agent_of(text, &game);
		for (int n = 0; n < 60 / (SANITIZED_SHARE > 1 ? 4 : 1); n++) {
			struct moves moves;
			struct decision v;
			some_board(&game, n, &rng, &board);
			game.moves(&board, &moves);
			const int move = board_ask(agent, &board, &v);
			for (int d = 0; d < DIRECTIONS; d++) {
				if (!(moves.legal >> d & 1))
					continue;
				const double x = expected_reward(&game, &moves.after[d], -31);
				assert_true(fabs(v.value[d] - x) <= 1e-9 * (1 + fabs(x)));
				assert_true(v.value[move] >= v.value[d]);
			}
		}
		agent_free(agent);
	}
}

/* leaf=state asks for positions, which no move led to: f3 does not matter. */
TEST(positions_have_no_reward)
{
	struct game game;
	struct rng rng;
	game_of("3x3", &game);
	rng_init(&rng, SEED, RNG_TEST, 500);
	struct agent *with = agent_of("expectimax:depth=2,leaf=state,value=linear9,w3=5", &game);
	struct agent *without = agent_of("expectimax:depth=2,leaf=state,value=linear9,w3=0", &game);
	for (int n = 0; n < 40; n++) {
		struct board board;
		struct decision v, w;
		some_board(&game, n, &rng, &board);
		assert_int_equal(board_ask(with, &board, &v), board_ask(without, &board, &w));
		assert_memory_equal(v.value, w.value, sizeof v.value);
	}
	agent_free(with);
	agent_free(without);
}

TESTS(NULL, NULL)
