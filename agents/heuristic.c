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
#include "boards/bytes.h"

typedef uint8_t lanes __attribute__((vector_size(2 * ROW_BYTES)));
typedef uint64_t words __attribute__((vector_size(2 * ROW_BYTES)));

struct heuristic {
	double w_empty, w_corner, w_monotone, w_merge;
	const struct game *game;
	int length;		  /* of the longest line */
	lanes used[SIDE_MAX + 1]; /* used[k]: the lanes whose line has a k-th cell, all bits set */
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
	const struct game *game = env->game;
	(void)why;
	h->game = game;
	h->length = game->rows > game->cols ? game->rows : game->cols;
	for (int k = 0; k <= SIDE_MAX; k++)
		h->used[k] =
		    (lanes)(words){k < game->rows ? ~(uint64_t)0 >> (64 - 8 * game->cols) : 0,
				   k < game->cols ? ~(uint64_t)0 >> (64 - 8 * game->rows) : 0};
	return STATUS_OK;
}

/* The k-th cells of all columns and rows. */
static inline void lines_load(const struct board *board, lanes v[SIDE_MAX])
{
	uint64_t row[8] = {0}, column[8];
	for (int k = 0; k < SIDE_MAX; k++)
		row[k] = row_load(board->cell[k]);
	memcpy(column, row, sizeof column);
	transpose_bytes(column);
	for (int k = 0; k < SIDE_MAX; k++)
		v[k] = (lanes)(words){row[k], column[k]};
}

static inline int bytes_sum(uint64_t w)
{
	const uint64_t even = 0x00ff00ff00ff00ffu;
	return (int)(((w & even) + (w >> 8 & even)) * 0x0001000100010001u >> 48);
}

static inline int lanes_sum(const lanes *v)
{
	return bytes_sum(((words)*v)[0]) + bytes_sum(((words)*v)[1]);
}

/* What the lines of a board say; masks have all bits of a lane set, counts are a number a lane. */
struct lines {
	lanes v[SIDE_MAX];
	lanes falls[SIDE_MAX],
	    rises[SIDE_MAX]; /* v[k] >= v[k+1]; v[k] <= v[k+1]; true at the end */
	lanes monotone;	     /* the line never rises, or never falls */
	lanes empty, merges; /* counts */
};

static inline void lines_read(const struct heuristic *h, const struct board *board,
			      struct lines *lines)
{
	lanes *v = lines->v, all_fall = ~(lanes){0}, all_rise = all_fall;
	lines_load(board, v);
	lines->empty = lines->merges = (lanes){0};
	for (int k = 0; k < h->length; k++) {
		const lanes next = k + 1 < h->length ? v[k + 1] : (lanes){0}, both = h->used[k + 1];
		lines->empty -= (lanes)(v[k] == 0) & h->used[k];
		lines->merges -= (lanes)(v[k] == next) & (lanes)(v[k] != 0) & both;
		lines->falls[k] = (lanes)(v[k] >= next) | ~both;
		lines->rises[k] = (lanes)(v[k] <= next) | ~both;
		all_fall &= lines->falls[k];
		all_rise &= lines->rises[k];
	}
	lines->monotone = (all_fall | all_rise) & h->used[0];
}

static double heuristic_weigh(const struct heuristic *h, int empty, int corner, int monotone,
			      int merges)
{
	return h->w_empty * empty + h->w_corner * corner + h->w_monotone * monotone +
	       h->w_merge * merges;
}

static void heuristic_eval(const void *self, const struct board *boards, size_t n, double *out)
{
	const struct heuristic *h = self;
	for (size_t i = 0; i < n; i++) {
		struct lines lines;
		lines_read(h, &boards[i], &lines);
		lanes monotone = lines.monotone & 1;
		out[i] = heuristic_weigh(h, bytes_sum(((words)lines.empty)[0]),
					 board_max_in_corner(h->game, &boards[i]),
					 lanes_sum(&monotone), lanes_sum(&lines.merges));
	}
}

