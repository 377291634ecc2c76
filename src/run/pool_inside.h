/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a pool is made of, for src/run/pool.c and for src/run/pool_ranks.c, which hands units out to
 * other ranks.
 *
 * On rank 0, and so on the only rank, the queue holds all units that no thread and no rank has been
 * given. On others it holds those that rank 0 has given to this one.
 */
#ifndef NXN_POOL_INSIDE_H
#define NXN_POOL_INSIDE_H

#include "src/run/pool.h"

#include <stdatomic.h>

struct worker {
	struct pool *pool;
	pthread_t thread;
	int number;
};

/*
 * How a pool works together with those of other ranks. All by the main thread, but for open() and
 * tell().
 */
struct pool_link {
	/* What PROGRESS counts from now on is added to that of rank 0. */
	void (*count)(struct pool *pool, struct progress *progress);
	/* Lets rank 0 open JOB; lets it have WORD. Locked. */
	void (*open)(struct pool *pool, struct job *job);
	void (*tell)(struct pool *pool, struct job *job, const uint64_t word[JOB_WORDS]);
	/* Sends and takes what there is. Whether anything was taken. */
	bool (*exchange)(struct pool *pool);
	/* Lets rank 0 know how far this one has come. */
	void (*report)(struct pool *pool);
	/*
	 * Exchanges the last notes, if the pool has begun, when no thread runs any more on this
	 * rank; frees.
	 */
	void (*close)(struct pool *pool);
};

struct pool {
	pthread_mutex_t lock;
	pthread_cond_t changed; /* a job came, the work is over, or a stop: for workers */
	pthread_cond_t wake;	/* likewise, or workers ran out of work: for the main thread */
	bool woken;
	struct range *first, **last;
	struct job *known, **known_last;
	uint64_t known_count;
	uint64_t busy;	/* units that run */
	uint64_t ended; /* units that have run */
	atomic_bool stopped;
	bool over; /* the work is, on all ranks; only with several */
	bool begun;
	bool keeps; /* the queue of all: rank 0 */
	int threads, started;
	const struct pool_link *link; /* NULL for one rank */
	struct pool_ranks *ranks;     /* the link's */

	pthread_mutex_t log; /* of what units write together, and of the two below */
	enum status status;  /* of the first failure */
	struct why why;
	struct worker worker[];
};

/* Appends RANGE. Locked. */
void pool_append(struct pool *pool, struct range *range);

/* Takes COUNT units, or as many as there are, from the first range. Locked. */
struct range pool_cut(struct pool *pool, uint64_t count);

/*
 * Finishes JOB, if no unit of it is left or will come, and none runs. Locked, but not while it
 * does.
 */
void pool_settle(struct pool *pool, struct job *job);

/* Hands out nothing more, on no rank; units that run come to their end. Any thread. */
void pool_stop(struct pool *pool);

/* Whether it has stopped. Any thread. */
static inline bool pool_stopped(const struct pool *pool)
{
	return atomic_load_explicit(&pool->stopped, memory_order_relaxed);
}

#endif
