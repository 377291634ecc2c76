/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rules of 2048, once for every shape.
 *
 * All lines of a board move at once: v[k] holds the k-th cell from the wall of every line, one line
 * a byte lane, and four groups of eight lanes are the four directions. A line shorter than the
 * longest side is padded with empty cells at its far end, which sliding leaves empty. So one
 * routine, slide_lines(), serves squares and rectangles, without tables, branches or a largest
 * tile.
 *
 * Each shape is the same always-inlined body with constant sides (shapes.def). A file that includes
 * this one defines KERNELS, the name of the table it makes, and is compiled for one instruction
 * set: GNU vectors become whatever that has.
 *
 * Invariant: sliding keeps the sum of the tiles; up and down earn the same points, as do left and
 * right, because a line is merged into the same tiles from either end.
 */
#include "boards/bytes.h"
#include "boards/kernel.h"

/* Lane group g (8 lanes) is direction g, UP RIGHT DOWN LEFT; lane i of it is line i. */
typedef uint8_t lanes __attribute__((vector_size(DIRECTIONS * ROW_BYTES)));
typedef uint64_t words __attribute__((vector_size(DIRECTIONS * ROW_BYTES)));

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Moves v[k+1..length-1] one cell towards the wall in the lanes of GAP, over v[k]. */
ALWAYS_INLINE void close_gap(lanes *v, int length, int k, const lanes *gap)
{
	for (int i = k; i < length - 1; i++)
		v[i] ^= (v[i] ^ v[i + 1]) & *gap;
	v[length - 1] &= ~*gap;
}

/*
 * Slides and merges every line towards v[0]. merged[k] marks the lanes that merged into cell k, as
 * counted before the gaps that merging leaves are closed; value[k] holds their new exponents.
 */
ALWAYS_INLINE void slide_lines(lanes *v, int length, lanes *merged, lanes *value)
{
	for (int k = length - 2; k >= 0; k--) {
		lanes gap = (lanes)(v[k] == 0);
		close_gap(v, length, k, &gap);
	}
	lanes before = {0};
	for (int k = 0; k < length - 1; k++) {
		before = (lanes)(v[k] == v[k + 1]) & (lanes)(v[k] != 0) & ~before;
		merged[k] = before;
		v[k] -= before; /* a mask is -1 where it is set */
		value[k] = v[k];
	}
	for (int k = length - 2; k >= 0; k--)
		close_gap(v, length, k + 1, &merged[k]);
}

/* The sum of the tiles whose exponents are the bytes of VALUE under the byte mask MASK. */
ALWAYS_INLINE uint64_t tiles_sum(uint64_t value, uint64_t mask)
{
	uint64_t sum = 0;
	while (mask) {
		int shift = __builtin_ctzll(mask);
		sum += (uint64_t)1 << ((value >> shift) & 0xff);
		mask &= ~((uint64_t)0xff << shift);
	}
	return sum;
}

ALWAYS_INLINE void moves_body(const struct board *board, struct moves *moves, int rows, int cols)
{
	const int length = rows > cols ? rows : cols;
	uint64_t row[8] = {0}, col[8];
	for (int r = 0; r < rows; r++)
		row[r] = row_load(board->cell[r]);
	memcpy(col, row, sizeof col);
	transpose_bytes(col);

	lanes v[SIDE_MAX], start[SIDE_MAX], merged[SIDE_MAX], value[SIDE_MAX];
	for (int k = 0; k < length; k++) {
		v[k] = (lanes)(words){k < rows ? row[k] : 0, k < cols ? col[cols - 1 - k] : 0,
				      k < rows ? row[rows - 1 - k] : 0, k < cols ? col[k] : 0};
		start[k] = v[k];
	}
	slide_lines(v, length, merged, value);

	words changed = {0};
	uint64_t vertical = 0, horizontal = 0;
	for (int k = 0; k < length; k++)
		changed |= (words)(v[k] ^ start[k]);
	for (int k = 0; k < length - 1; k++) {
		words made = (words)value[k], where = (words)merged[k];
		vertical += tiles_sum(made[UP], where[UP]);
		horizontal += tiles_sum(made[LEFT], where[LEFT]);
	}

	uint64_t after[DIRECTIONS][8] = {{0}};
	for (int k = 0; k < rows; k++) {
		after[UP][k] = ((words)v[k])[UP];
		after[DOWN][rows - 1 - k] = ((words)v[k])[DOWN];
	}
	for (int k = 0; k < cols; k++) {
		after[RIGHT][cols - 1 - k] = ((words)v[k])[RIGHT];
		after[LEFT][k] = ((words)v[k])[LEFT];
	}
	transpose_bytes(after[RIGHT]);
	transpose_bytes(after[LEFT]);

	moves->legal = 0;
	for (int d = 0; d < DIRECTIONS; d++) {
		moves->legal |= (unsigned)(changed[d] != 0) << d;
		moves->reward[d] = d == UP || d == DOWN ? vertical : horizontal;
		for (int r = 0; r < SIDE_MAX; r++)
			row_store(moves->after[d].cell[r], after[d][r]);
	}
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
	for (int r = 0; r < rows; r++) {
		row[r] = row_load(board->cell[r]);
		any |= row[r];
		empty |= has_zero(row[r], mask);
		pair |= has_zero(row[r] ^ (row[r] >> 8), mask >> 8);
	}
	for (int r = 0; r + 1 < rows; r++)
		pair |= has_zero(row[r] ^ row[r + 1], mask);
	/* A tile next to an empty cell can slide, so an empty cell is enough unless all are. */
	return empty ? !any : !pair;
}

#define SHAPE(r, c)                                                                                \
	static void moves_##r##x##c(const struct board *board, struct moves *moves)                \
	{                                                                                          \
		moves_body(board, moves, r, c);                                                    \
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

#undef ALWAYS_INLINE
#undef KERNELS
