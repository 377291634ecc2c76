/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Agents in threads of their own, beside the one that has the terminal: one that plays a shared game,
 * and one that a person who plays asks for advice. Nobody waits for them.
 */
#ifndef NXN_PLAY_AGENT_THREAD_H
#define NXN_PLAY_AGENT_THREAD_H

#include "src/play/recorder.h"
#include "src/play/shared_game.h"

struct player_thread;

/*
 * Makes the player of the games of the agent of OPTIONS on GAME from number INDEX on, which opens the
 * record file of OPTIONS if that has one: every game that is over is appended to it, unless it is
 * there. All outlive it. Errors as agent_new() and record_log_open_agent().
 */
MUST_USE enum status player_thread_new(const struct game *game, const struct play_options *options,
				       struct player_thread **player, struct why *why);

struct shared_game *player_thread_game(struct player_thread *player);

/* Begins to play. STATUS_SYSTEM if there can be no thread. */
MUST_USE enum status player_thread_start(struct player_thread *player, struct why *why);

/*
 * Ends it, at once, even if the agent thinks about a move: then its thread and all that it uses are
 * left to the end of the process. Nothing that is over is lost. NULL is fine. Returns STATUS, or if
 * that is STATUS_OK or STATUS_STOPPED, a failure to close the record file.
 */
MUST_USE enum status player_thread_end(struct player_thread *player, enum status status,
				       struct why *why);

struct adviser;

/* What it tells of a position. */
struct adviser_answer {
	struct board board;
	int move;
	float seconds;
	struct decision decision;
};

/* Makes the adviser AGENT for game INDEX of SEED on GAME, which outlives it. Errors as agent_new(). */
MUST_USE enum status adviser_new(const char *agent, const struct game *game, uint64_t seed,
				 uint64_t index, struct adviser **adviser, struct why *why);

/*
 * Begins to think about TURN, in which some move is legal, drawing from the beginning of the game's
 * stream; not while it thinks. STATUS_SYSTEM if there can be no thread.
 */
MUST_USE enum status adviser_ask(struct adviser *adviser, const struct turn *turn, struct why *why);

/* Whether it was asked, and its answer was not taken yet. */
bool adviser_asked(const struct adviser *adviser);

/*
 * Takes the answer in at most MILLISECONDS, or in whatever it takes if they are negative; true if
 * there is one, or, in STATUS, why there is none, as agent_check().
 */
bool adviser_take(struct adviser *adviser, int milliseconds, struct adviser_answer *answer,
		  enum status *status, struct why *why);

/* Ends it; if it thinks, its thread and all it uses are left to the end of the process. */
void adviser_free(struct adviser *adviser);

#endif
