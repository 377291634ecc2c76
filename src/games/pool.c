/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The scheduler; see pool.h. One mutex guards the queue: a unit is a game, so it is taken some
 * thousand times a second at most.
 *
 * Invariant: a range is in the queue while units of it are left, and `busy` counts the units that
 * run; the work is over when the queue is empty and busy is 0, since only a running unit can add
 * jobs, and, where there are other ranks, when rank 0 has found all of them so.
 *
 * Rank 0, and so the only rank, has the queue of all units that nobody has been given; the queue
 * of another holds those that rank 0 has given to it. That one asks for units when some of its
 * threads have none, or will have none a moment from now, by how many it has lately done in such
 * a time; so games of microseconds are there before they are asked for, and a training of hours
 * never waits behind another one. What it gets is guided self-scheduling (Polychronopoulos and
 * Kuck 1987): of the units that are left of the first job its share by threads, divided by GUIDE,
 * and at least what it asked for. So the notes are few, and still everybody ends at nearly the
 * same time.
 *
 * Notes between two ranks arrive in order. The work is over when the queue is empty and no unit
 * runs: a rank says so with the number of the grants that it knows of, and is not believed if one
 * is under way to it. Jobs that its units have added are in notes before that one.
 *
 *	to rank 0   ASK, IDLE, OPEN, TELL, COUNT, HALT; the last is LEFT
 *	from it     GRANT; the last is OVER or HALT
 *
 * A rank halts for a signal, which becomes one of all, or for a failure, which ranks_agree() tells.
 */
#include "src/games/pool.h"

#include "base/clock.h"
#include "base/stop.h"
#include "src/games/ranks.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

/* Seconds between looks for notes of other ranks: longer and longer while there are none. */
static const double PAUSE_MIN = 50e-6, PAUSE_MAX = 2e-3;

/* Seconds between two looks at requests to stop, and of the progress line. */
static const double LOOK = 0.25;

enum note_kind {
	NOTE_ASK = 1,
	NOTE_IDLE,
	NOTE_OPEN,
	NOTE_TELL,
	NOTE_COUNT,
	NOTE_LEFT,
	NOTE_GRANT,
	NOTE_OVER,
	NOTE_HALT
};

enum { GUIDE = 4, SPARE = 16, COUNTS = RANKS_WORDS - 1, NAP = 200000 /* nanoseconds */ };

/* Seconds of work to have in reserve, and between two measurements of its speed. */
static const double AHEAD = 0.01, WINDOW = 0.05;

/* What rank 0 knows of another one. */
struct peer {
	uint64_t threads, wants; /* units it asks for, 0 for none */
	uint64_t grants;	 /* that were sent to it */
	bool idle, left;
};

struct pool_ranks {
	struct ranks_post *post;
	int rank, size;
	struct progress *progress;
	uint64_t counted[COUNTS]; /* of it, that rank 0 knows of */

	/* Of rank 0. */
	struct peer *peer; /* of each rank; its own is not used */
	bool told;	   /* all others that it is over, or to halt */

	/* Of the others. */
	bool asked, quiet, halted; /* for units; that it is idle; to halt */
	bool ended;		   /* rank 0 will say nothing more */
	uint64_t grants;
	struct job *current;	 /* the job of the last grant */
	struct ranks_note *note; /* that units have for rank 0 */
	size_t notes, note_room;
	struct range spare[SPARE];
	double looked; /* seconds of clock.h */
	uint64_t done; /* units, at that time */
	double speed;  /* units a second before it */
};

struct worker {
	struct pool *pool;
	pthread_t thread;
	int number;
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
	struct pool_ranks *ranks; /* NULL for one rank */

	pthread_mutex_t log; /* of what units write together, and of the two below */
	enum status status;  /* of the first failure */
	struct why why;
	struct worker worker[];
};

/* Whether it has stopped. Any thread. */
static inline bool pool_stopped(const struct pool *pool)
{
	return atomic_load_explicit(&pool->stopped, memory_order_relaxed);
}

/* ---- The queue. */

/* Ends the waiting of the main thread. Locked. */
static void pool_wake(struct pool *pool)
{
	pool->woken = true;
	pthread_cond_signal(&pool->wake);
}

/* Appends RANGE. Locked. */
static void pool_append(struct pool *pool, struct range *range)
{
	range->after = NULL;
	range->job->waiting++;
	*pool->last = range;
	pool->last = &range->after;
	pthread_cond_broadcast(&pool->changed);
}

