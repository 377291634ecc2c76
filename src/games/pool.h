/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The scheduler: worker threads that share a queue of jobs. A job is a range of units, such as
 * games. Units are handed out in order, one job after the other, so a billion games need no memory.
 * A unit may add jobs. The result of a unit must not depend on the thread or on the order of units.
 *
 * The first unit that fails ends all work, like a request to stop (base/stop.h). Units write to
 * shared files, such as a log, between pool_log_begin() and pool_log_end().
 *
 * If there are several ranks (src/games/ranks.h), each creates the same shared pool with the same
 * jobs, and every unit is done by one of them. A unit may therefore only use data of its rank or of
 * the shared folder. A job that a unit adds is added on one rank and done by all.
 */
#ifndef NXN_POOL_H
#define NXN_POOL_H

#include "agents/play.h"
#include "src/games/progress.h"

#include <pthread.h>

struct job;
struct pool;

struct job {
	/*
	 * Runs unit UNIT on worker THREAD, 0 <= THREAD < threads. A status other than STATUS_OK
	 * ends all work.
	 */
	enum status (*run)(struct job *job, uint64_t unit, int thread, struct why *why);
	/*
	 * Called once on some thread when all units have been handed out and none is running on
	 * this rank. May be NULL.
	 */
	void (*finish)(struct job *job);
	uint64_t next, end; /* range of units left */

	/* Private. */
	struct job *after;
	uint64_t number;  /* the same on all ranks */
	uint64_t seen;	  /* units known to be handed out */
	uint64_t running; /* workers of this rank that have units of the job */
	bool known, open, exhausted, finished;
};

/* Create a pool whose units are all done by this rank; or a shared pool, which all ranks create. */
struct pool *pool_new(int threads);
struct pool *pool_new_shared(int threads);

/*
 * Announces a job that may be added later. All ranks announce the same jobs in the same order
 * before pool_run(); pool_add() also announces. Units are handed out in the order of announcements.
 */
void pool_announce(struct pool *pool, struct job *job);

/*
 * Adds JOB, which has at least one unit and which the caller keeps until the pool is freed. Before
 * pool_run() all ranks add it; during the run any thread of one rank may, if the job was announced.
 */
void pool_add(struct pool *pool, struct job *job);

/*
 * Runs all jobs, shows PROGRESS unless it is NULL, and frees POOL. All ranks call it, after
 * agreeing that they are ready. Rank 0 adds the progress of the other ranks to PROGRESS. Returns
 * the first failure of a unit of this rank, or of starting threads; STATUS_STOPPED if work was left
 * undone.
 */
MUST_USE enum status pool_run(struct pool *pool, struct progress *progress, struct why *why);

/*
 * Whether the work must end, on this or another rank; units should then end soon. Any thread; fast.
 */
bool pool_ending(const struct pool *pool);

/*
 * For `move` of struct play_watch, with the pool as context: abandons the game if the work must
 * end.
 */
bool pool_continues(void *pool, const struct turn *turn, int move, const struct decision *decision);

/*
 * pool_log_begin() locks shared files for writing. It returns false, and pool_log_end() must not be
 * called, after a failure, so that an incomplete line remains the last one of a log. pool_log_end()
 * records the failure STATUS and WHY, if it is one, and returns STATUS. Any thread.
 */
MUST_USE bool pool_log_begin(struct pool *pool);
MUST_USE enum status pool_log_end(struct pool *pool, enum status status, const struct why *why);

/* Frees a pool that has not run. NULL is allowed. */
void pool_free(struct pool *pool);

/* ---- Instances of one agent, one per thread, created on demand. */

struct instances {
	const struct game *game;
	const char *agent; /* borrowed, like `game` */
	/* Loads the weights of the first instance, which the others use; NULL: nothing. */
	enum status (*load)(void *context, struct agent *agent, struct why *why);
	void *context;

	/* Private. */
	int threads;
	pthread_mutex_t lock;
	struct agent *owner, **agent_of; /* the first instance; that of each thread */
};

/* Initialises instances of AGENT on GAME, without load(). */
void instances_init(struct instances *instances, const struct game *game, const char *agent,
		    int threads);

/* Sets *AGENT to the instance of THREAD. Errors as agent_new() and load(). */
MUST_USE enum status instances_get(struct instances *instances, int thread, struct agent **agent,
				   struct why *why);

/* Frees all instances, none of which may be in use. They are created again on demand. */
void instances_drop(struct instances *instances);
void instances_fini(struct instances *instances);

#endif
