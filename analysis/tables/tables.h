/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of game logs and of games compared with the optimum, and the estimates that only they
 * show.
 */
#ifndef NXN_TABLES_H
#define NXN_TABLES_H

#include "analysis/logs/gamelog.h"
#include "analysis/logs/rowlog.h"
#include "analysis/stats/stats.h"
#include "analysis/tables/summary.h"
#include "analysis/tables/table.h"

/* ---- The tables of a summary and of games. */

/*
 * Made of a struct summary; docs/data.md has the columns of each. For people: the players of each
 * board, the best first, and the two best compared. In full: results, summary and ratios.
 */
extern const struct tables summary_tables;

/* games: one row per game, of a struct gamelog; it has no form for people. */
extern const struct tables gamelog_tables;

/*
 * Prints the table spread of a struct summary for people: a row per quantity of each final cell; if
 * FULL, with how intervals were made.
 */
void spread_print(FILE *file, const void *summary, bool full);

/* The tables leads, empty for a single board, and law, of a struct summary (sizes.c). */
extern const struct table_column lead_columns[], law_columns[];
void lead_rows(const struct table_out *out, const void *summary);
void law_rows(const struct table_out *out, const void *summary);

/*
 * Prints for people the players by boards, and how the leads between the best, or summary->against,
 * and the first three others change with the size of the board. Prints nothing for a single board.
 */
void sizes_print(FILE *file, const struct summary *summary);

/*
 * The table crossover of a struct summary: a row for each board, learner that was trained several
 * times, player that does not learn, and point of training; and for people pairs by boards
 * (crossover.c).
 */
extern const struct table_column crossover_columns[];
void crossover_rows(const struct table_out *out, const void *summary);
void crossover_print(FILE *file, const struct summary *summary);

/*
 * ---- How far players are from the optimum: estimates from games in which every move was compared
 * with it (analysis/logs/rowlog.h).
 *
 * Let V be the expected result of optimal play from a position, and Q after a given move there.
 * Along a game, the result so far plus V of the position changes, on average over the spawns, by
 * -(V - Q) at each move and by nothing else. So
 *     luck = result + losses of its moves - V(start)
 * is 0 on average, whoever plays, and result - beta * luck estimates the expected result without
 * bias for any fixed beta. With beta = 1 the estimate is V(start) less the losses, without any luck
 * of the spawns; that is best for players near the optimum. The losses of a weak player depend on
 * luck too, since V varies more than the results that such a player can reach. The beta of least
 * variance is estimated from the games, with a bias of the order of 1 / games; with fewer than
 * BETA_GAMES (gap_tables.c), and if all results are equal, beta is 1. For a tile that no game
 * reached, or all did, beta is 0 if that gives the smaller interval: Wilson's, of a share.
 *
 * Sources: Kakade, Langford, Approximately optimal approximate reinforcement learning, ICML 2002,
 * lemma 6.1, for the sum of losses; Lavenberg, Welch, A perspective on the use of control variables
 * to increase the efficiency of Monte Carlo simulations, Management Science 27, 1981, for beta;
 * White, Bowling, Learning a value analysis tool for agent evaluation, IJCAI 2009, for luck in
 * games.
 */

/* The moves with 2^k as the largest tile. */
struct gap_phase_cell {
	size_t games;		       /* with such moves */
	double moves;		       /* per game, over all games */
	struct interval lost, optimal; /* per move: the loss; the share without loss */
};

/* A player after so much training. */
struct gap_cell {
	char label[RESULT_NAME_MAX];
	uint64_t trained; /* training games before it */
	bool learner;	  /* one of several cells of a player that was trained */
	bool last;	  /* the only cell of its player, or that with the most training */
	bool chance;	  /* results are 1 or 0: whether a tile was reached */

	bool exact;		  /* expected values, not estimates: then intervals are empty */
	size_t games;		  /* 0 if exact */
	struct interval result;	  /* mean of the results */
	struct interval value;	  /* the same with less luck of the spawns */
	struct interval fraction; /* that as a share of the optimum */
	struct interval distance; /* 1 - fraction */
	struct interval lost, optimal; /* per move */
	double moves;		       /* per game */
	double beta;		       /* the multiple of the luck that was subtracted */
	double gain;	    /* variance of results over that of values: one game is worth so many */
	double uncertainty; /* mean luck in its standard errors: an error if beyond 4 */
	struct gap_phase_cell phase[GAP_PHASES];
	double optimum; /* value of the start */
	double best;	/* the fraction of the last cell of its player: gap_cells_sort() */
	int rank;	/* of its player, from 1: gap_cells_sort() */
};

/*
 * Estimates CELL, of which label, training, role and kind of results are set, from the N games in
 * ROWS, all with the same configuration, or from one row of expected values; OPTIMUM > 0 is the
 * value of the start. Without games all numbers are NAN.
 */
void gap_cell_estimate(struct gap_cell *cell, const struct gap_row *const *rows, size_t n,
		       double optimum);

/*
 * Sorts COUNT cells: players by the fraction of their last cell, the best first and those without
 * one at the end, then by name; the cells of a player by training.
 */
void gap_cells_sort(struct gap_cell *cells, size_t count);

struct gap_cells {
	const char *board;
	const char *unit; /* of results: "points" */
	double optimum;	  /* value of the start */
	int decimals;	  /* of results, in tables for people */
	const struct gap_cell *cells;
	size_t count;
};

/* Made of a struct gap_cells, after gap_cells_sort(). In full, people see all tables. */
extern const struct tables gap_tables;

#endif
