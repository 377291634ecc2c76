/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The counts of the value heuristic in one position, or over all positions after a spawn; and the
 * values of whole batches. A file that includes this one first includes batch_template.h and
 * strong_template.h, and defines VALUES_TABLE, the declaration of the table of kernels.
 *
 * For one position all lines are handled together: v[k] holds the k-th cell of every column (bytes
 * 0..7) and of every row (bytes 8..15), so a count of bytes is a count of lines.
 *
 * Invariant: spawn_counts() equals the sum of count() over the positions; a test enumerates them.
 */
typedef uint8_t cells __attribute__((vector_size(2 * ROW_BYTES)));
typedef uint64_t cell_words __attribute__((vector_size(2 * ROW_BYTES)));

/*
 * Properties of the lines of a board. Masks have all bits of a lane set; counts are one number per
 * lane.
 */
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

/* Sums counts over all cells; the result is below 65536 / 2. */
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

/* Returns the largest exponent; sets *CORNER if it is in a corner. */
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
 * Counts the (line, empty cell in it) pairs in which the line is monotone once K is in the cell:
 * the parts of the line before and after the cell must be in order, and K must fit between them.
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

/* Counts the (empty cell, neighbour of exponent K) pairs. */
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

/* A monotone line stays so if the tile appears elsewhere; monotone_fits() counts its own cells. */
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
		/* A spawn makes a largest tile in a corner only if no tile is larger. */
		int corners = k[i] <= max && corner ? empty
			      : k[i] < max	    ? 0
						    : empty_corners(shape, after);
		counts[i][W_EMPTY] = empty * (empty - 1);
		counts[i][W_CORNER] = corners;
		counts[i][W_MONOTONE] = monotone + monotone_fits(&lines, &tile, length);
		counts[i][W_MERGE] = empty * merges + merge_fits(&lines, &tile, length);
	}
}

/* Instantiates the bodies with the length of the longest line as a constant. */
#define LENGTH(n)                                                                                  \
	static void count_##n(const struct line_shape *shape, const struct board *board,           \
			      int counts[HEURISTIC_WEIGHTS])                                       \
	{                                                                                          \
		count_body(shape, board, counts, n);                                               \
	}                                                                                          \
	static void spawn_counts_##n(const struct line_shape *shape, const struct board *after,    \
				     const uint8_t *k, int kinds, int(*counts)[HEURISTIC_WEIGHTS]) \
	{                                                                                          \
		spawn_counts_body(shape, after, k, kinds, counts, n);                              \
	}
LENGTH(2)
LENGTH(3)
LENGTH(4)
LENGTH(5)
LENGTH(6)

/*
 * The value heuristic of the best after-state of WIDE boards, or of the spawns on it: the kernel
 * makes counts, weights them, and keeps the best of four directions.
 *
 * An exponent k is the code 2k + 1; empty cells are alternately 0 and 1, as on a chessboard. The
 * difference of neighbours then suffices: 0 for equal tiles, at most 1 either way where both are
 * empty, more where the line rises or falls. So no comparison is needed until the end of a line.
 *
 * Spawns of a kind are summed without enumerating them. If a new tile of code K keeps a line in
 * falling order, it does so in the first empty cell, since all cells before that are at least K;
 * likewise for rising order and the last empty cell. So two substitutions per line are enough.
 *
 * Weights that are small multiples of a power of two, the unit, are computed as integers as long as
 * possible: shorts for an after-state, ints for a sum over spawns. That is exact, so the order of
 * sums does not matter; multiplying by the unit only moves the binary point. Other weights are
 * doubles, with the operations of heuristic.c and agents/value.c in their order.
 *
 * Invariant: the results are those of agents/value.h, bit for bit;
 * tests/agents/values/test_value.c.
 */
enum { HEURISTIC_STEP = 2 };

/* The counts of after-states in a direction, one number per board. */
struct batch_counts {
	lanes changed; /* 0 where the direction is not legal */
	lanes empty, corner, monotone, merges;
	lanes largest; /* code */
	lanes vacant;  /* corners */
};

/*
 * The contributions of spawns to counts, by kind. There is room for an even number of kinds, since
 * they are handled in pairs.
 */