/* Takes COUNT units, or as many as there are, from the first range. Locked. */
static struct range pool_cut(struct pool *pool, uint64_t count)
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

/*
 * Finishes JOB, if no unit of it is left or will come, and none runs. Locked, but not while it
 * does.
 */
static void pool_settle(struct pool *pool, struct job *job)
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

/* Hands out nothing more, on no rank; units that run come to their end. Any thread. */
static void pool_stop(struct pool *pool)
{
	pthread_mutex_lock(&pool->lock);
	atomic_store(&pool->stopped, true);
	pthread_cond_broadcast(&pool->changed);
	pool_wake(pool);
	pthread_mutex_unlock(&pool->lock);
}

/* Between log_begin() and log_end(). */
static void failure_keep(struct pool *pool, enum status status, const struct why *why)
{
	if (!pool->status) {
		pool->status = status;
		pool->why = *why;
	}
}

/*
 * Ends the work with the failure STATUS, unless there is one. Any thread, but not between log_begin
 * and end.
 */
static void pool_fail(struct pool *pool, enum status status, const struct why *why)
{
	pthread_mutex_lock(&pool->log);
	failure_keep(pool, status, why);
	pthread_mutex_unlock(&pool->log);
	pool_stop(pool);
}

/* ---- Other ranks: both sides. */

static void note_send(struct pool_ranks *r, int to, enum note_kind kind, uint64_t a, uint64_t b,
		      uint64_t c)
{
	const struct ranks_note note = {{kind, a, b, c}};
	ranks_link.post_send(r->post, to, &note);
}

static struct job *job_of(const struct pool *pool, uint64_t number)
{
	struct job *job = pool->known;
	while (job && job->number != number)
		job = job->known_after;
	assert(job);
	return job;
}

/* The counters that are added up, in an order of their own. */
static void counters_list(struct progress *p, atomic_uint_least64_t *list[COUNTS])
{
	struct progress_count *const count[] = {&p->games, &p->training, &p->seconds, &p->searches,
						&p->positions};
	size_t n = 0;
	for (size_t i = 0; i < sizeof count / sizeof *count; i++) {
		list[n++] = &count[i]->before;
		list[n++] = &count[i]->done;
	}
	list[n++] = &p->moves;
	for (; n < COUNTS; n++)
		list[n] = NULL;
}

static void counters_watch(struct pool *pool, struct progress *progress)
{
	struct pool_ranks *r = pool->ranks;
	atomic_uint_least64_t *list[COUNTS];
	counters_list(progress, list);
	r->progress = progress;
	for (int i = 0; i < COUNTS; i++)
		r->counted[i] = list[i] ? atomic_load(list[i]) : 0;
}

static void counters_report(struct pool *pool)
{
	struct pool_ranks *r = pool->ranks;
	atomic_uint_least64_t *list[COUNTS];
	struct ranks_note note = {{NOTE_COUNT}};
	uint64_t any = 0;
	if (r->rank == 0 || !r->progress)
		return;
	counters_list(r->progress, list);
	for (int i = 0; i < COUNTS; i++) {
		const uint64_t now = list[i] ? atomic_load(list[i]) : 0;
		any |= note.word[1 + i] = now - r->counted[i];
		r->counted[i] = now;
	}
	if (any)
		ranks_link.post_send(r->post, 0, &note);
}

/* ---- Rank 0 and the others. */

static void count_take(const struct pool_ranks *r, const struct ranks_note *note)
{
	atomic_uint_least64_t *list[COUNTS];
	if (!r->progress)
		return;
	counters_list(r->progress, list);
	for (int i = 0; i < COUNTS; i++)
		if (list[i])
			atomic_fetch_add(list[i], note->word[1 + i]);
}

