/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Learning by batches: games are played with the network as it is, then it learns from all of them.
 *
 * What a learner says when it is stopped in the midst of a batch is simple: the batch has been
 * played, so many of its games have been told of, and nothing was learned from them yet. When it
 * goes on, the batch is played again, to the same games. So a model file needs no games, stopping
 * changes nothing, and the result is the same for any number of threads.
 */
#ifndef NXN_BATCHES_H
#define NXN_BATCHES_H

#include "agents/nets/episodes.h"

struct batches {
	struct episodes episodes;
	uint64_t told;	  /* games of which over() was told: those that have ended */
	uint64_t learned; /* batches learned from */
	bool started;	  /* weights are those of the seed, or learned */
	bool starved;	  /* memory ran out in the midst of learning: it is not to be saved */
	struct thread_team *team;
	int threads; /* of the team; 0 before the first request */
};

/* What a learner does with batches; CONTEXT is handed to its functions. */
struct batch_rules {
	const struct brain *brain;
	struct episode_rules play;
	/* Called once, before the first batch: first weights. */
	void (*start)(void *context, uint64_t seed);
	/* Learns from a batch; TEAM may be NULL. STATUS_SYSTEM when memory runs out. */
	enum status (*update)(void *context, const struct episodes *batch, uint64_t seed,
			      struct thread_team *team, struct why *why);
	void *context;
};

/* For batches of SIZE games. STATUS_SYSTEM. */
MUST_USE enum status batches_init(struct batches *b, size_t size, struct why *why);
void batches_fini(struct batches *b);

/*
 * learn() of an agent class with `uses_team`. When memory runs out it ends, and batches_section() says so: what
 * was learned of a batch until then is not what the batch teaches.
 */
void batches_learn(struct batches *b, const struct batch_rules *rules,
		   const struct training_request *request);

/* Numbers of games and batches as a section of FILE. STATUS_SYSTEM if it starved. */
void batches_section(struct batches *b, struct model_file *file);

#endif