struct batch_fits {
	lanes own; /* empty cells of the ordered lines */
	lanes monotone[SPAWN_KINDS_MAX], merges[SPAWN_KINDS_MAX];
};

/* Differences along a line: the greatest, and the least with and without the last. */
struct batch_order {
	lanes most, least, least_before;
};

/* Returns the order of a line. Adds the number of its nonzero differences to UNEQUAL. */
ALWAYS_INLINE struct batch_order line_order(const lanes *cell, int step, int length, lanes *unequal)
{
	struct batch_order order;
	order.most = order.least = order.least_before = lanes_all(0);
	UNROLL
	for (int k = 0; k + 1 < length; k++) {
		const lanes rise = lanes_minus(cell[(k + 1) * step], cell[k * step]);
		order.least_before = order.least;
		order.most = k ? lanes_signed_max(order.most, rise) : rise;
		order.least = k ? lanes_signed_min(order.least, rise) : rise;
		*unequal = lanes_plus(*unequal, lanes_min(rise, lanes_all(1)));
	}
	return order;
}

/* The lanes where a line both rises and falls. */
ALWAYS_INLINE lanes_mask order_broken(const struct batch_order *order)
{
	return lanes_and_signed_above(lanes_signed_above(order->most, lanes_all(1)), lanes_all(-1),
				      order->least);
}

/*
 * Returns SUM plus 1 where FALLS plus 1 where RISES, but a SINGLE empty cell, first and last,
 * counts once.
 */
ALWAYS_INLINE lanes fits_add(lanes sum, lanes_mask falls, lanes_mask rises, lanes_mask single)
{
	const lanes_mask once = lanes_and_not(rises, lanes_and(falls, single));
	return lanes_increment(once, lanes_increment(falls, sum));
}

/*
 * Adds to FITS the number of empty cells in which a tile keeps the line in order. The line has
 * slid: its empty cells are at its end.
 */
ALWAYS_INLINE void slid_fits(const lanes *cell, int length, const struct batch_order *order,
			     const lanes *code, int kinds, struct batch_fits *fits)
{
	const lanes two = lanes_all(2), before = cell[length - 2];
	const lanes_mask any = lanes_above(two, cell[length - 1]);
	const lanes_mask single = lanes_and_not(any, lanes_above(two, before));
	const lanes_mask falling = lanes_and_signed_above(any, two, order->most);
	const lanes_mask rising = lanes_and_signed_above(any, order->least_before, lanes_all(-2));
	/* Subtracting 2 makes an empty cell greater than all tiles. */
	lanes lowest = lanes_minus(cell[0], two);
	UNROLL
	for (int k = 1; k + 1 < length; k++)
		lowest = lanes_min(lowest, lanes_minus(cell[k], two));
#pragma GCC unroll 1
	for (int j = 0; j < kinds; j++) {
		const lanes over = lanes_minus(code[j], lanes_all(3));
		const lanes_mask falls = lanes_and(falling, lanes_above(lowest, over));
		const lanes_mask rises = lanes_and_not(rising, lanes_above(before, code[j]));
		fits->monotone[j] = fits_add(fits->monotone[j], falls, rises, single);
	}
}

/* The empty cells of a line: the first, the last, and whether there are any. */
struct batch_gaps {
	lanes_mask first[SIDE_MAX], last[SIDE_MAX], any;
};

ALWAYS_INLINE void gaps_find(const lanes *cell, int step, int length, struct batch_gaps *gaps)
{
	const lanes two = lanes_all(2);
	lanes_mask empty[SIDE_MAX], any = lanes_above(two, cell[0]);
	gaps->first[0] = empty[0] = any;
	UNROLL
	for (int k = 1; k < length; k++) {
		empty[k] = lanes_above(two, cell[k * step]);
		gaps->first[k] = lanes_and_not(empty[k], any);
		any = lanes_or(any, empty[k]);
	}
	gaps->any = any;
	gaps->last[length - 1] = any = empty[length - 1];
	UNROLL
	for (int k = length - 2; k >= 0; k--) {
		gaps->last[k] = lanes_and_not(empty[k], any);
		any = lanes_or(any, empty[k]);
	}
}

/*
 * The order of a line with CODE in its first empty cell, for `most`, and in its last, for `least`.
 */
