/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looking at games that are played on a stage, or were. */
#ifndef NXN_PLAY_WATCH_H
#define NXN_PLAY_WATCH_H

#include "src/play/play_stage.h"
#include "src/play/terminal.h"

struct watch_options {
	int delay; /* milliseconds between moves */
	bool keys; /* there are some; else it ends with the game */
	/* Brings the next game onto the stage, or asks for it; false if there is none. */
	bool (*next)(void *context, struct stage *stage);
	void *context;
};

/* What was looked at last. */
struct watched {
	struct moment moment;
	size_t move, moves; /* made before it; made in all */
	bool over;	    /* the game, at that position */
	double seconds;	    /* of thinking */
	const struct game *game;
};

/*
 * Shows the games of STAGE on TERMINAL, which is prepared, until a key, a signal, a failure, or the
 * end of a game without keys. The stage has a game, or gets one. STATUS_STOPPED after a signal; what
 * the stage fails with; else as terminal_open().
 */
MUST_USE enum status watch_run(struct stage *stage, struct terminal *terminal,
			       const struct watch_options *options, struct watched *watched,
			       struct why *why);

/* What stays on standard output: that position, and a line; with the time of thinking if TIMED. */
void watched_tell(const struct watched *watched, bool timed);

#endif
