/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A sweep: one search with several depths and cutoffs on several boards, each combination a cell.
 * How long a cell takes for a move, how large its tree is, what it scores; which cells are worth
 * their time, and which is the best one for a given time.
 */
#ifndef NXN_SWEEP_TABLES_H
#define NXN_SWEEP_TABLES_H

#include "analysis/logs/rowlog.h"
#include "analysis/stats/stats.h"
#include "analysis/tables/table.h"

struct sweep_cell {
	/* What it is. The texts are the caller's. */
	const char *board, *agent;
	const char *cutoff; /* as the user wrote it; cells of a board that share it are a curve */
	int depth;	    /* own moves looked ahead */

	/* Of searches: sweep_cell_estimate(). Times in milliseconds a move. */
	size_t asked;		/* positions that there are */
	size_t searched;	/* of these, searched */
	struct interval mean;	/* of the times */
	struct interval median; /* of the times */
	struct interval nodes;	/* mean */
	double hit_rate;	/* hits of the table a probe; NAN without probes */
	double reached;		/* mean depth that the search reports */
	/* Of games: the caller's, from a summary. NANs without games. */
	size_t games;
	struct interval score, played; /* mean points; milliseconds a move */

	/* sweep_judge() */
	struct interval cost; /* mean, or played if nothing was searched */
	bool front;	      /* no other cell of its board scores more in less time */
};

/* A cell that knows what it is and nothing else; the texts stay the caller's. */
struct sweep_cell sweep_cell_make(const char *board, const char *agent, const char *cutoff,
				  int depth);

/*
 * Estimates the cell from the N searches ROWS; mean and median as stats_interval() does, nodes by
 * Student's t. STATUS_SYSTEM if memory runs out.
 */
MUST_USE enum status sweep_cell_estimate(struct sweep_cell *cell,
					 const struct sweep_row *const *rows, size_t n,
					 struct why *why);

/*
 * Gives the cells their cost, and marks those that are on the Pareto front of their board, by point
 * estimates: no other cell has as much score in as little time, and more of one. Cells without
 * games or without a time are on none.
 */
void sweep_judge(struct sweep_cell *cells, size_t count);

/*
 * The best cell on BOARD whose cost is at most BUDGET milliseconds, or NULL: the one with the
 * highest score, or, if no cell of the board has games, the one with the most nodes; of equals the
 * cheaper. After sweep_judge().
 */
const struct sweep_cell *sweep_best(const struct sweep_cell *cells, size_t count, const char *board,
				    double budget);

/* ---- Tables. They format; they compute nothing. */

/* After sweep_judge(), by board, then cutoff, then depth. */
struct sweep_cells {
	const struct sweep_cell *cells;
	size_t count;
};

/*
 * sweep    a block a board and cutoff, "# block N: BOARD cutoff=C": a row a depth; ms is the cost
 *          of a move, of the positions searched, or of the games if there are none; searched
 *          positions of those asked for; played is ms a move in games
 * boards   a block a cutoff and board, "# block N: cutoff=C BOARD"; without blocks if there is only
 *          one board
 * pareto   a block a board and cutoff with games, "# block N: BOARD cutoff=C", and one a board,
 *          "# block N: BOARD Pareto front", which repeats the cells of its Pareto front by their
 *          cost
 *
 * They are made of a struct sweep_cells.
 */
extern const struct tables sweep_tables;

#endif