ALWAYS_INLINE struct batch_order order_filled(const lanes *cell, int step, int length,
					      const struct batch_gaps *gaps, lanes code)
{
	struct batch_order order;
	order.most = order.least = order.least_before = lanes_all(0);
	lanes head = lanes_blend(gaps->first[0], code, cell[0]);
	lanes tail = lanes_blend(gaps->last[0], code, cell[0]);
	UNROLL
	for (int k = 1; k < length; k++) {
		const lanes next = lanes_blend(gaps->first[k], code, cell[k * step]);
		const lanes end = lanes_blend(gaps->last[k], code, cell[k * step]);
		const lanes rise = lanes_minus(next, head), fall = lanes_minus(end, tail);
		order.most = k > 1 ? lanes_signed_max(order.most, rise) : rise;
		order.least = k > 1 ? lanes_signed_min(order.least, fall) : fall;
		head = next;
		tail = end;
	}
	return order;
}

/* slid_fits() for a line that has not slid. COUNT is the number of its empty cells. */
ALWAYS_INLINE void line_fits(const lanes *cell, int step, int length, lanes count,
			     const lanes *code, int kinds, struct batch_fits *fits)
{
	const lanes_mask single = lanes_equal(count, lanes_all(1));
	struct batch_gaps gaps;
	gaps_find(cell, step, length, &gaps);
#pragma GCC unroll 1
	for (int i = 0; i < kinds; i += 2) {
		UNROLL
		for (int j = i; j < i + 2; j++) {
			const struct batch_order order =
			    order_filled(cell, step, length, &gaps, code[j]);
			const lanes_mask falls =
			    lanes_and_signed_above(gaps.any, lanes_all(2), order.most);
			const lanes_mask rises =
			    lanes_and_signed_above(gaps.any, order.least, lanes_all(-2));
			fits->monotone[j] = fits_add(fits->monotone[j], falls, rises, single);
		}
	}
}

/* Counts the (empty cell, neighbour of a code) pairs for each code. */
ALWAYS_INLINE void merges_fit(const lanes *cell, const lanes *empty, int lines, int length,
			      const lanes *code, int kinds, struct batch_fits *fits)
{
	lanes beside[CELLS_MAX];
	UNROLL
	for (int i = 0; i < lines; i++) {
		UNROLL
		for (int k = 0; k < length; k++) {
			const lanes *at = empty + i * length + k;
			lanes sum = k > 0 ? at[-1] : at[1];
			if (k > 0 && k + 1 < length)
				sum = lanes_plus(sum, at[1]);
			if (i > 0)
				sum = lanes_plus(sum, at[-length]);
			if (i + 1 < lines)
				sum = lanes_plus(sum, at[length]);
			beside[i * length + k] = sum;
		}
	}
#pragma GCC unroll 1
	for (int j = 0; j < kinds; j++) {
		lanes sum = lanes_all(0);
		UNROLL
		for (int i = 0; i < lines; i++) {
			UNROLL
			for (int k = i * length; k < (i + 1) * length; k++)
				sum = lanes_raise(lanes_equal(cell[k], code[j]), sum, beside[k]);
		}
		fits->merges[j] = sum;
	}
}

/* Determines whether a largest tile is in a corner, and for SPAWNS how many corners are empty. */
ALWAYS_INLINE void corners_count(const lanes *cell, int lines, int length, bool spawns,
				 struct batch_counts *terms)
{
	const int end = lines * length - 1;
	const int places[4] = {0, length - 1, end + 1 - length, end};
	lanes corner = lanes_all(0), largest = corner, vacant = corner;
	UNROLL
	for (int i = 0; i < 4; i++) {
		const lanes x = cell[places[i]];
		corner = i ? lanes_max(corner, x) : x;
		if (spawns)
			vacant = lanes_increment(lanes_above(lanes_all(2), x), vacant);
	}
	UNROLL
	for (int i = 0; i < lines; i++) {
		UNROLL
		for (int k = 0; k < length; k++)
			if ((i > 0 && i + 1 < lines) || (k > 0 && k + 1 < length))
				largest = lanes_max(largest, cell[i * length + k]);
	}
	terms->largest = lanes_max(largest, corner);
	terms->corner = lanes_where(lanes_equal(corner, terms->largest), lanes_all(1));
	terms->vacant = vacant;
}

