/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the value heuristic counts in one position, or in all positions after a spawn, and the table
 * of an instruction set. A file that includes this one is compiled for one instruction set.
 * Parameters:
 *
 *   VALUES_KERNEL   the name of the struct values_kernel to make
 *   batch_kernels   of batch_template.h, which is included before
 *
 * All lines are looked at together: v[k] holds the k-th cell of every column (bytes 0..7) and of
 * every row (bytes 8..15), so a count of bytes is a count of lines.
 *
 * Invariant: spawn_counts() equals the sum of count() over the positions, which a test makes one by
 * one.
 */
typedef uint8_t cells __attribute__((vector_size(2 * ROW_BYTES)));
typedef uint64_t cell_words __attribute__((vector_size(2 * ROW_BYTES)));

/* What the lines of a board say; masks have all bits of a lane set, counts are a number a lane. */
struct lines {
	cells v[SIDE_MAX], used[SIDE_MAX + 1];
	cells falls[SIDE_MAX]; /* v[k] >= v[k+1]; true at the end */
	cells rises[SIDE_MAX]; /* v[k] <= v[k+1]; true at the end */
	cells monotone;	       /* the line never rises, or never falls */
	cells empty, merges;   /* counts */
};

ALWAYS_INLINE int bytes_sum(uint64_t w)
{
	const uint64_t even = 0x00ff00ff00ff00ffu;
	return (int)(((w & even) + (w >> 8 & even)) * 0x0001000100010001u >> 48);
}

/* The sum of counts over all cells, which is below 65536 / 2. */
ALWAYS_INLINE int cells_total(const cells *v)
{
	const cell_words even = {0x00ff00ff00ff00ffu, 0x00ff00ff00ff00ffu};
	cell_words w = ((cell_words)*v & even) + ((cell_words)*v >> 8 & even);
	return (int)((w[0] + w[1]) * 0x0001000100010001u >> 48);
}

ALWAYS_INLINE void lines_load(const struct line_shape *shape, const struct board *board,
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
		lines->v[k] = (cells)(cell_words){row[k], column[k]};
#pragma GCC unroll 8
	for (int k = 0; k <= SIDE_MAX; k++)
		lines->used[k] = (cells)(cell_words){shape->used[k][0], shape->used[k][1]};
}

ALWAYS_INLINE void lines_read(const struct line_shape *shape, const struct board *board, int length,
			      struct lines *lines)
{
	const cells *v = lines->v, *used = lines->used;
	cells all_fall = ~(cells){0}, all_rise = all_fall;
	lines_load(shape, board, lines);
	lines->empty = lines->merges = (cells){0};
#pragma GCC unroll 8
	for (int k = 0; k < length; k++) {
		const cells next = k + 1 < length ? v[k + 1] : (cells){0}, both = used[k + 1];
		lines->empty -= (cells)(v[k] == 0) & used[k];
		lines->merges -= (cells)(v[k] == next) & (cells)(v[k] != 0);
		lines->falls[k] = (cells)(v[k] >= next) | ~both;
		lines->rises[k] = (cells)(v[k] <= next) | ~both;
		all_fall &= lines->falls[k];
		all_rise &= lines->rises[k];
	}
	lines->monotone = (all_fall | all_rise) & used[0];
}

/* The largest exponent, and whether it stands in a corner. */
ALWAYS_INLINE int largest_tile(const struct line_shape *shape, const struct board *board,
			       const struct lines *lines, int length, bool *corner)
{
	int bottom = shape->rows - 1, right = shape->cols - 1, max = 0;
	cells most = lines->v[0];
#pragma GCC unroll 8
	for (int k = 1; k < length; k++)
		most ^= (most ^ lines->v[k]) & (cells)(lines->v[k] > most);
	for (int i = 0; i < ROW_BYTES; i++)
		max = most[i] > max ? most[i] : max;
	*corner = board->cell[0][0] == max || board->cell[0][right] == max ||
		  board->cell[bottom][0] == max || board->cell[bottom][right] == max;
	return max;
}

ALWAYS_INLINE void count_body(const struct line_shape *shape, const struct board *board,
			      int *counts, int length)
{
	struct lines lines;
	bool corner;
	lines_read(shape, board, length, &lines);
	largest_tile(shape, board, &lines, length, &corner);
	const cells monotone = lines.monotone & 1;
	counts[W_EMPTY] = bytes_sum(((cell_words)lines.empty)[0]);
	counts[W_CORNER] = corner;
	counts[W_MONOTONE] = cells_total(&monotone);
	counts[W_MERGE] = cells_total(&lines.merges);
}

