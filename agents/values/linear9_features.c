/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The nine features of Kalyanakrishnan and Devanand, IeorIITB2048, "List of features", on R x C cells.
 *
 * The text says "highest", "second highest" and "third highest". Here t1 >= t2 >= t3 are the three
 * largest tiles, each counted as often as it is there: two largest ones make t1 = t2. A cell is highest
 * when its tile is t1, second when it is t2, third when it is t3; with t1 = t2 the highest and the
 * second are two different cells. Neighbours share an edge. A line is a row or a column; it is a
 * leading line if it holds a highest and a second cell, and there may be none, or several.
 *
 *   f1  1 if a highest cell is a corner
 *   f2  1 if a highest cell has a second or a third one for a neighbour
 *   f3  of a move: the sum over cells of |tile after - tile before|. Without the bars it would be 0 for
 *       every move, for moves keep the sum of the tiles.
 *   f4  tiles on the board
 *   f5  how many cells of set 5 hold a tile that equals a neighbour
 *   f6  the same for set 6
 *   f7  1 if a leading line has no empty cell
 *   f8  1 if a leading line descends: from one of its ends no cell is larger than the one before; an
 *       empty cell is 0
 *   f9  the sum of the tiles of a leading line and of the lines beside it (one or two), divided by the
 *       sum of all tiles: the largest of the leading lines; 0 without one
 *
 * The text names the sets for 4x4: set 5 as (0,0), (1,1), (0,3), (3,0), (2,2), set 6 as (2,3), (3,2),
 * (0,1), (0,2), (1,0), (2,0), (1,3), (3,1). Neither has (3,3), (1,2), (2,1). Here
 *
 *   set 5  the corners but the last, and the inner cells (r, c) with r + c even
 *   set 6  the cells of the border that are no corners
 *
 * which gives those cells on 4x4 and has the reason that shows there: of two neighbours inside the
 * border exactly one is in set 5. So the features are not quite the same for the images of a board.
 *
 * Cells are handled a row at a time, eight bytes of a word; tests/agents/values/test_linear9.c has the
 * definitions as they stand here. Check value: 4x4 with nothing but a 2 in the first corner has f1 = f4 =
 * 1 and no other feature.
 */
#include "agents/values/linear9.h"
#include "boards/simd/bytes.h"

#include <string.h>

#define LOW7 UINT64_C(0x7f7f7f7f7f7f7f7f)
#define HIGH1 UINT64_C(0x8080808080808080)
#define EACH UINT64_C(0x0101010101010101)

static uint64_t cell_bit(int c)
{
	return UINT64_C(0x80) << 8 * c;
}

void linear9_shape_init(struct linear9_shape *shape, const struct game *game)
{
	const int rows = game->rows, cols = game->cols;
	*shape = (struct linear9_shape){.rows = rows, .cols = cols};
	for (int r = 0; r < rows; r++)
		for (int c = 0; c < cols; c++) {
			const bool end = r == 0 || r + 1 == rows, side = c == 0 || c + 1 == cols;
			const bool last = r + 1 == rows && c + 1 == cols;
			if (end && side)
				shape->corners[r] |= cell_bit(c);
			if ((end && side && !last) || (!end && !side && (r + c) % 2 == 0))
				shape->set5[r] |= cell_bit(c);
			if (end != side)
				shape->set6[r] |= cell_bit(c);
		}
}

/* The cells with a tile; exponents are below 2^7. */
static uint64_t cells_filled(uint64_t row)
{
	return (row + LOW7) & HIGH1;
}

/* How many cells there are in up to 6 rows of them, each shifted down to the lowest bit and added up. */
static int cells_count(uint64_t sums)
{
	return (int)(sums * EACH >> 56);
}

/* The cells in which two rows agree. */
static uint64_t cells_equal(uint64_t a, uint64_t b)
{
	return ~((a ^ b) + LOW7) & HIGH1;
}

/* A board as its features need it. */
struct view {
	uint64_t row[SIDE_MAX];
	uint64_t row_sum[SIDE_MAX], col_sum[SIDE_MAX], sum; /* of tiles */
	uint64_t seen, twice, thrice; /* bit k: there is one 2^k, two, three */
};

static void view_look(const struct linear9_shape *shape, const struct board *board,
		      struct view *view)
{
	*view = (struct view){0};
	for (int r = 0; r < shape->rows; r++) {
		view->row[r] = row_load(board->cell[r]);
		for (int c = 0; c < shape->cols; c++) {
			const uint64_t tile = (uint64_t)1 << board->cell[r][c] & ~UINT64_C(1);
			view->row_sum[r] += tile;
			view->col_sum[c] += tile;
			view->thrice |= view->twice & tile;
			view->twice |= view->seen & tile;
			view->seen |= tile;
		}
		view->sum += view->row_sum[r];
	}
}

/* Takes the largest of up to three tiles of each kind away; its exponent, 0 if there is none left. */
static int view_take(struct view *view)
{
	if (!view->seen)
		return 0;
	const int k = 63 - __builtin_clzll(view->seen);
	const uint64_t bit = (uint64_t)1 << k;
	uint64_t *most = view->thrice & bit ? &view->thrice : &view->seen;
	most = !(view->thrice & bit) && view->twice & bit ? &view->twice : most;
	*most ^= bit;
	return k;
}

