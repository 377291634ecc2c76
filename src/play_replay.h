/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded games, checked and shown. */
#ifndef NXN_PLAY_REPLAY_H
#define NXN_PLAY_REPLAY_H

#include "boards/status.h"
#include "src/play_show.h"

/* Which game to show: that on LINE unless it is 0, else the one whose number is INDEX. */
struct replay_choice {
	uint64_t line;
	bool numbered;
	uint64_t index;
};

/*
 * Checks all games of the record file at PATH, and shows the one chosen with SHOW, or, if neither
 * line nor index is, lists them, a row a game. Tells on standard error, as NAME, of a torn last
 * line. STATUS_INPUT for whatever is wrong in the file, or if not exactly one game is meant.
 */
MUST_USE enum status replay_run(const char *path, const struct replay_choice *choice,
				struct show *show, const char *name, struct why *why);

#endif
