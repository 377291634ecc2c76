/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The terms of agents/values/terms.h for the after-states of WIDE boards, and what spawns on them add.
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
 * Invariant: what comes out is what agents/value.h defines, bit for bit; tests/agents/values/test_value.c.
 */
#include "agents/values/wide_afters.h"

enum { TERMS_STEP = 2 };

/* What the after-states of a direction count; a number a board. */
struct wide_terms {
	lanes changed; /* 0 where the direction is not legal */
	lanes empty, corner, monotone, merges;
	lanes largest; /* code */
	lanes vacant;  /* corners */
};

/*
 * What spawns add to counts, kind by kind; see terms_template.h. There is room for an even number
 * of kinds, and kinds are taken two at a time.
 */
struct wide_fits {
	lanes own; /* empty cells of the lines that are in order */
	lanes monotone[SPAWN_KINDS_MAX], merges[SPAWN_KINDS_MAX];
};

/* The differences along a line: the greatest, and the least with and without the last. */
struct wide_order {
	lanes most, least, least_before;
};

/* Adds to UNEQUAL how many differences are not 0. */
ALWAYS_INLINE struct wide_order line_order(const lanes *cell, int step, int length, lanes *unequal)
{
	struct wide_order order;
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

/* Where a line rises and falls. */
ALWAYS_INLINE lanes_mask order_broken(const struct wide_order *order)
{
	return lanes_and_signed_above(lanes_signed_above(order->most, lanes_all(1)), lanes_all(-1),
				      order->least);
}

/* SUM plus 1 where FALLS, 1 where RISES, but a SINGLE empty cell, first and last, counts once. */
ALWAYS_INLINE lanes fits_add(lanes sum, lanes_mask falls, lanes_mask rises, lanes_mask single)
{
	const lanes_mask once = lanes_and_not(rises, lanes_and(falls, single));
	return lanes_increment(once, lanes_increment(falls, sum));
}

/*
 * Adds to FITS in how many empty cells of a line a tile leaves it in order. The line has slid: its
 * empty cells are at its end.
 */
ALWAYS_INLINE void slid_fits(const lanes *cell, int length, const struct wide_order *order,
			     const lanes *code, int kinds, struct wide_fits *fits)
{
	const lanes two = lanes_all(2), before = cell[length - 2];
	const lanes_mask any = lanes_above(two, cell[length - 1]);
	const lanes_mask single = lanes_and_not(any, lanes_above(two, before));
	const lanes_mask falling = lanes_and_signed_above(any, two, order->most);
	const lanes_mask rising = lanes_and_signed_above(any, order->least_before, lanes_all(-2));
	/* Two less makes an empty cell greater than all tiles. */
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

/* The empty cells of a line: which is the first, which the last, and whether there are any. */
struct wide_gaps {
	lanes_mask first[SIDE_MAX], last[SIDE_MAX], any;
};

ALWAYS_INLINE void gaps_find(const lanes *cell, int step, int length, struct wide_gaps *gaps)
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
 * The order of a line that has CODE in its first empty cell, for most, and in its last, for least.
 */
ALWAYS_INLINE struct wide_order order_filled(const lanes *cell, int step, int length,
					     const struct wide_gaps *gaps, lanes code)
{
	struct wide_order order;
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

/* slid_fits() for a line that has not slid. COUNT: its empty cells. */
ALWAYS_INLINE void line_fits(const lanes *cell, int step, int length, lanes count,
			     const lanes *code, int kinds, struct wide_fits *fits)
{
	const lanes_mask single = lanes_equal(count, lanes_all(1));
	struct wide_gaps gaps;
	gaps_find(cell, step, length, &gaps);
#pragma GCC unroll 1
	for (int i = 0; i < kinds; i += 2) {
		UNROLL
		for (int j = i; j < i + 2; j++) {
			const struct wide_order order =
			    order_filled(cell, step, length, &gaps, code[j]);
			const lanes_mask falls =
			    lanes_and_signed_above(gaps.any, lanes_all(2), order.most);
			const lanes_mask rises =
			    lanes_and_signed_above(gaps.any, order.least, lanes_all(-2));
			fits->monotone[j] = fits_add(fits->monotone[j], falls, rises, single);
		}
	}
}

/* The number of (empty cell, neighbour of a code) pairs, for each code. */
ALWAYS_INLINE void merges_fit(const lanes *cell, const lanes *empty, int lines, int length,
			      const lanes *code, int kinds, struct wide_fits *fits)
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

/* Counts the terms of after-states. */
ALWAYS_INLINE void terms_count(const struct wide_after *after, int lines, int length,
			       struct wide_terms *terms)
{
	const lanes *cell = after->cell;
	const int pairs = lines * (length - 1) + length * (lines - 1);
	lanes broken = lanes_all(0), unequal = broken;
	terms->changed = after->changed;
	terms->empty = after->empty;
#pragma GCC unroll 1
	for (int i = 0; i < lines; i++) {
		const struct wide_order order = line_order(cell + i * length, 1, length, &unequal);
		broken = lanes_increment(order_broken(&order), broken);
	}
#pragma GCC unroll 1
	for (int k = 0; k < length; k++) {
		const struct wide_order order = line_order(cell + k, length, lines, &unequal);
		broken = lanes_increment(order_broken(&order), broken);
	}
	terms->monotone = lanes_minus(lanes_all(lines + length), broken);
	terms->merges = lanes_minus(lanes_all(pairs), unequal);
	corners_count(cell, lines, length, false, terms);
}

/* empty[i]: 1 where cell i is empty, else 0. */
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

/* Counts the terms of after-states and what spawns of KINDS codes add. */
ALWAYS_INLINE void spawns_count(const struct wide_after *after, int lines, int length,
				struct wide_terms *terms, const lanes *code, int kinds,
				struct wide_fits *fits)
{
	const lanes *cell = after->cell;
	const int pairs = lines * (length - 1) + length * (lines - 1);
	lanes broken = lanes_all(0), unequal = broken, own = broken, empty[CELLS_MAX];
	terms->changed = after->changed;
	terms->empty = after->empty;
	empty_find(cell, lines, length, empty);
#pragma GCC unroll 1
	for (int j = 0; j < SPAWN_KINDS_MAX && j < kinds + 1; j++)
		fits->monotone[j] = lanes_all(0);
#pragma GCC unroll 1
	for (int i = 0; i < lines; i++) {
		const struct wide_order order = line_order(cell + i * length, 1, length, &unequal);
		const lanes_mask mask = order_broken(&order);
		broken = lanes_increment(mask, broken);
		own = lanes_plus(own, lanes_unless(mask, line_sum(empty + i * length, 1, length)));
		slid_fits(cell + i * length, length, &order, code, kinds, fits);
	}
#pragma GCC unroll 1
	for (int k = 0; k < length; k++) {
		const struct wide_order order = line_order(cell + k, length, lines, &unequal);
		const lanes_mask mask = order_broken(&order);
		const lanes count = line_sum(empty + k, length, lines);
		broken = lanes_increment(mask, broken);
		own = lanes_plus(own, lanes_unless(mask, count));
		line_fits(cell + k, length, lines, count, code, kinds, fits);
	}
	terms->monotone = lanes_minus(lanes_all(lines + length), broken);
	terms->merges = lanes_minus(lanes_all(pairs), unequal);
	fits->own = own;
	corners_count(cell, lines, length, true, terms);
	merges_fit(cell, empty, lines, length, code, kinds, fits);
}
