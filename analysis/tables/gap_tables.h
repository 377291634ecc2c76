/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Players and how far they are from the optimum, as text: tables for people, and three for gnuplot in
 * the form of tables.h. They format; they compute nothing. Cells come after gap_cells_sort(). Write
 * errors stay in the FILE.
 */
#ifndef NXN_GAP_TABLES_H
#define NXN_GAP_TABLES_H

#include "analysis/stats/gap.h"

#include <stdio.h>

/* One line: how the intervals were made. */
extern const char gap_method[];

struct gap_cells {
	const char *board;
	const char *unit; /* of results: "points" */
	double optimum;	  /* value of the start */
	int decimals;	  /* of results, in tables for people */
	const struct gap_cell *cells;
	size_t count;
};

/* PROVENANCE: lines without "# ", ending with NULL; may be NULL. */
struct gap_table {
	const char *name; /* also the name of its file, less ".tsv" */
	void (*write)(FILE *file, const struct gap_cells *gap, const char *const *provenance);
};

/*
 * gap           a row a player, the best first: rank agent trained games exact fraction fraction_low
 *               fraction_high value value_low value_high result result_low result_high lost lost_low
 *               lost_high optimal optimal_low optimal_high moves beta gain uncertainty optimum; lost and optimal
 *               are a move, moves a game; value is the mean result with beta of the luck
 *               taken off, gain the variance of results over that of values, uncertainty the mean luck in
 *               standard errors; trained counts training games; without games they are exact
 * gap-phase     a block a player, "# block N: AGENT": a row a largest tile: tile exponent moves games
 *               lost lost_low lost_high optimal optimal_low optimal_high
 * gap-learning  a block a learner, "# block N: AGENT": a row a point of its training: trained games
 *               distance distance_low distance_high optimal optimal_low optimal_high value value_low
 *               value_high; distance is 1 - fraction
 *
 * The list ends with a NULL name.
 */
extern const struct gap_table gap_tables[];

/* The tables for people: players, what they lose by the largest tile, and how learners get there. */
void gap_print(FILE *file, const struct gap_cells *gap);

#endif
