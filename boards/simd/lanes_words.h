/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lanes of boards/simd/kernel_template.h for any processor with 16-byte vectors: two directions at a
 * time, or all four where no side is longer than 4.
 */
#include "boards/simd/lanes_board.h"

/*
 * A group is the lanes of one direction; lane i of it is line i. Groups of 8 lanes: UP RIGHT in the
 * first pass, DOWN LEFT in the second one. Groups of 4 lanes: all in one pass.
 */
typedef bytes16 lanes;
#define LANE_PASSES(rows, cols) (SHAPE_SMALL(rows, cols) ? 1 : 2)

/* Nothing has to be known of a shape beyond its sides. */
struct lanes_map {
	char unused;
};
/* clang-format off */
#define LANES_MAP(r, c) {0}
/* clang-format on */

ALWAYS_INLINE void lanes_load(const struct lanes_map *map, const struct lanes_board *from, lanes *v,
			      int pass, int rows, int cols)
{
	const int length = SHAPE_LENGTH(rows, cols);
	words16 quads[4];
	(void)map;
	if (SHAPE_SMALL(rows, cols))
		quads_load(from, quads, rows, cols);
	UNROLL
	for (int k = 0; k < length; k++)
		v[k] = (lanes)(SHAPE_SMALL(rows, cols) ? quads[k]
			       : pass == 0 ? lanes_cross(from, k, cols - 1 - k, rows, cols)
					   : lanes_cross(from, rows - 1 - k, k, rows, cols));
}

/* All bits of a lane are set, or none. */
typedef lanes lanes_mask;
#define lanes_empty(a) ((lanes_mask)((a) == 0))
#define lanes_equal(a, b) ((lanes_mask)((a) == (b)))
#define lanes_and_not(a, b) ((a) & ~(b))
#define lanes_neither(a, b, c) ((a) & ~((b) | (c)))
/* YES in the lanes of MASK, else NO. */
#define lanes_blend(mask, yes, no) ((no) ^ (((no) ^ (yes)) & (mask)))
#define lanes_where(mask, v) ((v) & (mask))
#define lanes_unless(mask, v) ((v) & ~(mask))
#define lanes_increment(mask, v) ((v) - (mask))

/* Two rows of 8 bytes a vector become a board. */
ALWAYS_INLINE void words_store(struct board *board, const words16 rows[SIDE_MAX / 2])
{
	memcpy(board->cell, rows, sizeof board->cell);
}

/* Word I of v[FIRST], v[FIRST + STEP], ..., COUNT of them, and 0 after them. */
ALWAYS_INLINE void lanes_collect(const lanes *v, int i, int first, int step, int count,
				 words16 out[SIDE_MAX / 2])
{
	const words16 none = {0};
	UNROLL
	for (int j = 0; j < SIDE_MAX; j += 2) {
		const words16 even = j < count ? (words16)v[first + j * step] : none;
		const words16 odd = j + 1 < count ? (words16)v[first + (j + 1) * step] : none;
		out[j / 2] = words_pair(even, i, odd, i);
	}
}

ALWAYS_INLINE void lanes_store(const struct lanes_map *map, lanes v[][SIDE_MAX],
			       struct moves *moves, int rows, int cols)
{
	words16 words[SIDE_MAX / 2], across[SIDE_MAX / 2];
	(void)map;
	if (SHAPE_SMALL(rows, cols)) {
		const words16 none = {0};
		const int length = SHAPE_LENGTH(rows, cols);
		const words16 quads[] = {(words16)v[0][0], (words16)v[0][1],
					 length > 2 ? (words16)v[0][2] : none,
					 length > 3 ? (words16)v[0][3] : none};
		quads_afters(quads, moves, rows, cols);
		return;
	}
	lanes_collect(v[0], 0, 0, 1, rows, words);
	words_store(&moves->after[UP], words);
	lanes_collect(v[0], 1, cols - 1, -1, cols, words);
	words_transpose(words, across);
	words_store(&moves->after[RIGHT], across);
	lanes_collect(v[1], 0, rows - 1, -1, rows, words);
	words_store(&moves->after[DOWN], words);
	lanes_collect(v[1], 1, 0, 1, cols, words);
	words_transpose(words, across);
	words_store(&moves->after[LEFT], across);
}

/* Bit g is set when a lane of group g is not 0 in CHANGED. */
ALWAYS_INLINE unsigned lanes_directions(lanes changed, int rows, int cols)
{
	const words16 w = (words16)changed;
	const quads16 q = (quads16)changed;
	if (!SHAPE_SMALL(rows, cols))
		return (unsigned)(w[0] != 0) | (unsigned)(w[1] != 0) << 1;
	return (unsigned)(q[0] != 0) | (unsigned)(q[1] != 0) << 1 | (unsigned)(q[2] != 0) << 2 |
	       (unsigned)(q[3] != 0) << 3;
}

/* The sum of the tiles 2^e for the bytes e of W; 0 is none. */
ALWAYS_INLINE uint64_t tiles_sum(uint64_t w)
{
	uint64_t sum = 0;
	while (w) {
		const int shift = __builtin_ctzll(w) & ~7;
		sum += (uint64_t)1 << (w >> shift & 0xff);
		w &= ~((uint64_t)0xff << shift);
	}
	return sum;
}

/* Stores the rewards; false, which does not happen here, where it cannot. */
ALWAYS_INLINE bool lanes_rewards(lanes made[][SIDE_MAX], struct moves *moves, int rows, int cols)
{
	const int count = SHAPE_LENGTH(rows, cols) - 1;
	uint64_t up = 0, right = 0;
	/* Neighbours made[k] and made[k + 1] never both hold something: a tile merges once. */
	UNROLL
	for (int k = 0; k < count; k += 2) {
		const lanes both = k + 1 < count ? made[0][k] | made[0][k + 1] : made[0][k];
		const words16 w = (words16)both;
		const quads16 q = (quads16)both;
		up += tiles_sum(SHAPE_SMALL(rows, cols) ? q[0] : w[0]);
		right += tiles_sum(SHAPE_SMALL(rows, cols) ? q[1] : w[1]);
	}
	moves->reward[UP] = moves->reward[DOWN] = up;
	moves->reward[RIGHT] = moves->reward[LEFT] = right;
	return true;
}
