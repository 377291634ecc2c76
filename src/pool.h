/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Worker threads over a queue of jobs. A job is a range of units, one game each; units are handed
 * out one by one, in order, the first job first, so that a billion games cost no memory. A unit may
 * add jobs. What a unit computes must not depend on the thread or on the order of units.
 */
#ifndef NXN_POOL_H
#define NXN_POOL_H

#include "boards/status.h"

#include <stdbool.h>
#include <stdint.h>

struct job {
	/* Does unit UNIT on worker THREAD, 0 <= THREAD < threads. */
	void (*run)(struct job *job, uint64_t unit, int thread);
	/* Called once after the last unit has ended, on some worker; may be NULL. */
	void (*finish)(struct job *job);
	uint64_t next, end; /* units not yet handed out */
	uint64_t running;   /* the pool's own */
	struct job *after;  /* the pool's own */
};

struct pool;

/* Makes a pool without threads yet. STATUS_SYSTEM when memory runs out. */
MUST_USE enum status pool_new(int threads, struct pool **pool, struct why *why);

/* Appends JOB, which the caller keeps until pool_free(). Any thread. At least one unit. */
void pool_add(struct pool *pool, struct job *job);

/*
 * Starts the threads. STATUS_SYSTEM if that fails; then stop and pool_free() as usual.
 */
MUST_USE enum status pool_start(struct pool *pool, struct why *why);

/* Waits at most MILLISECONDS; whether all jobs are done, or the pool has stopped. */
bool pool_wait(struct pool *pool, int milliseconds);

/* Hands out nothing more; units that run come to their end. Any thread. */
void pool_stop(struct pool *pool);

/* Joins the threads, which must be stopped or out of work. */
void pool_free(struct pool *pool);

#endif
