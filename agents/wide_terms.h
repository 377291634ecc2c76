/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The best move of WIDE boards by the terms of agents/terms.h, looking at the after-states or at
 * the spawns on them.
 *
 * An exponent k is the code 2k + 1, and empty cells are 0 and 1 like the squares of a chessboard.
 * The difference of neighbours then says everything: 0 for equal tiles, at most 1 either way where
 * both are empty, more where the line rises or falls; no comparison is needed until the end of a
 * line.
 *
 * Spawns of a kind are summed without making them. A line that a new tile of code K keeps in
 * falling order has it in its first empty cell, for all cells before it are at least K; likewise
 * rising order and the last empty cell. So two substitutions a line tell all there is.
 *
 * Invariant: what comes out is what agents/value.h defines, bit for bit; tests/agents/test_value.c.
 */
#include "agents/wide_afters.h"

enum { TERMS_STEP = 2 };

/* What the after-states of a direction count; a number a board. */
struct wide_terms {
	lanes changed; /* 0 where the direction is not legal */
	lanes empty, corner, monotone, merges;
	lanes largest; /* code */
	lanes vacant;  /* corners */
};

/* What spawns of a kind add to counts; see terms_template.h. */
struct wide_fits {
	lanes own; /* empty cells of the lines that are in order */
	lanes monotone[SPAWN_KINDS_MAX], merges[SPAWN_KINDS_MAX];
};

/* The differences along a line: their greatest and least, and how many are not 0. */
ALWAYS_INLINE lanes_mask line_broken(const lanes *cell, int step, int length, lanes *unequal)
{
	lanes most = lanes_all(0), least = most;
	UNROLL
	for (int k = 0; k + 1 < length; k++) {
		const lanes rise = lanes_minus(cell[(k + 1) * step], cell[k * step]);
		most = k ? lanes_signed_max(most, rise) : rise;
		least = k ? lanes_signed_min(least, rise) : rise;
		*unequal = lanes_plus(*unequal, lanes_min(rise, lanes_all(1)));
	}
	return lanes_and_signed_above(lanes_signed_above(most, lanes_all(1)), lanes_all(-1), least);
}

/* The empty cells of a line: which is the first, which the last, and how many there are. */
struct wide_gaps {
	lanes_mask first[SIDE_MAX], last[SIDE_MAX], any, single;
	lanes count;
};

ALWAYS_INLINE void gaps_find(const lanes *cell, int step, int length, struct wide_gaps *gaps)
{
	const lanes one = lanes_all(1), two = lanes_all(2);
	lanes_mask empty[SIDE_MAX], any = lanes_above(two, cell[0]);
	gaps->count = lanes_where(any, one);
	gaps->first[0] = empty[0] = any;
	UNROLL
	for (int k = 1; k < length; k++) {
		empty[k] = lanes_above(two, cell[k * step]);
		gaps->first[k] = lanes_and_not(empty[k], any);
		any = lanes_or(any, empty[k]);
		gaps->count = lanes_increment(empty[k], gaps->count);
	}
	gaps->any = any;
	gaps->single = lanes_equal(gaps->count, one);
	gaps->last[length - 1] = any = empty[length - 1];
	UNROLL
	for (int k = length - 2; k >= 0; k--) {
		gaps->last[k] = lanes_and_not(empty[k], any);
		any = lanes_or(any, empty[k]);
	}
}

/* In how many empty cells of a line a tile CODE leaves the line in order. */
ALWAYS_INLINE lanes order_fits(const lanes *cell, int step, int length,
			       const struct wide_gaps *gaps, lanes code, lanes sum)
{
	lanes most = lanes_all(0), least = most;
	lanes head = lanes_blend(gaps->first[0], code, cell[0]);
	lanes tail = lanes_blend(gaps->last[0], code, cell[0]);
	UNROLL
	for (int k = 1; k < length; k++) {
		const lanes next = lanes_blend(gaps->first[k], code, cell[k * step]);
		const lanes rise = lanes_minus(next, head);
		most = k > 1 ? lanes_signed_max(most, rise) : rise;
		head = next;
	}
	UNROLL
	for (int k = 1; k < length; k++) {
		const lanes next = lanes_blend(gaps->last[k], code, cell[k * step]);
		const lanes rise = lanes_minus(next, tail);
		least = k > 1 ? lanes_signed_min(least, rise) : rise;
		tail = next;
	}
	const lanes_mask falls = lanes_and_signed_above(gaps->any, lanes_all(2), most);
	const lanes_mask rises = lanes_and_signed_above(gaps->any, least, lanes_all(-2));
	sum = lanes_increment(rises, lanes_increment(falls, sum));
	/* A single empty cell is both the first and the last. */
	return lanes_raise(lanes_and(lanes_and(falls, rises), gaps->single), sum, lanes_all(-1));
}

