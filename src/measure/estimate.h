/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An experiment before it is played: its players, and how long it takes on this machine. */
#ifndef NXN_ESTIMATE_H
#define NXN_ESTIMATE_H

#include "src/cli/options.h"
#include "src/games/experiment.h"

/* An option of a command that calls dry_run(), for a member M. */
#define DRY_RUN_OPTION(M)                                                                          \
	OPTION("dry-run", 0, NULL, FIELD_FLAG, FIELD(M),                                           \
	       "List players with all their parameters and games, estimate what is left of them "  \
	       "and its time on this machine, from the folder's log or a short run of each "       \
	       "player, and stop")

/*
 * Prints the players of EXPERIMENT, or the cells of its sweep: a table, on a terminal lines that
 * fit. With TIMES also prints for each player what is left after the games in DIRECTORY (NULL:
 * all), and how long that and all takes with so many THREADS: by the log there, or by letting the
 * player play or learn for a moment, some seconds in all. STATUS_INPUT for another format than
 * text; STATUS_STOPPED after Ctrl-C. After stop_catch(); ends a time budget that runs.
 */
MUST_USE enum status dry_run(const struct experiment *experiment, const char *directory,
			     int threads, bool times, const struct invocation *call,
			     struct why *why);

#endif
