/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The scheduler; see pool.h. One mutex guards the queue: a unit is a game, so it is taken some
 * thousand times a second at most.
 *
 * Invariant: a range is in the queue while units of it are left, and `busy` counts the units that
 * run; the work is over when the queue is empty and busy is 0, since only a running unit can add
 * jobs, and, where there are other ranks, when rank 0 has found all of them so.
 */
#include "src/run/pool_inside.h"

#include "base/clock.h"
#include "base/stop.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

/* Seconds between looks for notes of other ranks: longer and longer while there are none. */
static const double PAUSE_MIN = 50e-6, PAUSE_MAX = 2e-3;

/* Seconds between two looks at requests to stop, and of the progress line. */
static const double LOOK = 0.25;

enum status pool_new(int threads, struct pool **pool, struct why *why)
{
	struct pool *p = calloc(1, sizeof *p + (size_t)threads * sizeof *p->worker);
	if (!p)
		return why_errno(why, "%d threads", threads);
	p->last = &p->first;
	p->known_last = &p->known;
	p->threads = threads;
	p->keeps = true;
	pthread_mutex_init(&p->lock, NULL);
	pthread_mutex_init(&p->log, NULL);
	pthread_cond_init(&p->changed, NULL);
	pthread_cond_init(&p->wake, NULL);
	*pool = p;
	return STATUS_OK;
}

/* Ends the waiting of the main thread. Locked. */
static void pool_wake(struct pool *pool)
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
	if (pool->keeps) {
		job->whole = (struct range){.job = job, .next = job->next, .end = job->end};
		job->closed = true;
		pool_append(pool, &job->whole);
		pool_wake(pool);
	} else if (pool->begun) {
		pool->link->open(pool, job);
		pool_wake(pool);
	}
	pthread_mutex_unlock(&pool->lock);
}

