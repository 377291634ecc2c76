/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The loop of training, for nxn train, for experiments and for learners that are compared with the
 * optimum: it learns until it is time to save, saves, and goes on until all is learned.
 */
#ifndef NXN_TRAINING_H
#define NXN_TRAINING_H

#include "agents/agent.h"

#include <pthread.h>

/* Where training is. */
struct training_point {
	uint64_t trained; /* games */
	double seconds;	  /* of training; NAN if they are not known */
};

struct training {
	struct agent *agent;
	uint64_t seed;
	int threads; /* more than 1 only for a class with `shared` or `uses_team` */
	/*
	 * With one thread games are begun as if there were no end, so that a learner that is trained
	 * further is the same as one trained in one go. With several none is begun beyond END.
	 */
	uint64_t end;
	bool timed;	       /* game() needs at.seconds, for which a clock is read each time */
	double (*clock)(void); /* seconds of what the training is timed by */
	uint64_t checkpoint;   /* saves after every so many games; UINT64_MAX for never */
	double checkpoint_interval; /* and after so many of those seconds; INFINITY for never */
	struct training_point at;   /* where it begins, and then where it is */

	/* A game is over, and counted in `at`: whether all is learned now. One thread at a time. */
	bool (*game)(void *context, const struct outcome *outcome);
	/* Whether training has to end before that. Any thread. */
	bool (*ending)(void *context);
	/* Saves the learner as it is `at`; no thread learns. */
	enum status (*save)(void *context, struct why *why);
	void *context;

	/* The loop's own. */
	pthread_mutex_t mutex;
	struct training_point before; /* when learning went on */
	double started;
	bool over, pausing;
};

/*
 * Trains until all is learned, at least one game. STATUS_STOPPED, saved, if it has to end before;
 * STATUS_SYSTEM if threads cannot be had; or as save().
 */
MUST_USE enum status training_run(struct training *training, struct why *why);

#endif
