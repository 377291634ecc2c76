/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An agent that thinks in its own thread, apart from the thread of the terminal. */
#ifndef NXN_PLAY_THINKER_H
#define NXN_PLAY_THINKER_H

#include "agents/agent.h"

/* A decision about a position. */
struct thought {
	struct board board;
	int move;
	double seconds;
	struct decision decision;
	struct rng choices; /* stream after the decision */
};

enum { THOUGHTS_MAX = 64 };

struct thinker;

/* Creates the agent SPEC for a copy of GAME. Errors as agent_new(). */
MUST_USE enum status thinker_new(const char *spec, const struct game *game,
				 struct thinker **thinker, struct why *why);

/*
 * Starts thinking about BOARD, which has a legal move, with draws from CHOICES. Continues with the
 * positions after its moves, with tiles from SPAWNS, up to MOVES or THOUGHTS_MAX thoughts, as long
 * as that takes no noticeable time. The thinker must be idle.
 */
MUST_USE enum status thinker_ask(struct thinker *thinker, const struct board *board, uint64_t score,
				 const struct rng *spawns, const struct rng *choices, size_t moves,
				 struct why *why);

/* Returns the seconds since the question; 0 if the thinker is idle or NULL. */
double thinker_busy(const struct thinker *thinker);

/*
 * Returns the N thoughts if they are ready within MILLISECONDS (negative: waits without limit).
 * They are valid until the next question. NULL if there are none or THINKER is NULL. *STATUS is
 * that of agent_check().
 */
const struct thought *thinker_take(struct thinker *thinker, int milliseconds, size_t *n,
				   enum status *status, struct why *why);

/* Frees the thinker. If it is thinking, its thread and memory remain until the process ends. */
void thinker_free(struct thinker *thinker);

#endif
