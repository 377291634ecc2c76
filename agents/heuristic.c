/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The seed paper's four terms (Mayer-Hirshfeld, Navarro, Saleh: AI Agent for 2048, section 5):
 *
 *   value = w_empty    * empty cells
 *         + w_corner   * (1 if a largest tile stands in a corner)
 *         + w_monotone * rows and columns that never rise, or never fall, from end to end
 *         + w_merge    * neighbouring pairs of equal tiles
 *
 * The paper prints the terms but neither weights nor exact counts: empty cells count as 0 in a line
 * that is tested for order, and every pair of equal neighbours counts once. The default weights are
 * ours. Multiples of 1/64 keep sums of these values exact in double, whatever their order.
 *
 * All lines are looked at together: v[k] holds the k-th cell of every column (lanes 0..7) and of
 * every row (lanes 8..15).
 */
#include "agents/registry.h"

#include <string.h>

struct heuristic {
	double w_empty, w_corner, w_monotone, w_merge;
	const struct game *game;
	uint64_t column_lanes, row_lanes; /* byte masks of the lanes in use */
};

#define WEIGHT(field, value, text)                                                                 \
	{                                                                                          \
		.name = #field, .kind = PARAM_REAL, .offset = offsetof(struct heuristic, field),   \
		.fallback = value, .min = -1e6, .max = 1e6, .doc = text                            \
	}

static const struct param heuristic_params[] = {
    WEIGHT(w_empty, "10", "weight of an empty cell"),
    WEIGHT(w_corner, "20", "weight of a largest tile in a corner"),
    WEIGHT(w_monotone, "10", "weight of a monotone row or column"),
    WEIGHT(w_merge, "5", "weight of a pair of equal neighbours"),
    {0},
};

static enum status heuristic_init(void *self, const struct value_env *env, struct why *why)
{
	struct heuristic *h = self;
	(void)why;
	h->game = env->game;
	h->column_lanes = ~(uint64_t)0 >> (64 - 8 * env->game->cols);
	h->row_lanes = ~(uint64_t)0 >> (64 - 8 * env->game->rows);
	return STATUS_OK;
}

typedef uint8_t lanes __attribute__((vector_size(16)));
typedef uint64_t words __attribute__((vector_size(16)));

/* The k-th cells of all columns and rows. */
static inline void lines_load(const struct board *board, lanes v[ROW_BYTES])
{
	struct board columns;
	board_transpose(board, &columns);
	for (int k = 0; k < SIDE_MAX; k++) {
		uint64_t row, column;
		memcpy(&row, board->cell[k], sizeof row);
		memcpy(&column, columns.cell[k], sizeof column);
		v[k] = (lanes)(words){row, column};
	}
}

/* How many of the lanes under the masks are set (all bits of a byte). */
static inline int lanes_count(lanes set, uint64_t columns, uint64_t rows)
{
	words w = (words)set;
	return (__builtin_popcountll(w[0] & columns) + __builtin_popcountll(w[1] & rows)) / 8;
}

static double heuristic_one(const struct heuristic *h, const struct board *board)
{
	const struct game *game = h->game;
	const int longest = game->rows > game->cols ? game->rows : game->cols;
	lanes v[SIDE_MAX + 2], falls = {0}, rises = {0};
	lines_load(board, v);
	int empty = 0, merges = 0;
	for (int k = 0; k < game->rows; k++)
		empty += lanes_count((lanes)(v[k] == 0), h->column_lanes, 0);
	for (int k = 0; k + 1 < longest; k++) {
		uint64_t columns = k + 1 < game->rows ? h->column_lanes : 0;
		uint64_t rows = k + 1 < game->cols ? h->row_lanes : 0;
		lanes used = (lanes)(words){columns, rows};
		falls |= (lanes)(v[k] > v[k + 1]) & used;
		rises |= (lanes)(v[k] < v[k + 1]) & used;
		merges +=
		    lanes_count((lanes)(v[k] == v[k + 1]) & (lanes)(v[k] != 0), columns, rows);
	}
	int monotone = lanes_count(~(falls & rises), h->column_lanes, h->row_lanes);
	return h->w_empty * empty + h->w_corner * board_max_in_corner(game, board) +
	       h->w_monotone * monotone + h->w_merge * merges;
}

static void heuristic_eval(const void *self, const struct board *boards, size_t n, double *out)
{
	for (size_t i = 0; i < n; i++)
		out[i] = heuristic_one(self, &boards[i]);
}

const struct value_class heuristic_value = {
    .name = "heuristic",
    .summary = "empty cells, corner, monotone lines, merges: the seed paper's four terms",
    .params = heuristic_params,
    .size = sizeof(struct heuristic),
    .init = heuristic_init,
    .eval = heuristic_eval,
};
