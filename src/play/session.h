/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Games on the screen to watch: of an agent, or of a record file. */
#ifndef NXN_PLAY_SESSION_H
#define NXN_PLAY_SESSION_H

#include "boards/record.h"
#include "src/play/play.h"

/*
 * Shows games of the agent of OPTIONS on GAME, one after the other; each that is over is recorded,
 * if there is a record file. STATUS_STOPPED after a signal; else as play_agent().
 */
MUST_USE enum status session_agent(const struct play_options *options, const struct game *game,
				   struct why *why);

/* Shows the game on LINE, which READER has just read, and those after it. */
MUST_USE enum status session_records(const struct play_options *options,
				     struct record_reader *reader, const struct record_line *line,
				     struct why *why);

#endif
