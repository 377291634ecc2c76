/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Worker threads over a queue of jobs; see pool.h. One mutex guards the queue: a unit is a game, so
 * it is taken some thousand times a second at most.
 *
 * Invariant: a range is in the queue while units of it are left, and `busy` counts the units that
 * run; the work is over when the queue is empty and busy is 0, since only a running unit can add
 * jobs, and, where there are other ranks, when rank 0 has found all of them so.
 */
#include "src/run/pool_inside.h"

#include "base/clock.h"
#include "src/run/ranks.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

/* Seconds between looks for notes of other ranks: longer and longer while there are none. */
static const double PAUSE_MIN = 50e-6, PAUSE_MAX = 2e-3;

enum status pool_new(int threads, struct pool **pool, struct why *why)
{
	struct pool *p = calloc(1, sizeof *p + (size_t)threads * sizeof *p->worker);
	if (!p)
		return why_errno(why, "%d threads", threads);
	p->last = &p->first;
	p->known_last = &p->known;
	p->threads = threads;
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->changed, NULL);
	pthread_cond_init(&p->wake, NULL);
	*pool = p;
	return STATUS_OK;
}

enum status pool_new_shared(int threads, struct pool **pool, struct why *why)
{
	struct pool *p;
	enum status status = pool_new(threads, &p, why);
	if (status)
		return status;
	if (ranks_size() > 1)
		status = hand_new(p, why);
	if (status)
		pool_free(p);
	else
		*pool = p;
	return status;
}

void pool_wake(struct pool *pool)
{
	pool->woken = true;
	pthread_cond_signal(&pool->wake);
}

void pool_append(struct pool *pool, struct range *range)
{
	range->after = NULL;
	range->job->waiting++;
	*pool->last = range;
	pool->last = &range->after;
	pthread_cond_broadcast(&pool->changed);
}

struct range pool_cut(struct pool *pool, uint64_t count)
{
	struct range *first = pool->first;
	const uint64_t left = first->end - first->next;
	const struct range cut = {.job = first->job,
				  .next = first->next,
				  .end = first->next + (count < left ? count : left)};
	first->next = cut.end;
	if (cut.end < first->end)
		return cut;
	pool->first = first->after;
	if (!pool->first)
		pool->last = &pool->first;
	cut.job->waiting--;
	first->job = NULL;
	return cut;
}

void pool_settle(struct pool *pool, struct job *job)
{
	if (!job->closed || job->waiting || job->running || job->finished)
		return;
	job->finished = true;
	if (!job->finish)
		return;
	pool->busy++;
	pthread_mutex_unlock(&pool->lock);
	job->finish(job);
	pthread_mutex_lock(&pool->lock);
	pool->busy--;
}

void pool_know(struct pool *pool, struct job *job)
{
	if (job->known)
		return;
	job->known = true;
	job->number = pool->known_count++;
	job->known_after = NULL;
	*pool->known_last = job;
	pool->known_last = &job->known_after;
}

void pool_add(struct pool *pool, struct job *job)
{
	pthread_mutex_lock(&pool->lock);
	if (!pool->begun)
		pool_know(pool, job);
	assert(job->known);
	if (!pool->hand || hand_keeps(pool->hand)) {
		job->whole = (struct range){.job = job, .next = job->next, .end = job->end};
		job->closed = true;
		pool_append(pool, &job->whole);
		pool_wake(pool);
	} else if (pool->begun) {
		hand_open(pool->hand, job);
		pool_wake(pool);
	}
	pthread_mutex_unlock(&pool->lock);
}

void pool_count(struct pool *pool, struct progress *progress)
{
	if (pool->hand)
		hand_count(pool->hand, progress);
}

static bool pool_over(const struct pool *pool)
{
	if (pool_stopped(pool))
		return true;
	return pool->hand ? pool->over : !pool->first && !pool->busy;
}

