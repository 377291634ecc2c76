/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The four after-states of a position, and whether it has any, once for every shape.
 *
 * All lines of a board move at once (boards/simd/slide.h): one line a byte lane, and groups of four or
 * eight lanes are directions.
 *
 * Each shape is the same always-inlined body with constant sides (shapes.def). A file that includes
 * this one includes a lane header first (boards/lanes_*.h: load, store, rewards and the few operations
 * that have a better form on some processors), defines KERNELS, the name of the table to make, and is
 * compiled for one instruction set.
 *
 * Invariant: up and down earn the same points, as do left and right.
 */
#include "boards/simd/bytes.h"
#include "boards/simd/kernel.h"
#include "boards/simd/slide.h"

/* The points of all merges that led to BOARD: those of a tile 2^k, merged from 2s, are (k-1) 2^k. */
static uint64_t board_points(const struct board *board)
{
	uint64_t sum = 0;
	for (int r = 0; r < SIDE_MAX; r++)
		for (int c = 0; c < SIDE_MAX; c++) {
			uint64_t exponent = board->cell[r][c];
			sum += exponent ? (exponent - 1) << exponent : 0;
		}
	return sum;
}

/* The rewards, slowly, for merges of any tiles. */
static __attribute__((noinline, cold)) void rewards_count(const struct board *board,
							  struct moves *moves)
{
	for (int d = 0; d < DIRECTIONS; d++)
		moves->reward[d] = board_points(&moves->after[d]) - board_points(board);
}

ALWAYS_INLINE void moves_body(const struct lanes_map *map, const struct board *board,
			      struct moves *moves, int rows, int cols)
{
	const int length = SHAPE_LENGTH(rows, cols), passes = LANE_PASSES(rows, cols);
	struct lanes_board from;
	lanes v[DIRECTIONS / 2][SIDE_MAX], made[DIRECTIONS / 2][SIDE_MAX];
	unsigned legal = 0;
	lanes_open(board, &from, rows, cols);
	UNROLL
	for (int pass = 0; pass < passes; pass++) {
		lanes start[SIDE_MAX], changed = {0};
		lanes_load(map, &from, start, pass, rows, cols);
		UNROLL
		for (int k = 0; k < length; k++)
			v[pass][k] = start[k];
		slide_lines(v[pass], length, made[pass]);
		UNROLL
		for (int k = 0; k < length; k++)
			changed |= v[pass][k] ^ start[k];
		legal |= lanes_directions(changed, rows, cols) << pass * (DIRECTIONS / passes);
	}
	moves->legal = legal;
	lanes_store(map, v, moves, rows, cols);
	if (__builtin_expect(!lanes_rewards(made, moves, rows, cols), 0))
		rewards_count(board, moves);
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
	UNROLL
	for (int r = 0; r < rows; r++) {
		row[r] = row_load(board->cell[r]);
		any |= row[r];
		empty |= has_zero(row[r], mask);
		pair |= has_zero(row[r] ^ (row[r] >> 8), mask >> 8);
	}
	UNROLL
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
#undef KERNELS
