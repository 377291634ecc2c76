/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An agent that plays on a stage, in a thread of its own, game after game. */
#ifndef NXN_PLAY_PLAYER_H
#define NXN_PLAY_PLAYER_H

#include "src/play/play_record.h"
#include "src/play/play_stage.h"

struct player;

/*
 * Makes the player of the games of AGENT on GAME from number OPTIONS->first on, which opens the
 * record file of OPTIONS if that has one: every game that is over is appended to it, unless it is
 * there. All outlive it. Errors as agent_new(), experiment_add() and book_open().
 */
MUST_USE enum status player_new(const struct game *game, const char *agent,
				const struct recording_options *options, struct player **player,
				struct why *why);

struct stage *player_stage(struct player *player);

/* Begins to play. STATUS_SYSTEM if there can be no thread. */
MUST_USE enum status player_start(struct player *player, struct why *why);

/*
 * Ends it, at once, even if the agent thinks about a move: then its thread and all that it uses are
 * left to the end of the process. Nothing that is over is lost. Fails as book_close(). NULL is fine.
 */
MUST_USE enum status player_end(struct player *player, struct why *why);

#endif
