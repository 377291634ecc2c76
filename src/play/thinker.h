/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An agent that thinks in a thread beside the one that has the terminal. */
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

enum { THOUGHTS_MAX = 64 };

struct thinker;

/* Makes the agent SPEC for GAME, which is copied. Errors as agent_new(). */
MUST_USE enum status thinker_new(const char *spec, const struct game *game,
				 struct thinker **thinker, struct why *why);

/*
 * While idle, begins to think about BOARD, which has a legal move, with draws from CHOICES; then
 * about the positions after its moves, with tiles from SPAWNS, as long as there are less than MOVES
 * or THOUGHTS_MAX of them and no time to be noticed has passed.
 */
MUST_USE enum status thinker_ask(struct thinker *thinker, const struct board *board, uint64_t score,
				 const struct rng *spawns, const struct rng *choices, size_t moves,
				 struct why *why);

/* The seconds since it was asked; 0 if it is idle, or NULL. */
double thinker_busy(const struct thinker *thinker);

/*
 * Takes the N thoughts within MILLISECONDS, or however long they take if those are negative; they
 * last until the next question. NULL if there are none, or THINKER is. STATUS is that of
 * agent_check().
 */
const struct thought *thinker_take(struct thinker *thinker, int milliseconds, size_t *n,
				   enum status *status, struct why *why);

/* If it thinks, its thread and all that it uses are left to the end of the process. */
void thinker_free(struct thinker *thinker);

#endif