/* A note of rank FROM, to rank 0. */
static void keeper_take(struct pool *pool, int from, const struct ranks_note *note)
{
	struct pool_ranks *r = pool->ranks;
	struct peer *peer = &r->peer[from];
	const uint64_t *word = note->word;
	switch (word[0]) {
	case NOTE_ASK:
		peer->wants = word[1];
		peer->threads = word[2];
		break;
	case NOTE_IDLE:
		peer->idle = word[1] == peer->grants;
		break;
	case NOTE_OPEN:
		pool_add(pool, job_of(pool, word[1]));
		break;
	case NOTE_TELL: {
		struct why why;
		struct job *job = job_of(pool, word[1]);
		const enum status status = job->told(job, word + 2, &why);
		if (status && status != STATUS_STOPPED)
			pool_fail(pool, status, &why);
		break;
	}
	case NOTE_COUNT:
		count_take(r, note);
		break;
	case NOTE_HALT:
		if (word[1])
			stop_request((int)word[1]);
		pool_stop(pool);
		break;
	default:
		assert(word[0] == NOTE_LEFT);
		peer->left = true;
	}
}

/* Gives rank TO units of the first job. Locked. */
static void peer_grant(struct pool *pool, int to)
{
	struct pool_ranks *r = pool->ranks;
	struct peer *peer = &r->peer[to];
	uint64_t threads = 0;
	for (int i = 0; i < r->size; i++)
		threads += r->peer[i].threads;
	const uint64_t left = pool->first->end - pool->first->next;
	const double share = (double)left * (double)peer->threads / (double)(GUIDE * threads);
	const uint64_t guided = (uint64_t)share;
	const struct range cut = pool_cut(pool, guided > peer->wants ? guided : peer->wants);
	peer->wants = 0;
	peer->idle = false;
	peer->grants++;
	note_send(r, to, NOTE_GRANT, cut.job->number, cut.next, cut.end);
	pool_settle(pool, cut.job);
}

static bool peers_idle(const struct pool_ranks *r)
{
	bool idle = true;
	for (int i = 1; i < r->size; i++)
		idle = idle && r->peer[i].idle;
	return idle;
}

/* What rank 0 has to say. */
static void keeper_tell(struct pool *pool)
{
	struct pool_ranks *r = pool->ranks;
	pthread_mutex_lock(&pool->lock);
	for (int i = 1; i < r->size; i++)
		if (r->peer[i].wants && pool->first && !pool_stopped(pool))
			peer_grant(pool, i);
	if (!pool->first && !pool->busy && peers_idle(r) && !pool->over) {
		pool->over = true;
		pthread_cond_broadcast(&pool->changed);
	}
	const bool over = pool->over || pool_stopped(pool);
	pthread_mutex_unlock(&pool->lock);
	if (!over || r->told)
		return;
	r->told = true;
	for (int i = 1; i < r->size; i++)
		note_send(r, i, pool_stopped(pool) ? NOTE_HALT : NOTE_OVER, (uint64_t)stop_signal(),
			  0, 0);
}

/* ---- The others and rank 0. */

/* Keeps a note of a unit until the main thread sends it. Locked. */
static void note_keep(struct pool *pool, enum note_kind kind, const struct job *job,
		      const uint64_t word[JOB_WORDS])
{
	struct pool_ranks *r = pool->ranks;
	if (r->notes == r->note_room) {
		r->note_room = r->note_room ? 2 * r->note_room : 64;
		r->note = realloc(r->note, r->note_room * sizeof *r->note);
		if (!r->note)
			abort(); /* nobody could be told */
	}
	struct ranks_note *note = &r->note[r->notes++];
	*note = (struct ranks_note){{kind, job->number}};
	for (int i = 0; word && i < JOB_WORDS; i++)
		note->word[2 + i] = word[i];
}

/* Units that rank 0 grants are done here. */
static void grant_take(struct pool *pool, const uint64_t *word)
{
	struct pool_ranks *r = pool->ranks;
	struct job *job = job_of(pool, word[1]);
	size_t i = 0;
	pthread_mutex_lock(&pool->lock);
	if (r->current && r->current != job) {
		r->current->closed = true;
		pool_settle(pool, r->current);
	}
	r->current = job;
	r->grants++;
	r->asked = r->quiet = false;
	while (r->spare[i].job)
		i++;
	assert(i < SPARE);
	r->spare[i] = (struct range){.job = job, .next = word[2], .end = word[3]};
	pool_append(pool, &r->spare[i]);
	pthread_mutex_unlock(&pool->lock);
}

