/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernels for any processor with 16-byte vectors: the lines of two directions at a time, or of
 * all four where no side is longer than 4.
 */
#include "boards/simd/lines_board.h"

/*
 * A group is the lanes of one direction; lane i of a group is line i. Groups of 8 lanes: UP RIGHT
 * in the first pass, DOWN LEFT in the second. Groups of 4 lanes: all in one pass.
 */
typedef bytes16 lines;
#define LINE_PASSES(rows, cols) (SHAPE_SMALL(rows, cols) ? 1 : 2)

ALWAYS_INLINE void lines_load(const struct lines_map *map, const struct lines_board *from, lines *v,
			      int pass, int rows, int cols)
{
	const int length = SHAPE_LENGTH(rows, cols);
	words16 quads[4];
	(void)map;
	if (SHAPE_SMALL(rows, cols))
		quads_load(from, quads, rows, cols);
	UNROLL
	for (int k = 0; k < length; k++)
		v[k] = (lines)(SHAPE_SMALL(rows, cols) ? quads[k]
			       : pass == 0 ? lines_cross(from, k, cols - 1 - k, rows, cols)
					   : lines_cross(from, rows - 1 - k, k, rows, cols));
}

/* All bits of a lane are set, or none. */
typedef lines lines_mask;
#define lines_empty(a) ((lines_mask)((a) == 0))
#define lines_equal(a, b) ((lines_mask)((a) == (b)))
#define lines_and_not(a, b) ((a) & ~(b))
#define lines_neither(a, b, c) ((a) & ~((b) | (c)))
/* YES in the lanes of MASK, else NO. */
#define lines_blend(mask, yes, no) ((no) ^ (((no) ^ (yes)) & (mask)))
#define lines_where(mask, v) ((v) & (mask))
#define lines_unless(mask, v) ((v) & ~(mask))
#define lines_increment(mask, v) ((v) - (mask))

/* Converts rows, two of 8 bytes per vector, to a board. */
ALWAYS_INLINE void words_store(struct board *board, const words16 rows[SIDE_MAX / 2])
{
	memcpy(board->cell, rows, sizeof board->cell);
}

/* Collects word I of the COUNT vectors v[FIRST], v[FIRST + STEP], ..., followed by zeros. */
ALWAYS_INLINE void lines_collect(const lines *v, int i, int first, int step, int count,
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

ALWAYS_INLINE void lines_store(const struct lines_map *map, lines v[][SIDE_MAX],
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
	lines_collect(v[0], 0, 0, 1, rows, words);
	words_store(&moves->after[UP], words);
	lines_collect(v[0], 1, cols - 1, -1, cols, words);
	words_transpose(words, across);
	words_store(&moves->after[RIGHT], across);
	lines_collect(v[1], 0, rows - 1, -1, rows, words);
	words_store(&moves->after[DOWN], words);
	lines_collect(v[1], 1, 0, 1, cols, words);
	words_transpose(words, across);
	words_store(&moves->after[LEFT], across);
}

/* Bit g is set when a lane of group g is not 0 in CHANGED. */
ALWAYS_INLINE unsigned lines_directions(lines changed, int rows, int cols)
{
	const words16 w = (words16)changed;
	const quads16 q = (quads16)changed;
	if (!SHAPE_SMALL(rows, cols))
		return (unsigned)(w[0] != 0) | (unsigned)(w[1] != 0) << 1;
	return (unsigned)(q[0] != 0) | (unsigned)(q[1] != 0) << 1 | (unsigned)(q[2] != 0) << 2 |
	       (unsigned)(q[3] != 0) << 3;
}

/* The sum of the tiles 2^e for the bytes e of W that are not 0. */
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

/* Stores the rewards. Returns true, since this version handles all tiles. */
ALWAYS_INLINE bool lines_rewards(lines made[][SIDE_MAX], struct moves *moves, int rows, int cols)
{
	const int count = SHAPE_LENGTH(rows, cols) - 1;
	uint64_t up = 0, right = 0;
	/* At most one of the neighbours made[k] and made[k + 1] is nonzero: a tile merges once. */
	UNROLL
	for (int k = 0; k < count; k += 2) {
		const lines both = k + 1 < count ? made[0][k] | made[0][k + 1] : made[0][k];
		const words16 w = (words16)both;
		const quads16 q = (quads16)both;
		up += tiles_sum(SHAPE_SMALL(rows, cols) ? q[0] : w[0]);
		right += tiles_sum(SHAPE_SMALL(rows, cols) ? q[1] : w[1]);
	}
	moves->reward[UP] = moves->reward[DOWN] = up;
	moves->reward[RIGHT] = moves->reward[LEFT] = right;
	return true;
}

/* The empty cells as a set of places, a bit each. */
ALWAYS_INLINE uint64_t places_empty(const struct board *board)
{
	const uint64_t each = UINT64_C(0x0101010101010101);
	uint64_t places = 0;
	UNROLL
	for (int r = SIDE_MAX - 1; r >= 0; r--) {
		/* Exponents are below 128: adding 127 sets the highest bit of all but zeros. */
		const uint64_t empty = ~(row_load(board->cell[r]) + 0x7f * each) >> 7 & each;
		/* The product has bit 8c of `empty` as bit 56 + c. */
		places = places << ROW_BYTES | empty * UINT64_C(0x0102040810204080) >> 56;
	}
	return places;
}

/* Byte r of the result counts the places up to row r. */
ALWAYS_INLINE uint64_t places_sums(uint64_t places)
{
	const uint64_t each = UINT64_C(0x0101010101010101);
	uint64_t sums = places - (places >> 1 & 0x55 * each);
	sums = (sums & 0x33 * each) + (sums >> 2 & 0x33 * each);
	return ((sums + (sums >> 4)) & 0x0f * each) * each;
}

#define places_count(places) ((uint32_t)(places_sums(places) >> 56))

/* The place of set bit number N, from 0, of PLACES. */
ALWAYS_INLINE int places_find(uint64_t places, uint32_t n)
{
	const uint64_t each = UINT64_C(0x0101010101010101), sums = places_sums(places);
	/* The highest bit of a byte is set where the count up to its row is at most N. */
	const int shift = (int)((((n | 0x80) * each - sums) >> 7 & each) * each >> 56) * 8;
	unsigned row = (unsigned)(places >> shift) & 0xff;
	n -= (uint32_t)(sums << 8 >> shift) & 0xff;
	for (uint32_t k = 0; k < SIDE_MAX - 1; k++)
		row = k < n ? row & (row - 1) : row;
	return shift + __builtin_ctz(row);
}

#include "boards/simd/kernel_template.h"
#include "boards/simd/lanes_wide.h"
#include "boards/simd/playout_template.h"
#define KERNELS kernels_portable
#include "boards/simd/keys_template.h"
