/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The viewer of games that are played, or were. */
#ifndef NXN_PLAY_WATCH_H
#define NXN_PLAY_WATCH_H

#include "src/play/shared_game.h"
#include "src/play/terminal.h"

struct watch_options {
	int delay;  /* milliseconds between moves */
	bool timed; /* the time of thinking is told at the end */
	/* Puts the next game in the place of the shared one, or asks for it; false if there is none. */
	bool (*next)(void *context, struct shared_game *shared);
	void *context;
};

/*
 * Shows the games of SHARED on TERMINAL, which is prepared, until a key, a signal, a failure, or, if
 * standard input is no terminal, the end of a game. SHARED has a game, or gets one. The position looked
 * at last and a line about the game stay on standard output. STATUS_STOPPED after a signal; what SHARED
 * fails with; else as terminal_open().
 */
MUST_USE enum status watch_run(struct shared_game *shared, struct terminal *terminal,
			       const struct watch_options *options, struct why *why);

#endif
