/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An agent that a person who plays can ask, and who is not waited for. */
#ifndef NXN_PLAY_ADVICE_H
#define NXN_PLAY_ADVICE_H

#include "src/play/play_session.h"

struct adviser;

/* What it says of a position. */
struct advice {
	struct board board;
	int move;
	struct thought thought;
};

/* Makes the adviser AGENT for game INDEX of SEED on GAME, which outlives it. Errors as agent_new(). */
MUST_USE enum status adviser_new(const char *agent, const struct game *game, uint64_t seed,
				 uint64_t index, struct adviser **adviser, struct why *why);

/*
 * Begins to think about TURN, in which some move is legal, drawing from the beginning of the game's
 * stream; not while it thinks. STATUS_SYSTEM if there can be no thread.
 */
MUST_USE enum status adviser_ask(struct adviser *adviser, const struct turn *turn, struct why *why);

/* Whether it was asked, and its advice was not taken yet. */
bool adviser_asked(const struct adviser *adviser);

/*
 * Takes the advice in at most MILLISECONDS, or in whatever it takes if they are negative; true if
 * there is one, or, in STATUS, why there is none, as agent_check().
 */
bool adviser_take(struct adviser *adviser, int milliseconds, struct advice *advice,
		  enum status *status, struct why *why);

/* Ends it; if it thinks, its thread and all it uses are left to the end of the process. */
void adviser_free(struct adviser *adviser);

#endif
