/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A sweep under way, and what is made of it: the table for people, recommendations, tables,
 * figures.
 */
#ifndef NXN_SWEEP_RUN_H
#define NXN_SWEEP_RUN_H

#include "analysis/logs/rowlog.h"
#include "analysis/stats/stats.h"
#include "analysis/tables/table.h"
#include "src/measure/sweep.h"

/*
 * A sweep: one search with several depths and cutoffs on several boards, each combination a cell.
 * How long a cell takes for a move, how large its tree is, what it scores; which cells are worth
 * their time, and which is the best one for a given time.
 */
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

/* What was searched of a cell: ROW[r * n + i] is position i in round r. */
struct cell_searches {
	const struct sweep_row **row; /* on the heap */
	size_t rounds, n;
};

/*
 * Estimates COUNT cells from their SEARCHES. Times: the median over rounds of the mean time a move,
 * with the interval between order statistics of rounds; and the median over positions of their
 * median times. Nodes: by Student's t.
 *
 * Cells of a board that searched exactly the same and played exactly the same are one cell: they
 * get one estimate from the rounds of all of them.
 */
void sweep_cells_estimate(struct sweep_cell *cells, const struct cell_searches *searches,
			  size_t count);

/* After sweep_judge(), by board, then cutoff, then depth. */
struct sweep_cells {
	const struct sweep_cell *cells;
	size_t count;
	const char *unfinished; /* how far a sweep came that was stopped; NULL: it is over */
	const char *uncounted;	/* whose games do not all count; NULL: all do */
};

struct position {
	struct board board, canonical;
};

/* Different positions of one board, none the image of another, each with a legal move. */
struct positions {
	struct position *position;
	size_t n, room;
};

struct sweep_run {
	const struct experiment *experiment; /* its entries are the cells */
	const struct sweep *sweep;
	const char *directory, *command; /* as typed */
	struct table_printer printer;
	struct provenance provenance;
	int workers;	   /* cells timed at a time */
	bool full;	   /* prints all that the tables tell */
	const char *clock; /* that times searches, in words */
	size_t boards;
	const struct game **games; /* [boards] */
	struct positions *sets;	   /* [boards]; empty without positions */
	struct gamelog played;	   /* the games in the folder's log, if this sweep plays */
};

/*
 * Prints the table of what is in the logs, and unless the sweep was STOPPED the best cells for the
 * budgets; if it WRITES, leaves tables. STATUS_SYSTEM if a file cannot be written.
 */
MUST_USE enum status sweep_report(struct sweep_run *run, bool stopped, bool writes,
				  struct why *why);

/* Estimates the times of CELLS, which know their games, from the log of the searches. */
MUST_USE enum status sweep_times(const struct sweep_run *run, struct sweep_cell *cells,
				 struct why *why);

/* Which positions are sampled, N of each board, as text. */
void positions_source(size_t n, uint64_t seed, char *text, size_t size);

#endif
