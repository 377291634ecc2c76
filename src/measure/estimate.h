/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --dry-run: the players of an experiment, and an estimate of its time on this machine. */
#ifndef NXN_ESTIMATE_H
#define NXN_ESTIMATE_H

#include "src/measure/launch.h"

/* The option of commands that call dry_run(), for a member M. */
#define DRY_RUN_OPTION(M)                                                                          \
	OPTION("dry-run", 0, NULL, FIELD_FLAG, FIELD(M),                                           \
	       "List players with all their parameters and games, estimate what is left of them "  \
	       "and its time on this machine, from the folder's log or a short run of each "       \
	       "player, and stop")

/*
 * Prints the players of EXPERIMENT, or the cells of its sweep, as a table, or on a terminal as
 * wrapped lines. Unless OPTIONS have no_times, also prints for each player what is missing in their
 * folder (NULL: all games), and how long it and the whole take with their threads, estimated from
 * the log there or from a short run of the player, some seconds in all. STATUS_INPUT for another
 * format than text and for a share; STATUS_STOPPED after Ctrl-C. Call it after stop_catch(); it
 * ends a running time budget.
 */
MUST_USE enum status dry_run(const struct experiment *experiment,
			     const struct launch_options *options, const struct invocation *call,
			     struct why *why);

#endif
