/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Worker threads over a queue of jobs; see pool.h. One mutex guards the queue: a unit is a game, so
 * it is taken some thousand times a second at most.
 *
 * Invariant: a job is in the queue while units of it are left, and `busy` counts the units that
 * run; the work is over when the queue is empty and busy is 0, since only a running unit can add
 * jobs.
 */
#include "src/pool.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

struct worker {
	struct pool *pool;
	pthread_t thread;
	int number;
};

struct pool {
	pthread_mutex_t lock;
	pthread_cond_t changed; /* a job came, the work is over, or a stop */
	struct job *first, **last;
	uint64_t busy;
	bool stopped;
	int threads, started;
	struct worker worker[];
};

enum status pool_new(int threads, struct pool **pool, struct why *why)
{
	struct pool *p = calloc(1, sizeof *p + (size_t)threads * sizeof *p->worker);
	if (!p)
		return why_errno(why, "%d threads", threads);
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->changed, NULL);
	p->last = &p->first;
	p->threads = threads;
	*pool = p;
	return STATUS_OK;
}

void pool_add(struct pool *pool, struct job *job)
{
	pthread_mutex_lock(&pool->lock);
	job->after = NULL;
	*pool->last = job;
	pool->last = &job->after;
	pthread_cond_broadcast(&pool->changed);
	pthread_mutex_unlock(&pool->lock);
}

static bool pool_over(const struct pool *pool)
{
	return pool->stopped || (!pool->first && !pool->busy);
}

/* Takes the next unit, waiting for one while others run; NULL when the work is over. Locked. */
static struct job *pool_take(struct pool *pool, uint64_t *unit)
{
	while (!pool->first && !pool_over(pool))
		pthread_cond_wait(&pool->changed, &pool->lock);
	if (pool_over(pool))
		return NULL;
	struct job *job = pool->first;
	*unit = job->next++;
	job->running++;
	pool->busy++;
	if (job->next == job->end) {
		pool->first = job->after;
		if (!pool->first)
			pool->last = &pool->first;
	}
	return job;
}

static void *work(void *argument)
{
	struct worker *worker = argument;
	struct pool *pool = worker->pool;
	uint64_t unit;
	pthread_mutex_lock(&pool->lock);
	for (struct job *job; (job = pool_take(pool, &unit));) {
		pthread_mutex_unlock(&pool->lock);
		job->run(job, unit, worker->number);
		pthread_mutex_lock(&pool->lock);
		if (--job->running == 0 && job->next == job->end && job->finish) {
			pthread_mutex_unlock(&pool->lock);
			job->finish(job);
			pthread_mutex_lock(&pool->lock);
		}
		pool->busy--;
		if (pool_over(pool))
			pthread_cond_broadcast(&pool->changed);
	}
	pthread_mutex_unlock(&pool->lock);
	return NULL;
}

enum status pool_start(struct pool *pool, struct why *why)
{
	for (; pool->started < pool->threads; pool->started++) {
		struct worker *worker = &pool->worker[pool->started];
		worker->pool = pool;
		worker->number = pool->started;
		int error = pthread_create(&worker->thread, NULL, work, worker);
		if (error) {
			pool_stop(pool);
			errno = error;
			return why_errno(why, "thread %d of %d could not be started",
					 pool->started + 1, pool->threads);
		}
	}
	return STATUS_OK;
}

bool pool_wait(struct pool *pool, int milliseconds)
{
	struct timespec until;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += milliseconds * 1000000L;
	until.tv_sec += until.tv_nsec / 1000000000L;
	until.tv_nsec %= 1000000000L;
	pthread_mutex_lock(&pool->lock);
	int error = 0;
	while (!error && !pool_over(pool))
		error = pthread_cond_timedwait(&pool->changed, &pool->lock, &until);
	bool over = pool_over(pool);
	pthread_mutex_unlock(&pool->lock);
	return over;
}

void pool_stop(struct pool *pool)
{
	pthread_mutex_lock(&pool->lock);
	pool->stopped = true;
	pthread_cond_broadcast(&pool->changed);
	pthread_mutex_unlock(&pool->lock);
}

void pool_free(struct pool *pool)
{
	if (!pool)
		return;
	for (int i = 0; i < pool->started; i++)
		pthread_join(pool->worker[i].thread, NULL);
	pthread_cond_destroy(&pool->changed);
	pthread_mutex_destroy(&pool->lock);
	free(pool);
}
