/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One game of an agent, shown, and recorded or traced if that is asked for. */
#ifndef NXN_PLAY_AGENT_H
#define NXN_PLAY_AGENT_H

#include "src/play/play_record.h"
#include "src/play/play_show.h"

struct performance_options {
	const struct game_options *game;
	const char *agent;
	enum show_style style;
	bool watch;			    /* in the viewer, in place of STYLE */
	int delay;			    /* milliseconds between its moves */
	const char *trace;		    /* path of its trace, or NULL */
	struct recording_options recording; /* its seed and first game; no file if path is NULL */
};

/*
 * Plays and shows the game that nxn compare plays for this agent, seed and number, and appends it to
 * the record file, unless it is there, or writes its trace. Errors as game_init(), agent_new(),
 * player_book_open(), record_append(), and those of src/run/traces.h.
 * In the viewer, as many games as the user likes from that on; errors as watch_run() as well.
 */
MUST_USE enum status agent_perform(const struct performance_options *options, struct why *why);

#endif
