/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The training loop, for nxn train, for experiments, and for learners that are compared with the
 * optimum: trains until it is time to save, saves, and repeats until training is complete.
 */
#ifndef NXN_TRAINING_H
#define NXN_TRAINING_H

#include "agents/agent.h"

#include <pthread.h>

/* A point of training. */
struct training_point {
	uint64_t trained; /* games so far */
	double seconds;	  /* of training; NAN if unknown */
};

struct training {
	struct agent *agent;
	uint64_t seed;
	int threads; /* more than 1 only for a class with `shared` or `uses_team` */
	/*
	 * No game with a number >= END starts if there are several threads. With one thread games
	 * start as if there were no end, so that a resumed training gives the same learner as an
	 * uninterrupted one.
	 */
	uint64_t end;
	bool timed;	       /* game() needs at.seconds, so the clock is read for each game */
	double (*clock)(void); /* clock for the training, in seconds */
	uint64_t checkpoint;   /* games between two saves; UINT64_MAX: never */
	double checkpoint_interval; /* seconds between two saves; INFINITY: never */
	struct training_point at;   /* in: the beginning; during training: the present point */

	/*
	 * Called after a game, which `at` already counts. Returns whether training is complete. One
	 * thread at a time.
	 */
	bool (*game)(void *context, const struct outcome *outcome);
	/* Whether training must stop before it is complete. Any thread. */
	bool (*ending)(void *context);
	/* Saves the learner at the point `at`, while no thread learns. */
	enum status (*save)(void *context, struct why *why);
	void *context;

	/* Private. */
	pthread_mutex_t mutex;
	struct training_point before; /* at the start of the present segment */
	double started;
	bool over, pausing;
};

/*
 * Trains until training is complete, at least one game. STATUS_STOPPED, after saving, if ending()
 * stopped it before; STATUS_SYSTEM if threads cannot start; errors of save().
 */
MUST_USE enum status training_run(struct training *training, struct why *why);

#endif
