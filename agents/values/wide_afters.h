/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The after-states of WIDE boards at once, as lanes, for the kernels of agents/values/wide.h. What is
 * worth the same however a board is turned or mirrored need not turn it back, so an after-state
 * stays as its lines slid: cell[line * length + k] is the k-th cell of a line from the wall.
 *
 * A lane header (boards/lanes_wide*.h) and boards/simd/slide_wide.h come before this one.
 */
#ifndef NXN_WIDE_AFTERS_H
#define NXN_WIDE_AFTERS_H

/* Cells in reading order, as codes of boards/simd/slide_wide.h. */
struct wide_boards {
	lanes cell[CELLS_MAX];
	lanes empty; /* their number */
};

struct wide_after {
	lanes cell[CELLS_MAX];
	lanes empty;
	lanes changed; /* 0 where the direction is not legal */
};

/* Where the lines of a direction begin among the cells, and the way to the next line and cell. */
struct wide_way {
	int start, line, cell;
};

/* The way of a direction that has LINES lines of LENGTH cells. */
ALWAYS_INLINE struct wide_way wide_way(int direction, int lines, int length)
{
	const bool forward = direction == UP || direction == LEFT;
	const bool vertical = direction == UP || direction == DOWN;
	const int sign = forward ? 1 : -1;
	return (struct wide_way){forward ? 0 : lines * length - 1, vertical ? sign : sign * length,
				 vertical ? sign * lines : sign};
}

/* Reads WIDE boards from FIRST on; an exponent k becomes the code k * STEP + 1. */
ALWAYS_INLINE void wide_open(const struct batch *batch, size_t first, int rows, int cols, int step,
			     struct wide_boards *boards)
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
struct wide_moved {
	lanes empty, changed;
};

/*
 * Moves line I of all boards. With CHECKERED, an empty cell becomes 1 in every other place, from
 * PARITY on, so that two empty neighbours are never equal.
 */
ALWAYS_INLINE struct wide_moved wide_move_line(const struct wide_boards *from, struct wide_way way,
					       int i, int length, int step, bool checkered,
					       int parity, lanes *to, struct wide_moved sum)
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
ALWAYS_INLINE void wide_move(const struct wide_boards *from, int direction, int lines, int length,
			     int step, bool checkered, struct wide_after *after)
{
	const struct wide_way way = wide_way(direction, lines, length);
	struct wide_moved sum = {from->empty, lanes_all(0)};
#pragma GCC unroll 1
	for (int i = 0; i < lines; i += 2) {
		sum = wide_move_line(from, way, i, length, step, checkered, 0, after->cell, sum);
		if (i + 1 < lines)
			sum = wide_move_line(from, way, i + 1, length, step, checkered, 1,
					     after->cell, sum);
	}
	after->empty = sum.empty;
	after->changed = sum.changed;
}

#endif
