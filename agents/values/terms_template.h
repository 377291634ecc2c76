/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The counts of terms.h. A file that includes this one defines TERMS_KERNEL, the name of the kernel
 * it makes, and is compiled for one instruction set.
 *
 * All lines are looked at together: v[k] holds the k-th cell of every column (lanes 0..7) and of
 * every row (lanes 8..15), so a count of lanes is a count of lines.
 *
 * Invariant: spawn_sums() equals the sum of count() over the positions, which a test makes one by
 * one.
 */
#include "agents/values/terms.h"
#include "boards/simd/bytes.h"

typedef uint8_t lanes __attribute__((vector_size(2 * ROW_BYTES)));
typedef uint64_t words __attribute__((vector_size(2 * ROW_BYTES)));

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* What the lines of a board say; masks have all bits of a lane set, counts are a number a lane. */
struct lines {
	lanes v[SIDE_MAX], used[SIDE_MAX + 1];
	lanes falls[SIDE_MAX]; /* v[k] >= v[k+1]; true at the end */
	lanes rises[SIDE_MAX]; /* v[k] <= v[k+1]; true at the end */
	lanes monotone;	       /* the line never rises, or never falls */
	lanes empty, merges;   /* counts */
};

ALWAYS_INLINE int bytes_sum(uint64_t w)
{
	const uint64_t even = 0x00ff00ff00ff00ffu;
	return (int)(((w & even) + (w >> 8 & even)) * 0x0001000100010001u >> 48);
}

/* The sum of counts over all lanes, which is below 65536 / 2. */
ALWAYS_INLINE int lanes_sum(const lanes *v)
{
	const words even = {0x00ff00ff00ff00ffu, 0x00ff00ff00ff00ffu};
	words w = ((words)*v & even) + ((words)*v >> 8 & even);
	return (int)((w[0] + w[1]) * 0x0001000100010001u >> 48);
}

ALWAYS_INLINE void lines_load(const struct terms_shape *shape, const struct board *board,
			      struct lines *lines)
{
	uint64_t row[8] = {0}, column[8];
#pragma GCC unroll 8
	for (int k = 0; k < SIDE_MAX; k++)
		row[k] = row_load(board->cell[k]);
	memcpy(column, row, sizeof column);
	transpose_bytes(column);
#pragma GCC unroll 8
	for (int k = 0; k < SIDE_MAX; k++)
		lines->v[k] = (lanes)(words){row[k], column[k]};
#pragma GCC unroll 8
	for (int k = 0; k <= SIDE_MAX; k++)
		lines->used[k] = (lanes)(words){shape->used[k][0], shape->used[k][1]};
}

ALWAYS_INLINE void lines_read(const struct terms_shape *shape, const struct board *board,
			      int length, struct lines *lines)
{
	const lanes *v = lines->v, *used = lines->used;
	lanes all_fall = ~(lanes){0}, all_rise = all_fall;
	lines_load(shape, board, lines);
	lines->empty = lines->merges = (lanes){0};
#pragma GCC unroll 8
	for (int k = 0; k < length; k++) {
		const lanes next = k + 1 < length ? v[k + 1] : (lanes){0}, both = used[k + 1];
		lines->empty -= (lanes)(v[k] == 0) & used[k];
		lines->merges -= (lanes)(v[k] == next) & (lanes)(v[k] != 0);
		lines->falls[k] = (lanes)(v[k] >= next) | ~both;
		lines->rises[k] = (lanes)(v[k] <= next) | ~both;
		all_fall &= lines->falls[k];
		all_rise &= lines->rises[k];
	}
	lines->monotone = (all_fall | all_rise) & used[0];
}

/* The largest exponent, and whether it stands in a corner. */
ALWAYS_INLINE int largest(const struct terms_shape *shape, const struct board *board,
			  const struct lines *lines, int length, bool *corner)
{
	int bottom = shape->rows - 1, right = shape->cols - 1, max = 0;
	lanes most = lines->v[0];
#pragma GCC unroll 8
	for (int k = 1; k < length; k++)
		most ^= (most ^ lines->v[k]) & (lanes)(lines->v[k] > most);
	for (int i = 0; i < ROW_BYTES; i++)
		max = most[i] > max ? most[i] : max;
	*corner = board->cell[0][0] == max || board->cell[0][right] == max ||
		  board->cell[bottom][0] == max || board->cell[bottom][right] == max;
	return max;
}

ALWAYS_INLINE void count_body(const struct terms_shape *shape, const struct board *board,
			      struct terms *terms, int length)
{
	struct lines lines;
	bool corner;
	lines_read(shape, board, length, &lines);
	largest(shape, board, &lines, length, &corner);
	const lanes monotone = lines.monotone & 1;
	*terms = (struct terms){bytes_sum(((words)lines.empty)[0]), corner, lanes_sum(&monotone),
				lanes_sum(&lines.merges)};
}

