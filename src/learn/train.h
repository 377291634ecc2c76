/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn train: one learner, its model and its learning curve. */
#ifndef NXN_TRAIN_H
#define NXN_TRAIN_H

#include "agents/agent.h"
#include "src/cli/options.h"

struct train_options {
	const char *agent; /* specification; first, for argument_keep() */
	struct game_options game;
	uint64_t seed;
	const char *demonstrations; /* path of a record file, or NULL */
	char written[SPEC_MAX];	    /* the agent with them */
	const char *model;	    /* path; if it exists, training goes on from it */
	const char *curve;	    /* path, or NULL */
	uint64_t episodes;	    /* games in all; UINT64_MAX for no end */
	double budget;		    /* seconds in all; INFINITY for no end */
	uint64_t block;		    /* games a row of the curve */
	uint64_t checkpoint;	    /* games after which to save; UINT64_MAX for never */
	double checkpoint_interval; /* seconds after which to save; INFINITY for never */
	int threads;
	bool progress; /* the line even if standard error is no terminal */
	bool verbose;  /* a line a block on standard error */
};

/*
 * Trains as OPTIONS say, from where the model is, if it exists, and prints what there is then.
 * STATUS_INPUT for an agent that is wrong, not with so many threads, or other than that of the model,
 * and for a model that another process trains; STATUS_STOPPED, saved, after a request to stop.
 */
MUST_USE enum status train(const struct train_options *options, const struct invocation *call,
			   struct why *why);

#endif