/* A note of rank 0. */
static void other_take(struct pool *pool, const struct ranks_note *note)
{
	struct pool_ranks *r = pool->ranks;
	const uint64_t *word = note->word;
	if (word[0] == NOTE_GRANT) {
		grant_take(pool, word);
		return;
	}
	r->ended = true;
	if (word[0] == NOTE_HALT) {
		if (word[1])
			stop_request((int)word[1]);
		pool_stop(pool);
		return;
	}
	assert(word[0] == NOTE_OVER);
	pthread_mutex_lock(&pool->lock);
	pool->over = true;
	pthread_cond_broadcast(&pool->changed);
	pthread_mutex_unlock(&pool->lock);
}

/* Units to have in reserve. Locked. */
static uint64_t units_ahead(struct pool *pool)
{
	struct pool_ranks *r = pool->ranks;
	const double now = clock_seconds();
	if (now - r->looked >= WINDOW) {
		r->speed = r->looked > 0 ? (double)(pool->ended - r->done) / (now - r->looked) : 0;
		r->looked = now;
		r->done = pool->ended;
	}
	return (uint64_t)(AHEAD * r->speed);
}

/* Units that this rank lacks, or will soon; 0 if it has asked, or has no room. Locked. */
static uint64_t units_lacking(struct pool *pool)
{
	struct pool_ranks *r = pool->ranks;
	const uint64_t ahead = units_ahead(pool);
	uint64_t there = pool->busy;
	bool room = false;
	for (int i = 0; i < SPARE; i++) {
		if (r->spare[i].job)
			there += r->spare[i].end - r->spare[i].next;
		else
			room = true;
	}
	const uint64_t need = (uint64_t)pool->threads + ahead;
	return room && !r->asked && there < need ? need - there : 0;
}

/* Sends what units have said: first, so that nothing is said after IDLE. Locked. */
static void units_tell(struct pool_ranks *r)
{
	for (size_t i = 0; i < r->notes; i++)
		ranks_link.post_send(r->post, 0, &r->note[i]);
	r->notes = 0;
}

/* What this rank has to say. */
static void other_tell(struct pool *pool)
{
	struct pool_ranks *r = pool->ranks;
	pthread_mutex_lock(&pool->lock);
	units_tell(r);
	const bool stopped = pool_stopped(pool);
	const uint64_t lacks = stopped || r->ended ? 0 : units_lacking(pool);
	const bool quiet = !pool->busy && !pool->first && !r->quiet && !stopped && !r->ended;
	const uint64_t grants = r->grants;
	r->asked = r->asked || lacks;
	r->quiet = r->quiet || quiet;
	pthread_mutex_unlock(&pool->lock);
	if (lacks)
		note_send(r, 0, NOTE_ASK, lacks, (uint64_t)pool->threads, 0);
	if (quiet)
		note_send(r, 0, NOTE_IDLE, grants, 0, 0);
	if (stopped && !r->halted && !r->ended)
		note_send(r, 0, NOTE_HALT, (uint64_t)stop_signal(), 0, 0);
	r->halted = r->halted || stopped;
}

/* ---- Both again. */

static bool notes_exchange(struct pool *pool)
{
	struct pool_ranks *r = pool->ranks;
	struct ranks_note note;
	int from;
	bool some = false;
	for (; ranks_link.post_take(r->post, &from, &note); some = true)
		if (r->rank == 0)
			keeper_take(pool, from, &note);
		else
			other_take(pool, &note);
	if (r->rank == 0)
		keeper_tell(pool);
	else
		other_tell(pool);
	return some;
}

static bool peers_left(const struct pool_ranks *r)
{
	bool left = true;
	for (int i = 1; i < r->size; i++)
		left = left && r->peer[i].left;
	return left;
}

/* Rank 0 speaks last to each of the others, and then each of these to rank 0. */
static void farewell(struct pool *pool)
{
	struct pool_ranks *r = pool->ranks;
	const struct timespec nap = {.tv_nsec = NAP};
	for (; r->rank == 0 ? !r->told || !peers_left(r) : !r->ended; nanosleep(&nap, NULL))
		notes_exchange(pool);
	if (r->rank == 0)
		return;
	units_tell(r);
	counters_report(pool);
	note_send(r, 0, NOTE_LEFT, 0, 0, 0);
}

static void ranks_close(struct pool *pool)
{
	struct pool_ranks *r = pool->ranks;
	if (pool->begun)
		farewell(pool);
	ranks_link.post_close(r->post);
	free(r->note);
	free(r->peer);
	free(r);
}

/* ---- Jobs. */

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
		note_keep(pool, NOTE_OPEN, job, NULL);
		pool_wake(pool);
	}
	pthread_mutex_unlock(&pool->lock);
}