/* Sets empty[i] to 1 where cell i is empty, else 0. */
ALWAYS_INLINE void empty_find(const lanes *cell, int lines, int length, lanes *empty)
{
	UNROLL
	for (int i = 0; i < lines; i++) {
		UNROLL
		for (int k = 0; k < length; k++) {
			const lanes none = lanes_all(1 + (i + k) % 2);
			empty[i * length + k] =
			    lanes_minus(none, lanes_min(none, cell[i * length + k]));
		}
	}
}

/* The sum of a line. */
ALWAYS_INLINE lanes line_sum(const lanes *cell, int step, int length)
{
	lanes sum = cell[0];
	UNROLL
	for (int k = 1; k < length; k++)
		sum = lanes_plus(sum, cell[k * step]);
	return sum;
}

/* Counts the terms of after-states and, with SPAWNS, in FITS what spawns of KINDS codes add. */
ALWAYS_INLINE void counts_make(const struct batch_after *after, int lines, int length,
			       struct batch_counts *terms, bool spawns, const lanes *code,
			       int kinds, struct batch_fits *fits)
{
	const lanes *cell = after->cell;
	const int pairs = lines * (length - 1) + length * (lines - 1);
	lanes broken = lanes_all(0), unequal = broken, own = broken, empty[CELLS_MAX];
	terms->changed = after->changed;
	terms->empty = after->empty;
	if (spawns) {
		empty_find(cell, lines, length, empty);
#pragma GCC unroll 1
		for (int j = 0; j < SPAWN_KINDS_MAX && j < kinds + 1; j++)
			fits->monotone[j] = lanes_all(0);
	}
#pragma GCC unroll 1
	for (int i = 0; i < lines; i++) {
		const lanes *line = cell + i * length;
		const struct batch_order order = line_order(line, 1, length, &unequal);
		const lanes_mask mask = order_broken(&order);
		broken = lanes_increment(mask, broken);
		if (!spawns)
			continue;
		own = lanes_plus(own, lanes_unless(mask, line_sum(empty + i * length, 1, length)));
		slid_fits(line, length, &order, code, kinds, fits);
	}
#pragma GCC unroll 1
	for (int k = 0; k < length; k++) {
		const struct batch_order order = line_order(cell + k, length, lines, &unequal);
		const lanes_mask mask = order_broken(&order);
		broken = lanes_increment(mask, broken);
		if (!spawns)
			continue;
		const lanes count = line_sum(empty + k, length, lines);
		own = lanes_plus(own, lanes_unless(mask, count));
		line_fits(cell + k, length, lines, count, code, kinds, fits);
	}
	terms->monotone = lanes_minus(lanes_all(lines + length), broken);
	terms->merges = lanes_minus(lanes_all(pairs), unequal);
	corners_count(cell, lines, length, spawns, terms);
	if (spawns) {
		fits->own = own;
		merges_fit(cell, empty, lines, length, code, kinds, fits);
	}
}

/* Counts of a position, or their sums over spawns, by halves. */
struct short_counts {
	wide_shorts empty[2], corner[2], monotone[2], merges[2];
};

/* Values of WIDE boards: eight vectors, two for each quarter. */
struct batch_values {
	wide_reals piece[4][2];
};

/* The best leaves so far, and shared results of the two directions of an axis. */
struct batch_best {
	struct batch_values value;
	wide_shorts small[2]; /* used instead if task_small() */
	lanes legal;	      /* nonzero where any move is legal */
	struct batch_values share[2];
};

/* Constants of a batch. */
struct heuristic_task {
	const struct heuristic_weights *weights;
	const struct leaf_rule *rule;
	double unit;	 /* unit of the values compared; 1 if weights are not small */
	double terminal; /* in units */
	int kinds;
	lanes code[SPAWN_KINDS_MAX];
};

