/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A sweep: a search with every combination of depth and cutoff from two lists, on every board. Each
 * combination is a cell, timed in several rounds on the same positions of its board and, if
 * requested, played.
 *
 * Cells are the entries of an experiment: by board, then cutoff, then depth.
 */
#ifndef NXN_SWEEP_H
#define NXN_SWEEP_H

#include "src/measure/launch.h"
#include "base/file.h"

#include <math.h>

enum { SWEEP_VALUES_MAX = 64, SWEEP_TEXT_MAX = 24, SWEEP_ROUNDS_MAX = 1000 };
enum { SWEEP_SPEC_MAX = SPEC_MAX + 2 * SWEEP_TEXT_MAX + 32 };

/* Numbers in the order given, with their text. */
struct sweep_values {
	int n;
	double value[SWEEP_VALUES_MAX];
	char text[SWEEP_VALUES_MAX][SWEEP_TEXT_MAX];
};

struct sweep {
	char agent[SPEC_MAX];	     /* without depth and cutoff */
	struct sweep_values depths;  /* own moves */
	struct sweep_values cutoffs; /* probabilities */
	struct sweep_values budgets; /* seconds per move */
	uint64_t positions;	     /* to sample for each board; 0: those of the file, if any */
	char file[FOLDER_PATH_MAX];  /* "": none */
	uint64_t games;		     /* of each cell */
	uint64_t rounds;	     /* times that every cell searches the positions */
	double cell_limit;	     /* seconds of searches after which a cell ends, all rounds */
	double play_limit;	     /* seconds per move; slower cells play no games */
};

/* An empty sweep, for sweep_complete(). */
#define SWEEP_DEFAULTS                                                                             \
	{                                                                                          \
		.agent = "expectimax", .play_limit = INFINITY                                      \
	}

/*
 * Append to a struct sweep_values the numbers of TEXT: "3" or "1-9"; "1e-4"; "10ms". STATUS_INPUT,
 * naming WHAT, for any other text, for a number that VALUES already has, and for more than
 * SWEEP_VALUES_MAX.
 */
MUST_USE enum status sweep_add_depths(void *values, const char *what, const char *text,
				      struct why *why);
MUST_USE enum status sweep_add_cutoff(void *values, const char *what, const char *text,
				      struct why *why);
MUST_USE enum status sweep_add_budget(void *values, const char *what, const char *text,
				      struct why *why);

/*
 * Set in a struct sweep the positions, as a number to sample or the name of a file; and the agent
 * of the cells, which must not set depth or cutoff. STATUS_INPUT names WHAT.
 */
MUST_USE enum status sweep_set_positions(void *sweep, const char *what, const char *text,
					 struct why *why);
MUST_USE enum status sweep_set_agent(void *sweep, const char *what, const char *text,
				     struct why *why);

/*
 * Sets defaults: depths 1 to 9, cutoffs 1e-2 to 1e-6, 9 rounds, a cell_limit of 60 s, and 100
 * positions if there are neither positions nor games. STATUS_INPUT for rounds or a cell_limit
 * without positions, and for a play_limit without both games and positions.
 */
MUST_USE enum status sweep_complete(struct sweep *sweep, struct why *why);

/* Appends the cells on GAME to EXPERIMENT, after sweep_complete(). Errors as experiment_add(). */
MUST_USE enum status sweep_add_cells(const struct sweep *sweep, struct experiment *experiment,
				     const struct game *game, struct why *why);

/* The number of cells on a board. */
static inline size_t sweep_board_cells(const struct sweep *sweep)
{
	return (size_t)sweep->depths.n * (size_t)sweep->cutoffs.n;
}

/* The options and the keys of a file, for a struct sweep at offset AT. */
#define SWEEP_FIELD(AT, M) ((AT) + offsetof(struct sweep, M))
#define SWEEP_OPTIONS(AT)                                                                          \
	OPTION_READER_EACH("depths", 'd', "LIST", SWEEP_FIELD(AT, depths), sweep_add_depths,       \
			   "Depths, as in 2,4-6 (default 1-9)"),                                   \
	    OPTION_READER_EACH("cutoffs", 'c', "LIST", SWEEP_FIELD(AT, cutoffs), sweep_add_cutoff, \
			       "Cutoffs (default 1e-2,1e-3,1e-4,1e-5,1e-6)"),                      \
	    OPTION_READER("agent", 'a', "SPEC", AT, sweep_set_agent,                               \
			  "The search, without depth and cutoff (default expectimax)"),            \
	    OPTION_READER(                                                                         \
		"positions", 'p', "N|FILE", AT, sweep_set_positions,                               \
		"Positions to search, 10000 per board at most: N of each, from other games, or "   \
		"those in FILE, one per line as nxn eval reads them (default 100, or none with "   \
		"--games)"),                                                                       \
	    OPTION_NUMBER("games", 'g', "N", FIELD_COUNT, SWEEP_FIELD(AT, games), 1, COUNT_MAX,    \
			  "Games of each cell, for its score (default none)"),                     \
	    OPTION_READER_EACH("budget", 'B', "LIST", SWEEP_FIELD(AT, budgets), sweep_add_budget,  \
			       "Times per move to recommend a cell for, as in 500us,10ms,1s"),     \
	    OPTION_NUMBER("rounds", 'r', "N", FIELD_COUNT, SWEEP_FIELD(AT, rounds), 1,             \
			  SWEEP_ROUNDS_MAX,                                                        \
			  "Times that every cell searches its positions (default 9); intervals "   \
			  "of times take "                                                         \
			  "6 or more"),                                                            \
	    OPTION("cell-limit", 0, "TIME", FIELD_DURATION, SWEEP_FIELD(AT, cell_limit),           \
		   "End a cell when its searches have taken this time, all rounds together "       \
		   "(default 60s)"),                                                               \
	    OPTION("play-limit", 0, "TIME", FIELD_DURATION, SWEEP_FIELD(AT, play_limit),           \
		   "Bound on the time per move in the table, not on the games: a cell "            \
		   "above it plays none")

/* ---- nxn sweep, and nxn compare with a sweep. */

/*
 * Does the missing searches and games of EXPERIMENT, whose entries are the cells of its sweep;
 * prints the table and the recommended cells, and writes tables and figures; after Ctrl-C prints
 * the table of the finished part and how to resume. Errors as launch_run().
 *
 * The folder of the results gets searches.tsv, the log of the searches; games.tsv, the log of the
 * games; positions.txt, the positions if they were sampled; and tables/ and figures/.
 */
MUST_USE enum status sweep_launch(const struct experiment *experiment,
				  const struct launch_options *options,
				  const struct invocation *call, struct why *why);

#endif