static bool pool_over(const struct pool *pool)
{
	if (pool_stopped(pool))
		return true;
	return pool->ranks ? pool->over : !pool->first && !pool->busy;
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

/* Waits until woken or for SECONDS. Locked. */
static void wake_await(struct pool *pool, double seconds)
{
	const struct timespec until = clock_after(seconds);
	int error = 0;
	while (!error && !pool->woken && !pool_over(pool))
		error = pthread_cond_clockwait(&pool->wake, &pool->lock, CLOCK_MONOTONIC, &until);
}

/* With other ranks, whose notes have to be looked for. Locked, but not while it looks. */
static void notes_await(struct pool *pool, double end)
{
	double pause = PAUSE_MIN;
	for (bool over = false; !over;) {
		pool->woken = false;
		pthread_mutex_unlock(&pool->lock);
		const bool some = notes_exchange(pool);
		const double left = end - clock_seconds();
		pthread_mutex_lock(&pool->lock);
		pause = some ? PAUSE_MIN : fmin(2 * pause, PAUSE_MAX);
		over = left <= 0 || pool_over(pool);
		if (!over)
			wake_await(pool, fmin(pause, left));
	}
	counters_report(pool);
}

/*
 * Waits for LOOK seconds at most; whether all jobs are done on all ranks, or the pool has stopped.
 */
static bool pool_wait(struct pool *pool)
{
	const double end = clock_seconds() + LOOK;
	pthread_mutex_lock(&pool->lock);
	if (pool->ranks)
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

enum status pool_run(struct pool *pool, struct progress *progress, struct why *why)
{
	if (progress && pool->ranks)
		counters_watch(pool, progress);
	enum status status = threads_start(pool, why);
	if (status)
		pool_fail(pool, status, why);
	/* Once at least, however short the work is: what is known is worth a look. */
	do {
		if (stop_requested())
			pool_stop(pool);
		if (progress)
			progress_tick(progress);
	} while (!pool_wait(pool));
	for (int i = 0; i < pool->started; i++)
		pthread_join(pool->worker[i].thread, NULL);
	status = pool->status ? pool->status : pool_stopped(pool) ? STATUS_STOPPED : STATUS_OK;
	if (pool->status)
		*why = pool->why;
	pool_free(pool);
	return status;
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
	note_keep(pool, NOTE_TELL, job, word);
	pool_wake(pool);
	pthread_mutex_unlock(&pool->lock);
	return STATUS_OK;
}

void pool_free(struct pool *pool)
{
	if (!pool)
		return;
	if (pool->ranks)
		ranks_close(pool);
	pthread_cond_destroy(&pool->wake);
	pthread_cond_destroy(&pool->changed);
	pthread_mutex_destroy(&pool->log);
	pthread_mutex_destroy(&pool->lock);
	free(pool);
}

/* ---- Making one. */

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

static enum status ranks_open(struct pool *pool, struct why *why)
{
	const int size = ranks_size();
	struct pool_ranks *r = calloc(1, sizeof *r);
	struct peer *peer = calloc((size_t)size, sizeof *peer);
	enum status status =
	    r && peer ? ranks_link.post_open(&r->post, why) : why_errno(why, "%d ranks", size);
	if (status) {
		free(peer);
		free(r);
		return status;
	}
	r->rank = ranks_rank();
	r->size = size;
	r->peer = peer;
	for (int i = 0; i < size; i++)
		r->peer[i].threads = (uint64_t)pool->threads;
	pool->keeps = r->rank == 0;
	pool->ranks = r;
	return STATUS_OK;
}

enum status pool_new_shared(int threads, struct pool **pool, struct why *why)
{
	struct pool *p;
	enum status status = pool_new(threads, &p, why);
	if (!status && ranks_size() > 1) {
		status = ranks_open(p, why);
		if (status)
			pool_free(p);
	}
	if (!status)
		*pool = p;
	return status;
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
		struct agent *owner = instances->owner, *made = NULL;
		const struct agent_env env = {.game = instances->game,
					      .owner = owner ? owner->self : NULL};
		status = agent_new(instances->agent, &env, &made, why);
		if (!status && !owner && instances->load)
			status = instances->load(instances->context, made, why);
		/* What could not be loaded must not play, here or on another thread. */
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
