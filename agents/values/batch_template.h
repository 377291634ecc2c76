/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values of whole batches, one board a lane, for every shape: the same always-inlined bodies with
 * constant sides. Makes the table batch_kernels. A file that includes this one is compiled for one
 * instruction set. Parameters:
 *
 *   a lane header      boards/simd/lanes_wide*.h, included before
 *   BATCH_STRONG       defined where the kernels of the value strong are faster than one by one
 *
 * What is worth the same however a board is turned or mirrored need not turn it back, so an
 * after-state stays as its lines slid: cell[line * length + k] is the k-th cell of a line from the
 * wall.
 */
#include "agents/values/values_kernel.h"
#include "boards/simd/slide_wide.h"
#include "boards/simd/wide_numbers.h"

#include <math.h>

/* Cells in reading order, as codes of boards/simd/slide_wide.h. */
struct batch_boards {
	lanes cell[CELLS_MAX];
	lanes empty; /* their number */
};

struct batch_after {
	lanes cell[CELLS_MAX];
	lanes empty;
	lanes changed; /* 0 where the direction is not legal */
};

/* Where the lines of a direction begin among the cells, and the way to the next line and cell. */
struct batch_way {
	int start, line, cell;
};

/* The way of a direction that has LINES lines of LENGTH cells. */
ALWAYS_INLINE struct batch_way batch_way(int direction, int lines, int length)
{
	const bool forward = direction == UP || direction == LEFT;
	const bool vertical = direction == UP || direction == DOWN;
	const int sign = forward ? 1 : -1;
	return (struct batch_way){forward ? 0 : lines * length - 1, vertical ? sign : sign * length,
				  vertical ? sign * lines : sign};
}

/* Reads WIDE boards from FIRST on; an exponent k becomes the code k * STEP + 1. */
ALWAYS_INLINE void batch_open(const struct batch *batch, size_t first, int rows, int cols, int step,
			      struct batch_boards *boards)
{
	const lanes one = lanes_all(1);
	lanes empty = lanes_all(rows * cols);
#pragma GCC unroll 1
	for (int r = 0; r < rows; r++) {
		lanes *row = boards->cell + r * cols;
		wide_row(batch, first, r, cols, row);
		UNROLL
		for (int c = 0; c < cols; c++) {
			const lanes tile = lanes_min(row[c], one);
			empty = lanes_minus(empty, tile);
			row[c] = lanes_plus(row[c], step == 2 ? lanes_plus(row[c], tile) : tile);
		}
	}
	boards->empty = empty;
}

/* What is summed while the lines of a direction move. */
struct batch_moved {
	lanes empty, changed;
};

/*
 * Moves line I of all boards. With CHECKERED, an empty cell becomes 1 in every other place, from
 * PARITY on, so that two empty neighbours are never equal.
 */
ALWAYS_INLINE struct batch_moved batch_move_line(const struct batch_boards *from,
						 struct batch_way way, int i, int length, int step,
						 bool checkered, int parity, lanes *to,
						 struct batch_moved sum)
{
	const lanes *cell = from->cell + way.start + i * way.line;
	lanes v[SIDE_MAX];
	UNROLL
	for (int k = 0; k < length; k++)
		v[k] = cell[k * way.cell];
	sum.empty = wide_slide(v, length, step, sum.empty);
	/* Sliding keeps the sum of a line: the last cell does not change alone. */
	UNROLL
	for (int k = 0; k < length - 1; k++)
		sum.changed = lanes_differ(sum.changed, v[k], cell[k * way.cell]);
	UNROLL
	for (int k = 0; k < length; k++)
		to[i * length + k] =
		    checkered && (parity + k) % 2 ? lanes_max(v[k], lanes_all(1)) : v[k];
	return sum;
}

/* Moves all boards. */
ALWAYS_INLINE void batch_move(const struct batch_boards *from, int direction, int lines, int length,
			      int step, bool checkered, struct batch_after *after)
{
	const struct batch_way way = batch_way(direction, lines, length);
	struct batch_moved sum = {from->empty, lanes_all(0)};
#pragma GCC unroll 1
	for (int i = 0; i < lines; i += 2) {
		sum = batch_move_line(from, way, i, length, step, checkered, 0, after->cell, sum);
		if (i + 1 < lines)
			sum = batch_move_line(from, way, i + 1, length, step, checkered, 1,
					      after->cell, sum);
	}
	after->empty = sum.empty;
	after->changed = sum.changed;
}

