/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `nxn gap`: players compared with the exact optimum, in a folder:
 *
 *	gap.tsv             the log, appended to as games end (analysis/logs/rowlog.h)
 *	optimal-RxC.nxo     the optimum, unless its table is given
 *	models/             learners at the points of their training that are compared with it
 *	tables/ figures/
 *
 * The same command again resumes: games in the log are not played again, and existing models and
 * tables are not made again. Results do not depend on threads, interruptions or order.
 */
#ifndef NXN_GAP_RUN_H
#define NXN_GAP_RUN_H

#include "agents/solver/optimum.h"
#include "src/measure/launch.h"

/* Which players get expected values instead of estimates. */
enum gap_exact {
	GAP_AUTO, /* players with a known policy, if it is cheap: see gap.c */
	GAP_ALWAYS,
	GAP_NEVER
};

struct gap_options {
	struct game_options game;
	struct text_list agents; /* none: all registered agents that need no parameters */
	uint64_t seed;
	uint64_t games; /* of each player, and of a learner at each point */
	uint64_t train,
	    curve; /* training games of a learner; points of its training, including the last */
	const char *table;	 /* NULL: solve */
	int exact;		 /* enum gap_exact */
	uint64_t memory;	 /* bytes, for solving and for expected values */
	bool dry_run, untrained; /* untrained learners may play as part of another agent */
	struct launch_options
	    launch; /* the share is of games, by player and game, and of learners */
};

/* Runs the command, or a dry run, as OPTIONS say. Errors as launch_run() and dry_run(). */
MUST_USE enum status gap_launch(const struct gap_options *options, const struct invocation *call,
				struct why *why);

/*
 * Unless *OPTIMUM is open, opens the table of OPTIONS, or else the one in their folder, after
 * solving the board if that is missing, with the errors of solve(). STATUS_INPUT if it is of
 * another game, or of a goal that games cannot be compared with; other errors as optimum_open().
 * The caller closes *OPTIMUM, unless it is NULL, even then.
 */
MUST_USE enum status gap_optimum_open(const struct gap_options *options, const struct game *game,
				      struct optimum **optimum, struct why *why);

#endif