/*
 * In how many (line, empty cell of it) pairs the line is monotone once K stands in the cell: what
 * lies before it in the line and what lies behind must be in order, and K fit between them.
 */
ALWAYS_INLINE int monotone_fits(const struct lines *lines, const cells *k, int length)
{
	const cells *v = lines->v, *falls = lines->falls, *rises = lines->rises, all = ~(cells){0};
	cells fall_after[SIDE_MAX + 1], rise_after[SIDE_MAX + 1]; /* order from cell i to the end */
	cells fall_before = all, rise_before = all, fits = {0};
	fall_after[length] = rise_after[length] = all;
#pragma GCC unroll 8
	for (int i = length - 1; i >= 0; i--) {
		fall_after[i] = fall_after[i + 1] & falls[i];
		rise_after[i] = rise_after[i + 1] & rises[i];
	}
#pragma GCC unroll 8
	for (int i = 0; i < length; i++) {
		cells fall = fall_before & fall_after[i + 1],
		      rise = rise_before & rise_after[i + 1];
		if (i > 0) {
			fall &= (cells)(v[i - 1] >= *k);
			rise &= (cells)(v[i - 1] <= *k);
		}
		if (i + 1 < length) {
			fall &= (cells)(v[i + 1] <= *k);
			rise &= (cells)(v[i + 1] >= *k) | ~lines->used[i + 1];
		}
		fits -= (fall | rise) & (cells)(v[i] == 0) & lines->used[i];
		if (i > 0) {
			fall_before &= falls[i - 1];
			rise_before &= rises[i - 1];
		}
	}
	return cells_total(&fits);
}

/* The number of (empty cell, neighbour of exponent K) pairs. */
ALWAYS_INLINE int merge_fits(const struct lines *lines, const cells *k, int length)
{
	const cells *v = lines->v;
	cells fits = {0};
#pragma GCC unroll 8
	for (int i = 0; i + 1 < length; i++)
		fits -= (((cells)(v[i] == 0) & (cells)(v[i + 1] == *k)) |
			 ((cells)(v[i] == *k) & (cells)(v[i + 1] == 0))) &
			lines->used[i + 1];
	return cells_total(&fits);
}

static int empty_corners(const struct line_shape *shape, const struct board *board)
{
	int bottom = shape->rows - 1, right = shape->cols - 1;
	return (board->cell[0][0] == 0) + (board->cell[0][right] == 0) +
	       (board->cell[bottom][0] == 0) + (board->cell[bottom][right] == 0);
}

/* A line keeps its order when the tile appears elsewhere, which it does empty - (its own) times. */
ALWAYS_INLINE void spawn_counts_body(const struct line_shape *shape, const struct board *after,
				     const uint8_t *k, int kinds, int (*counts)[HEURISTIC_WEIGHTS],
				     int length)
{
	struct lines lines;
	bool corner;
	lines_read(shape, after, length, &lines);
	int max = largest_tile(shape, after, &lines, length, &corner);
	int empty = bytes_sum(((cell_words)lines.empty)[0]), merges = cells_total(&lines.merges);
	cells elsewhere = ((uint8_t)empty - lines.empty) & lines.monotone;
	int monotone = cells_total(&elsewhere);
	for (int i = 0; i < kinds; i++) {
		const cells tile = (cells){0} + k[i];
		/* A spawn can put a largest tile into a corner only if none is larger. */
		int corners = k[i] <= max && corner ? empty
			      : k[i] < max	    ? 0
						    : empty_corners(shape, after);
		counts[i][W_EMPTY] = empty * (empty - 1);
		counts[i][W_CORNER] = corners;
		counts[i][W_MONOTONE] = monotone + monotone_fits(&lines, &tile, length);
		counts[i][W_MERGE] = empty * merges + merge_fits(&lines, &tile, length);
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

static void count(const struct line_shape *shape, const struct board *board,
		  int counts[HEURISTIC_WEIGHTS])
{
#define CALL(length) count_body(shape, board, counts, length)
	LENGTH_CASES(CALL)
#undef CALL
}

static void spawn_counts(const struct line_shape *shape, const struct board *after,
			 const uint8_t *k, int kinds, int (*counts)[HEURISTIC_WEIGHTS])
{
#define CALL(length) spawn_counts_body(shape, after, k, kinds, counts, length)
	LENGTH_CASES(CALL)
#undef CALL
}

const struct values_kernel VALUES_KERNEL = {count, spawn_counts, batch_kernels};