/* What is summed line by line. */
struct wide_lines {
	lanes broken, unequal;
	lanes own; /* see struct wide_fits */
};

/* Adds what a line says, and to FITS what spawns in it make of its order. */
ALWAYS_INLINE struct wide_lines line_count(const lanes *cell, int step, int length,
					   struct wide_lines sum, const lanes *code, int kinds,
					   struct wide_fits *fits)
{
	const lanes_mask broken = line_broken(cell, step, length, &sum.unequal);
	sum.broken = lanes_increment(broken, sum.broken);
	if (kinds == 0)
		return sum;
	struct wide_gaps gaps;
	gaps_find(cell, step, length, &gaps);
	sum.own = lanes_plus(sum.own, lanes_unless(broken, gaps.count));
#pragma GCC unroll 1
	for (int i = 0; i < kinds; i++)
		fits->monotone[i] =
		    order_fits(cell, step, length, &gaps, code[i], fits->monotone[i]);
	return sum;
}

/* The number of (empty cell, neighbour of a code) pairs, for each code. */
ALWAYS_INLINE void merges_fit(const lanes *cell, int lines, int length, const lanes *code,
			      int kinds, struct wide_fits *fits)
{
	/* Empty cells with a margin; then how many of them each cell has beside it. */
	lanes empty[(SIDE_MAX + 2) * (SIDE_MAX + 1)], beside[CELLS_MAX];
	const int row = length + 1;
#pragma GCC unroll 1
	for (int i = 0; i < (lines + 2) * row; i++)
		empty[i] = lanes_all(0);
#pragma GCC unroll 1
	for (int i = 0; i < lines; i++) {
		UNROLL
		for (int k = 0; k < length; k++)
			empty[(i + 1) * row + k] = lanes_where(
			    lanes_above(lanes_all(2), cell[i * length + k]), lanes_all(1));
	}
#pragma GCC unroll 1
	for (int i = 0; i < lines; i++) {
		UNROLL
		for (int k = 0; k < length; k++) {
			const lanes *at = empty + (i + 1) * row + k;
			beside[i * length + k] =
			    lanes_plus(lanes_plus(at[-1], at[1]), lanes_plus(at[-row], at[row]));
		}
	}
#pragma GCC unroll 1
	for (int j = 0; j < kinds; j++) {
		lanes sum = lanes_all(0);
		UNROLL
		for (int i = 0; i < lines * length; i++)
			sum = lanes_raise(lanes_equal(cell[i], code[j]), sum, beside[i]);
		fits->merges[j] = sum;
	}
}

/* Whether a largest tile stands in a corner, and for SPAWNS how many corners are empty. */
ALWAYS_INLINE void corners_count(const lanes *cell, int lines, int length, bool spawns,
				 struct wide_terms *terms)
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

/* Counts the terms of after-states and, unless KINDS is 0, what spawns add. */
ALWAYS_INLINE void terms_count(const struct wide_after *after, int lines, int length,
			       struct wide_terms *terms, const lanes *code, int kinds,
			       struct wide_fits *fits)
{
	const lanes *cell = after->cell;
	terms->changed = after->changed;
	terms->empty = after->empty;
	struct wide_lines sum = {lanes_all(0), lanes_all(0), lanes_all(0)};
#pragma GCC unroll 1
	for (int j = 0; j < kinds; j++)
		fits->monotone[j] = lanes_all(0);
#pragma GCC unroll 1
	for (int i = 0; i < lines; i++)
		sum = line_count(cell + i * length, 1, length, sum, code, kinds, fits);
#pragma GCC unroll 1
	for (int k = 0; k < length; k++)
		sum = line_count(cell + k, length, lines, sum, code, kinds, fits);
	const int pairs = lines * (length - 1) + length * (lines - 1);
	terms->monotone = lanes_minus(lanes_all(lines + length), sum.broken);
	terms->merges = lanes_minus(lanes_all(pairs), sum.unequal);
	fits->own = sum.own;
	corners_count(cell, lines, length, kinds > 0, terms);
	if (kinds)
		merges_fit(cell, lines, length, code, kinds, fits);
}

