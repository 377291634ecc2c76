/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Games on the screen, of an agent or from a record file. */
#ifndef NXN_PLAY_SESSION_H
#define NXN_PLAY_SESSION_H

#include "boards/record.h"
#include "src/play/play.h"

/*
 * Shows games of the agent of OPTIONS on GAME, one after the other, and appends each finished game
 * to the record file, if there is one. STATUS_STOPPED after a signal; otherwise errors as
 * play_agent().
 */
MUST_USE enum status session_agent(const struct play_options *options, const struct game *game,
				   struct why *why);

/* Shows the game on LINE, which READER has just read, and those after it. */
MUST_USE enum status session_records(const struct play_options *options,
				     struct record_reader *reader, const struct record_line *line,
				     struct why *why);

#endif
