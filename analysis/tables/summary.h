/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a game log says: a cell of estimates for every player on every board, and how players that
 * met on a board compare.
 */
#ifndef NXN_SUMMARY_H
#define NXN_SUMMARY_H

#include "analysis/logs/gamelog.h"
#include "analysis/stats/stats.h"

enum { TILE_EXPONENTS = 64 };

/* Of the tile 2^exponent in a cell. */
struct tile_rate {
	size_t games;	       /* in which it is the largest */
	size_t reached;	       /* in which the largest is at least this */
	struct interval share; /* games / all */
	struct interval reach; /* reached / all */
};

/* What is measured of every game. */
enum quantity { QUANTITY_SCORE, QUANTITY_TILE, QUANTITY_MOVES, QUANTITY_SECONDS, QUANTITIES };

/*
 * A quantity over the games of a cell. Of the largest tile the lower median, which is a tile. NANs
 * where no game has it, as games without times have no seconds.
 */
struct spread {
	double min, max;
	struct interval median, sd;
};

/*
 * The games of one player of the log that count: without a run that was stopped, and without gaps,
 * all of them (stats_counted()). A player of whose games too few are a sample has none, and NANs
 * for estimates. Board and agent belong to the log.
 */
struct cell {
	const struct gamelog_player *player;
	const char *board, *agent;
	char *label;
	int size; /* R * C */
	uint64_t trained;
	double training; /* seconds of one processor; NAN where nothing tells */
	bool final;	 /* the most trained of its (board, label): what tables compare */
	size_t games;
	size_t finished;  /* games in the log */
	size_t wanted;	  /* games that there were to be, as far as the log tells */
	bool lacks_share; /* of some seed the games of a share are missing */
	struct spread spread[QUANTITIES];
	struct interval mean, iqm;   /* score, points */
	struct interval moves;	     /* mean of a game */
	struct interval ms_per_move; /* NANs where no game has its seconds */
	struct interval sum; /* mean of that of the tiles in the end; NANs where no game has it */
	struct interval
	    uncertainty; /* mean of the distance to certainty; NANs where no game has it */
	struct tile_rate tiles[TILE_EXPONENTS];
	double *scores;			 /* ascending, games of them */
	const struct gamelog_row **rows; /* by (seed, game), games of them */
};

/* Two players who met on a board. */
struct versus {
	const struct cell *a, *b;
	struct interval ratio; /* mean score of a / mean score of b, as independent samples */
	struct paired paired;  /* over the (seed, game) that both played; games is 0 if none */
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
	/* What each label goes by where trainings of one learner are one player: their first. */
	const char **learners;
	size_t label_count;
	struct cell *pooled; /* of several trainings; see summary_player() */
	size_t pooled_count;
	struct versus *versus; /* for each board, pairs of its final cells, in order of labels */
	size_t versus_count;
	const char *against;	/* the label that leads are over; NULL: the best player */
	bool by_board;		/* for people: print the lists by board where there are several */
	const char *unfinished; /* how far a run came that was stopped; NULL: not known */
	char *uncounted; /* whose finished games do not all count, and why; NULL: all count */
};

/*
 * Summarises LOG, which must stay as it is until summary_fini(). The order of its games decides
 * nothing. A label that two agents with the same training share on a board says nothing: such cells
 * take their agent's text as label; and where one agent played by several rules, "~" and the end of
 * its config are appended. STATUS_INPUT for a log without games.
 */
MUST_USE enum status summary_init(struct summary *summary, const struct gamelog *log,
				  struct why *why);
void summary_fini(struct summary *summary);

/* How many games of LOG a summary would count, of all players. */
size_t summary_games(const struct gamelog *log);

/* Whose finished games do not all count, for people. Zeroed is nobody's. */
struct uncounted {
	char *text;
	size_t players, more, none; /* all of them; those not named; those of whom no game counts */
	bool early;		    /* of one of them no share is missing: it was stopped */
};

/*
 * Adds a player of whose FINISHED games, of WANTED, only so many count, unless that is all; LACKS
 * SHARE as stats_lacks_share().
 */
void uncounted_add(struct uncounted *list, const char *label, const char *board, size_t games,
		   size_t finished, size_t wanted, bool lacks_share);

/* The text, on the heap; NULL: all count. */
char *uncounted_end(struct uncounted *list);

/*
 * The comparison of b with a that belongs to one of a with b. The intervals are turned rather than
 * drawn again: BCa and the delta method on the logarithm allow it.
 */
struct versus versus_flip(const struct versus *versus);

/* The final cell of LABEL on BOARD, or NULL. */
const struct cell *summary_final(const struct summary *summary, const char *board,
				 const char *label);

/*
 * What LABEL is on BOARD where trainings of one learner are one player: its final cell; of several
 * trainings one with their label, board, agent, number of games, and mean after the longest
 * training that two of them have; NULL if LABEL goes by another one.
 */
const struct cell *summary_player(const struct summary *summary, const char *board,
				  const char *label);

/* A training of a learner: its cells, from the least trained on. */
struct one_training {
	const struct cell *cell;
	size_t n;
};

/* The trainings that go by LEARNER on BOARD, at most label_count; returns how many. */
size_t summary_trainings(const struct summary *summary, const char *board, const char *learner,
			 struct one_training *trainings);

/* Point K of the trainings that have it: means over them, games in all. */
struct pooled_point {
	struct interval mean; /* of the score */
	size_t trainings, games;
	double trained, seconds;
};

/* Point K of N trainings; all counts are 0 if none has it. */
struct pooled_point trainings_pool(const struct one_training *trainings, size_t n, size_t k);

#endif