/*
 * In how many (line, empty cell of it) pairs the line is monotone once K stands in the cell: what
 * lies before it in the line and what lies behind must be in order, and K fit between them.
 */
static inline int monotone_fits(const struct heuristic *h, const struct lines *lines, lanes k)
{
	const lanes *v = lines->v, *falls = lines->falls, *rises = lines->rises, all = ~(lanes){0};
	lanes fall_after[SIDE_MAX + 1], rise_after[SIDE_MAX + 1]; /* order from cell i to the end */
	lanes fall_before = all, rise_before = all, fits = {0};
	fall_after[h->length] = rise_after[h->length] = all;
	for (int i = h->length - 1; i >= 0; i--) {
		fall_after[i] = fall_after[i + 1] & falls[i];
		rise_after[i] = rise_after[i + 1] & rises[i];
	}
	for (int i = 0; i < h->length; i++) {
		lanes fall = fall_before & fall_after[i + 1],
		      rise = rise_before & rise_after[i + 1];
		if (i > 0) {
			fall &= (lanes)(v[i - 1] >= k);
			rise &= (lanes)(v[i - 1] <= k);
		}
		if (i + 1 < h->length) {
			fall &= (lanes)(v[i + 1] <= k);
			rise &= (lanes)(v[i + 1] >= k) | ~h->used[i + 1];
		}
		fits -= (fall | rise) & (lanes)(v[i] == 0) & h->used[i];
		if (i > 0) {
			fall_before &= falls[i - 1];
			rise_before &= rises[i - 1];
		}
	}
	return lanes_sum(&fits);
}

/* The number of (empty cell, neighbour of exponent K) pairs. */
static inline int merge_fits(const struct heuristic *h, const struct lines *lines, lanes k)
{
	const lanes *v = lines->v;
	lanes fits = {0};
	for (int i = 0; i + 1 < h->length; i++)
		fits -= (((lanes)(v[i] == 0) & (lanes)(v[i + 1] == k)) |
			 ((lanes)(v[i] == k) & (lanes)(v[i + 1] == 0))) &
			h->used[i + 1];
	return lanes_sum(&fits);
}

/* For how many empty cells of AFTER a largest tile stands in a corner once K is in the cell. */
static int corner_fits(const struct game *game, const struct board *after, int empty, int k)
{
	int max = board_max(after), bottom = game->rows - 1, right = game->cols - 1;
	if (k <= max && board_max_in_corner(game, after))
		return empty;
	if (k < max)
		return 0;
	return (after->cell[0][0] == 0) + (after->cell[0][right] == 0) +
	       (after->cell[bottom][0] == 0) + (after->cell[bottom][right] == 0);
}

/* A line keeps its order when the tile appears elsewhere, which it does empty - (its own) times. */
static double heuristic_spawn_sum(const void *self, const struct board *after, int k)
{
	const struct heuristic *h = self;
	struct lines lines;
	lines_read(h, after, &lines);
	const lanes tile = (lanes){0} + (uint8_t)k;
	int empty = bytes_sum(((words)lines.empty)[0]);
	lanes elsewhere = ((uint8_t)empty - lines.empty) & lines.monotone;
	return heuristic_weigh(h, empty * (empty - 1), corner_fits(h->game, after, empty, k),
			       lanes_sum(&elsewhere) + monotone_fits(h, &lines, tile),
			       empty * lanes_sum(&lines.merges) + merge_fits(h, &lines, tile));
}

const struct value_class heuristic_value = {
    .name = "heuristic",
    .summary = "empty cells, corner, monotone lines, merges: the seed paper's four terms",
    .params = heuristic_params,
    .size = sizeof(struct heuristic),
    .init = heuristic_init,
    .eval = heuristic_eval,
    .spawn_sum = heuristic_spawn_sum,
};
