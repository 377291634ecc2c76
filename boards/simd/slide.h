/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rules of 2048 as one routine for lines of any length, whatever a lane stands for.
 *
 * A vector v[k] holds the k-th cell from the wall of many lines, one line a byte lane: the lines of
 * one board in every direction, or one line of many boards. A line shorter than LENGTH is padded
 * with empty cells at its far end, which sliding leaves empty. No tables, no branches, no largest
 * tile.
 *
 * A lane header comes before this one: it defines the types `lanes` and `lanes_mask` and the
 * operations used here. A mask is whatever the processor compares into.
 *
 * Invariant: sliding keeps the sum of the tiles of a line, and from either end merges the same tiles.
 */
#ifndef NXN_SLIDE_H
#define NXN_SLIDE_H

/* Moves v[k+1..length-1] one cell towards the wall in the lanes of GAP, over v[k]. */
ALWAYS_INLINE void close_gap(lanes *v, int length, int k, lanes_mask gap)
{
	UNROLL
	for (int i = k; i < length - 1; i++)
		v[i] = lanes_blend(gap, v[i + 1], v[i]);
	v[length - 1] = lanes_unless(gap, v[length - 1]);
}

/*
 * Slides and merges every line towards v[0]. made[k] holds the exponents that merging made in cell
 * k, as counted before the gaps that it leaves are closed; 0 where nothing merged.
 */
ALWAYS_INLINE void slide_lines(lanes *v, int length, lanes *made)
{
	lanes_mask merged[SIDE_MAX];
	UNROLL
	for (int k = length - 2; k >= 0; k--)
		close_gap(v, length, k, lanes_empty(v[k]));
	UNROLL
	for (int k = 0; k < length - 1; k++) {
		lanes_mask equal = lanes_equal(v[k], v[k + 1]), empty = lanes_empty(v[k]);
		merged[k] =
		    k ? lanes_neither(equal, empty, merged[k - 1]) : lanes_and_not(equal, empty);
		v[k] = lanes_increment(merged[k], v[k]);
		made[k] = lanes_where(merged[k], v[k]);
	}
	UNROLL
	for (int k = length - 2; k >= 0; k--)
		close_gap(v, length, k + 1, merged[k]);
}

#endif
