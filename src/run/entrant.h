/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An entry of an experiment while it is played: a job of games and, for a learner, a job of one
 * unit that trains, evaluates after each block of training, and then adds the job of games.
 *
 * Training uses one thread, so that it is the same on every machine. It goes on from the saved
 * model, unless games are missing that need the weights of an earlier time: then it starts anew.
 * Blocks of so many seconds are blocks of so many games once they have ended, which a file beside
 * the model tells (src/run/marks.h).
 */
#ifndef NXN_ENTRANT_H
#define NXN_ENTRANT_H

#include "analysis/logs/gamelog.h"
#include "src/run/experiment.h"
#include "base/file.h"
#include "src/run/pool.h"
#include "src/run/progress.h"
#include "src/run/share.h"

#include <pthread.h>
#include <stdatomic.h>

/* What all entrants share. */
struct tournament {
	uint64_t seed;
	int threads;
	int ranks;	    /* how many (src/run/ranks.h) */
	struct share share; /* of games, by entry and game, and of learners, by entry */
	bool times;
	char models[FOLDER_PATH_MAX]; /* their folder */
	char traces[FOLDER_PATH_MAX]; /* likewise */
	uint64_t traced;	      /* so many first games of everybody */
	struct gamelog played;	      /* by earlier runs */
	struct rowlog_writer log;
	struct pool *pool;
	struct progress progress;

	pthread_mutex_t lock; /* of writing to the log, and of the two below */
	enum status status;   /* of the first failure */
	struct why why;
	atomic_bool failed;
};

struct entrant {
	struct job training, games;
	struct tournament *tournament;
	struct entry *entry;
	uint64_t number; /* among those that train, or among the others */
	bool loads; /* its first instance reads the saved model, that of perhaps another rank */
	pthread_mutex_t lock;
	struct agent *owner;  /* the instance that the others borrow weights from */
	struct agent **agent; /* of each thread, NULL until it plays; one of them is owner */
};

/* STATUS_SYSTEM when memory runs out, or what is known of its training cannot be read. */
MUST_USE enum status entrant_init(struct entrant *entrant, struct tournament *tournament,
				  struct entry *entry, uint64_t number, struct why *why);
void entrant_fini(struct entrant *entrant);

/* Adds what is missing of it to the tournament's totals and its first job, if any, to the pool. */
void entrant_enter(struct entrant *entrant);

/*
 * Plays game INDEX with AGENT, of TRAINED training games, unless an earlier run has, and logs it as
 * one of CONFIG; if that run has not traced what should be, it is played again for its trace.
 * STATUS_STOPPED if it was abandoned; else as gamelog_append() and traces_play().
 */
MUST_USE enum status entrant_play(struct entrant *entrant, struct agent *agent, uint64_t trained,
				  uint64_t config, uint64_t index, struct why *why);

/*
 * Plays game INDEX, and traces it if it is to be traced and has not been. STATUS_STOPPED if it was
 * abandoned; else as traces_play().
 */
MUST_USE enum status entrant_game(struct entrant *entrant, struct agent *agent, uint64_t trained,
				  uint64_t index, struct outcome *outcome, struct why *why);

/* Whether game INDEX after TRAINED training games is to be traced and has not been. Any thread. */
bool entrant_trace_lacks(const struct entrant *entrant, uint64_t trained, uint64_t index);

/* The instance of THREAD, made when it is first asked for; fails as agent_new(). */
MUST_USE enum status entrant_instance(struct entrant *entrant, int thread, struct agent **agent,
				      struct why *why);

/* Frees all instances. None may be in use. */
void entrant_drop(struct entrant *entrant);

/* Fills in how many games blocks of training came to that ended in earlier runs. STATUS_SYSTEM. */
MUST_USE enum status entrant_recall(struct entrant *entrant, struct why *why);

/*
 * Reads into AGENT what the learner has become in the end, on whatever rank. STATUS_SYSTEM if that is not
 * there; else as its class says.
 */
MUST_USE enum status entrant_load(struct entrant *entrant, struct agent *agent, struct why *why);

/* The unit of the training job: the whole chain (training.c). */
void entrant_train(struct job *job, uint64_t unit, int thread);

/* Keeps the first failure and stops the tournament. Any thread. */
void tournament_fail(struct tournament *tournament, enum status status, const struct why *why);

/* Whether work should end now. Any thread. */
bool tournament_ending(const struct tournament *tournament);

#endif
