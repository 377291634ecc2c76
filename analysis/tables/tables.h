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

/* ---- A summary as text: two tables for people, the others for programs. */

/*
 * Made of a struct summary; docs/data.md has the columns of each. For people: for each board its
 * players, the best first, and the two best compared. In full: results, summary and ratios.
 */
extern const struct tables summary_tables;

/* games: one row per game, of a struct gamelog; it has none for people. */
extern const struct tables gamelog_tables;

/*
 * The table spread for people, of a struct summary: final cells, a row a quantity; FULL with how
 * intervals were made.
 */
void spread_print(FILE *file, const void *summary, bool full);

/* Of a struct summary: leads over boards, none for a single one; and laws of size (sizes.c). */
extern const struct table_column lead_columns[], law_columns[];
void lead_rows(const struct table_out *out, const void *summary);
void law_rows(const struct table_out *out, const void *summary);

/*
 * For people: players by boards, and how the lead of the best, or of summary->against, over the
 * first three others changes with the size of the board, or theirs over it. Nothing for a single
 * board.
 */
void sizes_print(FILE *file, const struct summary *summary);

/*
 * Of a struct summary, crossover: a row for each board, learner that was trained several times,
 * player that does not learn, and point of training; and for people pairs by boards (crossover.c).
 */
extern const struct table_column crossover_columns[];
void crossover_rows(const struct table_out *out, const void *summary);
void crossover_print(FILE *file, const struct summary *summary);

/*
 * ---- How far players are from the optimum: estimates out of games in which every move was held
 * against it (analysis/logs/rowlog.h).
 *
 * Let V be what the optimum expects of a position and Q of a position with a move. Along a game the
 * result so far plus V of where it stands changes, on average over the spawns, by -(V - Q) at each
 * move and by nothing else. So
 *     luck = result + what its moves lost - V(start)
 * is 0 on average, whoever plays, and result - beta * luck is as good an estimate of the expected
 * result as the result itself, for any beta. With beta = 1 it is V(start) less what was lost,
 * without any luck of the spawns; that is best for players near the optimum, but what a weak one
 * loses is up to luck, too, for V swings more than what it can make of its positions. The beta that
 * leaves the least variance is estimated from the games, which is a bias of the order of one game
 * in their number; below BETA_GAMES (gap_tables.c), and where all results are the same, it
 * is 1. Of a tile that no game reached, or all did, it is 0 if that leaves the smaller interval:
 * Wilson's, of a share.
 *
 * Sources: Kakade, Langford, Approximately optimal approximate reinforcement learning, ICML 2002,
 * lemma 6.1, for the sum of losses; Lavenberg, Welch, A perspective on the use of control variables
 * to increase the efficiency of Monte Carlo simulations, Management Science 27, 1981, for beta;
 * White, Bowling, Learning a value analysis tool for agent evaluation, IJCAI 2009, for luck in
 * games.
 */

/* The moves with 2^k as the largest tile. */
struct gap_phase_cell {
	size_t games;		       /* that had such moves */
	double moves;		       /* a game, of all games */
	struct interval lost, optimal; /* a move: what it loses; the share that loses nothing */
};

/* A player after so much training. */
struct gap_cell {
	char label[RESULT_NAME_MAX];
	uint64_t trained; /* training games behind it */
	bool learner;	  /* one of several cells of a player that was trained */
	bool last;	  /* the only cell of its player, or that with the most training */
	bool chance;	  /* results are 1 or 0: whether a tile was reached */

	bool exact;		  /* expected values, not estimates: then intervals are empty */
	size_t games;		  /* 0 if exact */
	struct interval result;	  /* mean of the results */
	struct interval value;	  /* the same with less luck of the spawns */
	struct interval fraction; /* that as a share of the optimum */
	struct interval distance; /* 1 - fraction */
	struct interval lost, optimal; /* a move */
	double moves;		       /* a game */
	double beta;		       /* how much of the luck was taken off */
	double gain; /* variance of results over that of values: so many games are worth one */
	double
	    uncertainty; /* mean of the luck in its standard errors: beyond 4 something is wrong */
	struct gap_phase_cell phase[GAP_PHASES];
	double best; /* the fraction of the last cell of its player: gap_cells_sort() */
};

/*
 * Estimates CELL, of which label, training, role and kind of results are set, from the N games in
 * ROWS, all with the same configuration, or from the one row of all games; OPTIMUM > 0 is the value
 * of the start. Without games all numbers are NAN.
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

/* Made of a struct gap_cells, after gap_cells_sort(). In full people see them all. */
extern const struct tables gap_tables;

#endif