/*
 * Counts of a position or sums of them over spawns, as shorts by halves; the value is what weighing
 * them gives.
 */
struct wide_counts {
	wide_shorts empty[2], corner[2], monotone[2], merges[2];
};

/* The values of WIDE boards out of their counts. */
ALWAYS_INLINE void counts_weigh_small(const struct terms_weights *w,
				      const struct wide_counts *counts, double *value)
{
	UNROLL
	for (int i = 0; i < 4; i++) {
		const int half = i / 2, odd = i % 2;
		const wide_ints x = wide_dot16(counts->empty[half], w->small.empty,
					       counts->corner[half], w->small.corner, odd);
		const wide_ints y = wide_dot16(counts->monotone[half], w->small.monotone,
					       counts->merges[half], w->small.merge, odd);
		wide_store(x + y, i, w->unit, value);
	}
}

/* The same for any weights, operation by operation as agents/heuristic.c does it. */
ALWAYS_INLINE void counts_weigh_real(const struct terms_weights *w,
				     const struct wide_counts *counts, double *value)
{
	_Alignas(64) double number[4][WIDE];
	UNROLL
	for (int i = 0; i < 4; i++) {
		const int half = i / 2, odd = i % 2;
		const wide_shorts empty = counts->empty[half], corner = counts->corner[half];
		const wide_shorts monotone = counts->monotone[half], merges = counts->merges[half];
		wide_store(wide_dot16(empty, 1, corner, 0, odd), i, 1, number[0]);
		wide_store(wide_dot16(empty, 0, corner, 1, odd), i, 1, number[1]);
		wide_store(wide_dot16(monotone, 1, merges, 0, odd), i, 1, number[2]);
		wide_store(wide_dot16(monotone, 0, merges, 1, odd), i, 1, number[3]);
	}
	const wide_reals *x[4] = {(const wide_reals *)number[0], (const wide_reals *)number[1],
				  (const wide_reals *)number[2], (const wide_reals *)number[3]};
#pragma GCC unroll 1
	for (int i = 0; i < 8; i++)
		((wide_reals *)value)[i] = w->empty * x[0][i] + w->corner * x[1][i] +
					   w->monotone * x[2][i] + w->merge * x[3][i];
}

ALWAYS_INLINE void counts_weigh(const struct terms_weights *w, const struct wide_counts *counts,
				double *value)
{
	if (w->unit > 0)
		counts_weigh_small(w, counts, value);
	else
		counts_weigh_real(w, counts, value);
}

/* The best leaves so far. */
struct wide_best {
	_Alignas(64) double value[WIDE];
	wide_shorts small[2]; /* instead, where no spawns are summed and weights are small */
	lanes legal;	      /* not 0 where any move is */
};

/* What all boards of a batch have in common. */
struct terms_task {
	const struct terms_weights *weights;
	const struct horizon *horizon;
	lanes code[SPAWN_KINDS_MAX];
	int kinds;
	double share[CELLS_MAX + 1]; /* share[0] is for moves that are not legal: no number */
};

/* to[i] = share[count of board i], or of 0 where the move is not legal. */
ALWAYS_INLINE void share_pick(const struct terms_task *task, lanes count, lanes changed, double *to)
{
	uint8_t index[WIDE];
	count = lanes_unless(lanes_empty(changed), lanes_min(count, lanes_all(CELLS_MAX)));
	memcpy(index, &count, sizeof index);
	for (int i = 0; i < WIDE; i++)
		to[i] = task->share[index[i]];
}

/*
 * Offers (sum over kinds of probability[j] * sum[j]) * share[i] for board i; where the move is not
 * legal, share[i] is no number.
 */
