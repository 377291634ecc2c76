/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cells of a sweep: a search with several depths and cutoffs on several boards. Estimates of a
 * cell's time per move, tree size and score; the Pareto front; the best cell for a given time; and
 * the tables of these.
 */
#ifndef NXN_SWEEP_CELLS_H
#define NXN_SWEEP_CELLS_H

#include "analysis/logs/rowlog.h"
#include "analysis/stats/stats.h"
#include "analysis/tables/table.h"

/* The searches of a cell: ROW[r * n + i] is position i in round r. */
struct cell_searches {
	const struct sweep_row **row; /* on the heap */
	size_t rounds, n;
};

struct sweep_cell {
	/* Identity. The caller owns the texts. */
	const char *board, *agent;
	const char *cutoff; /* as the user wrote it; cells of a board with one cutoff are a curve */
	int depth;	    /* own moves looked ahead */
	size_t asked;	    /* positions to search */

	/* Set by the caller, for sweep_cells_estimate(). */
	struct cell_searches searches;
	/* From these. Times in milliseconds per move. */
	size_t searched;	/* positions searched */
	size_t rounds;		/* complete rounds */
	size_t same;		/* number of identical cells, including this one */
	struct interval mean;	/* median over rounds of the mean time */
	struct interval median; /* over positions */
	struct interval nodes;	/* mean over positions */
	double hit_rate;	/* table hits per probe; NAN without probes */
	double reached;		/* mean depth that the search reports */
	/* From games, set by the caller from a summary. NANs without games. */
	size_t games;
	uint64_t games_hash;	       /* equal if the same games had the same results */
	struct interval score, played; /* mean points; milliseconds per move */

	/* Set by sweep_judge(). */
	struct interval cost; /* mean, or played if nothing was searched */
	bool front;	      /* on the Pareto front of its board */
};

/* A cell without results; the caller keeps the texts. */
struct sweep_cell sweep_cell_make(const char *board, const char *agent, const char *cutoff,
				  int depth);

/*
 * Estimates COUNT cells from their searches. Times: the median over rounds of the mean time per
 * move, with the interval from the least to the largest round; and the median over positions of
 * their median times. Nodes: by Student's t.
 *
 * Cells of a board with identical searches and games are one cell: they get one estimate from the
 * rounds of all of them.
 */
void sweep_cells_estimate(struct sweep_cell *cells, size_t count);

/*
 * Sets the cost of the cells, and marks those on the Pareto front of their board, by point
 * estimates: no other cell is at least as good in score and in time and better in one of them.
 * Cells without games or without a time are on no front.
 */
void sweep_judge(struct sweep_cell *cells, size_t count);

/*
 * The best cell on BOARD whose cost is at most BUDGET milliseconds, or NULL: the one with the
 * highest score, or, if no cell of the board has games, with the most nodes; the cheaper one of
 * equals. After sweep_judge().
 */
const struct sweep_cell *sweep_best(const struct sweep_cell *cells, size_t count, const char *board,
				    double budget);

/* After sweep_judge(), by board, then cutoff, then depth. */
struct sweep_cells {
	const struct sweep_cell *cells;
	size_t count;
	const char *unfinished; /* progress of a stopped sweep; NULL: it is complete */
	const char *uncounted;	/* players with games that do not count; NULL: none */
};

/*
 * sweep    one row per board, cutoff and depth; ms is the cost of a move on the positions, or in
 *          games if no positions were searched; searched and asked are numbers of positions;
 *          played is ms per move in games
 * boards   the same by cutoff and board; without rows if there is only one board
 * pareto   one row per cell with games, of the series "cutoff=C"; then for each board the cells of
 *          its Pareto front again, by their cost, of the series "Pareto front"
 *
 * Their data is a struct sweep_cells.
 */
extern const struct tables sweep_tables;

#endif