/*
 * In how many (line, empty cell of it) pairs the line is monotone once K stands in the cell: what
 * lies before it in the line and what lies behind must be in order, and K fit between them.
 */
ALWAYS_INLINE int monotone_fits(const struct lines *lines, const lanes *k, int length)
{
	const lanes *v = lines->v, *falls = lines->falls, *rises = lines->rises, all = ~(lanes){0};
	lanes fall_after[SIDE_MAX + 1], rise_after[SIDE_MAX + 1]; /* order from cell i to the end */
	lanes fall_before = all, rise_before = all, fits = {0};
	fall_after[length] = rise_after[length] = all;
#pragma GCC unroll 8
	for (int i = length - 1; i >= 0; i--) {
		fall_after[i] = fall_after[i + 1] & falls[i];
		rise_after[i] = rise_after[i + 1] & rises[i];
	}
#pragma GCC unroll 8
	for (int i = 0; i < length; i++) {
		lanes fall = fall_before & fall_after[i + 1],
		      rise = rise_before & rise_after[i + 1];
		if (i > 0) {
			fall &= (lanes)(v[i - 1] >= *k);
			rise &= (lanes)(v[i - 1] <= *k);
		}
		if (i + 1 < length) {
			fall &= (lanes)(v[i + 1] <= *k);
			rise &= (lanes)(v[i + 1] >= *k) | ~lines->used[i + 1];
		}
		fits -= (fall | rise) & (lanes)(v[i] == 0) & lines->used[i];
		if (i > 0) {
			fall_before &= falls[i - 1];
			rise_before &= rises[i - 1];
		}
	}
	return lanes_sum(&fits);
}

/* The number of (empty cell, neighbour of exponent K) pairs. */
ALWAYS_INLINE int merge_fits(const struct lines *lines, const lanes *k, int length)
{
	const lanes *v = lines->v;
	lanes fits = {0};
#pragma GCC unroll 8
	for (int i = 0; i + 1 < length; i++)
		fits -= (((lanes)(v[i] == 0) & (lanes)(v[i + 1] == *k)) |
			 ((lanes)(v[i] == *k) & (lanes)(v[i + 1] == 0))) &
			lines->used[i + 1];
	return lanes_sum(&fits);
}

static int empty_corners(const struct terms_shape *shape, const struct board *board)
{
	int bottom = shape->rows - 1, right = shape->cols - 1;
	return (board->cell[0][0] == 0) + (board->cell[0][right] == 0) +
	       (board->cell[bottom][0] == 0) + (board->cell[bottom][right] == 0);
}

/* A line keeps its order when the tile appears elsewhere, which it does empty - (its own) times. */
ALWAYS_INLINE void spawn_sums_body(const struct terms_shape *shape, const struct board *after,
				   const uint8_t *k, int kinds, struct terms *terms, int length)
{
	struct lines lines;
	bool corner;
	lines_read(shape, after, length, &lines);
	int max = largest(shape, after, &lines, length, &corner);
	int empty = bytes_sum(((words)lines.empty)[0]), merges = lanes_sum(&lines.merges);
	lanes elsewhere = ((uint8_t)empty - lines.empty) & lines.monotone;
	int monotone = lanes_sum(&elsewhere);
	for (int i = 0; i < kinds; i++) {
		const lanes tile = (lanes){0} + k[i];
		/* A spawn can put a largest tile into a corner only if none is larger. */
		int corners = k[i] <= max && corner ? empty
			      : k[i] < max	    ? 0
						    : empty_corners(shape, after);
		terms[i] = (struct terms){empty * (empty - 1), corners,
					  monotone + monotone_fits(&lines, &tile, length),
					  empty * merges + merge_fits(&lines, &tile, length)};
	}
}

/* The bodies with the length of the longest line as a constant. */
#define LENGTH_CASES(call)                                                                         \
	switch (shape->rows > shape->cols ? shape->rows : shape->cols) {                           \
	case 2:                                                                                    \
		call(2);                                                                           \
		break;                                                                             \
	case 3:                                                                                    \
		call(3);                                                                           \
		break;                                                                             \
	case 4:                                                                                    \
		call(4);                                                                           \
		break;                                                                             \
	case 5:                                                                                    \
		call(5);                                                                           \
		break;                                                                             \
	default:                                                                                   \
		call(6);                                                                           \
	}

static void count(const struct terms_shape *shape, const struct board *board, struct terms *terms)
{
#define CALL(length) count_body(shape, board, terms, length)
	LENGTH_CASES(CALL)
#undef CALL
}

static void spawn_sums(const struct terms_shape *shape, const struct board *after, const uint8_t *k,
		       int kinds, struct terms *terms)
{
#define CALL(length) spawn_sums_body(shape, after, k, kinds, terms, length)
	LENGTH_CASES(CALL)
#undef CALL
}

const struct terms_kernel TERMS_KERNEL = {count, spawn_sums};

#undef LENGTH_CASES
#undef ALWAYS_INLINE
#undef TERMS_KERNEL