/* f5 and f6. */
static void count_equals(const struct linear9_shape *shape, const struct view *view,
			 double f[LINEAR9])
{
	uint64_t above = 0; /* the cells that equal the one below them, a row up */
	uint64_t in5 = 0, in6 = 0;
	for (int r = 0; r < shape->rows; r++) {
		const uint64_t row = view->row[r], filled = cells_filled(row);
		const uint64_t next = r + 1 < shape->rows ? view->row[r + 1] : 0;
		const uint64_t right = cells_equal(row, row >> 8) & filled;
		const uint64_t below = cells_equal(row, next) & filled;
		const uint64_t equal = right | right << 8 | below | above;
		in5 += (equal & shape->set5[r]) >> 7;
		in6 += (equal & shape->set6[r]) >> 7;
		above = below;
	}
	f[4] = cells_count(in5);
	f[5] = cells_count(in6);
}

/* The leading lines, and what they say so far. */
struct leading {
	bool full, falls;
	uint64_t sum; /* the largest of a line and those beside it */
};

/* A leading line of LENGTH cells, the I-th of the N whose sums are SUM. */
static void lead(struct leading *leading, const uint8_t *line, int length, const uint64_t *sum,
		 int i, int n)
{
	bool full = line[0], falls = true, rises = true;
	for (int j = 1; j < length; j++) {
		full &= line[j] != 0;
		falls &= line[j] <= line[j - 1];
		rises &= line[j] >= line[j - 1];
	}
	const uint64_t around = sum[i] + (i > 0 ? sum[i - 1] : 0) + (i + 1 < n ? sum[i + 1] : 0);
	leading->full |= full;
	leading->falls |= falls || rises;
	leading->sum = around > leading->sum ? around : leading->sum;
}

/* Columns are leading lines where COLUMNS has a cell. */
static void lead_columns(const struct linear9_shape *shape, const struct view *view,
			 const struct board *board, uint64_t columns, struct leading *leading)
{
	for (; columns; columns &= columns - 1) {
		uint8_t line[SIDE_MAX];
		const int c = __builtin_ctzll(columns) / 8;
		for (int r = 0; r < shape->rows; r++)
			line[r] = board->cell[r][c];
		lead(leading, line, shape->rows, view->col_sum, c, shape->cols);
	}
}

/* All features of the leading lines and of their cells: tiles are T[0] >= T[1] >= T[2], T[1] > 0. */
static void count_leaders(const struct linear9_shape *shape, const struct view *view,
			  const struct board *board, const int t[3], double f[LINEAR9])
{
	uint64_t first[SIDE_MAX + 2] = {0}, firsts = 0, pairs = 0, seconds = 0, beside = 0;
	struct leading leading = {0};
	for (int r = 0; r < shape->rows; r++)
		first[r + 1] = cells_equal(view->row[r], EACH * (uint64_t)t[0]);
	for (int r = 0; r < shape->rows; r++) {
		const uint64_t one = first[r + 1], filled = cells_filled(view->row[r]);
		const uint64_t two = cells_equal(view->row[r], EACH * (uint64_t)t[1]);
		const uint64_t three = cells_equal(view->row[r], EACH * (uint64_t)t[2]) & filled;
		beside |= (one << 8 | one >> 8 | first[r] | first[r + 2]) & (two | three);
		if (t[0] == t[1] ? (one & (one - 1)) != 0 : one && two)
			lead(&leading, board->cell[r], shape->cols, view->row_sum, r, shape->rows);
		pairs |= firsts & one;
		firsts |= one;
		seconds |= two;
	}
	lead_columns(shape, view, board, t[0] == t[1] ? pairs : firsts & seconds, &leading);
	f[1] = beside != 0;
	f[6] = leading.full;
	f[7] = leading.falls;
	f[8] = (double)leading.sum / (double)view->sum;
}

void linear9_features(const struct linear9_shape *shape, const struct board *board,
		      double f[LINEAR9])
{
	struct view view;
	uint64_t corner = 0, tiles = 0;
	int t[3];
	memset(f, 0, LINEAR9 * sizeof *f);
	view_look(shape, board, &view);
	for (int i = 0; i < 3; i++)
		t[i] = view_take(&view);
	for (int r = 0; r < shape->rows; r++) {
		const uint64_t filled = cells_filled(view.row[r]);
		tiles += filled >> 7;
		corner |=
		    cells_equal(view.row[r], EACH * (uint64_t)t[0]) & filled & shape->corners[r];
	}
	f[0] = corner != 0;
	f[3] = cells_count(tiles);
	count_equals(shape, &view, f);
	if (t[1])
		count_leaders(shape, &view, board, t, f);
}

double linear9_changes(const struct linear9_shape *shape, const struct board *before,
		       const struct board *after)
{
	uint64_t sum = 0;
	for (int r = 0; r < shape->rows; r++)
		for (int c = 0; c < shape->cols; c++) {
			const uint64_t was = (uint64_t)1 << before->cell[r][c] & ~UINT64_C(1);
			const uint64_t is = (uint64_t)1 << after->cell[r][c] & ~UINT64_C(1);
			sum += is > was ? is - was : was - is;
		}
	return (double)sum;
}
