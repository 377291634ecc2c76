/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a pool is made of, for src/run/pool.c and for src/run/pool_ranks.c, which hands units out to other ranks.
 *
 * On rank 0, and so on the only rank, the queue holds all units that no thread and no rank has been
 * given. On others it holds those that rank 0 has given to this one.
 */
#ifndef NXN_POOL_INSIDE_H
#define NXN_POOL_INSIDE_H

#include "src/run/pool.h"

#include <pthread.h>
#include <stdatomic.h>

struct worker {
	struct pool *pool;
	pthread_t thread;
	int number;
};

struct hand;

struct pool {
	pthread_mutex_t lock;
	pthread_cond_t changed; /* a job came, the work is over, or a stop: for workers */
	pthread_cond_t wake;	/* likewise, or workers ran out of work: for pool_wait() */
	bool woken;
	struct range *first, **last;
	struct job *known, **known_last;
	uint64_t known_count;
	uint64_t busy;	/* units that run */
	uint64_t ended; /* units that have run */
	atomic_bool stopped;
	bool over; /* the work is, on all ranks; only with several */
	bool begun;
	int threads, started;
	struct hand *hand; /* NULL for one rank */
	struct worker worker[];
};

/* Appends RANGE. Locked. */
void pool_append(struct pool *pool, struct range *range);

/* Takes COUNT units, or as many as there are, from the first range. Locked. */
struct range pool_cut(struct pool *pool, uint64_t count);

/* Finishes JOB, if no unit of it is left or will come, and none runs. Locked, but not while it does. */
void pool_settle(struct pool *pool, struct job *job);

/* Ends pool_wait(), or the waiting in it. Locked. */
void pool_wake(struct pool *pool);

/* ---- pool_ranks.c: all of it by the main thread, but for hand_open() and hand_tell(). */

MUST_USE enum status hand_new(struct pool *pool, struct why *why);
void hand_count(struct hand *hand, struct progress *progress);

/* Whether this rank has the queue of all. */
bool hand_keeps(const struct hand *hand);

/* Lets rank 0 open JOB; lets it have WORD. Locked. */
void hand_open(struct hand *hand, struct job *job);
void hand_tell(struct hand *hand, struct job *job, const uint64_t word[JOB_WORDS]);

/* Sends and takes what there is. Whether anything was taken. */
bool hand_exchange(struct pool *pool);

/* Lets rank 0 know how far this one has come. */
void hand_report(struct hand *hand);

/* Exchanges the last notes, if the pool has begun, when no thread runs any more on this rank; frees. */
void hand_free(struct pool *pool);

#endif