/* Computes the weighted sums of counts for a quarter. */
ALWAYS_INLINE void counts_weigh(const struct heuristic_weights *w,
				const struct short_counts *counts, int quarter, wide_reals value[2])
{
	const int half = quarter / 2, odd = quarter % 2;
	const wide_shorts empty = counts->empty[half], corner = counts->corner[half];
	const wide_shorts monotone = counts->monotone[half], merges = counts->merges[half];
	if (w->unit > 0) {
		const wide_ints x =
		    wide_dot16(empty, w->small[W_EMPTY], corner, w->small[W_CORNER], odd) +
		    wide_dot16(monotone, w->small[W_MONOTONE], merges, w->small[W_MERGE], odd);
		value[0] = wide_real(x, 0);
		value[1] = wide_real(x, 1);
		return;
	}
	UNROLL
	for (int part = 0; part < 2; part++)
		value[part] =
		    w->w[W_EMPTY] * wide_real(wide_dot16(empty, 1, corner, 0, odd), part) +
		    w->w[W_CORNER] * wide_real(wide_dot16(empty, 0, corner, 1, odd), part) +
		    w->w[W_MONOTONE] * wide_real(wide_dot16(monotone, 1, merges, 0, odd), part) +
		    w->w[W_MERGE] * wide_real(wide_dot16(monotone, 0, merges, 1, odd), part);
}

/* Keeps VALUE where it is greater and the move is legal. */
ALWAYS_INLINE void value_update_max(struct batch_best *best, const struct batch_values *value,
				    lanes changed)
{
	UNROLL
	for (int q = 0; q < 4; q++) {
		const wide_ints legal = wide_spread(changed, q);
		UNROLL
		for (int part = 0; part < 2; part++) {
			wide_reals *to = &best->value.piece[q][part];
			const wide_reals greater = wide_real_max(value->piece[q][part], *to);
			*to = wide_choose(legal, part, greater, *to);
		}
	}
}

/* Updates the best values by those of after-states, with small weights. */
ALWAYS_INLINE void small_update_max(const struct heuristic_task *task,
				    const struct batch_counts *terms, struct batch_best *best)
{
	const struct heuristic_weights *w = task->weights;
	UNROLL
	for (int half = 0; half < 2; half++) {
		const wide_shorts x = wide_dot8(terms->empty, lanes_all(w->small[W_EMPTY]),
						terms->corner, lanes_all(w->small[W_CORNER]), half);
		const wide_shorts y = wide_dot8(terms->monotone, lanes_all(w->small[W_MONOTONE]),
						terms->merges, lanes_all(w->small[W_MERGE]), half);
		best->small[half] = wide_greater16(best->small[half], x + y, terms->changed, half);
	}
}

/* Updates the best values by those of after-states, with any weights. */
static void real_update_max(const struct heuristic_task *task, const struct batch_counts *terms,
			    struct batch_best *best)
{
	const lanes one = lanes_all(1), none = lanes_all(0);
	struct short_counts counts;
	struct batch_values value;
	UNROLL
	for (int half = 0; half < 2; half++) {
		counts.empty[half] = wide_dot8(terms->empty, one, none, none, half);
		counts.corner[half] = wide_dot8(terms->corner, one, none, none, half);
		counts.monotone[half] = wide_dot8(terms->monotone, one, none, none, half);
		counts.merges[half] = wide_dot8(terms->merges, one, none, none, half);
	}
	UNROLL
	for (int q = 0; q < 4; q++)
		counts_weigh(task->weights, &counts, q, value.piece[q]);
	value_update_max(best, &value, terms->changed);
}

/* Counts the spawns of CODE after which a largest tile is in a corner. */
ALWAYS_INLINE lanes corners_sum(const struct batch_counts *terms, lanes code)
{
	/* All spawns if a largest tile >= CODE is in a corner; else none if a tile is larger. */
	const lanes_mask stays = lanes_and_not(lanes_equal(terms->corner, lanes_all(1)),
					       lanes_above(code, terms->largest));
	const lanes made = lanes_unless(lanes_above(terms->largest, code), terms->vacant);
	return lanes_blend(stays, terms->empty, made);
}

/*
 * Sums counts over the spawns of kind J, one per empty cell. Each spawn preserves the other empty
 * cells, the merges, and the order of all lines except its own.
 */
