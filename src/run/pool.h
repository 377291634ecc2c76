/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Worker threads over a queue of jobs. A job is a range of units, one game each; units are handed
 * out one by one, in order, the first job first, so that a billion games cost no memory. A unit may
 * add jobs. What a unit computes must not depend on the thread or on the order of units.
 *
 * Where there are several ranks (src/run/ranks.h), each makes the same shared pool of the same jobs, and every
 * unit is done by one of them. So a unit may only rely on what its rank has, or finds in the shared folder;
 * and a job that a unit adds is added on one rank, and done by all.
 */
#ifndef NXN_POOL_H
#define NXN_POOL_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

struct job;
struct pool;
struct progress;

/* Units that are waiting for a thread of this rank. The pool's own. */
struct range {
	struct job *job;
	uint64_t next, end;
	struct range *after;
};

enum { JOB_WORDS = 4 };

struct job {
	/* Does unit UNIT on worker THREAD, 0 <= THREAD < threads. */
	void (*run)(struct job *job, uint64_t unit, int thread);
	/* Called once when all units have been handed out and none runs here, on some thread; may be NULL. */
	void (*finish)(struct job *job);
	/* Takes on rank 0 what pool_tell() was given, on some thread; may be NULL. */
	void (*told)(struct job *job, const uint64_t word[JOB_WORDS]);
	uint64_t next, end; /* units */

	/* The pool's own. */
	struct range whole;
	uint64_t running, waiting;    /* units that run on this rank, ranges in its queue */
	uint64_t number;	      /* the same on all ranks */
	bool known, closed, finished; /* announced; no ranges will come; it has been finished */
	struct job *known_after, *opened_after;
};

/*
 * Makes a pool without threads yet, whose units are all done by this rank; or one whose units are shared by all
 * ranks, on all of them. STATUS_SYSTEM when memory runs out.
 */
MUST_USE enum status pool_new(int threads, struct pool **pool, struct why *why);
MUST_USE enum status pool_new_shared(int threads, struct pool **pool, struct why *why);

/*
 * Announces a job that may be added later. On all ranks the same jobs, in the same order, before
 * pool_start(); pool_add() is an announcement, too.
 */
void pool_know(struct pool *pool, struct job *job);

/*
 * Appends JOB, which the caller keeps until pool_free(). At least one unit. Before pool_start() on all
 * ranks; after it by any thread of one rank, if the job is known.
 */
void pool_add(struct pool *pool, struct job *job);

/*
 * What other ranks count in PROGRESS from now on is added to that of rank 0. Before pool_start(), and after what all
 * ranks know is counted.
 */
void pool_count(struct pool *pool, struct progress *progress);

/*
 * Starts the threads; all ranks do, once they have agreed that they are ready. STATUS_SYSTEM if that
 * fails; then the pool has stopped, and pool_free() is due as usual.
 */
MUST_USE enum status pool_start(struct pool *pool, struct why *why);

/* Waits at most MILLISECONDS; whether all jobs are done on all ranks, or the pool has stopped. */
bool pool_wait(struct pool *pool, int milliseconds);

/* Hands out nothing more, on no rank; units that run come to their end. Any thread. */
void pool_stop(struct pool *pool);

/* Whether it has stopped, here or on another rank: then units had better end soon. Any thread; cheap. */
bool pool_stopped(const struct pool *pool);

/* Lets rank 0 have WORD, through job->told(). From a unit of JOB. */
void pool_tell(struct pool *pool, struct job *job, const uint64_t word[JOB_WORDS]);

/* Joins the threads, which must be stopped or out of work, on all ranks. */
void pool_free(struct pool *pool);

#endif
