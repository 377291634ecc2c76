/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An agent that thinks in its own thread, apart from the thread of the terminal. */
#ifndef NXN_PLAY_THINKER_H
#define NXN_PLAY_THINKER_H

#include "agents/agent.h"

/* A decision about a position; or, if `status` is not STATUS_OK, why the agent failed. */
struct thought {
	struct board board;
	int move;
	double seconds;
	struct decision decision;
	struct rng choices; /* stream after the decision */
	enum status status; /* that of agent_check() */
	struct why why;
};

struct thinker;

/* Creates the agent SPEC for a copy of GAME. Errors as agent_new(). */
MUST_USE enum status thinker_new(const char *spec, const struct game *game,
				 struct thinker **thinker, struct why *why);

/*
 * Starts thinking about BOARD, which has a legal move, with draws from CHOICES. The thinker must be
 * idle. STATUS_SYSTEM.
 */
MUST_USE enum status thinker_ask(struct thinker *thinker, const struct board *board, uint64_t score,
				 const struct rng *choices, struct why *why);

/* Returns the seconds since the question; 0 if the thinker is idle or NULL. */
double thinker_busy(const struct thinker *thinker);

/*
 * Returns the thought if it is ready within MILLISECONDS (negative: waits without limit). It is
 * valid until the next question. NULL if there is none or THINKER is NULL.
 */
const struct thought *thinker_take(struct thinker *thinker, int milliseconds);

/* Frees the thinker. If it is thinking, its thread and memory remain until the process ends. */
void thinker_free(struct thinker *thinker);

#endif