ALWAYS_INLINE void counts_sum(const struct heuristic_task *task, const struct batch_counts *terms,
			      const struct batch_fits *fits, int j, struct short_counts *counts)
{
	const lanes one = lanes_all(1), none = lanes_all(0), empty = terms->empty;
	const lanes corners = corners_sum(terms, task->code[j]);
	const lanes order = lanes_minus(fits->monotone[j], fits->own);
	UNROLL
	for (int half = 0; half < 2; half++) {
		counts->empty[half] = wide_dot8(empty, lanes_minus(empty, one), none, none, half);
		counts->corner[half] = wide_dot8(corners, one, none, none, half);
		counts->monotone[half] = wide_dot8(empty, terms->monotone, one, order, half);
		counts->merges[half] = wide_dot8(empty, terms->merges, one, fits->merges[j], half);
	}
}

/* Nonzero where spawns of kind J fill the last empty cell and leave no move. */
ALWAYS_INLINE lanes spawns_terminal(const struct batch_counts *terms, const struct batch_fits *fits,
				    int j)
{
	const lanes_mask full = lanes_equal(terms->empty, lanes_all(1));
	const lanes_mask stuck = lanes_empty(lanes_plus(terms->merges, fits->merges[j]));
	return lanes_where(lanes_and(full, stuck), lanes_all(1));
}

/* Updates the best values by the expectations over spawns on after-states. */
static void spawns_update_max(const struct heuristic_task *task, const struct batch_counts *terms,
			      const struct batch_fits *fits, const struct batch_values *share,
			      struct batch_best *best)
{
	struct batch_values sum = {0};
	for (int j = 0; j < task->kinds; j++) {
		const double probability = task->rule->probability[j];
		const lanes terminal = spawns_terminal(terms, fits, j);
		const bool any_terminal = lanes_some(terminal);
		struct short_counts counts;
		counts_sum(task, terms, fits, j, &counts);
		UNROLL
		for (int q = 0; q < 4; q++) {
			wide_reals value[2];
			counts_weigh(task->weights, &counts, q, value);
			UNROLL
			for (int part = 0; part < 2; part++) {
				if (any_terminal)
					value[part] =
					    wide_choose(wide_spread(terminal, q), part,
							wide_all_real(task->terminal), value[part]);
				sum.piece[q][part] += probability * value[part];
			}
		}
	}
	UNROLL
	for (int q = 0; q < 4; q++) {
		sum.piece[q][0] *= share->piece[q][0];
		sum.piece[q][1] *= share->piece[q][1];
	}
	value_update_max(best, &sum, terms->changed);
}

/* Sets SHARE to the unit divided by COUNT; the unit is a power of two. */
ALWAYS_INLINE void shares_find(const struct heuristic_task *task, lanes count,
			       struct batch_values *share)
{
	const lanes one = lanes_all(1);
	UNROLL
	for (int q = 0; q < 4; q++) {
		const wide_shorts shorts = wide_dot8(count, one, count, lanes_all(0), q / 2);
		const wide_ints counts = wide_dot16(shorts, 1, shorts, 0, q % 2);
		share->piece[q][0] = task->unit / wide_real(counts, 0);
		share->piece[q][1] = task->unit / wide_real(counts, 1);
	}
}

/* Updates the best values by the leaves of one direction: after-states, or the spawns on them. */
ALWAYS_INLINE void direction_update_max(const struct heuristic_task *task,
					const struct batch_boards *boards, int direction, int lines,
					int length, bool spawns, struct batch_best *best)
{
	struct batch_after after;
	struct batch_counts terms;
	struct batch_fits fits;
	struct batch_values *share = &best->share[direction % 2];
	batch_move(boards, direction, lines, length, HEURISTIC_STEP, true, &after);
	best->legal = lanes_max(best->legal, after.changed);
	counts_make(&after, lines, length, &terms, spawns, task->code, task->kinds, &fits);
	if (spawns && direction < 2)
		shares_find(task, after.empty, share);
	if (spawns)
		spawns_update_max(task, &terms, &fits, share, best);
	else if (task->weights->unit > 0)
		small_update_max(task, &terms, best);
	else
		real_update_max(task, &terms, best);
}

/* Whether leaves are shorts. */
ALWAYS_INLINE bool task_small(const struct heuristic_task *task)
{
	return task->weights->unit > 0 && !task->rule->spawns;
}

