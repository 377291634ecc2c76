/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A summary as text: one table for people, eight for gnuplot. They format; they compute nothing.
 *
 * A gnuplot table is `#` lines (provenance, how intervals were made, units), then blocks apart by
 * two blank lines (gnuplot's `index`); a block is a `#` line that names it if there can be several,
 * one row of quoted column names, and tab-separated rows. Text is quoted, missing numbers are NaN,
 * and all intervals are 95%.
 *
 * Write errors stay in the FILE: the caller checks ferror() or fclose().
 */
#ifndef NXN_TABLES_H
#define NXN_TABLES_H

#include "analysis/stats/summary.h"

#include <stdio.h>

/* PROVENANCE: lines without "# ", ending with NULL; may be NULL. */
struct table {
	const char *name; /* "summary": also the name of its file, less ".tsv" */
	void (*write)(FILE *file, const struct summary *summary, const char *const *provenance);
};

/*
 * results  board cells label agent trained games mean max median_tile reach_2048 goal reach_goal
 *          ms_per_move of final cells, intervals as in summary, the goal as in curve; one block
 * summary  board cells label agent trained games mean median iqm sd min max median_tile moves
 *          ms_per_move sum uncertainty, all but min and max of the scores followed by NAME_low NAME_high;
 *          one block
 * tiles    a block a board, "# block N: BOARD": tile, then for each final label three columns
 *          "LABEL" "LABEL low" "LABEL high": share of the games whose largest tile it is
 * reach    the same, share of the games that reached at least the tile
 * scores   a block a final cell, "# block N: BOARD LABEL": score, cumulative share; one row a game,
 *          and at most 2000 evenly spaced ones
 * curve    a block a (board, label) that was trained, "# block N: BOARD LABEL": trained games mean
 *          mean_low mean_high median max reach_2048 reach_2048_low reach_2048_high seconds goal
 *          reach_goal reach_goal_low reach_goal_high sum sum_low sum_high uncertainty doubt_low
 *          doubt_high; the goal is a tile for boards of that size
 * sizes    a block a final label, "# block N: LABEL": board cells mean mean_low mean_high games
 * ratios   a block a pair of labels, "# block N: A / B": board cells ratio ratio_low ratio_high
 *          paired_difference paired_low paired_high paired_games
 *
 * The list ends with a NULL name.
 */
extern const struct table tables[];

/* The table called NAME, or NULL. */
const struct table *table_find(const char *name);

/*
 * The table for people: final cells in aligned columns, then for each board its best player against
 * the others; and for learners that tell the chances of their moves, how sure they are of them.
 * About 120 columns wide.
 */
void table_print(FILE *file, const struct summary *summary);

#endif
