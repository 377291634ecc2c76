/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cells of a sweep: a search with several depths and cutoffs on several boards. How long a cell
 * takes for a move, how large its tree is, what it scores; which cells are worth their time, and
 * which is the best one for a given time; and the tables of that.
 */
#ifndef NXN_SWEEP_CELLS_H
#define NXN_SWEEP_CELLS_H

#include "analysis/logs/rowlog.h"
#include "analysis/stats/stats.h"
#include "analysis/tables/table.h"

struct sweep_cell {
	/* What it is. The texts are the caller's. */
	const char *board, *agent;
	const char *cutoff; /* as the user wrote it; cells of a board that share it are a curve */
	int depth;	    /* own moves looked ahead */

	/* Of searches: sweep_cells_estimate(). Times in milliseconds a move. */
	size_t asked;		/* positions that there are */
	size_t searched;	/* of these, searched */
	size_t rounds;		/* that are complete */
	size_t same;		/* cells that are this one, itself included */
	struct interval mean;	/* median over rounds of the mean time */
	struct interval median; /* over positions */
	struct interval nodes;	/* mean over positions */
	double hit_rate;	/* hits of the table a probe; NAN without probes */
	double reached;		/* mean depth that the search reports */
	/* Of games: the caller's, from a summary. NANs without games. */
	size_t games;
	uint64_t games_hash;	       /* of what was played: equal if the same games ended alike */
	struct interval score, played; /* mean points; milliseconds a move */

	/* sweep_judge() */
	struct interval cost; /* mean, or played if nothing was searched */
	bool front;	      /* no other cell of its board scores more in less time */
};

/* A cell that knows what it is and nothing else; the texts stay the caller's. */
struct sweep_cell sweep_cell_make(const char *board, const char *agent, const char *cutoff,
				  int depth);

/* What was searched of a cell: ROW[r * n + i] is position i in round r. */
struct cell_searches {
	const struct sweep_row **row; /* on the heap */
	size_t rounds, n;
};

/*
 * Estimates COUNT cells from their SEARCHES. Times: the median over rounds of the mean time a move,
 * with the interval from the least to the largest round; and the median over positions of their
 * median times. Nodes: by Student's t.
 *
 * Cells of a board that searched exactly the same and played exactly the same are one cell: they
 * get one estimate from the rounds of all of them.
 */
void sweep_cells_estimate(struct sweep_cell *cells, const struct cell_searches *searches,
			  size_t count);

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

/* After sweep_judge(), by board, then cutoff, then depth. */
struct sweep_cells {
	const struct sweep_cell *cells;
	size_t count;
	const char *unfinished; /* how far a sweep came that was stopped; NULL: it is over */
	const char *uncounted;	/* whose games do not all count; NULL: all do */
};

/*
 * sweep    one row per board, cutoff and depth; ms is the cost of a move, of the positions
 *          searched, or of the games if there are none; searched positions of those asked for;
 *          played is ms per move in games
 * boards   the same by cutoff and board; without rows if there is only one board
 * pareto   one row per cell with games, of the series "cutoff=C"; then for each board the cells of
 *          its Pareto front again, by their cost, of the series "Pareto front"
 *
 * They are made of a struct sweep_cells.
 */
extern const struct tables sweep_tables;

#endif