static bool pool_over(const struct pool *pool)
{
	if (pool_stopped(pool))
		return true;
	return pool->link ? pool->over : !pool->first && !pool->busy;
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
	struct why why;
	pthread_mutex_lock(&pool->lock);
	for (struct job *job; (job = pool_take(pool, &unit));) {
		pthread_mutex_unlock(&pool->lock);
		const enum status status = job->run(job, unit, worker->number, &why);
		if (status == STATUS_STOPPED)
			pool_stop(pool); /* the unit is not done */
		else if (status)
			pool_fail(pool, status, &why);
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

static enum status threads_start(struct pool *pool, struct why *why)
{
	pool->begun = true;
	for (; pool->started < pool->threads; pool->started++) {
		struct worker *worker = &pool->worker[pool->started];
		worker->pool = pool;
		worker->number = pool->started;
		int error = pthread_create(&worker->thread, NULL, work, worker);
		if (error) {
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
		const bool some = pool->link->exchange(pool);
		const double left = end - clock_seconds();
		pthread_mutex_lock(&pool->lock);
		pause = some ? PAUSE_MIN : fmin(2 * pause, PAUSE_MAX);
		over = left <= 0 || pool_over(pool);
		if (!over)
			wake_await(pool, fmin(pause, left));
	}
	pool->link->report(pool);
}

/*
 * Waits for LOOK seconds at most; whether all jobs are done on all ranks, or the pool has stopped.
 */
static bool pool_wait(struct pool *pool)
{
	const double end = clock_seconds() + LOOK;
	pthread_mutex_lock(&pool->lock);
	if (pool->link)
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

enum status pool_run(struct pool *pool, struct progress *progress, struct why *why)
{
	if (progress && pool->link)
		pool->link->count(pool, progress);
	enum status status = threads_start(pool, why);
	if (status)
		pool_fail(pool, status, why);
	/* Once at least, however short the work is: what is known is worth a look. */
	do {
		if (stop_requested())
			pool_stop(pool);
		if (progress)
			progress_show(progress);
	} while (!pool_wait(pool));
	for (int i = 0; i < pool->started; i++)
		pthread_join(pool->worker[i].thread, NULL);
	status = pool->status ? pool->status : pool_stopped(pool) ? STATUS_STOPPED : STATUS_OK;
	if (pool->status)
		*why = pool->why;
	pool_free(pool);
	return status;
}

/* Between log_begin() and log_end(). */
static void failure_keep(struct pool *pool, enum status status, const struct why *why)
{
	if (!pool->status) {
		pool->status = status;
		pool->why = *why;
	}
}

void pool_fail(struct pool *pool, enum status status, const struct why *why)
{
	pthread_mutex_lock(&pool->log);
	failure_keep(pool, status, why);
	pthread_mutex_unlock(&pool->log);
	pool_stop(pool);
}

bool pool_ending(const struct pool *pool)
{
	return stop_requested() || pool_stopped(pool);
}

bool pool_play_on(void *pool, const struct turn *turn, int move, const struct decision *decision)
{
	(void)turn;
	(void)move;
	(void)decision;
	return !pool_ending(pool);
}

bool pool_log_begin(struct pool *pool)
{
	pthread_mutex_lock(&pool->log);
	if (!pool->status)
		return true;
	pthread_mutex_unlock(&pool->log);
	return false;
}

enum status pool_log_end(struct pool *pool, enum status status, const struct why *why)
{
	const bool failed = status && status != STATUS_STOPPED;
	if (failed)
		failure_keep(pool, status, why);
	pthread_mutex_unlock(&pool->log);
	if (failed)
		pool_stop(pool);
	return status;
}

enum status pool_tell(struct pool *pool, struct job *job, const uint64_t word[JOB_WORDS],
		      struct why *why)
{
	if (pool->keeps)
		return job->told(job, word, why);
	pthread_mutex_lock(&pool->lock);
	pool->link->tell(pool, job, word);
	pool_wake(pool);
	pthread_mutex_unlock(&pool->lock);
	return STATUS_OK;
}

void pool_free(struct pool *pool)
{
	if (!pool)
		return;
	if (pool->link)
		pool->link->close(pool);
	pthread_cond_destroy(&pool->wake);
	pthread_cond_destroy(&pool->changed);
	pthread_mutex_destroy(&pool->log);
	pthread_mutex_destroy(&pool->lock);
	free(pool);
}

/* ---- Instances. */

enum status instances_init(struct instances *instances, const struct game *game, const char *agent,
			   int threads, struct why *why)
{
	*instances =
	    (struct instances){.game = game,
			       .agent = agent,
			       .threads = threads,
			       .lock = PTHREAD_MUTEX_INITIALIZER,
			       .agent_of = calloc((size_t)threads, sizeof(struct agent *))};
	return instances->agent_of ? STATUS_OK : why_errno(why, "%d threads", threads);
}

enum status instances_get(struct instances *instances, int thread, struct agent **agent,
			  struct why *why)
{
	struct agent **mine = &instances->agent_of[thread];
	enum status status = STATUS_OK;
	if (!*mine) {
		pthread_mutex_lock(&instances->lock);
		struct agent *owner = instances->owner;
		const struct agent_env env = {.game = instances->game,
					      .owner = owner ? owner->self : NULL};
		status = agent_new(instances->agent, &env, mine, why);
		if (!status && !owner) {
			instances->owner = *mine;
			if (instances->load)
				status = instances->load(instances->context, *mine, why);
		}
		pthread_mutex_unlock(&instances->lock);
	}
	*agent = *mine;
	return status;
}

void instances_drop(struct instances *instances)
{
	for (int i = 0; instances->agent_of && i < instances->threads; i++) {
		if (instances->agent_of[i] != instances->owner)
			agent_free(instances->agent_of[i]);
		instances->agent_of[i] = NULL;
	}
	agent_free(instances->owner);
	instances->owner = NULL;
}

void instances_fini(struct instances *instances)
{
	instances_drop(instances);
	free(instances->agent_of);
	instances->agent_of = NULL;
	pthread_mutex_destroy(&instances->lock);
}
