/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The evaluation function of Kalyanakrishnan and Devanand, IeorIITB2048:
 *
 *   value = w1 f1 + w2 f2 + ... + w9 f9
 *
 * with the nine features below, for a move: f3 is what the move changed, the others are those of
 * its after-state. A position by itself has f3 = 0. Their player is a search that uses this one:
 *
 *   expectimax:depth=1,leaf=after,value=linear9,rewards=0,cutoff=0
 *
 * which expects, over the spawns after a move, the largest value of the moves that are then legal.
 * The text does not say what a position without a move is worth; here that is `terminal` of the
 * search.
 *
 * f3=points takes the points of the move for f3 instead. The text calls f3 the reward and then
 * defines it as changes of tiles, which the points are not. A weight that is not given is that of
 * the shape in agents/values/weights.def. Sums are made from f1 to f9.
 *
 * The features are those of the section "List of features", on R x C cells.
 *
 * The text says "highest", "second highest" and "third highest". Here t1 >= t2 >= t3 are the three
 * largest tiles, each counted as often as it is there: two largest ones make t1 = t2. A cell is
 * highest when its tile is t1, second when it is t2, third when it is t3; with t1 = t2 the highest
 * and the second are two different cells. Neighbours share an edge. A line is a row or a column; it
 * is a leading line if it holds a highest and a second cell, and there may be none, or several.
 *
 *   f1  1 if a highest cell is a corner
 *   f2  1 if a highest cell has a second or a third one for a neighbour
 *   f3  of a move: the sum over cells of |tile after - tile before|. Without the bars it would be 0
 *       for every move, for moves keep the sum of the tiles.
 *   f4  tiles on the board
 *   f5  how many cells of set 5 hold a tile that equals a neighbour
 *   f6  the same for set 6
 *   f7  1 if a leading line has no empty cell
 *   f8  1 if a leading line descends: from one of its ends no cell is larger than the one before;
 *       an empty cell is 0
 *   f9  the sum of the tiles of a leading line and of the lines beside it (one or two), divided by
 *       the sum of all tiles: the largest of the leading lines; 0 without one
 *
 * The text names the sets for 4x4: set 5 as (0,0), (1,1), (0,3), (3,0), (2,2), set 6 as (2,3),
 * (3,2), (0,1), (0,2), (1,0), (2,0), (1,3), (3,1). Neither has (3,3), (1,2), (2,1). Here
 *
 *   set 5  the corners but the last, and the inner cells (r, c) with r + c even
 *   set 6  the cells of the border that are no corners
 *
 * which gives those cells on 4x4 and has the reason that shows there: of two neighbours inside the
 * border exactly one is in set 5. So the features are not quite the same for the images of a board.
 *
 * Cells are handled a row at a time, eight bytes of a word; tests/agents/values/test_linear9.c has
 * the definitions as they stand here. Check value: 4x4 with nothing but a 2 in the first corner has
 * f1 = f4 = 1 and no other feature.
 */
#include "agents/agent.h"
#include "boards/simd/bytes.h"

#include <math.h>
#include <string.h>

enum { LINEAR9 = 9 };

/* Sets of cells of a shape. In sets by rows, cell (r, c) is the highest bit of byte c of word r. */
struct linear9_shape {
	int rows, cols;
	uint64_t corners[SIDE_MAX], set5[SIDE_MAX], set6[SIDE_MAX];
};

#define LOW7 UINT64_C(0x7f7f7f7f7f7f7f7f)
#define HIGH1 UINT64_C(0x8080808080808080)
#define EACH UINT64_C(0x0101010101010101)

static uint64_t cell_bit(int c)
{
	return UINT64_C(0x80) << 8 * c;
}

static void linear9_shape_init(struct linear9_shape *shape, const struct game *game)
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

/* Returns the cells with a tile; exponents are below 2^7. */
static uint64_t cells_filled(uint64_t row)
{
	return (row + LOW7) & HIGH1;
}

/* Counts the cells in a sum of up to 6 rows, each shifted to the lowest bit. */
static int cells_count(uint64_t sums)
{
	return (int)(sums * EACH >> 56);
}

/* Returns the cells in which two rows agree. */
static uint64_t cells_equal(uint64_t a, uint64_t b)
{
	return ~((a ^ b) + LOW7) & HIGH1;
}

