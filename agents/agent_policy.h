/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An agent as a policy: the probabilities of its moves, and moves drawn from them, in many positions
 * at once.
 */
#ifndef NXN_AGENT_POLICY_H
#define NXN_AGENT_POLICY_H

#include "agents/agent.h"

/*
 * CHANCE[i][d], i < n: how likely AGENT makes move d in TURNS[i], in each of which some move is
 * legal. Of its class's chances where there are any, in one call; otherwise of act(), position by
 * position with draws from RNG: the chances that it told; if it told none, but values of at least
 * two moves that differ, the softmax of the values less their mean, divided by their standard
 * deviation; otherwise 1 for its move. They sum to 1.
 */
void agent_policy_chances(struct agent *agent, const struct turn *turns, size_t n, struct rng *rng,
			  double (*chance)[DIRECTIONS]);

/*
 * MOVE[i], i < n: a move of AGENT in TURNS[i]. One draw each by the chances of the class, where there
 * are any, for which CHANCE is room; otherwise what act() does.
 */
void agent_policy_moves(struct agent *agent, const struct turn *turns, size_t n, struct rng *rng,
			double (*chance)[DIRECTIONS], int *move);

#endif