/* Takes the next unit, waiting for one while others run; NULL when the work is over. Locked. */
static struct job *pool_take(struct pool *pool, uint64_t *unit)
{
	while (!pool->first && !pool_over(pool)) {
		pool_wake(pool);
		pthread_cond_wait(&pool->changed, &pool->lock);
	}
	if (pool_over(pool))
		return NULL;
	const struct range cut = pool_cut(pool, 1);
	*unit = cut.next;
	cut.job->running++;
	pool->busy++;
	return cut.job;
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
		job->running--;
		pool_settle(pool, job);
		pool->busy--;
		pool->ended++;
		if (pool_over(pool)) {
			pthread_cond_broadcast(&pool->changed);
			pool_wake(pool);
		}
	}
	pthread_mutex_unlock(&pool->lock);
	return NULL;
}

enum status pool_start(struct pool *pool, struct why *why)
{
	pool->begun = true;
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

/* The wall clock as pthread_cond_timedwait() counts it, so many seconds later. */
static struct timespec time_after(double seconds)
{
	struct timespec until;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += (long)(seconds * 1e9);
	until.tv_sec += until.tv_nsec / 1000000000L;
	until.tv_nsec %= 1000000000L;
	return until;
}

/* Waits until woken or for SECONDS. Locked. */
static void wake_await(struct pool *pool, double seconds)
{
	const struct timespec until = time_after(seconds);
	int error = 0;
	while (!error && !pool->woken && !pool_over(pool))
		error = pthread_cond_timedwait(&pool->wake, &pool->lock, &until);
}

/* With other ranks, whose notes have to be looked for. Locked, but not while it looks. */
static void notes_await(struct pool *pool, double end)
{
	double pause = PAUSE_MIN;
	for (bool over = false; !over;) {
		pool->woken = false;
		pthread_mutex_unlock(&pool->lock);
		const bool some = hand_exchange(pool);
		const double left = end - clock_seconds();
		pthread_mutex_lock(&pool->lock);
		pause = some ? PAUSE_MIN : fmin(2 * pause, PAUSE_MAX);
		over = left <= 0 || pool_over(pool);
		if (!over)
			wake_await(pool, fmin(pause, left));
	}
	hand_report(pool->hand);
}

bool pool_wait(struct pool *pool, int milliseconds)
{
	const double end = clock_seconds() + milliseconds / 1e3;
	pthread_mutex_lock(&pool->lock);
	if (pool->hand)
		notes_await(pool, end);
	else
		while (!pool_over(pool) && clock_seconds() < end) {
			pool->woken = false;
			wake_await(pool, end - clock_seconds());
		}
	const bool over = pool_over(pool);
	pthread_mutex_unlock(&pool->lock);
	return over;
}

void pool_stop(struct pool *pool)
{
	pthread_mutex_lock(&pool->lock);
	atomic_store(&pool->stopped, true);
	pthread_cond_broadcast(&pool->changed);
	pool_wake(pool);
	pthread_mutex_unlock(&pool->lock);
}

bool pool_stopped(const struct pool *pool)
{
	return atomic_load_explicit(&pool->stopped, memory_order_relaxed);
}

void pool_tell(struct pool *pool, struct job *job, const uint64_t word[JOB_WORDS])
{
	if (!pool->hand || hand_keeps(pool->hand)) {
		job->told(job, word);
		return;
	}
	pthread_mutex_lock(&pool->lock);
	hand_tell(pool->hand, job, word);
	pool_wake(pool);
	pthread_mutex_unlock(&pool->lock);
}

void pool_free(struct pool *pool)
{
	if (!pool)
		return;
	for (int i = 0; i < pool->started; i++)
		pthread_join(pool->worker[i].thread, NULL);
	if (pool->hand)
		hand_free(pool);
	pthread_cond_destroy(&pool->wake);
	pthread_cond_destroy(&pool->changed);
	pthread_mutex_destroy(&pool->lock);
	free(pool);
}
