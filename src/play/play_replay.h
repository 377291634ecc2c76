/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded games, checked and shown. */
#ifndef NXN_PLAY_REPLAY_H
#define NXN_PLAY_REPLAY_H

#include "base/status.h"
#include "src/play/play_show.h"

/* Which game to show: that on LINE unless it is 0, else the one whose number is INDEX. */
struct replay_choice {
	uint64_t line;
	bool numbered;
	uint64_t index;
};

struct replay_options {
	struct replay_choice choice;
	enum show_style style;
	bool watch; /* in the viewer, in place of STYLE; the games behind it as well */
	int delay;  /* milliseconds between its moves */
};

/*
 * Checks all games of the record file at PATH, and shows the one chosen, or, if neither
 * line nor index is, lists them, a row a game, or begins with the first in the viewer. Tells on standard error, as NAME, of a torn last
 * line. STATUS_INPUT for whatever is wrong in the file, or if not exactly one game is meant; errors of
 * watch_run().
 */
MUST_USE enum status replay_run(const char *path, const struct replay_options *options,
				const char *name, struct why *why);

#endif