/* A board, prepared for its features. */
struct view {
	uint64_t row[SIDE_MAX];
	uint64_t row_sum[SIDE_MAX], col_sum[SIDE_MAX], sum; /* sums of tiles */
	uint64_t seen, twice, thrice; /* bit k: there are at least one, two, three tiles 2^k */
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

/*
 * Removes the largest of up to three tiles of each kind. Returns its exponent, 0 if none is left.
 */
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

/* Computes f5 and f6. */
static void count_equals(const struct linear9_shape *shape, const struct view *view,
			 double f[LINEAR9])
{
	uint64_t above = 0; /* cells equal to the one below, in the row above */
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

/* Results of the leading lines so far. */
struct leading {
	bool full, falls;
	uint64_t sum; /* largest sum of a leading line and its neighbours */
};

/* Adds leading line I of LENGTH cells, among N lines with the sums SUM. */
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

/* Adds the columns in COLUMNS as leading lines. */
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

/*
 * Computes all features of leading lines and their cells, for the tiles T[0] >= T[1] >= T[2], T[1]
 * > 0.
 */
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

/*
 * Sets f[i - 1] to f_i of BOARD, except that f_3, which belongs to a move, is 0. An empty board has
 * all 0.
 */
static void linear9_features(const struct linear9_shape *shape, const struct board *board,
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

/* Computes f_3 of a move: the sum over cells of |tile after - tile before|. */
static double linear9_changes(const struct linear9_shape *shape, const struct board *before,
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

enum { F3_CHANGES, F3_POINTS };

struct linear9 {
	int64_t tuned;
	int f3; /* choice */
	double w[LINEAR9];

	struct linear9_shape shape;
};

#define WEIGHT(i, size, text)                                                                      \
	{                                                                                          \
		.name = "w" #i, .kind = FIELD_REAL, .offset = offsetof(struct linear9, w[i - 1]),  \
		.fallback = "auto", .min = -1e6, .max = 1e6, .choices = "auto", .help = text,      \
		.scale = size, .per_tile = i == 3                                                  \
	}

static const struct field linear9_params[] = {
    {FIELD_MEMBER(FIELD_INTEGER, linear9, tuned), .fallback = "3", .min = 1, .max = 3,
     .help = "the set of weights that auto stands for; 1: chosen by hand"},
    {FIELD_MEMBER(FIELD_CHOICE, linear9, f3), .fallback = "changes", .choices = "changes|points",
     .help = "feature of w3: the change of the tiles of all cells, or the points of the move"},
    WEIGHT(1, 4, "a largest tile in a corner"),
    WEIGHT(2, 2, "the second or third largest beside it"),
    WEIGHT(3, 4, "reward of the move, in units of tiles"),
    WEIGHT(4, 2, "a tile, whatever it is"),
    WEIGHT(5, 1, "a tile that equals a neighbour, in corners and half of the inside"),
    WEIGHT(6, 1, "a tile that equals a neighbour, on the border"),
    WEIGHT(7, 1, "the line of the two largest tiles is full"),
    WEIGHT(8, 4, "the line of the two largest tiles descends"),
    WEIGHT(9, 4, "share of all tiles' sum that is in that line and beside it"),
    {0},
};

static const struct shape_weights defaults[] = {
#define LINEAR9_WEIGHTS(set, rows, cols, ...) {set, rows, cols, {__VA_ARGS__}},
#include "agents/values/weights.def"
};

static enum status linear9_init(void *self, const struct value_env *env, struct why *why)
{
	struct linear9 *l = self;
	(void)why;
	linear9_shape_init(&l->shape, env->game);
	weights_fill(l->w, LINEAR9, defaults, sizeof defaults / sizeof *defaults, (int)l->tuned,
		     env->game);
	return STATUS_OK;
}

static bool linear9_of_after_states(const void *self)
{
	(void)self;
	return true;
}

static double weigh(const struct linear9 *l, const double f[LINEAR9])
{
	double sum = 0;
	for (int i = 0; i < LINEAR9; i++)
		sum += l->w[i] * f[i];
	return sum;
}

static void linear9_eval(const void *self, const struct board *boards, size_t n, double *out)
{
	const struct linear9 *l = self;
	double f[LINEAR9];
	for (size_t i = 0; i < n; i++) {
		linear9_features(&l->shape, &boards[i], f);
		out[i] = weigh(l, f);
	}
}

static void linear9_eval_moves(const void *self, const struct transition *moves, size_t n,
			       double *out)
{
	const struct linear9 *l = self;
	double f[LINEAR9];
	for (size_t i = 0; i < n; i++) {
		linear9_features(&l->shape, moves[i].after, f);
		f[2] = l->f3 == F3_POINTS
			   ? moves[i].reward
			   : linear9_changes(&l->shape, moves[i].before, moves[i].after);
		out[i] = weigh(l, f);
	}
}

const struct value_class linear9_value = {
    .name = "linear9",
    .summary = "nine features of a move and where it leads, weighted",
    .params = linear9_params,
    .size = sizeof(struct linear9),
    .init = linear9_init,
    .of_after_states = linear9_of_after_states,
    .eval = linear9_eval,
    .eval_moves = linear9_eval_moves,
};
