/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cells of a sweep as text: one table for people, three for gnuplot. They format; they compute
 * nothing.
 */
#ifndef NXN_SWEEP_TABLES_H
#define NXN_SWEEP_TABLES_H

#include "analysis/stats/sweep.h"
#include "analysis/tables/table.h"

/* One line: how the intervals were made. */
extern const char sweep_method[];

/* After sweep_judge(), by board, then cutoff, then depth. */
struct sweep_cells {
	const struct sweep_cell *cells;
	size_t count;
};

/*
 * sweep    a block a board and cutoff, "# block N: BOARD cutoff=C": a row a depth; ms is the cost
 * of a move, of the positions searched, or of the games if there are none; searched positions of
 *          those asked for; played is ms a move in games
 * boards   a block a cutoff and board, "# block N: cutoff=C BOARD"; without blocks if there is only
 * one board pareto   a block a board and cutoff with games, "# block N: BOARD cutoff=C", and one a
 * board,
 *          "# block N: BOARD Pareto front", which repeats the cells of its Pareto front by their
 * cost
 *
 * Their columns are in sweep_tables.c. They are made of a struct sweep_cells.
 */
extern const struct table sweep_tables[];

/* The table for people. */
void sweep_print(FILE *file, const struct sweep_cells *sweep);

#endif
