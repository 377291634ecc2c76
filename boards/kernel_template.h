/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rules of 2048, once for every shape.
 *
 * All lines of a board move at once: v[k] holds the k-th cell from the wall of every line, one line
 * a byte lane, and groups of eight lanes are directions. A line shorter than the longest side is
 * padded with empty cells at its far end, which sliding leaves empty. So slide_lines() alone serves
 * squares and rectangles, without tables, branches or a largest tile.
 *
 * Each shape is the same always-inlined body with constant sides (shapes.def). A file that includes
 * this one includes a lane header first (boards/lanes_*.h: load, store and the few operations that
 * have a better form on some processors), defines KERNELS, the name of the table to make, and is
 * compiled for one instruction set.
 *
 * Invariant: sliding keeps the sum of the tiles; up and down earn the same points, as do left and
 * right, because a line is merged into the same tiles from either end.
 */
#include "boards/bytes.h"
#include "boards/kernel.h"

/* Moves v[k+1..length-1] one cell towards the wall in the lanes of GAP, over v[k]. */
ALWAYS_INLINE void close_gap(lanes *v, int length, int k, const lanes *gap)
{
#pragma GCC unroll 8
	for (int i = k; i < length - 1; i++)
		v[i] = lanes_blend(*gap, v[i + 1], v[i]);
	v[length - 1] &= ~*gap;
}

/*
 * Slides and merges every line towards v[0]. made[k] holds the exponents that merging made in cell
 * k, as counted before the gaps that it leaves are closed; 0 where nothing merged.
 */
ALWAYS_INLINE void slide_lines(lanes *v, int length, lanes *made)
{
	const lanes empty = {0};
	lanes merged[SIDE_MAX], before = {0};
#pragma GCC unroll 8
	for (int k = length - 2; k >= 0; k--) {
		lanes gap = lanes_equal(v[k], empty);
		close_gap(v, length, k, &gap);
	}
#pragma GCC unroll 8
	for (int k = 0; k < length - 1; k++) {
		before = lanes_equal(v[k], v[k + 1]) & ~lanes_equal(v[k], empty) & ~before;
		merged[k] = before;
		v[k] -= before; /* a mask is -1 where it is set */
		made[k] = v[k] & before;
	}
#pragma GCC unroll 8
	for (int k = length - 2; k >= 0; k--)
		close_gap(v, length, k + 1, &merged[k]);
}

ALWAYS_INLINE void moves_body(const struct lanes_map *map, const struct board *board,
			      struct moves *moves, int rows, int cols)
{
	const int length = rows > cols ? rows : cols;
	struct lanes_board from;
	lanes v[DIRECTIONS / LANE_GROUPS][SIDE_MAX], made[DIRECTIONS / LANE_GROUPS][SIDE_MAX];
	uint64_t points[2];
	lanes_open(board, &from, rows);
	moves->legal = 0;
#pragma GCC unroll 8
	for (int pass = 0; pass < DIRECTIONS / LANE_GROUPS; pass++) {
		lanes start[SIDE_MAX], changed = {0};
		lanes_load(map, &from, start, pass, rows, cols);
#pragma GCC unroll 8
		for (int k = 0; k < length; k++)
			v[pass][k] = start[k];
		slide_lines(v[pass], length, made[pass]);
#pragma GCC unroll 8
		for (int k = 0; k < length; k++)
			changed |= v[pass][k] ^ start[k];
		moves->legal |= lanes_groups(&changed) << pass * LANE_GROUPS;
	}
	lanes_store(map, v, moves, rows, cols);
	lanes_tiles(made[0], length - 1, points);
	moves->reward[UP] = moves->reward[DOWN] = points[0];
	moves->reward[RIGHT] = moves->reward[LEFT] = points[1];
}

/* Whether a byte of WORD under the byte mask MASK is zero. */
ALWAYS_INLINE bool has_zero(uint64_t word, uint64_t mask)
{
	word |= ~mask;
	return ((word - 0x0101010101010101u) & ~word & 0x8080808080808080u) != 0;
}

ALWAYS_INLINE bool over_body(const struct board *board, int rows, int cols)
{
	const uint64_t mask = ~(uint64_t)0 >> (64 - 8 * cols);
	uint64_t row[SIDE_MAX], any = 0;
	bool empty = false, pair = false;
#pragma GCC unroll 8
	for (int r = 0; r < rows; r++) {
		row[r] = row_load(board->cell[r]);
		any |= row[r];
		empty |= has_zero(row[r], mask);
		pair |= has_zero(row[r] ^ (row[r] >> 8), mask >> 8);
	}
#pragma GCC unroll 8
	for (int r = 0; r + 1 < rows; r++)
		pair |= has_zero(row[r] ^ row[r + 1], mask);
	/* A tile next to an empty cell can slide, so an empty cell is enough unless all are. */
	return empty ? !any : !pair;
}

#define SHAPE(r, c)                                                                                \
	static const struct lanes_map map_##r##x##c = LANES_MAP(r, c);                             \
	static void moves_##r##x##c(const struct board *board, struct moves *moves)                \
	{                                                                                          \
		moves_body(&map_##r##x##c, board, moves, r, c);                                    \
	}                                                                                          \
	static bool over_##r##x##c(const struct board *board)                                      \
	{                                                                                          \
		return over_body(board, r, c);                                                     \
	}
#include "boards/shapes.def"

const struct kernel KERNELS[] = {
#define SHAPE(r, c) {r, c, moves_##r##x##c, over_##r##x##c},
#include "boards/shapes.def"
    {0},
};

#undef LANES_MAP
#undef ALWAYS_INLINE
#undef KERNELS
