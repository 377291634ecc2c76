/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The summary of a game log: a cell of estimates for every player on every board, and comparisons
 * of players on the same board.
 */
#ifndef NXN_SUMMARY_H
#define NXN_SUMMARY_H

#include "analysis/logs/gamelog.h"
#include "analysis/stats/stats.h"

enum { TILE_EXPONENTS = 64 };

/* The games of a cell with the tile 2^exponent. */
struct tile_rate {
	size_t games;	       /* in which it is the largest */
	size_t reached;	       /* in which the largest is at least this */
	struct interval share; /* games / all */
	struct interval reach; /* reached / all */
};

/* The measurements of a game. */
enum quantity { QUANTITY_SCORE, QUANTITY_TILE, QUANTITY_MOVES, QUANTITY_SECONDS, QUANTITIES };

/*
 * A quantity over the games of a cell. The median of the largest tile is the lower one, which is a
 * tile. NANs if no game has the quantity, as games without times have no seconds.
 */
struct spread {
	double min, max;
	struct interval median, sd;
};

/*
 * A player of the log, with estimates from the games that count: all of them, unless a run was
 * stopped or games are missing (stats_counted()). If too few are a sample, GAMES is 0 and estimates
 * are NAN. The log owns BOARD and AGENT.
 */
struct cell {
	const struct gamelog_player *player;
	const char *board, *agent;
	char *label;
	size_t board_number, label_number; /* in the lists of the summary */
	int size;			   /* R * C */
	uint64_t trained;
	double training; /* seconds of one processor; NAN if not known */
	bool final;	 /* the most trained of its (board, label); tables compare these */
	bool pooled;	 /* over several trainings, or of another label; see summary_player() */
	size_t games;
	size_t finished;  /* games in the log */
	size_t wanted;	  /* games planned, as far as is known */
	bool lacks_share; /* for a seed, the games of a share are missing */
	struct spread spread[QUANTITIES];
	struct interval mean, iqm;   /* score, points */
	struct interval moves;	     /* mean of a game */
	struct interval ms_per_move; /* NANs if no game has seconds */
	struct interval sum;	     /* mean sum of the tiles at the end; NANs if no game has it */
	struct interval uncertainty; /* mean distance to certainty; NANs if no game has it */
	struct tile_rate tiles[TILE_EXPONENTS];
	double *scores;			 /* GAMES of them, ascending */
	const struct gamelog_row **rows; /* GAMES of them, by (seed, game) */
};

/* A board, and its final cells, the one with the highest mean first. */
struct summary_board {
	const char *name;
	const struct cell **ranked;
	size_t n;
};

struct summary {
	struct cell *cells; /* by size, then board, then labels, then trained */
	size_t cell_count;
	struct summary_board *boards; /* by size, then name */
	size_t board_count;
	const char **labels; /* distinct, in the order of the log's labels */
	/* For each label, the first label of the trainings of the same learner, or the label. */
	size_t *learners;
	size_t label_count;
	const struct cell **finals;  /* [board][label]: the final cells; NULL where there is none */
	const struct cell **players; /* likewise: summary_player() */
	struct cell *pooled;	     /* cells over several trainings */
	size_t pooled_count;
	const char *against;	/* leads are over this label; NULL: the best player */
	bool by_board;		/* print for people a list for each of several boards */
	const char *unfinished; /* how far a stopped run came; NULL: not known */
	char *uncounted;	/* players with games that do not count, and why; NULL: none */
};

/*
 * Summarises LOG, which must not change until summary_fini(). The order of games does not matter.
 * If two agents with the same training share a label on a board, their cells get the text of the
 * agent as label; if one agent played by several rules, the label ends with "~" and the end of the
 * config. STATUS_INPUT for a log without games.
 */
MUST_USE enum status summary_init(struct summary *summary, const struct gamelog *log,
				  struct why *why);
void summary_fini(struct summary *summary);

/* The number of games of LOG, of all players, that a summary counts. */
size_t summary_games(const struct gamelog *log);

/* A list of players with finished games that do not count, as text. Zeroed, it is empty. */
struct uncounted {
	char *text;
	size_t players, more, none; /* listed; not named in TEXT; without a game that counts */
	bool early;		    /* one of them lacks games other than a share */
};

/*
 * Adds a player unless all FINISHED games count, of which GAMES do. WANTED is the number of games
 * planned; LACKS_SHARE as stats_lacks_share().
 */
void uncounted_add(struct uncounted *list, const char *label, const char *board, size_t games,
		   size_t finished, size_t wanted, bool lacks_share);

/* Returns the text, on the heap, or NULL if all games count. */
char *uncounted_end(struct uncounted *list);

/*
 * The mean score of A / that of B, two cells of a board: of independent samples; of pooled cells by
 * their means. The other way round the interval is inverted, which BCa and the delta method on the
 * logarithm allow.
 */
struct interval cells_ratio(const struct cell *a, const struct cell *b);

/* A against B over each (seed, game) that both played; GAMES is 0 if there is none. */
struct paired cells_paired(const struct cell *a, const struct cell *b);

/* The final cell of LABEL on BOARD, by their names, or NULL. */
const struct cell *summary_find(const struct summary *summary, const char *board,
				const char *label);

/* The final cell of label number LABEL on board number BOARD, or NULL. */
const struct cell *summary_final(const struct summary *summary, size_t board, size_t label);

/*
 * The same if the trainings of a learner are one player: the final cell or, for several trainings,
 * one with their label, board, agent and number of games, and the mean at the longest training that
 * two of them have. NULL if LABEL is part of another label's player.
 */
const struct cell *summary_player(const struct summary *summary, size_t board, size_t label);

/* A training of a learner: its N cells, from the least trained on. */
struct one_training {
	const struct cell *cell;
	size_t n;
};

/* Sets TRAININGS to those of label LEARNER on BOARD, at most label_count; returns their number. */
size_t summary_trainings(const struct summary *summary, size_t board, size_t learner,
			 struct one_training *trainings);

/* Point K of several trainings: means over those that have it, and all of their games. */
struct pooled_point {
	struct interval mean; /* of the score */
	size_t trainings, games;
	double trained, seconds;
};

/* Point K of N trainings; all counts are 0 if none has it. */
struct pooled_point trainings_pool(const struct one_training *trainings, size_t n, size_t k);

#endif
