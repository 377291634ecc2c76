/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rules of boards/simd/slide.h for many boards at once, one a lane, where throughput is all that
 * counts: every step waits for the one before, but the lines of 64 boards do not wait for each
 * other.
 *
 * A lane is 0 for an empty cell; a tile is any code above 1 that grows by STEP when two merge. 1 is
 * no tile, so an empty neighbour raised to 1 equals nothing, which spares a test for empty cells.
 *
 * A lane header (boards/lanes_wide*.h) comes before this one.
 *
 * Invariant: what boards/simd/slide.h does to exponents, this does to their codes.
 */
#ifndef NXN_SLIDE_WIDE_H
#define NXN_SLIDE_WIDE_H

/* Moves v[k+1..length-1] one cell towards the wall in the lanes of GAP, over v[k]. */
ALWAYS_INLINE void wide_close(lanes *v, int length, int k, lanes_mask gap)
{
	UNROLL
	for (int i = k; i < length - 1; i++)
		v[i] = lanes_blend(gap, v[i + 1], v[i]);
	v[length - 1] = lanes_unless(gap, v[length - 1]);
}

/* Slides and merges every line towards v[0]; MERGES plus the number of merges. */
ALWAYS_INLINE lanes wide_slide(lanes *v, int length, int step, lanes merges)
{
	const lanes one = lanes_all(1), more = lanes_all(step);
	UNROLL
	for (int k = length - 2; k >= 0; k--)
		wide_close(v, length, k, lanes_empty(v[k]));
	UNROLL
	for (int k = 0; k < length - 1; k++) {
		const lanes_mask equal = lanes_equal(v[k], lanes_max(v[k + 1], one));
		v[k] = lanes_raise(equal, v[k], more);
		merges = lanes_increment(equal, merges);
		wide_close(v, length, k + 1, equal);
	}
	return merges;
}

#endif
