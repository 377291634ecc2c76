/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A tuning under way, generation after generation. */
#ifndef NXN_TUNE_GENERATION_H
#define NXN_TUNE_GENERATION_H

#include "src/run/tune_report.h"
#include "src/run/tune_space.h"

struct tune {
	const struct tune_options *options;
	struct game game;
	struct tune_space space;
	uint64_t seed, held_out_seed; /* of games */
	struct tune_log log;
	struct progress progress;

	size_t generation;	 /* 0: the start */
	char (*agent)[SPEC_MAX]; /* [candidate] */
	double *x;		 /* [candidate * n + parameter] */
	double *objective;
	size_t *order;
	struct tune_result *result;	  /* [candidate * games + game] */
	struct tune_result *start, *mean; /* of held-out games */
	char tuned[SPEC_MAX];		  /* the agent of the means */
	struct tune_versus versus;
};

/*
 * Plays the held-out games of the start, then generations to the end, with a row of the table for
 * each; t->tuned and t->versus are then what was found. Errors are those of tune_match_play().
 */
MUST_USE enum status tune_generations(struct tune *tune, struct why *why);

#endif
