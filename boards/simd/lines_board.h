/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Splitting a board into rows and columns, and joining them, in 16-byte vectors: shared by
 * kernels_portable.c, kernels_avx2.c and agents/values/strong_leaves_template.h.
 *
 * In shapes without a side above 4, a row or column takes 4 bytes and a direction 4 lanes; the k-th
 * cells of the lines of all four directions are 16 bytes. In other shapes a row takes 8 bytes.
 */
#ifndef NXN_LINES_BOARD_H
#define NXN_LINES_BOARD_H

#include "boards/simd/bytes.h"
#include "boards/simd/kernel.h"

typedef uint8_t bytes16 __attribute__((vector_size(16)));
typedef uint32_t quads16 __attribute__((vector_size(16)));
typedef uint64_t words16 __attribute__((vector_size(16)));

/* Interleaves the first or last eight bytes, or the first or last two quads, of two vectors. */
#define BYTES_ZIP_LOW(a, b)                                                                        \
	__builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define BYTES_ZIP_HIGH(a, b)                                                                       \
	__builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define QUADS_ZIP_LOW(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define QUADS_ZIP_HIGH(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)

/* Word I of X, then word J of Y. */
ALWAYS_INLINE words16 words_pair(words16 x, int i, words16 y, int j)
{
	if (i == 0)
		return j == 0 ? __builtin_shufflevector(x, y, 0, 2)
			      : __builtin_shufflevector(x, y, 0, 3);
	return j == 0 ? __builtin_shufflevector(x, y, 1, 2) : __builtin_shufflevector(x, y, 1, 3);
}

/* This code needs only the sides of a shape. */
struct lines_map {
	char unused;
};
/* clang-format off */
#define LINES_MAP(r, c) {0}
/* clang-format on */

/* Two rows or columns of 8 bytes per vector; or four of 4 bytes in the first vector. */
struct lines_board {
	words16 row[SIDE_MAX / 2], column[SIDE_MAX / 2];
};

/*
 * Transposes an 8 x 8 byte matrix, two rows per vector. Interleaving rows i and i + 4 three times
 * moves every byte (r, c) from place 8r + c to 8c + r, because each round rotates the bits of its
 * place by one. The last two rows and columns are 0.
 */
ALWAYS_INLINE void words_transpose(const words16 in[SIDE_MAX / 2], words16 out[SIDE_MAX / 2])
{
	bytes16 m[4] = {(bytes16)in[0], (bytes16)in[1], (bytes16)in[2], {0}}, z[4];
	UNROLL
	for (int round = 0; round < 3; round++) {
		UNROLL
		for (int i = 0; i < 2; i++) {
			z[2 * i] = BYTES_ZIP_LOW(m[i], m[i + 2]);
			z[2 * i + 1] = BYTES_ZIP_HIGH(m[i], m[i + 2]);
		}
		UNROLL
		for (int i = 0; i < 4; i++)
			m[i] = z[i];
	}
	UNROLL
	for (int i = 0; i < SIDE_MAX / 2; i++)
		out[i] = (words16)m[i];
}

/*
 * Transposes a 4 x 4 byte matrix: with one shuffle where the processor has it, else in two rounds.
 */
ALWAYS_INLINE words16 quads_transpose(words16 x)
{
#ifdef __SSSE3__
	const bytes16 m = (bytes16)x;
	return (words16)__builtin_shufflevector(m, m, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7,
						11, 15);
#else
	UNROLL
	for (int round = 0; round < 2; round++) {
		const words16 high = __builtin_shufflevector(x, x, 1, 1);
		x = (words16)BYTES_ZIP_LOW((bytes16)x, (bytes16)high);
	}
	return x;
#endif
}

/* Reverses the first N of four quads; quad 3 must be 0 if N < 4. */
ALWAYS_INLINE quads16 quads_reverse(words16 in, int n)
{
	quads16 x = (quads16)in;
	return n == 2	? __builtin_shufflevector(x, x, 1, 0, 3, 3)
	       : n == 3 ? __builtin_shufflevector(x, x, 2, 1, 0, 3)
			: __builtin_shufflevector(x, x, 3, 2, 1, 0);
}

ALWAYS_INLINE void lines_open(const struct board *board, struct lines_board *from, int rows,
			      int cols)
{
	const words16 none = {0};
	UNROLL
	for (int i = 0; i < SIDE_MAX / 2; i++)
		if (2 * i < rows)
			memcpy(&from->row[i], board->cell[2 * i], sizeof from->row[i]);
		else
			from->row[i] = none;
	if (SHAPE_SMALL(rows, cols)) {
		const quads16 a = (quads16)from->row[0], b = (quads16)from->row[1];
		from->row[0] = (words16)__builtin_shufflevector(a, b, 0, 2, 4, 6);
		from->column[0] = quads_transpose(from->row[0]);
	} else {
		words_transpose(from->row, from->column);
	}
}

/* Row R, then column C; 0 if outside the shape. */
ALWAYS_INLINE words16 lines_cross(const struct lines_board *from, int r, int c, int rows, int cols)
{
	const words16 none = {0};
	const bool row = r >= 0 && r < rows, column = c >= 0 && c < cols;
	return words_pair(row ? from->row[r / 2] : none, row ? r % 2 : 0,
			  column ? from->column[c / 2] : none, column ? c % 2 : 0);
}

/* In a small shape: v[k] holds the k-th cells of the lines, four each of UP RIGHT DOWN LEFT. */
ALWAYS_INLINE void quads_load(const struct lines_board *from, words16 v[4], int rows, int cols)
{
	const quads16 up = (quads16)from->row[0], down = quads_reverse(from->row[0], rows);
	const quads16 left = (quads16)from->column[0];
	const quads16 right = quads_reverse(from->column[0], cols);
	const words16 near = (words16)QUADS_ZIP_LOW(up, right);
	const words16 far = (words16)QUADS_ZIP_HIGH(up, right);
	const words16 near2 = (words16)QUADS_ZIP_LOW(down, left);
	const words16 far2 = (words16)QUADS_ZIP_HIGH(down, left);
	v[0] = words_pair(near, 0, near2, 0);
	v[1] = words_pair(near, 1, near2, 1);
	v[2] = words_pair(far, 0, far2, 0);
	v[3] = words_pair(far, 1, far2, 1);
}

/* Stores four rows of 4 bytes as a board. */
ALWAYS_INLINE void quads_store(struct board *board, words16 rows)
{
	const quads16 x = (quads16)rows, none = {0};
	const quads16 low = QUADS_ZIP_LOW(x, none), high = QUADS_ZIP_HIGH(x, none);
	memcpy(board->cell[0], &low, sizeof low);
	memcpy(board->cell[2], &high, sizeof high);
	memcpy(board->cell[4], &none, sizeof none);
}

/* The inverse of quads_load(): stores the after-states. */
ALWAYS_INLINE void quads_afters(const words16 v[4], struct moves *moves, int rows, int cols)
{
	const words16 a = (words16)QUADS_ZIP_LOW((quads16)v[0], (quads16)v[1]);
	const words16 b = (words16)QUADS_ZIP_HIGH((quads16)v[0], (quads16)v[1]);
	const words16 c = (words16)QUADS_ZIP_LOW((quads16)v[2], (quads16)v[3]);
	const words16 d = (words16)QUADS_ZIP_HIGH((quads16)v[2], (quads16)v[3]);
	const words16 right = (words16)quads_reverse(words_pair(a, 1, c, 1), cols);
	quads_store(&moves->after[UP], words_pair(a, 0, c, 0));
	quads_store(&moves->after[RIGHT], quads_transpose(right));
	quads_store(&moves->after[DOWN], (words16)quads_reverse(words_pair(b, 0, d, 0), rows));
	quads_store(&moves->after[LEFT], quads_transpose(words_pair(b, 1, d, 1)));
}

#endif
