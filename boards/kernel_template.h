/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The four after-states of a position, and whether it has any, once for every shape.
 *
 * All lines of a board move at once (boards/slide.h): one line a byte lane, and groups of eight
 * lanes are directions.
 *
 * Each shape is the same always-inlined body with constant sides (shapes.def). A file that includes
 * this one includes a lane header first (boards/lanes_*.h: load, store and the few operations that
 * have a better form on some processors), defines KERNELS, the name of the table to make, and is
 * compiled for one instruction set.
 *
 * Invariant: up and down earn the same points, as do left and right.
 */
#include "boards/bytes.h"
#include "boards/kernel.h"
#include "boards/slide.h"

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
