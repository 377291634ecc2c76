/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The basis functions of Dedieu and Amar, Deep Reinforcement Learning for 2048, section 4.2, on R x
 * C cells, and the values that need no more than a look at a grid: `ordered` weighs them, `empty`
 * is the number of empty cells, and `score` is 0, no estimate, so that a search maximises the
 * expected points of its depth. tests/vectors/expectimax.txt holds exact searches over the last
 * two, from an independent program.
 *
 *   corner      1 if a largest tile stands in a corner
 *   vertical    1 if no cell is larger than the one before it in the column of a largest corner,
 *               read from there
 *   horizontal  the same for its row
 *   diagonal    the same for its diagonal, of min(R, C) cells
 *
 * A largest corner is one with the largest tile that any corner has; where several have it, an
 * indicator is 1 if it is for one of them, and where all corners are empty, all are 0. The text
 * says "descending cells from largest corner"; that equal neighbours pass, that an empty cell
 * counts as 0, and that it need not hold a largest tile, is our reading.
 *
 * Check value: a single tile in a corner of an empty board makes all four 1.
 */
#include "agents/values/ordered.h"

#include "agents/agent.h"

#include <string.h>

/* Whether the LENGTH cells from (R, C) on, in steps of (DR, DC), never rise. */
static bool falls(const struct board *board, int r, int c, int dr, int dc, int length)
{
	bool falling = true;
	for (int i = 1; i < length; i++, r += dr, c += dc)
		falling &= board->cell[r + dr][c + dc] <= board->cell[r][c];
	return falling;
}

/* The indicators of the corner (R, C) but the first. */
static unsigned order_from(const struct game *game, const struct board *board, int r, int c)
{
	const int rows = game->rows, cols = game->cols;
	const int dr = r ? -1 : 1, dc = c ? -1 : 1;
	return (unsigned)falls(board, r, c, dr, 0, rows) << ORDER_VERTICAL |
	       (unsigned)falls(board, r, c, 0, dc, cols) << ORDER_HORIZONTAL |
	       (unsigned)falls(board, r, c, dr, dc, rows < cols ? rows : cols) << ORDER_DIAGONAL;
}

unsigned order_of(const struct game *game, const struct board *board)
{
	const int r = game->rows - 1, c = game->cols - 1;
	const int corner[4][2] = {{0, 0}, {0, c}, {r, 0}, {r, c}};
	int largest = 0;
	for (int i = 0; i < 4; i++) {
		const int k = board->cell[corner[i][0]][corner[i][1]];
		largest = k > largest ? k : largest;
	}
	if (!largest)
		return 0;
	unsigned order = (unsigned)(largest == board_max(board)) << ORDER_CORNER;
	for (int i = 0; i < 4; i++)
		if (board->cell[corner[i][0]][corner[i][1]] == largest)
			order |= order_from(game, board, corner[i][0], corner[i][1]);
	return order;
}

/* Adds the indicators of SPAWNED, unless it is lost and that matters; whether it did. */
static bool order_count(const struct game *game, const struct board *spawned, bool matters,
			int count[ORDERS])
{
	if (matters && game->over(spawned))
		return false;
	const unsigned order = order_of(game, spawned);
	for (int i = 0; i < ORDERS; i++)
		count[i] += (int)(order >> i & 1);
	return true;
}

/* Counts come before probabilities, so that rounding cannot tell equal expectations apart. */
double order_expect(const struct game *game, const struct board *after, bool zero_lost,
		    double mean[ORDERS])
{
	uint8_t cells[CELLS_MAX];
	const int n = board_empty_cells(game, after, cells);
	double lost = 0;
	for (int i = 0; i < ORDERS; i++)
		mean[i] = 0;
	for (int kind = 0; kind < game->spawn.kinds; kind++) {
		const double p = game->spawn.probability[kind];
		int count[ORDERS] = {0};
		for (int j = 0; j < n; j++) {
			struct board spawned = *after;
			*board_at(&spawned, cells[j]) = game->spawn.exponent[kind];
			/* Only the last empty cell leaves a board full, and so perhaps lost. */
			if (!order_count(game, &spawned, zero_lost && n == 1, count))
				lost += p;
		}
		for (int i = 0; i < ORDERS; i++)
			mean[i] += p * ((double)count[i] / n);
	}
	return 1 - lost;
}

/* The state of these values. */
struct grid_value {
	const struct game *game;
	double w[ORDERS]; /* of ordered */
};

static enum status grid_init(void *self, const struct value_env *env, struct why *why)
{
	(void)why;
	((struct grid_value *)self)->game = env->game;
	return STATUS_OK;
}

#define WEIGHT(field, i, text)                                                                     \
	{                                                                                          \
		.name = "w_" #field, .kind = PARAM_REAL,                                           \
		.offset = offsetof(struct grid_value, w[i]), .fallback = "1", .min = -1e6,         \
		.max = 1e6, .doc = text                                                            \
	}

static const struct param ordered_params[] = {
    WEIGHT(corner, ORDER_CORNER, "a largest tile in a corner"),
    WEIGHT(vertical, ORDER_VERTICAL, "the column of a largest corner descends from it"),
    WEIGHT(horizontal, ORDER_HORIZONTAL, "its row descends"),
    WEIGHT(diagonal, ORDER_DIAGONAL, "its diagonal descends"),
    {0},
};

static void ordered_eval(const void *self, const struct board *boards, size_t n, double *out)
{
	const struct grid_value *o = self;
	for (size_t i = 0; i < n; i++) {
		const unsigned order = order_of(o->game, &boards[i]);
		out[i] = 0;
		for (int j = 0; j < ORDERS; j++)
			out[i] += order >> j & 1 ? o->w[j] : 0;
	}
}

const struct value_class ordered_value = {
    .name = "ordered",
    .summary = "four indicators of a grid that descends from a corner, weighted",
    .params = ordered_params,
    .size = sizeof(struct grid_value),
    .init = grid_init,
    .eval = ordered_eval,
};

static const struct param no_params[] = {{0}};

static void score_eval(const void *self, const struct board *boards, size_t n, double *out)
{
	(void)self;
	(void)boards;
	memset(out, 0, n * sizeof *out);
}

static void score_spawn_sums(const void *self, const struct board *after, const uint8_t *k,
			     int kinds, double *out)
{
	(void)self;
	(void)after;
	(void)k;
	memset(out, 0, (size_t)kinds * sizeof *out);
}

const struct value_class score_value = {
    .name = "score",
    .summary = "no estimate (0): a search maximises the points of its depth",
    .params = no_params,
    .in_points = true,
    .eval = score_eval,
    .spawn_sums = score_spawn_sums,
};

static void empty_eval(const void *self, const struct board *boards, size_t n, double *out)
{
	const struct grid_value *grid = self;
	for (size_t i = 0; i < n; i++)
		out[i] = board_empty(grid->game, &boards[i]);
}

static void empty_spawn_sums(const void *self, const struct board *after, const uint8_t *k,
			     int kinds, double *out)
{
	const struct grid_value *grid = self;
	int empty = board_empty(grid->game, after);
	(void)k;
	for (int i = 0; i < kinds; i++)
		out[i] = (double)empty * (empty - 1);
}

const struct value_class empty_value = {
    .name = "empty",
    .summary = "the number of empty cells",
    .params = no_params,
    .size = sizeof(struct grid_value),
    .init = grid_init,
    .eval = empty_eval,
    .spawn_sums = empty_spawn_sums,
};
