/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The scheduler; see pool.h.
 *
 * Counters decide which thread runs which unit: how many units of each job are handed out, how many
 * threads have units, and so on. With one rank they are in its memory. With several ranks they are
 * on rank 0, and all ranks add to them (ranks_link.counters_add). A thread takes units without
 * coordination: it adds to the counter of a job, and the units between the old value and the new
 * one are its own. With one rank it takes one unit at a time. With several it uses guided
 * self-scheduling (Polychronopoulos and Kuck 1987): its share, by threads, of the units that are
 * left, divided by GUIDE. This needs few messages, and all ranks still end at nearly the same time.
 *
 * The work is over when no thread has units and no job has any left. A thread that checks the two
 * conditions one after the other may miss what another thread does in between. Therefore a thread
 * adds first to COUNTER_BUSY, then to COUNTER_TAKES, and then to the counter of the job. A thread
 * that finds no unit concludes that the work is over only if no thread was busy before it looked
 * and COUNTER_TAKES did not change meanwhile. Invariant: only a busy thread adds jobs.
 *
 * A rank halts after a signal, which ends all ranks, or after a failure, which ranks_agree()
 * reports.
 */
#include "src/games/pool.h"

#include "base/clock.h"
#include "base/stop.h"
#include "base/xalloc.h"
#include "src/games/ranks.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

/* Seconds between two searches for work of other ranks; grows while there is none. */
static const double PAUSE_MIN = 50e-6, PAUSE_MAX = 2e-3;

/* Seconds between two checks for requests to stop and updates of the progress line. */
static const double LOOK = 0.25;

enum { GUIDE = 4, COUNTS = 2 * PROGRESS_COUNTS + 1 };

/* Followed by two counters per job. */
enum {
	COUNTER_BUSY,	  /* threads that have units or are looking for some */
	COUNTER_TAKES,	  /* attempts to take units */
	COUNTER_HALT,	  /* ranks that have halted */
	COUNTER_SIGNAL,	  /* the signal of the first of them */
	COUNTER_PROGRESS, /* progress of ranks other than 0 */
	WORD_JOBS = COUNTER_PROGRESS + COUNTS
};

struct worker {
	struct pool *pool;
	pthread_t thread;
	int number;
	struct job *job; /* job of its units */
	uint64_t next, end;
};

struct pool {
	pthread_mutex_t lock;
	pthread_cond_t changed; /* for workers: a job was added, units ended, or the work ended */
	pthread_cond_t wake;	/* for the main thread: the work ended */
	uint64_t *counter;	/* with one rank */
	struct job *first, **last; /* all announced jobs */
	struct job *at;		   /* jobs before this one are handed out */
	uint64_t jobs;
	atomic_bool stopped;
	bool over, begun, shared, halted;
	int threads, started;
	uint64_t counted[COUNTS]; /* progress exchanged with rank 0 so far */

	pthread_mutex_t log; /* guards shared files and the two members below */
	enum status status;  /* the first failure */
	struct why why;
	struct worker worker[];
};

/* ---- Counters. The caller holds the lock. */

/* Adds X to counter I. Returns the old value. */
static uint64_t counter_add(struct pool *pool, size_t i, uint64_t x)
{
	if (pool->shared)
		return ranks_link.counters_add(i, x);
	const uint64_t old = pool->counter[i];
	pool->counter[i] += x;
	return old;
}

static uint64_t counter_get(struct pool *pool, size_t i)
{
	return counter_add(pool, i, 0);
}

/* The counters of a job: units handed out; whether it was added after the work began. */
static size_t counter_next(const struct job *job)
{
	return WORD_JOBS + 2 * job->number;
}

static size_t counter_open(const struct job *job)
{
	return counter_next(job) + 1;
}

/* Creates the counters, all 0. All ranks call it. */
static void counters_make(struct pool *pool)
{
	const size_t count = WORD_JOBS + 2 * pool->jobs;
	if (pool->shared)
		ranks_link.counters_new(count);
	else
		pool->counter = xcalloc(count, sizeof *pool->counter);
}

/* ---- Ending the work. */

static inline bool pool_stopped(const struct pool *pool)
{
	return atomic_load_explicit(&pool->stopped, memory_order_relaxed);
}

