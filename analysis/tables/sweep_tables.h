/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cells of a sweep as text: one table for people, three for gnuplot in the form of tables.h.
 * They format; they compute nothing. Cells come after sweep_judge(), by board, then cutoff, then
 * depth. Write errors stay in the FILE.
 */
#ifndef NXN_SWEEP_TABLES_H
#define NXN_SWEEP_TABLES_H

#include "analysis/stats/sweep.h"

#include <stdio.h>

/* One line: how the intervals were made. */
extern const char sweep_method[];

struct sweep_cells {
	const struct sweep_cell *cells;
	size_t count;
};

/* PROVENANCE: lines without "# ", ending with NULL; may be NULL. */
struct sweep_table {
	const char *name; /* also the name of its file, less ".tsv" */
	void (*write)(FILE *file, const struct sweep_cells *sweep, const char *const *provenance);
};

/*
 * sweep    a block a board and cutoff, "# block N: BOARD cutoff=C": a row a depth: depth ms ms_low
 *          ms_high median median_low median_high nodes nodes_low nodes_high hit_rate reached
 *          searched asked games score score_low score_high played played_low played_high front
 *          agent; ms is the cost of a move, of the positions searched, or of the games if there are
 *          none; searched positions of those asked for; played is ms a move in games
 * boards   a block a cutoff and board, "# block N: cutoff=C BOARD": depth ms ms_low ms_high; without
 *          blocks if there is only one board
 * pareto   a block a board and cutoff with games, "# block N: BOARD cutoff=C", and one a board,
 *          "# block N: BOARD Pareto front", which repeats the cells of its Pareto front by their
 *          cost: ms ms_low ms_high score score_low score_high depth agent
 *
 * The list ends with a NULL name.
 */
extern const struct sweep_table sweep_tables[];

/* The table for people. */
void sweep_print(FILE *file, const struct sweep_cells *sweep);

#endif