/* Writes TERMINAL where no move was LEGAL. */
ALWAYS_INLINE void lost_write(lanes legal, double terminal, double *out)
{
	uint8_t some[WIDE];
	if (!lanes_some(lanes_where(lanes_empty(legal), lanes_all(1))))
		return;
	memcpy(some, &legal, sizeof some);
	for (int i = 0; i < WIDE; i++)
		if (!some[i])
			out[i] = terminal;
}

#include "agents/values/heuristic_batch.h"
#ifdef BATCH_STRONG
#include "agents/values/strong_batch.h"
#endif

/* Shape (r, c) here is r lines of c cells. */
#define SHAPE(r, c)                                                                                \
	static void heuristic_afters_##r##x##c(const struct heuristic_task *task,                  \
					       const struct batch_boards *boards, int direction,   \
					       struct batch_best *best)                            \
	{                                                                                          \
		direction_offer(task, boards, direction, r, c, false, best);                       \
	}                                                                                          \
	static void heuristic_spawns_##r##x##c(const struct heuristic_task *task,                  \
					       const struct batch_boards *boards, int direction,   \
					       struct batch_best *best)                            \
	{                                                                                          \
		direction_offer(task, boards, direction, r, c, true, best);                        \
	}
#include "boards/shapes.def"

#define SHAPE(r, c)                                                                                \
	static void heuristic_best_##r##x##c(const struct heuristic_weights *weights,              \
					     const struct leaf_rule *rule,                         \
					     const struct batch *batch, size_t n, double *out)     \
	{                                                                                          \
		const bool spawns = rule->spawns;                                                  \
		heuristic_best_body(                                                               \
		    weights, rule, batch, n, out,                                                  \
		    spawns ? heuristic_spawns_##c##x##r : heuristic_afters_##c##x##r,              \
		    spawns ? heuristic_spawns_##r##x##c : heuristic_afters_##r##x##c, r, c);       \
	}
#include "boards/shapes.def"

#ifdef BATCH_STRONG
#define SHAPE(r, c)                                                                                \
	static __attribute__((noinline)) void strong_spoils_##r##x##c(                             \
	    const struct strong_bytes *bytes, const struct wide_places *cell, int pieces,          \
	    struct short_sums sum[2])                                                              \
	{                                                                                          \
		spoils_sum(bytes, cell, pieces, r, c, sum);                                        \
	}                                                                                          \
	static void strong_offer_##r##x##c(const struct strong_bytes *bytes,                       \
					   const struct batch_boards *boards, int direction,       \
					   struct strong_best *best)                               \
	{                                                                                          \
		strong_offer(bytes, strong_spoils_##r##x##c, boards, direction, r, c, best);       \
	}
#include "boards/shapes.def"

#define SHAPE(r, c)                                                                                \
	static void strong_best_##r##x##c(const struct strong_bytes *bytes,                        \
					  const struct leaf_rule *rule, const struct batch *batch, \
					  size_t n, double *out)                                   \
	{                                                                                          \
		strong_best_body(bytes, rule, batch, n, out, strong_offer_##c##x##r,               \
				 strong_offer_##r##x##c, r, c);                                    \
	}                                                                                          \
	static void strong_eval_##r##x##c(const struct strong_bytes *bytes,                        \
					  const struct batch *batch, size_t n, double *out)        \
	{                                                                                          \
		strong_eval_body(bytes, strong_spoils_##r##x##c, batch, n, out, r, c);             \
	}
#include "boards/shapes.def"
#define STRONG(r, c) strong_best_##r##x##c, strong_eval_##r##x##c
#else
#define STRONG(r, c) NULL, NULL
#endif

static const struct batch_kernel batch_kernels[] = {
#define SHAPE(r, c) {r, c, heuristic_best_##r##x##c, STRONG(r, c)},
#include "boards/shapes.def"
};
