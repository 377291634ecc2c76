/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Games of a log played again: one player, as trained as it was, from one seed. */
#ifndef NXN_PAPER_AGAIN_H
#define NXN_PAPER_AGAIN_H

#include "analysis/logs/gamelog.h"
#include "src/run/experiment.h"
#include "base/file.h"

enum { AGAIN_REASON_MAX = 320 };

struct again {
	const struct gamelog_player *player;
	uint64_t seed;
	const struct gamelog_row **rows; /* to be played, row_count of them */
	size_t row_count;
	char (*models)[FOLDER_PATH_MAX]; /* folders that models may be in */
	size_t model_folders;
	bool gap; /* of a log of nxn gap: only points and moves are known */
	const struct game_options
	    *rule; /* that games may have been played by, beside the usual one */

	size_t done, bad;
	char reason
	    [AGAIN_REASON_MAX]; /* why none can be played, or how the first bad one differs; or "" */
	bool unable;
};

/*
 * Plays the rows again. What makes that impossible is no error, but its reason: rules other than those
 * that are known, weights that have gone, a clock, another program. STATUS_STOPPED after Ctrl-C.
 */
MUST_USE enum status again_run(struct again *again);

/*
 * Adds the games of PATH, a log of nxn gap, to LOG, each with its points and moves and nothing else.
 * STATUS_INPUT, with file and line, for what is no such log; STATUS_SYSTEM if it cannot be read.
 */
MUST_USE enum status again_gap_read(struct gamelog *log, const char *path, struct why *why);

#endif
