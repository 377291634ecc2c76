/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The evaluation function of Kalyanakrishnan and Devanand, IeorIITB2048, "List of features":
 *
 *   value = w1 f1 + w2 f2 + ... + w9 f9, summed in this order
 *
 * for a move on R x C cells: f3 measures what the move changed, the others are features of its
 * after-state. A position by itself has f3 = 0. Their player is the search
 *
 *   expectimax:depth=1,leaf=after,value=linear9,rewards=0,cutoff=0
 *
 * The text gives no value for a position without a move; here it is `terminal` of the search. The
 * text calls f3 the reward but defines it by changes of tiles, which are not the points; f3=points
 * takes the points of the move. A weight that is not set is that of the shape in
 * agents/values/weights.def.
 *
 * t1 >= t2 >= t3 are the three largest tiles, each counted as often as it occurs. A cell is
 * highest, second or third if its tile is t1, t2 or t3; if t1 = t2, the highest and the second are
 * two different cells. Neighbours share an edge. A line is a row or a column; it is a leading line
 * if it holds a highest and a second cell. A board may have several leading lines, or none.
 *
 *   f1  1 if a highest cell is a corner
 *   f2  1 if a highest cell has a second or a third one as a neighbour
 *   f3  of a move: the sum over cells of |tile after - tile before|. Without the bars it would be 0
 *       for every move, since moves preserve the sum of the tiles.
 *   f4  the number of tiles
 *   f5  the number of cells of set 5 that hold a tile equal to a neighbour
 *   f6  the same for set 6
 *   f7  1 if a leading line has no empty cell
 *   f8  1 if a leading line descends: from one of its ends no cell is larger than the one before;
 *       an empty cell is 0
 *   f9  the sum of the tiles of a leading line and of the lines beside it (one or two), divided by
 *       the sum of all tiles; the largest such share of a leading line, 0 if there is none
 *
 * The text names the sets for 4x4: set 5 as (0,0), (1,1), (0,3), (3,0), (2,2), set 6 as (2,3),
 * (3,2), (0,1), (0,2), (1,0), (2,0), (1,3), (3,1). Neither set has (3,3), (1,2), (2,1). Here
 *
 *   set 5  all corners but the last, and the inner cells (r, c) with r + c even
 *   set 6  the cells of the border that are not corners
 *
 * These are the cells of the text on 4x4, and keep its pattern: of two neighbours inside the border
 * exactly one is in set 5. So f5 can differ between the symmetric images of a board.
 *
 * A word holds the cells of a line, a byte each. Check value: 4x4 with nothing but a 2 in the first
 * corner has f1 = f4 = 1; all other features are 0.
 */
#include "agents/agent.h"
#include "boards/simd/bytes.h"

#include <string.h>

enum { LINEAR9 = 9 };

/* Sets of cells of a shape. In a set, cell (r, c) is the highest bit of byte c of word r. */
struct linear9_shape {
	int rows, cols;
	uint64_t corners[SIDE_MAX], set5[SIDE_MAX], set6[SIDE_MAX];
};

#define HIGH1 UINT64_C(0x8080808080808080)
#define EACH UINT64_C(0x0101010101010101)

static void linear9_shape_init(struct linear9_shape *shape, const struct game *game)
{
	const int rows = game->rows, cols = game->cols;
	*shape = (struct linear9_shape){.rows = rows, .cols = cols};
	for (int r = 0; r < rows; r++)
		for (int c = 0; c < cols; c++) {
			const bool end = r == 0 || r + 1 == rows, side = c == 0 || c + 1 == cols;
			const bool last = r + 1 == rows && c + 1 == cols;
			const uint64_t cell = UINT64_C(0x80) << 8 * c;
			shape->corners[r] |= end && side ? cell : 0;
			shape->set6[r] |= end != side ? cell : 0;
			if (end && side ? !last : !end && !side && (r + c) % 2 == 0)
				shape->set5[r] |= cell;
		}
}

/* Returns the cells in which A is at least B; exponents are below 2^7. */
static uint64_t cells_reach(uint64_t a, uint64_t b)
{
	return ((a | HIGH1) - b) & HIGH1;
}

/* Returns the cells in which A and B agree. */
static uint64_t cells_equal(uint64_t a, uint64_t b)
{
	return cells_reach(0, a ^ b);
}

/* Counts the cells in a sum of up to 6 rows, each shifted to the lowest bit. */
static int cells_count(uint64_t sums)
{
	return (int)(sums * EACH >> 56);
}

static uint64_t tile_of(int k)
{
	return (uint64_t)1 << k & ~UINT64_C(1);
}

/* A board, with an empty line after its rows, and a 0 on each side of the sums. */
struct view {
	uint64_t row[SIDE_MAX + 1], sum[2][SIDE_MAX + 2], total; /* sums of tiles: rows, columns */
	uint64_t t[3]; /* the largest exponents, descending, each in all bytes */
};