ALWAYS_INLINE void best_offer(struct wide_best *best, double (*sum)[WIDE], int kinds,
			      const double *probability, const double *share)
{
	wide_reals *value = (wide_reals *)best->value;
#pragma GCC unroll 1
	for (int i = 0; i < 8; i++) {
		wide_reals x = probability[0] * ((const wide_reals *)sum[0])[i];
#pragma GCC unroll 1
		for (int j = 1; j < kinds; j++)
			x += probability[j] * ((const wide_reals *)sum[j])[i];
		x *= ((const wide_reals *)share)[i];
		value[i] = wide_real_max(x, value[i]);
	}
}

/* Offers the values of after-states, by weights that are small. */
ALWAYS_INLINE void small_offer(const struct terms_task *task, const struct wide_terms *terms,
			       struct wide_best *best)
{
	const struct terms_weights *w = task->weights;
	UNROLL
	for (int half = 0; half < 2; half++) {
		const wide_shorts x = wide_dot8(terms->empty, lanes_all(w->small.empty),
						terms->corner, lanes_all(w->small.corner), half);
		const wide_shorts y = wide_dot8(terms->monotone, lanes_all(w->small.monotone),
						terms->merges, lanes_all(w->small.merge), half);
		best->small[half] = wide_greater16(best->small[half], x + y, terms->changed, half);
	}
}

/* The same by any weights. */
static void real_offer(const struct terms_task *task, const struct wide_terms *terms,
		       struct wide_best *best)
{
	const lanes one = lanes_all(1), none = lanes_all(0);
	_Alignas(64) double sum[1][WIDE], share[WIDE];
	const double certain = 1;
	struct wide_counts counts;
	for (int half = 0; half < 2; half++) {
		counts.empty[half] = wide_dot8(terms->empty, one, none, none, half);
		counts.corner[half] = wide_dot8(terms->corner, one, none, none, half);
		counts.monotone[half] = wide_dot8(terms->monotone, one, none, none, half);
		counts.merges[half] = wide_dot8(terms->merges, one, none, none, half);
	}
	counts_weigh_real(task->weights, &counts, sum[0]);
	share_pick(task, one, terms->changed, share);
	best_offer(best, sum, 1, &certain, share);
}

/* In how many spawns of CODE a largest tile stands in a corner. */
ALWAYS_INLINE lanes corners_sum(const struct wide_terms *terms, lanes code)
{
	/*
	 * All, if a tile at least as large as the new one stands there; else none, if one is
	 * larger.
	 */
	const lanes_mask stays = lanes_and_not(lanes_equal(terms->corner, lanes_all(1)),
					       lanes_above(code, terms->largest));
	const lanes made = lanes_unless(lanes_above(terms->largest, code), terms->vacant);
	return lanes_blend(stays, terms->empty, made);
}

/* A spawn that fills the last empty cell and leaves no move counts as terminal. */
ALWAYS_INLINE void terminals_put(const struct terms_task *task, const struct wide_terms *terms,
				 lanes fits, double *sum)
{
	const lanes_mask full = lanes_equal(terms->empty, lanes_all(1));
	const lanes_mask stuck = lanes_empty(lanes_plus(terms->merges, fits));
	const lanes lost = lanes_where(lanes_and(full, stuck), lanes_all(1));
	uint8_t flag[WIDE];
	if (!lanes_some(lost))
		return;
	memcpy(flag, &lost, sizeof flag);
	for (int i = 0; i < WIDE; i++)
		if (flag[i])
			sum[i] = task->horizon->terminal;
}

/*
 * Offers the expectations over the spawns on after-states. Of their number, empty, each keeps the
 * empty cells but one, the merges, and the order of all lines but its own.
 */
static void spawns_offer(const struct terms_task *task, const struct wide_terms *terms,
			 const struct wide_fits *fits, struct wide_best *best)
{
	const lanes one = lanes_all(1), none = lanes_all(0), empty = terms->empty;
	_Alignas(64) double sum[SPAWN_KINDS_MAX][WIDE], share[WIDE];
	for (int j = 0; j < task->kinds; j++) {
		const lanes corners = corners_sum(terms, task->code[j]);
		const lanes order = lanes_minus(fits->monotone[j], fits->own);
		const lanes fewer = lanes_minus(empty, one), merges = fits->merges[j];
		struct wide_counts counts;
		for (int half = 0; half < 2; half++) {
			counts.empty[half] = wide_dot8(empty, fewer, none, none, half);
			counts.corner[half] = wide_dot8(corners, one, none, none, half);
			counts.monotone[half] = wide_dot8(empty, terms->monotone, one, order, half);
			counts.merges[half] = wide_dot8(empty, terms->merges, one, merges, half);
		}
		counts_weigh(task->weights, &counts, sum[j]);
		terminals_put(task, terms, merges, sum[j]);
	}
	share_pick(task, empty, terms->changed, share);
	best_offer(best, sum, task->kinds, task->horizon->probability, share);
}