static void task_init(const struct heuristic_weights *weights, const struct leaf_rule *rule,
		      struct heuristic_task *task)
{
	*task = (struct heuristic_task){.weights = weights, .rule = rule};
	task->unit = weights->unit > 0 ? weights->unit : 1;
	task->terminal = rule->terminal / task->unit;
	task->kinds = weights->spawn->kinds;
	for (int j = 0; j < SPAWN_KINDS_MAX; j++) {
		const int k = weights->spawn->exponent[j < task->kinds ? j : 0];
		task->code[j] = lanes_all(HEURISTIC_STEP * k + 1);
	}
}

/* Initialises the best values. */
ALWAYS_INLINE void best_init(const struct heuristic_task *task, struct batch_best *best)
{
	best->legal = lanes_all(0);
	best->small[0] = best->small[1] = wide_all16(INT16_MIN);
	for (int i = 0; i < 8 && !task_small(task); i++)
		best->value.piece[i / 2][i % 2] = wide_all_real(-INFINITY);
}

/* Writes the best values of WIDE boards. */
ALWAYS_INLINE void best_write(const struct heuristic_task *task, struct batch_best *best,
			      double *out)
{
	const double unit = task_small(task) ? task->unit : 1;
	UNROLL
	for (int q = 0; q < 4; q++) {
		if (task_small(task)) {
			const wide_shorts x = best->small[q / 2];
			wide_store(wide_dot16(x, 1, x, 0, q % 2), q, unit, out);
		} else {
			wide_write(best->value.piece[q][0], q, 0, out);
			wide_write(best->value.piece[q][1], q, 1, out);
		}
	}
	lost_write(best->legal, task->rule->terminal, out);
}

/* direction_update_max() for lines of one kind. */
typedef void heuristic_direction(const struct heuristic_task *task,
				 const struct batch_boards *boards, int direction,
				 struct batch_best *best);

/* The kernel: columns move by VERTICAL, rows by HORIZONTAL. */
ALWAYS_INLINE void heuristic_best_body(const struct heuristic_weights *weights,
				       const struct leaf_rule *rule, const struct batch *batch,
				       size_t n, double *out, heuristic_direction *vertical,
				       heuristic_direction *horizontal, int rows, int cols)
{
	struct heuristic_task task;
	task_init(weights, rule, &task);
	for (size_t first = 0; first < n; first += WIDE) {
		struct batch_boards boards;
		struct batch_best best;
		double last[WIDE];
		batch_open(batch, first, rows, cols, HEURISTIC_STEP, &boards);
		best_init(&task, &best);
		for (int d = 0; d < DIRECTIONS; d++)
			(d == UP || d == DOWN ? vertical : horizontal)(&task, &boards, d, &best);
		best_write(&task, &best, n - first < WIDE ? last : out + first);
		if (n - first < WIDE)
			memcpy(out + first, last, (n - first) * sizeof *out);
	}
}

/* Here shape (r, c) means r lines of c cells. */
#define SHAPE(r, c)                                                                                \
	static void heuristic_##r##x##c(const struct heuristic_task *task,                         \
					const struct batch_boards *boards, int direction,          \
					struct batch_best *best)                                   \
	{                                                                                          \
		if (task->rule->spawns)                                                            \
			direction_update_max(task, boards, direction, r, c, true, best);           \
		else                                                                               \
			direction_update_max(task, boards, direction, r, c, false, best);          \
	}
#include "boards/shapes.def"

#define SHAPE(r, c)                                                                                \
	static void heuristic_best_##r##x##c(const struct heuristic_weights *weights,              \
					     const struct leaf_rule *rule,                         \
					     const struct batch *batch, size_t n, double *out)     \
	{                                                                                          \
		heuristic_best_body(weights, rule, batch, n, out, heuristic_##c##x##r,             \
				    heuristic_##r##x##c, r, c);                                    \
	}
#include "boards/shapes.def"

VALUES_TABLE = {
#define SHAPE(r, c)                                                                                \
	{r,                                                                                        \
	 c,                                                                                        \
	 r > c ? count_##r : count_##c,                                                            \
	 r > c ? spawn_counts_##r : spawn_counts_##c,                                              \
	 heuristic_best_##r##x##c,                                                                 \
	 STRONG_KERNELS(r, c)},
#include "boards/shapes.def"
};