static void view_init(const struct linear9_shape *shape, const struct board *board,
		      struct view *view)
{
	uint64_t seen = 0, twice = 0, thrice = 0; /* tiles that occur at least so often */
	*view = (struct view){0};
	for (int r = 0; r < shape->rows; r++) {
		view->row[r] = row_load(board->cell[r]);
		for (int c = 0; c < shape->cols; c++) {
			const uint64_t tile = tile_of(board->cell[r][c]);
			view->sum[0][r + 1] += tile;
			view->sum[1][c + 1] += tile;
			thrice |= twice & tile;
			twice |= seen & tile;
			seen |= tile;
		}
		view->total += view->sum[0][r + 1];
	}
	for (int i = 0; i < 3 && seen; i++) {
		const int k = 63 - __builtin_clzll(seen);
		const uint64_t others = ~((uint64_t)1 << k);
		view->t[i] = EACH * (uint64_t)k;
		seen &= others | twice;
		twice &= others | thrice;
		thrice &= others;
	}
}

/* Adds the leading LINE of LENGTH cells to f7, f8, f9. SUM has its sum between its neighbours'. */
static void line_lead(const struct view *view, uint64_t line, int length, const uint64_t *sum,
		      double f[LINEAR9])
{
	const uint64_t cells = HIGH1 >> (64 - 8 * length), next = line >> 8;
	const bool falls = cells_reach(line, next) == HIGH1;
	const bool rises = (cells_reach(next, line) & cells >> 8) == cells >> 8;
	const double share = (double)(sum[0] + sum[1] + sum[2]) / (double)view->total;
	f[6] = cells_reach(line, EACH) == cells ? 1 : f[6];
	f[7] = falls || rises ? 1 : f[7];
	f[8] = share > f[8] ? share : f[8];
}

/* Adds the leading COLUMNS, a bit each. */
static void columns_lead(const struct linear9_shape *shape, const struct view *view,
			 uint64_t columns, double f[LINEAR9])
{
	for (; columns; columns &= columns - 1) {
		const int c = __builtin_ctzll(columns) / 8;
		uint64_t column = 0;
		for (int r = 0; r < shape->rows; r++)
			column |= (view->row[r] >> 8 * c & 0xff) << 8 * r;
		line_lead(view, column, shape->rows, &view->sum[1][c], f);
	}
}

/*
 * Sets f[i - 1] to f_i of BOARD, except that f_3, which belongs to a move, is 0. An empty board has
 * all 0.
 */
static void linear9_features(const struct linear9_shape *shape, const struct board *board,
			     double f[LINEAR9])
{
	struct view view;
	uint64_t corner = 0, beside = 0, tiles = 0, in5 = 0, in6 = 0, columns = 0;
	uint64_t above = 0, first_above = 0, next_above = 0; /* of the row before */
	uint64_t firsts = 0, seconds = 0;		     /* of all rows before */
	memset(f, 0, LINEAR9 * sizeof *f);
	view_init(shape, board, &view);
	for (int r = 0; r < shape->rows; r++) {
		const uint64_t row = view.row[r], filled = cells_reach(row, EACH);
		const uint64_t first = cells_equal(row, view.t[0]) & filled;
		const uint64_t second = cells_equal(row, view.t[1]) & filled;
		const uint64_t next = second | (cells_equal(row, view.t[2]) & filled);
		const uint64_t right = cells_equal(row, row >> 8) & filled;
		const uint64_t below = cells_equal(row, view.row[r + 1]) & filled;
		const uint64_t equal = right | right << 8 | below | above;
		corner |= first & shape->corners[r];
		beside |= (first & (next << 8 | next >> 8 | next_above)) | (next & first_above);
		tiles += filled >> 7;
		in5 += (equal & shape->set5[r]) >> 7;
		in6 += (equal & shape->set6[r]) >> 7;
		/* With t1 = t2 a first cell is also a second one, but not its own second. */
		if (first && second & ~(first & -first))
			line_lead(&view, row, shape->cols, &view.sum[0][r], f);
		columns |= (firsts & second) | (seconds & first);
		firsts |= first;
		seconds |= second;
		above = below;
		first_above = first;
		next_above = next;
	}
	columns_lead(shape, &view, columns, f);
	f[0] = corner != 0;
	f[1] = beside != 0;
	f[3] = cells_count(tiles);
	f[4] = cells_count(in5);
	f[5] = cells_count(in6);
}

/* Computes f_3 of a move: the sum over cells of |tile after - tile before|. */
static double linear9_changes(const struct linear9_shape *shape, const struct board *before,
			      const struct board *after)
{
	uint64_t sum = 0;
	for (int r = 0; r < shape->rows; r++)
		for (int c = 0; c < shape->cols; c++) {
			const uint64_t was = tile_of(before->cell[r][c]);
			const uint64_t is = tile_of(after->cell[r][c]);
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

static enum status linear9_init(void *self, const struct agent_env *env, struct why *why)
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

/* Returns the value of BOARD with F3. */
static double linear9_sum(const struct linear9 *l, const struct board *board, double f3)
{
	double f[LINEAR9], sum = 0;
	linear9_features(&l->shape, board, f);
	f[2] = f3;
	for (int i = 0; i < LINEAR9; i++)
		sum += l->w[i] * f[i];
	return sum;
}

static void linear9_eval(const void *self, const struct board *boards, size_t n, double *out)
{
	for (size_t i = 0; i < n; i++)
		out[i] = linear9_sum(self, &boards[i], 0);
}

static void linear9_eval_moves(const void *self, const struct transition *moves, size_t n,
			       double *out)
{
	const struct linear9 *l = self;
	for (size_t i = 0; i < n; i++)
		out[i] =
		    linear9_sum(l, moves[i].after,
				l->f3 == F3_POINTS
				    ? moves[i].reward
				    : linear9_changes(&l->shape, moves[i].before, moves[i].after));
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
