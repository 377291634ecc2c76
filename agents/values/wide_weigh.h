/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Terms of WIDE boards become values, and the best of four directions is kept: the kernel behind
 * `best` of agents/values/heuristic.c.
 *
 * Weights that are small multiples of a power of two, the unit, are whole numbers as long as
 * possible: a short for an after-state, an int for a sum over spawns. That is exact, so the order
 * of sums does not matter, and the unit is put back where it only moves the point. Other weights
 * are doubles, and all operations are those of agents/values/heuristic.c and agents/search/leaves.c in their
 * order.
 */
#include "agents/values/wide_terms.h"

/* Counts of a position, or sums of them over spawns, by halves. */
struct wide_counts {
	wide_shorts empty[2], corner[2], monotone[2], merges[2];
};

/* Eight vectors: two for each quarter. */
struct wide_values {
	wide_reals piece[4][2];
};

/* The best leaves so far, and what either way along an axis has in common. */
struct wide_best {
	struct wide_values value;
	wide_shorts small[2]; /* instead, if task_small() */
	lanes legal;	      /* not 0 where any move is */
	struct wide_values share[2];
};

/* What all boards of a batch have in common. */
struct terms_task {
	const struct terms_weights *weights;
	const struct horizon *horizon;
	double unit;	 /* of the values that are offered; 1 if weights are not small */
	double terminal; /* in units */
	int kinds, cells;
	lanes code[SPAWN_KINDS_MAX];
	double share[40]; /* times the unit */
};

/* The value of a piece by the weights. */
ALWAYS_INLINE void counts_weigh(const struct terms_weights *w, const struct wide_counts *counts,
				int quarter, wide_reals value[2])
{
	const int half = quarter / 2, odd = quarter % 2;
	const wide_shorts empty = counts->empty[half], corner = counts->corner[half];
	const wide_shorts monotone = counts->monotone[half], merges = counts->merges[half];
	if (w->unit > 0) {
		const wide_ints x =
		    wide_dot16(empty, w->small.empty, corner, w->small.corner, odd) +
		    wide_dot16(monotone, w->small.monotone, merges, w->small.merge, odd);
		value[0] = wide_real(x, 0);
		value[1] = wide_real(x, 1);
		return;
	}
	UNROLL
	for (int part = 0; part < 2; part++)
		value[part] =
		    w->empty * wide_real(wide_dot16(empty, 1, corner, 0, odd), part) +
		    w->corner * wide_real(wide_dot16(empty, 0, corner, 1, odd), part) +
		    w->monotone * wide_real(wide_dot16(monotone, 1, merges, 0, odd), part) +
		    w->merge * wide_real(wide_dot16(monotone, 0, merges, 1, odd), part);
}

/* Keeps VALUE where it is greater and the move legal. */
ALWAYS_INLINE void value_offer(struct wide_best *best, const struct wide_values *value,
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
	struct wide_counts counts;
	struct wide_values value;
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
	value_offer(best, &value, terms->changed);
}

/* In how many spawns of CODE a largest tile stands in a corner. */
ALWAYS_INLINE lanes corners_sum(const struct wide_terms *terms, lanes code)
{
	/* All, if a tile at least as large stands there; else none, if one is larger. */
	const lanes_mask stays = lanes_and_not(lanes_equal(terms->corner, lanes_all(1)),
					       lanes_above(code, terms->largest));
	const lanes made = lanes_unless(lanes_above(terms->largest, code), terms->vacant);
	return lanes_blend(stays, terms->empty, made);
}

/*
 * The sums of counts over the spawns of kind J. Of these spawns, which are as many as there are
 * empty cells, each keeps the empty cells but one, the merges, and the order of all lines but its
 * own.
 */
ALWAYS_INLINE void counts_sum(const struct terms_task *task, const struct wide_terms *terms,
			      const struct wide_fits *fits, int j, struct wide_counts *counts)
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

/* Not 0 where spawns of kind J fill the last empty cell and leave no move. */
ALWAYS_INLINE lanes spawns_lost(const struct wide_terms *terms, const struct wide_fits *fits, int j)
{
	const lanes_mask full = lanes_equal(terms->empty, lanes_all(1));
	const lanes_mask stuck = lanes_empty(lanes_plus(terms->merges, fits->merges[j]));
	return lanes_where(lanes_and(full, stuck), lanes_all(1));
}

