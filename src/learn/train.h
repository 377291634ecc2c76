/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn train: a learner, its model and its learning curve. */
#ifndef NXN_TRAIN_H
#define NXN_TRAIN_H

#include "agents/agent.h"
#include "src/cli/options.h"

struct train_options {
	const char *agent; /* text; the first member, for argument_keep() */
	struct game_options game;
	uint64_t seed;
	const char *demonstrations; /* path of a record file, or NULL */
	char written[SPEC_MAX];	    /* the agent with its demonstrations */
	const char *model;	    /* path; if it exists, training resumes from it */
	const char *curve;	    /* path, or NULL */
	uint64_t episodes;	    /* total games; UINT64_MAX: no limit */
	double budget;		    /* total seconds; INFINITY: no limit */
	uint64_t block;		    /* games per row of the curve */
	uint64_t checkpoint;	    /* games between two saves; UINT64_MAX: never */
	double checkpoint_interval; /* seconds between two saves; INFINITY: never */
	int threads;
	bool progress; /* show progress even if standard error is not a terminal */
	bool verbose;  /* print a line per block on standard error */
	bool dry_run;  /* the command checks only: nothing is locked or written */
};

/*
 * Trains as OPTIONS say, resuming from the model if it exists, and prints the result. STATUS_INPUT
 * for an agent that is wrong, cannot use so many threads, or differs from the model's, and for a
 * model that another process is training; STATUS_STOPPED, after saving, on a request to stop.
 */
MUST_USE enum status train(const struct train_options *options, const struct invocation *call,
			   struct why *why);

/* Creates the learner as train() does, sets *TRAINED to its training games, and frees it. */
MUST_USE enum status train_check(const struct train_options *options, uint64_t *trained,
				 struct why *why);

#endif
