/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lanes of boards/kernel_template.h for any processor with 16-byte vectors: two directions at a
 * time, and a transposition of the board by interleaving rows.
 *
 * Wider GNU vectors would be no faster here: without a byte permutation across the register,
 * taking boards apart and putting them together costs more than sliding.
 */
#include "boards/bytes.h"
#include "boards/kernel.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Lane group g (8 lanes) of pass p is direction 2p + g, UP RIGHT DOWN LEFT; lane i is line i. */
enum { LANE_GROUPS = 2 };
typedef uint8_t lanes __attribute__((vector_size(LANE_GROUPS * ROW_BYTES)));
typedef uint64_t words __attribute__((vector_size(LANE_GROUPS * ROW_BYTES)));

/* Nothing has to be known of a shape beyond its sides. */
struct lanes_map {
	char unused;
};
/* clang-format off */
#define LANES_MAP(r, c) {0}
/* clang-format on */

/* The rows and the columns of a board. */
struct lanes_board {
	uint64_t row[ROW_BYTES], column[ROW_BYTES];
};

/* Interleaves the first (or last) eight bytes of two vectors: a0 b0 a1 b1 ... */
#define LANES_ZIP_LOW(a, b)                                                                        \
	__builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define LANES_ZIP_HIGH(a, b)                                                                       \
	__builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)

/*
 * Transposes an 8 x 8 byte matrix: interleaving rows i and i + 4 three times over moves every byte
 * (r, c), at 8r + c, to 8c + r, because each round rotates the bits of its place by one.
 */
ALWAYS_INLINE void lanes_transpose(const uint64_t in[ROW_BYTES], uint64_t out[ROW_BYTES])
{
	lanes m[4], z[4];
#pragma GCC unroll 8
	for (int i = 0; i < 4; i++)
		m[i] = (lanes)(words){in[2 * i], in[2 * i + 1]};
#pragma GCC unroll 8
	for (int round = 0; round < 3; round++) {
#pragma GCC unroll 8
		for (int i = 0; i < 2; i++) {
			z[2 * i] = LANES_ZIP_LOW(m[i], m[i + 2]);
			z[2 * i + 1] = LANES_ZIP_HIGH(m[i], m[i + 2]);
		}
#pragma GCC unroll 8
		for (int i = 0; i < 4; i++)
			m[i] = z[i];
	}
#pragma GCC unroll 8
	for (int i = 0; i < 4; i++) {
		out[2 * i] = ((words)m[i])[0];
		out[2 * i + 1] = ((words)m[i])[1];
	}
}

ALWAYS_INLINE void lanes_open(const struct board *board, struct lanes_board *from, int rows)
{
#pragma GCC unroll 8
	for (int r = 0; r < ROW_BYTES; r++)
		from->row[r] = r < rows ? row_load(board->cell[r]) : 0;
	lanes_transpose(from->row, from->column);
}

ALWAYS_INLINE void lanes_load(const struct lanes_map *map, const struct lanes_board *from, lanes *v,
			      int pass, int rows, int cols)
{
	const int length = rows > cols ? rows : cols;
	(void)map;
#pragma GCC unroll 8
	for (int k = 0; k < length; k++) {
		uint64_t near_row = k < rows ? from->row[k] : 0;
		uint64_t far_row = k < rows ? from->row[rows - 1 - k] : 0;
		uint64_t near_column = k < cols ? from->column[k] : 0;
		uint64_t far_column = k < cols ? from->column[cols - 1 - k] : 0;
		v[k] =
		    (lanes)(pass ? (words){far_row, near_column} : (words){near_row, far_column});
	}
}

/* All bits of a lane are set, or none. */
typedef lanes lanes_mask;
#define lanes_empty(a) ((lanes_mask)((a) == 0))
#define lanes_equal(a, b) ((lanes_mask)((a) == (b)))
#define lanes_and_not(a, b) ((a) & ~(b))
/* YES in the lanes of MASK, else NO. */
#define lanes_blend(mask, yes, no) ((no) ^ (((no) ^ (yes)) & (mask)))
#define lanes_where(mask, v) ((v) & (mask))
#define lanes_unless(mask, v) ((v) & ~(mask))
#define lanes_increment(mask, v) ((v) - (mask))

ALWAYS_INLINE void lanes_store(const struct lanes_map *map, lanes v[][SIDE_MAX],
			       struct moves *moves, int rows, int cols)
{
	uint64_t after[DIRECTIONS][ROW_BYTES] = {{0}}, column[DIRECTIONS][ROW_BYTES] = {{0}};
	(void)map;
#pragma GCC unroll 8
	for (int k = 0; k < rows; k++) {
		after[UP][k] = ((words)v[0][k])[0];
		after[DOWN][rows - 1 - k] = ((words)v[1][k])[0];
	}
#pragma GCC unroll 8
	for (int k = 0; k < cols; k++) {
		column[RIGHT][cols - 1 - k] = ((words)v[0][k])[1];
		column[LEFT][k] = ((words)v[1][k])[1];
	}
	lanes_transpose(column[RIGHT], after[RIGHT]);
	lanes_transpose(column[LEFT], after[LEFT]);
#pragma GCC unroll 8
	for (int d = 0; d < DIRECTIONS; d++)
#pragma GCC unroll 8
		for (int r = 0; r < SIDE_MAX; r++)
			row_store(moves->after[d].cell[r], after[d][r]);
}

/* Bit g is set when lane group g of CHANGED is not all zero. */
ALWAYS_INLINE unsigned lanes_groups(const lanes *changed)
{
	words w = (words)*changed;
	return (unsigned)(w[0] != 0) | (unsigned)(w[1] != 0) << 1;
}

/* The sums of the tiles 2^made in lane groups UP and RIGHT, of pass 0; 0 makes no tile. */
ALWAYS_INLINE void lanes_tiles(const lanes *made, int count, uint64_t sum[2])
{
	sum[0] = sum[1] = 0;
#pragma GCC unroll 8
	for (int k = 0; k < count; k++)
		for (int g = 0; g < 2; g++)
			for (uint64_t w = ((words)made[k])[g]; w;) {
				int shift = __builtin_ctzll(w) & ~7;
				sum[g] += (uint64_t)1 << (w >> shift & 0xff);
				w &= ~((uint64_t)0xff << shift);
			}
}
