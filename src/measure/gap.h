/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `nxn gap`: players compared with the exact optimum, in a folder:
 *
 *	gap.tsv             the log, appended to as games end (analysis/logs/rowlog.h)
 *	optimal-RxC.nxo     the optimum, where no table of it is given
 *	models/             learners at the points of their training where they are compared with it
 *	tables/ figures/
 *
 * Doing it again goes on: no game that is in the log is played a second time, nothing is trained or
 * solved whose file is there. Results do not depend on threads, interruptions or order.
 */
#ifndef NXN_GAP_RUN_H
#define NXN_GAP_RUN_H

#include "agents/solver/optimum.h"
#include "src/measure/launch.h"

/* Which players get expected values instead of estimates. */
enum gap_exact {
	GAP_AUTO, /* whose moves are known, if that takes little: see gap.c */
	GAP_ALWAYS,
	GAP_NEVER
};

struct gap_options {
	struct game_options game;
	struct text_list agents; /* none: all of the registry that a name makes */
	uint64_t seed;
	uint64_t games; /* of each player, and of a learner at each point */
	uint64_t train,
	    curve; /* training games of a learner; points of its training, the last included */
	const char *table;	 /* NULL: solve */
	int exact;		 /* enum gap_exact */
	uint64_t memory;	 /* bytes, for solving and for expected values */
	bool dry_run, untrained; /* untrained learners may play as part of another agent */
	struct launch_options
	    launch; /* the share is of games, by player and game, and of learners */
};

/* More points of training than anybody looks at. */
enum { GAP_POINTS_MAX = 50 };

/* Does all that OPTIONS ask for and reports on it, as launch_run(); or a dry_run(). */
MUST_USE enum status gap_launch(const struct gap_options *options, const struct invocation *call,
				struct why *why);

/*
 * Opens the table of OPTIONS, or else that in their folder, which is solved if it is not there; as
 * solve() says. STATUS_INPUT if it is of another game, or of a goal that games cannot be compared
 * with; or as optimum_open().
 */
MUST_USE enum status gap_optimum_open(const struct gap_options *options, const struct game *game,
				      struct optimum **optimum, struct why *why);

#endif