/* Stops handing out units, because the work is OVER or was stopped. The caller holds the lock. */
static void pool_close(struct pool *pool, bool over)
{
	if (over)
		pool->over = true;
	else
		atomic_store(&pool->stopped, true);
	pthread_cond_broadcast(&pool->changed);
	pthread_cond_signal(&pool->wake);
}

/*
 * Stops handing out units on all ranks; units that are running continue to their end. Any thread.
 */
static void pool_stop(struct pool *pool)
{
	pthread_mutex_lock(&pool->lock);
	pool_close(pool, false);
	pthread_mutex_unlock(&pool->lock);
}

/*
 * Ends the work with the failure STATUS, unless there already is one. Any thread, but not between
 * pool_log_begin() and pool_log_end().
 */
static void pool_fail(struct pool *pool, enum status status, const struct why *why)
{
	pthread_mutex_lock(&pool->log);
	(void)!pool_log_end(pool, status, why);
}

/* Makes all ranks halt if one does. */
static void halt_agree(struct pool *pool)
{
	pthread_mutex_lock(&pool->lock);
	if (pool_stopped(pool) && !pool->halted) {
		pool->halted = true;
		if (counter_add(pool, COUNTER_HALT, 1) == 0)
			counter_add(pool, COUNTER_SIGNAL, (uint64_t)stop_signal());
	} else if (!pool->halted && counter_get(pool, COUNTER_HALT)) {
		const int signal = (int)counter_get(pool, COUNTER_SIGNAL);
		pool->halted = true;
		if (signal)
			stop_request(signal);
		pool_close(pool, false);
	}
	pthread_mutex_unlock(&pool->lock);
}

/* ---- Progress. */

/* Progress counter I of those that ranks exchange. */
static atomic_uint_least64_t *progress_counter(struct progress *p, int i)
{
	return i == COUNTS - 1 ? &p->moves
	       : i % 2	       ? &p->count[i / 2].done
			       : &p->count[i / 2].before;
}

/* Rank 0 adds the progress of the others since the last call; the others report theirs. */
static void progress_exchange(struct pool *pool, struct progress *progress)
{
	const bool first = ranks_rank() == 0;
	pthread_mutex_lock(&pool->lock);
	for (int i = 0; i < COUNTS; i++) {
		atomic_uint_least64_t *mine = progress_counter(progress, i);
		const uint64_t now =
		    first ? counter_get(pool, COUNTER_PROGRESS + (size_t)i) : atomic_load(mine);
		const uint64_t new = now - pool->counted[i];
		pool->counted[i] = now;
		if (first)
			atomic_fetch_add(mine, new);
		else if (new)
			counter_add(pool, COUNTER_PROGRESS + (size_t)i, new);
	}
	pthread_mutex_unlock(&pool->lock);
}

/* Ignores progress that other ranks counted before the work began. */
static void progress_begin(struct pool *pool, struct progress *progress)
{
	for (int i = 0; ranks_rank() > 0 && i < COUNTS; i++)
		pool->counted[i] = atomic_load(progress_counter(progress, i));
}

/* ---- Jobs. */

void pool_announce(struct pool *pool, struct job *job)
{
	if (job->known)
		return;
	job->known = true;
	job->number = pool->jobs++;
	job->after = NULL;
	*pool->last = job;
	pool->last = &job->after;
}

void pool_add(struct pool *pool, struct job *job)
{
	pthread_mutex_lock(&pool->lock);
	if (pool->begun)
		counter_add(pool, counter_open(job), 1);
	else
		pool_announce(pool, job);
	assert(job->known);
	job->open = true;
	pthread_cond_broadcast(&pool->changed);
	pthread_mutex_unlock(&pool->lock);
}

/*
 * Calls finish() of JOB if all units are handed out and none is running here. The caller holds the
 * lock, which is released during finish().
 */
static void job_finish(struct pool *pool, struct job *job)
{
	if (!job->exhausted || job->running || job->finished)
		return;
	job->finished = true;
	if (!job->finish)
		return;
	pthread_mutex_unlock(&pool->lock);
	job->finish(job);
	pthread_mutex_lock(&pool->lock);
}

