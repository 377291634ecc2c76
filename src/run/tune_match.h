/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Games of a tuning: some players, each of whom plays the same games. */
#ifndef NXN_TUNE_MATCH_H
#define NXN_TUNE_MATCH_H

#include "agents/agent.h"
#include "src/run/pool.h"
#include "src/run/progress.h"
#include "src/run/tune_log.h"

#include <pthread.h>
#include <stdatomic.h>

struct tune_result {
	uint64_t score;
	int max_exponent;
};

struct tune_match {
	/* The caller's, who zeroes the rest. */
	const struct game *game;
	int threads;
	uint64_t generation;
	const char *name; /* of the only player in the log; NULL: players are numbers */
	char (*agent)[SPEC_MAX];
	size_t players, games;
	uint64_t seed, first;	    /* game i of each is game FIRST + i of SEED */
	struct tune_result *result; /* [player * games + i] */
	struct tune_log *log;
	struct progress *progress;
	/* All games of PLAYER are in the log; may be NULL. Locked. */
	enum status (*ended)(void *context, size_t player, struct why *why);
	void *context;

	/* The match's own. */
	struct job job;
	struct pool *pool;
	struct tune_seat *seat; /* of each thread */
	bool *played;		/* [player * games + i] */
	size_t logged;		/* games, in order */
	pthread_mutex_t lock;
	atomic_bool over; /* a stop or a failure */
	enum status status;
	struct why why;
};

/*
 * Plays what an earlier run has not, and logs all in order; with other ranks, each plays some, all know
 * all results in the end, and rank 0 logs them. STATUS_STOPPED after a stop
 * (base/stop.h): then the log has the games before the first that is missing. Or as agent_new(),
 * tune_log_line() and ended().
 */
MUST_USE enum status tune_match_play(struct tune_match *match, struct why *why);

#endif
