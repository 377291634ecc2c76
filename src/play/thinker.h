/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An agent that thinks about one position at a time, beside the thread that has the terminal. */
#ifndef NXN_PLAY_THINKER_H
#define NXN_PLAY_THINKER_H

#include "agents/agent.h"

/* A decision about a position. */
struct thought {
	struct board board;
	int move;
	double seconds;
	struct decision decision;
	struct rng choices; /* after the decision */
};

struct thinker;

/* Makes the agent SPEC for GAME, which is copied. Errors as agent_new(). */
MUST_USE enum status thinker_new(const char *spec, const struct game *game,
				 struct thinker **thinker, struct why *why);

/* Begins to think about BOARD, which has a legal move, with draws from CHOICES. While idle. */
MUST_USE enum status thinker_ask(struct thinker *thinker, const struct board *board, uint64_t score,
				 const struct rng *choices, struct why *why);

/* The seconds since it was asked; 0 if it is idle, or NULL. */
double thinker_busy(const struct thinker *thinker);

/*
 * Takes the answer within MILLISECONDS, or however long it takes if they are negative. True if
 * there is one; STATUS is then that of agent_check(). False on NULL.
 */
bool thinker_take(struct thinker *thinker, int milliseconds, struct thought *thought,
		  enum status *status, struct why *why);

/* If it thinks, its thread and all that it uses are left to the end of the process. */
void thinker_free(struct thinker *thinker);

#endif