/* Takes units of JOB for WORKER; false if there are none. The caller holds the lock. */
static bool job_take(struct pool *pool, struct job *job, struct worker *worker)
{
	const uint64_t all = job->end - job->next;
	uint64_t count = 1;
	if (job->exhausted)
		return false;
	if (!job->open && !(pool->shared && counter_get(pool, counter_open(job))))
		return false;
	job->open = true;
	if (pool->shared)
		count += (all - job->seen) / (uint64_t)(GUIDE * pool->threads * ranks_size());
	counter_add(pool, COUNTER_TAKES, 1);
	const uint64_t at = counter_add(pool, counter_next(job), count);
	const uint64_t end = at + count < all ? at + count : all;
	job->seen = end;
	job->exhausted = end == all;
	if (at >= all) {
		job_finish(pool, job);
		return false;
	}
	job->running++;
	worker->job = job;
	worker->next = job->next + at;
	worker->end = job->next + end;
	return true;
}

/*
 * The time SECONDS (less than 1) from now on CLOCK_MONOTONIC, for timed waits. By the wall clock,
 * a wait would take longer if a user set the clock back.
 */
static struct timespec clock_after(double seconds)
{
	struct timespec until;
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += (long)(seconds * 1e9);
	until.tv_sec += until.tv_nsec / 1000000000L;
	until.tv_nsec %= 1000000000L;
	return until;
}

/*
 * Waits for a change on this rank, or PAUSE seconds, since other ranks may have changed something.
 * The caller holds the lock.
 */
static void change_wait(struct pool *pool, double pause)
{
	const struct timespec until = clock_after(pause);
	if (pool->shared)
		pthread_cond_clockwait(&pool->changed, &pool->lock, CLOCK_MONOTONIC, &until);
	else
		pthread_cond_wait(&pool->changed, &pool->lock);
}

static bool pool_ended(const struct pool *pool)
{
	return pool->over || pool_stopped(pool);
}

/*
 * Takes units for WORKER, waiting while other units that may add jobs are running; false when the
 * work is over. The caller holds the lock.
 */
static bool pool_take(struct pool *pool, struct worker *worker)
{
	/* NOLINTNEXTLINE(cert-flp30-c): it is a time, and counts nothing */
	for (double pause = PAUSE_MIN; !pool_ended(pool); pause = fmin(2 * pause, PAUSE_MAX)) {
		const uint64_t takes = counter_get(pool, COUNTER_TAKES);
		const uint64_t busy = counter_add(pool, COUNTER_BUSY, 1);
		while (pool->at && pool->at->exhausted)
			pool->at = pool->at->after;
		for (struct job *job = pool->at; job; job = job->after)
			if (job_take(pool, job, worker))
				return true;
		const bool over = !busy && counter_get(pool, COUNTER_TAKES) == takes;
		counter_add(pool, COUNTER_BUSY, UINT64_MAX);
		if (over)
			pool_close(pool, true);
		else if (!pool_ended(pool))
			change_wait(pool, pause);
	}
	return false;
}

static void units_run(struct worker *worker)
{
	struct pool *pool = worker->pool;
	for (; worker->next < worker->end && !pool_stopped(pool); worker->next++) {
		struct why why;
		const enum status status =
		    worker->job->run(worker->job, worker->next, worker->number, &why);
		if (status == STATUS_STOPPED)
			pool_stop(pool); /* the unit was not done */
		else if (status)
			pool_fail(pool, status, &why);
	}
}

static void *work(void *argument)
{
	struct worker *worker = argument;
	struct pool *pool = worker->pool;
	pthread_mutex_lock(&pool->lock);
	while (pool_take(pool, worker)) {
		pthread_mutex_unlock(&pool->lock);
		units_run(worker);
		pthread_mutex_lock(&pool->lock);
		worker->job->running--;
		job_finish(pool, worker->job);
		if (counter_add(pool, COUNTER_BUSY, UINT64_MAX) == 1)
			pthread_cond_broadcast(&pool->changed);
	}
	pthread_mutex_unlock(&pool->lock);
	return NULL;
}

