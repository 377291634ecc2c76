/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fitting a brain: one step of its weights along the gradient over many positions, on many threads.
 *
 * Positions are dealt out to a fixed number of shards, each with a gradient of its own, which are
 * added up in order: the step is the same to the last bit for any number of threads.
 */
#ifndef NXN_FIT_H
#define NXN_FIT_H

#include "agents/nets/brain.h"
#include "base/thread_team.h"

enum { FIT_SHARDS = 8, FIT_ROOM = 256 };

struct fit {
	struct brain *brain;
	struct optimiser optimiser[BRAIN_STAGES];
	bool ready;				   /* there is a gradient and work */
	float *gradient[FIT_SHARDS][BRAIN_STAGES]; /* on the heap */
	unsigned seen[FIT_SHARDS];		   /* stages that a shard's positions are of */
	struct brain_work work[FIT_SHARDS];
};

/* What a step is made of. GRADE is called by several threads, once for each position. */
struct fit_step {
	const struct board *const *board;
	size_t n;
	brain_grade *grade;
	void *context;
	double alpha;  /* learning rate */
	double weight; /* of a position in the gradient: 1, or 1/n for the mean */
	bool last;     /* the last layer learns, and no other */
};

/* BRAIN outlives FIT. Optimisers are of KIND, their numbers those of fit_rates(). STATUS_SYSTEM. */
MUST_USE enum status fit_init(struct fit *fit, struct brain *brain, enum optimiser_kind kind,
			      struct why *why);

/*
 * The memory that steps and outputs take, which who only plays does without; had once, it is there.
 * To be called before fit_make() and fit_outputs(). STATUS_SYSTEM.
 */
MUST_USE enum status fit_ready(struct fit *fit, struct why *why);
void fit_fini(struct fit *fit);

/* The numbers of all optimisers, as agents/nets/optimiser.h uses them. */
void fit_rates(struct fit *fit, double rho1, double rho, double eps);

/* Makes a step; TEAM may be NULL. */
void fit_make(struct fit *fit, struct thread_team *team, const struct fit_step *step);

/* OUT[i]: the brain's outputs for BOARD[i], i < n; TEAM may be NULL. */
void fit_outputs(struct fit *fit, struct thread_team *team, const struct board *const *board,
		 size_t n, float (*out)[DIRECTIONS]);

/* The state of the optimisers, and how many stages are live, as so many sections of FILE. */
int fit_section_count(const struct fit *fit);
void fit_sections(struct fit *fit, struct model_file *file);

#endif
