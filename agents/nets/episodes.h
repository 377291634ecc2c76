/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Episodes: a batch of games played by a policy with one network and recorded, to learn from.
 *
 * Each thread plays several games side by side, a move each, so that the network sees many
 * positions at once; a game that ends makes room for the next. Game i draws from stream RNG_TRAIN i
 * of the seed, and what the network says of a position does not depend on what else is in a batch,
 * so a batch of games is the same for any number of threads.
 */
#ifndef NXN_EPISODES_H
#define NXN_EPISODES_H

#include "agents/agent.h"
#include "agents/nets/staged_network.h"
#include "base/thread_team.h"

enum { EPISODE_LANES = 64 };

/* A move of a game. */
struct episode_move {
	struct board board; /* before it */
	uint8_t legal, move;
	float chance; /* of the move in the policy */
	float reward; /* points */
};

struct episode {
	uint64_t index; /* of the training game */
	struct outcome outcome;
	struct episode_move *step; /* outcome.moves of them; on the heap */
	size_t room;
	bool lost; /* memory ran out: it ended before its end */
};

/*
 * How games are played. All functions may be called by several threads at once, for different
 * games; RNG is the game's own stream.
 */
struct episode_rules {
	/* The position that game INDEX starts from; NULL: where games start. */
	void (*start)(const void *context, uint64_t index, struct rng *rng, struct board *board);
	/* Whether game INDEX says nothing of how well the network plays: it is told as
	 * partial. NULL: none. */
	bool (*aside)(const void *context, uint64_t index);
	/* Whether a game has come to its end before no move is legal; NULL: never. */
	bool (*ends)(const void *context, uint64_t index, const struct board *board);
	/* The move of game INDEX, given the policy's CHANCE of each. */
	int (*choose)(const void *context, uint64_t index, const struct turn *turn,
		      const double chance[DIRECTIONS], struct rng *rng);
	const void *context;
};

struct episodes {
	size_t count;		 /* games of a batch */
	struct episode *episode; /* on the heap */
	int workers;
	struct episode_worker *worker; /* one for each worker; private */
};

/* Room for COUNT games. STATUS_SYSTEM. */
MUST_USE enum status episodes_init(struct episodes *e, size_t count, struct why *why);
void episodes_fini(struct episodes *e);

/*
 * Plays training games FIRST to FIRST + e->count - 1 with BRAIN, which has an output for each
 * direction: the policy is their softmax over the legal moves. THREADS is that of TEAM, which may
 * be NULL for one. STATUS_SYSTEM, when memory runs out.
 */
MUST_USE enum status episodes_play(struct episodes *e, const struct staged_network *network,
				   const struct episode_rules *rules, uint64_t seed, uint64_t first,
				   struct thread_team *team, int threads, struct why *why);

#endif
