/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Players and how far they are from the optimum, as text. They format; they compute nothing. */
#ifndef NXN_GAP_TABLES_H
#define NXN_GAP_TABLES_H

#include "analysis/stats/gap.h"
#include "analysis/tables/table.h"

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

/*
 * gap           a row a player, the best first; lost and optimal are a move, moves a game; value is
 * the mean result with beta of the luck taken off, gain the variance of results over that of
 *               values, doubt the mean luck in standard errors; trained counts training games;
 * without games they are exact gap-phase     a block a player, "# block N: AGENT": a row a largest
 * tile gap-learning  a block a learner, "# block N: AGENT": a row a point of its training; distance
 * is 1 - fraction
 *
 * Their columns are in gap_tables.c. They are made of a struct gap_cells, after gap_cells_sort().
 */
extern const struct table gap_tables[];

/*
 * The tables for people: players, what they lose by the largest tile, and how learners get there.
 */
void gap_print(FILE *file, const struct gap_cells *gap);

#endif