/* Offers the leaves of one direction: the after-states, or the spawns on them. */
ALWAYS_INLINE void direction_offer(const struct terms_task *task, const struct wide_boards *boards,
				   int direction, int lines, int length, bool spawns,
				   struct wide_best *best)
{
	struct wide_after after;
	struct wide_terms terms;
	struct wide_fits fits;
	wide_move(boards, direction, lines, length, TERMS_STEP, true, &after);
	best->legal = lanes_max(best->legal, after.changed);
	terms_count(&after, lines, length, &terms, task->code, spawns ? task->kinds : 0, &fits);
	if (spawns)
		spawns_offer(task, &terms, &fits, best);
	else if (task->weights->unit > 0)
		small_offer(task, &terms, best);
	else
		real_offer(task, &terms, best);
}

/* Whether sums are kept as shorts. */
ALWAYS_INLINE bool task_small(const struct terms_task *task)
{
	return task->weights->unit > 0 && !task->horizon->spawns;
}

/* Nothing is offered yet. */
ALWAYS_INLINE void best_init(const struct terms_task *task, struct wide_best *best)
{
	best->legal = lanes_all(0);
	best->small[0] = best->small[1] = wide_all16(INT16_MIN);
	for (int i = 0; i < 8 && !task_small(task); i++)
		((wide_reals *)best->value)[i] = (wide_reals){0} - INFINITY;
}

/* Writes the best values of the first N boards. */
ALWAYS_INLINE void best_write(const struct terms_task *task, struct wide_best *best, size_t n,
			      double *out)
{
	uint8_t legal[WIDE];
	if (task_small(task)) {
		double *to = n < WIDE ? best->value : out;
		UNROLL
		for (int i = 0; i < 4; i++)
			wide_store(wide_dot16(best->small[i / 2], 1, best->small[i / 2], 0, i % 2),
				   i, task->weights->unit, to);
	}
	if (n < WIDE || !task_small(task))
		memcpy(out, best->value, (n < WIDE ? n : WIDE) * sizeof *out);
	if (lanes_some(lanes_where(lanes_empty(best->legal), lanes_all(1)))) {
		memcpy(legal, &best->legal, sizeof legal);
		for (size_t i = 0; i < WIDE && i < n; i++)
			if (!legal[i])
				out[i] = task->horizon->terminal;
	}
}

static void task_init(const struct terms_weights *weights, const struct horizon *horizon,
		      struct terms_task *task)
{
	task->weights = weights;
	task->horizon = horizon;
	task->kinds = weights->spawn->kinds;
	for (int j = 0; j < task->kinds; j++)
		task->code[j] = lanes_all(TERMS_STEP * weights->spawn->exponent[j] + 1);
	task->share[0] = NAN;
	for (int i = 1; i <= CELLS_MAX; i++)
		task->share[i] = horizon->spawns ? horizon->share[i] : 1;
}

/* direction_offer() for lines of one kind. */
typedef void terms_direction(const struct terms_task *task, const struct wide_boards *boards,
			     int direction, struct wide_best *best);

/* The kernel: columns move by VERTICAL, rows by HORIZONTAL. */
ALWAYS_INLINE void terms_best_body(const struct terms_weights *weights,
				   const struct horizon *horizon, const struct batch *batch,
				   size_t n, double *out, terms_direction *vertical,
				   terms_direction *horizontal, int rows, int cols)
{
	struct terms_task task;
	task_init(weights, horizon, &task);
	for (size_t first = 0; first < n; first += WIDE) {
		struct wide_boards boards;
		struct wide_best best;
		wide_open(batch, first, rows, cols, TERMS_STEP, &boards);
		best_init(&task, &best);
		for (int d = 0; d < DIRECTIONS; d++)
			(d == UP || d == DOWN ? vertical : horizontal)(&task, &boards, d, &best);
		best_write(&task, &best, n - first, out + first);
	}
}
