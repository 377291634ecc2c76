/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A batch whose games are what a test says, from which policy and relative learn as from their own
 * (agents/nets/batch_policy.h).
 */
#ifndef NXN_TESTS_OWN_BATCH_H
#define NXN_TESTS_OWN_BATCH_H

#include "agents/nets/batch_policy.h"
#include "tests/agents/agent_of.h"

enum { GAMES_MAX = 10, MOVES_MAX = 10 };

struct own_batch {
	size_t games;
	struct episode episode[GAMES_MAX];
	struct episode_move step[GAMES_MAX][MOVES_MAX];
};

/* N games of one move, up, the only one that was legal. */
static inline void own_batch_init(struct own_batch *own, size_t n)
{
	*own = (struct own_batch){.games = n};
	for (size_t i = 0; i < n; i++) {
		own->episode[i].outcome.moves = 1;
		for (size_t k = 0; k < MOVES_MAX; k++)
			own->step[i][k] = (struct episode_move){.legal = 1, .chance = 1};
	}
}

/* Learns from OWN as the next batch, by an agent that was made for as many games. */
static inline void own_batch_learn(struct batch_policy *b, struct own_batch *own)
{
	struct episode *kept = b->episodes.episode;
	struct why why;
	assert_int_equal(b->episodes.count, own->games);
	for (size_t i = 0; i < own->games; i++)
		own->episode[i].step = own->step[i];
	b->episodes.episode = own->episode;
	assert_int_equal(gradient_reserve(&b->gradient, &why), STATUS_OK);
	assert_int_equal(b->rules->update(b, 1, &why), STATUS_OK);
	b->learned++;
	b->episodes.episode = kept;
}

/* Makes all outputs of the network Z, whatever the board. */
static inline void outputs_set(struct batch_policy *b, const double z[DIRECTIONS])
{
	const struct perceptron *net = &b->network.net;
	memset(b->network.weight[0], 0, net->size * sizeof(float));
	for (size_t d = 0; d < DIRECTIONS; d++)
		b->network.weight[0][net->bias[net->layers - 1] + d] = (float)z[d];
}

#endif
