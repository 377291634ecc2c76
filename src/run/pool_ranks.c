/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hands units of a pool out to ranks, by a table of functions (pool_inside.h) that a shared pool
 * gets here.
 *
 * Rank 0 has the queue. Another rank asks for units when some of its threads have none, or will
 * have none a moment from now, by how many it has lately done in such a time; so games of
 * microseconds are there before they are asked for, and a training of hours never waits behind
 * another one. What it gets is guided self-scheduling (Polychronopoulos and Kuck 1987): of the
 * units that are left of the first job its share by threads, divided by GUIDE, and at least what it
 * asked for. So the notes are few, and still everybody ends at nearly the same time.
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
#include "src/run/pool_inside.h"

#include "base/clock.h"
#include "src/run/progress.h"
#include "src/run/ranks.h"
#include "base/stop.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

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

/* ---- Both sides. */

static void note_send(struct pool_ranks *r, int to, enum note_kind kind, uint64_t a, uint64_t b,
		      uint64_t c)
{
	const struct ranks_note note = {{kind, a, b, c}};
	ranks_post_send(r->post, to, &note);
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
		ranks_post_send(r->post, 0, &note);
}

/* ---- Rank 0. */

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

/* ---- Other ranks. */

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

static void open_keep(struct pool *pool, struct job *job)
{
	note_keep(pool, NOTE_OPEN, job, NULL);
}

static void tell_keep(struct pool *pool, struct job *job, const uint64_t word[JOB_WORDS])
{
	note_keep(pool, NOTE_TELL, job, word);
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
		ranks_post_send(r->post, 0, &r->note[i]);
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
	for (; ranks_post_take(r->post, &from, &note); some = true)
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

static void nap(void)
{
	nanosleep(&(struct timespec){.tv_nsec = NAP}, NULL);
}

/* Rank 0 speaks last to each of the others, and then each of these to rank 0. */
static void farewell(struct pool *pool)
{
	struct pool_ranks *r = pool->ranks;
	if (r->rank == 0) {
		for (; !r->told || !peers_left(r); nap())
			notes_exchange(pool);
		return;
	}
	for (; !r->ended; nap())
		notes_exchange(pool);
	units_tell(r);
	counters_report(pool);
	note_send(r, 0, NOTE_LEFT, 0, 0, 0);
}

static void ranks_close(struct pool *pool)
{
	struct pool_ranks *r = pool->ranks;
	if (pool->begun)
		farewell(pool);
	ranks_post_close(r->post);
	free(r->note);
	free(r->peer);
	free(r);
}

static const struct pool_link rank_link = {
    .count = counters_watch,
    .open = open_keep,
    .tell = tell_keep,
    .exchange = notes_exchange,
    .report = counters_report,
    .close = ranks_close,
};

static enum status ranks_open(struct pool *pool, struct why *why)
{
	const int size = ranks_size();
	struct pool_ranks *r = calloc(1, sizeof *r);
	struct peer *peer = calloc((size_t)size, sizeof *peer);
	enum status status =
	    r && peer ? ranks_post_open(&r->post, why) : why_errno(why, "%d ranks", size);
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
	pool->link = &rank_link;
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