static enum status threads_start(struct pool *pool, struct why *why)
{
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

/*
 * Waits at most LOOK seconds while serving the counters to other ranks. Returns whether all jobs
 * are done on all ranks, or the pool was stopped.
 */
static bool pool_wait(struct pool *pool)
{
	const double end = clock_seconds() + LOOK;
	pthread_mutex_lock(&pool->lock);
	/* NOLINTNEXTLINE(cert-flp30-c): it is a time, and counts nothing */
	for (double left = LOOK; left > 0 && !pool_ended(pool); left = end - clock_seconds()) {
		const double pause = pool->shared ? fmin(left, PAUSE_MAX) : left;
		const struct timespec until = clock_after(pause);
		pthread_cond_clockwait(&pool->wake, &pool->lock, CLOCK_MONOTONIC, &until);
		if (pool->shared)
			counter_get(pool, COUNTER_HALT);
	}
	const bool ended = pool_ended(pool);
	pthread_mutex_unlock(&pool->lock);
	return ended;
}

/* Regular tasks of the main thread while units run. */
static void pool_poll(struct pool *pool, struct progress *progress)
{
	if (stop_requested())
		pool_stop(pool);
	if (pool->shared) {
		halt_agree(pool);
		if (progress)
			progress_exchange(pool, progress);
	}
	if (progress)
		progress_tick(progress);
}

/* Returns the status of the work on this rank. */
static enum status pool_status(const struct pool *pool, struct why *why)
{
	if (pool->status)
		*why = pool->why;
	return pool->status ? pool->status : pool_stopped(pool) ? STATUS_STOPPED : STATUS_OK;
}

enum status pool_run(struct pool *pool, struct progress *progress, struct why *why)
{
	counters_make(pool);
	pool->at = pool->first;
	pool->begun = true;
	if (progress)
		progress_begin(pool, progress);
	enum status status = threads_start(pool, why);
	if (status)
		pool_fail(pool, status, why);
	/* At least once, however short the work is, so that progress is shown. */
	do
		pool_poll(pool, progress);
	while (!pool_wait(pool));
	for (int i = 0; i < pool->started; i++)
		pthread_join(pool->worker[i].thread, NULL);
	status = pool_status(pool, why);
	if (pool->shared) {
		pool_poll(pool, progress);
		status = ranks_agree("pool", 0, status, why);
		/* All other ranks have reported their progress now. */
		if (ranks_rank() == 0)
			pool_poll(pool, progress);
		ranks_link.counters_free();
		if (!status)
			status = pool_status(pool, why);
	}
	pool_free(pool);
	return status;
}

bool pool_ending(const struct pool *pool)
{
	return stop_requested() || pool_stopped(pool);
}

bool pool_continues(void *pool, const struct turn *turn, int move, const struct decision *decision)
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
	if (failed && !pool->status) {
		pool->status = status;
		pool->why = *why;
	}
	pthread_mutex_unlock(&pool->log);
	if (failed)
		pool_stop(pool);
	return status;
}

struct pool *pool_new(int threads)
{
	struct pool *pool = xcalloc(1, sizeof *pool + (size_t)threads * sizeof *pool->worker);
	pool->last = &pool->first;
	pool->threads = threads;
	pthread_mutex_init(&pool->lock, NULL);
	pthread_mutex_init(&pool->log, NULL);
	pthread_cond_init(&pool->changed, NULL);
	pthread_cond_init(&pool->wake, NULL);
	return pool;
}

struct pool *pool_new_shared(int threads)
{
	struct pool *pool = pool_new(threads);
	pool->shared = ranks_size() > 1;
	return pool;
}

void pool_free(struct pool *pool)
{
	if (!pool)
		return;
	pthread_cond_destroy(&pool->wake);
	pthread_cond_destroy(&pool->changed);
	pthread_mutex_destroy(&pool->log);
	pthread_mutex_destroy(&pool->lock);
	free(pool->counter);
	free(pool);
}

/* ---- Instances of agents. */

void instances_init(struct instances *instances, const struct game *game, const char *agent,
		    int threads)
{
	*instances =
	    (struct instances){.game = game,
			       .agent = agent,
			       .threads = threads,
			       .lock = PTHREAD_MUTEX_INITIALIZER,
			       .agent_of = xcalloc((size_t)threads, sizeof(struct agent *))};
}

enum status instances_get(struct instances *instances, int thread, struct agent **agent,
			  struct why *why)
{
	struct agent **mine = &instances->agent_of[thread];
	enum status status = STATUS_OK;
	if (!*mine) {
		pthread_mutex_lock(&instances->lock);
		struct agent *owner = instances->owner, *made = NULL;
		const struct agent_env env = {.game = instances->game,
					      .owner = owner ? owner->self : NULL};
		status = agent_new(instances->agent, &env, &made, why);
		if (!status && !owner && instances->load)
			status = instances->load(instances->context, made, why);
		/* An agent that could not be loaded must not play, on this or another thread. */
		if (status) {
			agent_free(made);
		} else {
			*mine = made;
			if (!owner)
				instances->owner = made;
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
