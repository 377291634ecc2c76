/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One game from start to end. */
#ifndef NXN_PLAY_H
#define NXN_PLAY_H

#include "agents/agent.h"

/* Called before each move is made; returning false abandons the game. */
struct play_watch {
	bool (*move)(void *context, const struct turn *turn, int move,
		     const struct decision *decision);
	void *context;
};

/* Fills a turn: the moves of BOARD, which must stay where it is as long as the turn is used. */
void turn_init(struct turn *turn, const struct game *game, const struct board *board,
	       uint64_t score);

/*
 * Plays game number INDEX of SEED. WATCH may be NULL. False if it was abandoned, by WATCH or because
 * the agent failed, which agent_check() tells; OUTCOME then tells how far it came.
 */
bool play_game(struct agent *agent, uint64_t seed, uint64_t index, const struct play_watch *watch,
	       struct outcome *outcome);

#endif
