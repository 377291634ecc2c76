/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The scheduler: worker threads over a queue of jobs, with what all experiments need of them. A job
 * is a range of units, one game each; units are handed out in order, the first job first, so that a
 * billion games cost no memory. A unit may add jobs. What a unit computes must not
 * depend on the thread or on the order of units.
 *
 * The first unit that fails ends the work of all, as a request to stop does (base/stop.h). What
 * units write together, such as a log, they write between pool_log_begin() and pool_log_end().
 *
 * Where there are several ranks (src/games/ranks.h), each makes the same shared pool of the same
 * jobs, and every unit is done by one of them. So a unit may only rely on what its rank has, or
 * finds in the shared folder; and a job that a unit adds is added on one rank, and done by all.
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
	 * Does unit UNIT on worker THREAD, 0 <= THREAD < threads. A failure, or STATUS_STOPPED,
	 * ends the work.
	 */
	enum status (*run)(struct job *job, uint64_t unit, int thread, struct why *why);
	/*
	 * Called once when all units have been handed out and none runs here, on some thread; may
	 * be NULL.
	 */
	void (*finish)(struct job *job);
	uint64_t next, end; /* units */

	/* The pool's own. */
	struct job *after;
	uint64_t number;  /* the same on all ranks */
	uint64_t seen;	  /* units that are known to have been handed out */
	uint64_t running; /* workers of this rank that have some */
	bool known, open, exhausted, finished;
};

/*
 * Makes a pool whose units are all done by this rank; or one whose units are shared by all ranks,
 * on all of them.
 */
struct pool *pool_new(int threads);
struct pool *pool_new_shared(int threads);

/*
 * Announces a job that may be added later. On all ranks the same jobs, in the same order, before
 * pool_run(); pool_add() is an announcement, too. Units are handed out in the order of announcements.
 */
void pool_announce(struct pool *pool, struct job *job);

/*
 * Appends JOB, which the caller keeps until the pool is freed. At least one unit. Before pool_run()
 * on all ranks; during it by any thread of one rank, if the job is known.
 */
void pool_add(struct pool *pool, struct job *job);

/*
 * Does all jobs, shows PROGRESS unless it is NULL, and frees POOL; all ranks do, once they have
 * agreed that they are ready. Rank 0 gets what other ranks count in PROGRESS from now on. The first
 * failure of a unit of this rank, or of starting the threads; STATUS_STOPPED if the work was ended
 * before it was done.
 */
MUST_USE enum status pool_run(struct pool *pool, struct progress *progress, struct why *why);

/*
 * Whether the work has to end, here or on another rank: then units had better end soon. Any thread;
 * cheap.
 */
bool pool_ending(const struct pool *pool);

/*
 * A struct play_watch's move, with the pool as its context: abandons the game when the work has to
 * end.
 */
bool pool_continues(void *pool, const struct turn *turn, int move, const struct decision *decision);

/*
 * Begins writing; false, and nothing to end, after a failure: a torn line must stay the last of a
 * log. Ends it with STATUS and WHY, which it returns, and which are a failure of the work. Any
 * thread.
 */
MUST_USE bool pool_log_begin(struct pool *pool);
MUST_USE enum status pool_log_end(struct pool *pool, enum status status, const struct why *why);

/* Frees a pool that has not run. Fine on NULL. */
void pool_free(struct pool *pool);

/* ---- Instances of one agent, one per thread, made when they are first asked for. */

struct instances {
	const struct game *game;
	const char *agent; /* the caller's, as the game */
	/* Fills in what the first one has learned, which the others borrow; NULL: nothing. */
	enum status (*load)(void *context, struct agent *agent, struct why *why);
	void *context;

	/* Their own. */
	int threads;
	pthread_mutex_t lock;
	struct agent *owner, **agent_of; /* the first; of each thread */
};

/* Those of AGENT on GAME; load is NULL. */
void instances_init(struct instances *instances, const struct game *game, const char *agent,
		    int threads);

/* The instance of THREAD. As agent_new() and load(). */
MUST_USE enum status instances_get(struct instances *instances, int thread, struct agent **agent,
				   struct why *why);

/* Frees all that were made; none may be in use. They are made anew if they are asked for again. */
void instances_drop(struct instances *instances);
void instances_fini(struct instances *instances);

#endif
