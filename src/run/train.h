/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run of `nxn train`: a learner trains until it has played enough games or enough time has
 * passed, and is saved now and then, so that it may be killed at any moment and goes on from the
 * last save. With one thread the model is then, and but for its times the curve, what they would
 * have been without.
 */
#ifndef NXN_TRAIN_H
#define NXN_TRAIN_H

#include "boards/game.h"

struct train_options {
	struct game_options game;
	uint64_t seed;
	const char *agent;	    /* specification */
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
 * Trains, and tells on standard output what came of it; COMMAND is for the provenance of the curve.
 * STATUS_STOPPED, saved, after a signal; STATUS_INPUT for options that do not fit each other or the
 * files that are there; STATUS_SYSTEM if a file cannot be written or memory is short.
 */
MUST_USE enum status train_run(const struct train_options *options, const char *command,
			       struct why *why);

#endif
