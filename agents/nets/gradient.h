/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Gradient steps of a staged network: along the gradient over many positions, on many threads.
 *
 * Positions are dealt out to a fixed number of shards, each with a gradient of its own, which are
 * added up in order: the step is the same to the last bit for any number of threads.
 */
#ifndef NXN_GRADIENT_H
#define NXN_GRADIENT_H

#include "agents/nets/staged_network.h"
#include "base/thread_team.h"

/* How gradients become steps; see gradient.c. */
enum optimiser_kind { OPTIMISER_SGD, OPTIMISER_RMSPROP, OPTIMISER_RMSPROP_NORM, OPTIMISER_ADAM };

struct optimiser {
	enum optimiser_kind kind;
	double rho1, rho, eps;
	uint64_t steps;			/* made */
	float *mean, *square;		/* m and s; size floats each, on the heap, or NULL */
	double norm[PERCEPTRON_LAYERS]; /* s of rmsprop-norm */
};

enum { GRADIENT_SHARDS = 8, GRADIENT_ROOM = 256 };

struct gradient {
	struct staged_network *network;
	struct optimiser optimiser[STAGED_STAGES];
	bool ready;				    /* gradients and work are there */
	float *sum[GRADIENT_SHARDS][STAGED_STAGES]; /* on the heap */
	unsigned seen[GRADIENT_SHARDS];		    /* stages of a shard's positions, as bits */
	struct staged_work work[GRADIENT_SHARDS];
};

/* Optimisers of KIND with rho and eps for NETWORK, which outlives GRADIENT. STATUS_SYSTEM. */
MUST_USE enum status gradient_init(struct gradient *gradient, struct staged_network *network,
				   enum optimiser_kind kind, double rho, double eps,
				   struct why *why);
/* Of zeroes, too. */
void gradient_fini(struct gradient *gradient);

/*
 * Takes the memory that steps and outputs need, unless it is there: a player does without it. To be
 * called before gradient_step() and gradient_outputs(). STATUS_SYSTEM.
 */
MUST_USE enum status gradient_reserve(struct gradient *gradient, struct why *why);

/* Makes a step; TEAM may be NULL. */
void gradient_step(struct gradient *gradient, struct thread_team *team,
		   const struct gradient_batch *batch);

/* OUT[i]: the network's outputs for BOARD[i], i < n; TEAM may be NULL. */
void gradient_outputs(struct gradient *gradient, struct thread_team *team,
		      const struct board *const *board, size_t n, float (*out)[DIRECTIONS]);

/* The state of the optimisers, and how many stages are live, as so many sections of FILE. */
int gradient_section_count(const struct gradient *gradient);
void gradient_sections(struct gradient *gradient, struct model_file *file);

#endif