/* Offers the expectations over the spawns on after-states. */
static void spawns_offer(const struct terms_task *task, const struct wide_terms *terms,
			 const struct wide_fits *fits, const struct wide_values *share,
			 struct wide_best *best)
{
	struct wide_values sum = {0};
	for (int j = 0; j < task->kinds; j++) {
		const double probability = task->horizon->probability[j];
		const lanes lost = spawns_lost(terms, fits, j);
		const bool any_lost = lanes_some(lost);
		struct wide_counts counts;
		counts_sum(task, terms, fits, j, &counts);
		UNROLL
		for (int q = 0; q < 4; q++) {
			wide_reals value[2];
			counts_weigh(task->weights, &counts, q, value);
			UNROLL
			for (int part = 0; part < 2; part++) {
				if (any_lost)
					value[part] =
					    wide_choose(wide_spread(lost, q), part,
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
	value_offer(best, &sum, terms->changed);
}

/* The shares of the spawns, of which there are COUNT. */
ALWAYS_INLINE void shares_find(const struct terms_task *task, lanes count,
			       struct wide_values *share)
{
	const lanes one = lanes_all(1);
	count = lanes_min(count, lanes_all(task->cells));
	UNROLL
	for (int q = 0; q < 4; q++) {
		const wide_shorts shorts = wide_dot8(count, one, count, lanes_all(0), q / 2);
		const wide_ints at = wide_dot16(shorts, 1, shorts, 0, q % 2);
		share->piece[q][0] = wide_pick(task->share, at, 0, task->cells);
		share->piece[q][1] = wide_pick(task->share, at, 1, task->cells);
	}
}

/* Offers the leaves of one direction: the after-states, or the spawns on them. */
ALWAYS_INLINE void direction_offer(const struct terms_task *task, const struct wide_boards *boards,
				   int direction, int lines, int length, bool spawns,
				   struct wide_best *best)
{
	struct wide_after after;
	struct wide_terms terms;
	wide_move(boards, direction, lines, length, TERMS_STEP, true, &after);
	best->legal = lanes_max(best->legal, after.changed);
	if (spawns) {
		struct wide_fits fits;
		struct wide_values *share = &best->share[direction % 2];
		spawns_count(&after, lines, length, &terms, task->code, task->kinds, &fits);
		if (direction < 2)
			shares_find(task, after.empty, share);
		spawns_offer(task, &terms, &fits, share, best);
		return;
	}
	terms_count(&after, lines, length, &terms);
	if (task->weights->unit > 0)
		small_offer(task, &terms, best);
	else
		real_offer(task, &terms, best);
}

/* Whether leaves are kept as shorts. */
ALWAYS_INLINE bool task_small(const struct terms_task *task)
{
	return task->weights->unit > 0 && !task->horizon->spawns;
}

static void task_init(const struct terms_weights *weights, const struct horizon *horizon, int cells,
		      struct terms_task *task)
{
	*task = (struct terms_task){.weights = weights, .horizon = horizon, .cells = cells};
	task->unit = weights->unit > 0 ? weights->unit : 1;
	task->terminal = horizon->terminal / task->unit;
	task->kinds = weights->spawn->kinds;
	for (int j = 0; j < SPAWN_KINDS_MAX; j++) {
		const int k = weights->spawn->exponent[j < task->kinds ? j : 0];
		task->code[j] = lanes_all(TERMS_STEP * k + 1);
	}
	for (int i = 0; i <= CELLS_MAX; i++)
		task->share[i] = horizon->share[i] * task->unit;
}

/* Nothing is offered yet. */
ALWAYS_INLINE void best_init(const struct terms_task *task, struct wide_best *best)
{
	best->legal = lanes_all(0);
	best->small[0] = best->small[1] = wide_all16(INT16_MIN);
	for (int i = 0; i < 8 && !task_small(task); i++)
		best->value.piece[i / 2][i % 2] = wide_all_real(-INFINITY);
}

/* Writes the best values of WIDE boards. */
ALWAYS_INLINE void best_write(const struct terms_task *task, struct wide_best *best, double *out)
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
	if (lanes_some(lanes_where(lanes_empty(best->legal), lanes_all(1)))) {
		uint8_t legal[WIDE];
		memcpy(legal, &best->legal, sizeof legal);
		for (int i = 0; i < WIDE; i++)
			if (!legal[i])
				out[i] = task->horizon->terminal;
	}
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
	task_init(weights, horizon, rows * cols, &task);
	for (size_t first = 0; first < n; first += WIDE) {
		struct wide_boards boards;
		struct wide_best best;
		double last[WIDE];
		wide_open(batch, first, rows, cols, TERMS_STEP, &boards);
		best_init(&task, &best);
		for (int d = 0; d < DIRECTIONS; d++)
			(d == UP || d == DOWN ? vertical : horizontal)(&task, &boards, d, &best);
		best_write(&task, &best, n - first < WIDE ? last : out + first);
		if (n - first < WIDE)
			memcpy(out + first, last, (n - first) * sizeof *out);
	}
}
