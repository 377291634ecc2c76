/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plays games for a record file; see play_record.h.
 *
 * Invariant: a game is in the file once it is over and not before, so whatever kills the process,
 * the file tells which games are left to play.
 */
#include "src/play/play_record.h"

#include "src/play/play_tape.h"
#include "src/run/pool.h"
#include "src/run/progress.h"
#include "base/stop.h"

#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

enum { PROGRESS_MILLISECONDS = 250 };

struct recording {
	struct job job;
	const struct recording_options *options;
	const struct entry *entry;
	struct progress progress;
	pthread_mutex_t lock; /* of all below */
	struct book book;
	struct agent *owner;  /* the instance that the others borrow weights from */
	struct agent **agent; /* of each thread, NULL until it plays */
	enum status status;   /* of the first failure */
	struct why why;
	atomic_bool failed;
};

enum status player_init(struct experiment *experiment, const struct game *game, const char *agent,
			struct why *why)
{
	struct experiment made = {0};
	struct schedule schedule = {.games = 1};
	enum status status = experiment_add(&made, game, agent, NULL, &schedule, why);
	if (status)
		experiment_fini(&made);
	else
		*experiment = made;
	return status;
}

enum status player_book_open(struct book *book, const struct experiment *player,
			     const struct recording_options *options, struct why *why)
{
	const struct entry *entry = player->entries[0];
	*book = (struct book){
	    .game = &entry->game,
	    .player = entry->agent,
	    .config = {true, entry_config(entry, entry->trained_before)},
	    .seed = options->seed,
	};
	return book_open(book, options->path, options->command, options->name, why);
}

/* Keeps the first failure, if STATUS is one, which ends the others. Locked. */
static void failure_keep(struct recording *recording, enum status status, const struct why *why)
{
	if (!status || recording->status)
		return;
	recording->status = status;
	recording->why = *why;
	atomic_store(&recording->failed, true);
}

static void recording_fail(struct recording *recording, enum status status, const struct why *why)
{
	pthread_mutex_lock(&recording->lock);
	failure_keep(recording, status, why);
	pthread_mutex_unlock(&recording->lock);
}

static enum status recording_agent(struct recording *recording, int thread, struct agent **agent,
				   struct why *why)
{
	enum status status = STATUS_OK;
	pthread_mutex_lock(&recording->lock);
	if (!recording->agent[thread]) {
		struct agent_env env = {.game = &recording->entry->game,
					.owner = recording->owner ? recording->owner->self : NULL};
		status = agent_new(recording->entry->agent, &env, &recording->agent[thread], why);
		if (!status && !recording->owner)
			recording->owner = recording->agent[thread];
	}
	*agent = recording->agent[thread];
	pthread_mutex_unlock(&recording->lock);
	return status;
}

/* A game under way: its notes, and what could end it. */
struct taping {
	struct tape tape;
	const struct recording *recording;
};

static bool taping_move(void *context, const struct turn *turn, int move,
			const struct decision *decision)
{
	struct taping *taping = context;
	bool ends = stop_requested() ||
		    atomic_load_explicit(&taping->recording->failed, memory_order_relaxed);
	return tape_watch(&taping->tape, turn, move, decision) && !ends;
}

/* Plays game INDEX and appends it. STATUS_STOPPED if it was abandoned. */
static enum status recording_game(struct recording *recording, struct agent *agent, uint64_t index,
				  struct why *why)
{
	struct taping taping = {.recording = recording};
	struct play_watch watch = {.move = taping_move, .context = &taping};
	struct outcome outcome;
	bool whole = play_game(agent, recording->options->seed, index, &watch, &outcome);
	enum status status = agent_check(agent, why);
	if (!status)
		status = whole || taping.tape.status ? tape_end(&taping.tape, &outcome, why)
						     : STATUS_STOPPED;
	if (!status) {
		struct record record =
		    tape_record(&taping.tape, &outcome.last, outcome.score, true);
		pthread_mutex_lock(&recording->lock);
		status = book_append(&recording->book, index, &record, why);
		failure_keep(recording, status, why);
		pthread_mutex_unlock(&recording->lock);
	}
	tape_fini(&taping.tape);
	return status;
}

static void recording_run(struct job *job, uint64_t unit, int thread)
{
	struct recording *recording =
	    (struct recording *)((char *)job - offsetof(struct recording, job));
	struct agent *agent;
	struct why why;
	if (book_has(&recording->book, unit))
		return;
	enum status status = recording_agent(recording, thread, &agent, &why);
	if (!status)
		status = recording_game(recording, agent, unit, &why);
	if (!status)
		atomic_fetch_add(&recording->progress.games.done, 1);
	else if (status != STATUS_STOPPED)
		recording_fail(recording, status, &why);
}

/* Lets the threads work to the end, or to a signal or failure. */
static enum status recording_work(struct recording *recording, struct why *why)
{
	struct pool *pool;
	enum status status = pool_new(recording->options->threads, &pool, why);
	if (status)
		return status;
	pool_add(pool, &recording->job);
	progress_start(&recording->progress, false);
	status = pool_start(pool, why);
	while (!pool_wait(pool, PROGRESS_MILLISECONDS)) {
		if (stop_requested() || atomic_load(&recording->failed))
			pool_stop(pool);
		progress_show(&recording->progress);
	}
	progress_clear(&recording->progress);
	pool_free(pool);
	if (!status && recording->status) {
		*why = recording->why;
		status = recording->status;
	}
	const struct progress_count *games = &recording->progress.games;
	if (!status && games->before + games->done < games->total)
		status = STATUS_STOPPED;
	return status;
}

static void recording_fini(struct recording *recording)
{
	for (int i = 0; recording->agent && i < recording->options->threads; i++)
		if (recording->agent[i] != recording->owner)
			agent_free(recording->agent[i]);
	agent_free(recording->owner);
	free(recording->agent);
	pthread_mutex_destroy(&recording->lock);
}

enum status recording_play(const struct experiment *player, const struct recording_options *options,
			   uint64_t *before, uint64_t *played, struct why *why)
{
	struct recording recording = {
	    .job = {.run = recording_run,
		    .next = options->first,
		    .end = options->first + options->games},
	    .options = options,
	    .entry = player->entries[0],
	    .lock = PTHREAD_MUTEX_INITIALIZER,
	    .progress.games.total = options->games,
	};
	struct why close_why;
	enum status status = player_book_open(&recording.book, player, options, why);
	if (status)
		return status;
	uint64_t there = 0;
	for (uint64_t i = 0; i < options->games; i++)
		there += book_has(&recording.book, options->first + i);
	atomic_store(&recording.progress.games.before, there);
	recording.agent = calloc((size_t)options->threads, sizeof(struct agent *));
	status = recording.agent ? recording_work(&recording, why)
				 : why_errno(why, "%d threads", options->threads);
	*before = there;
	*played = atomic_load(&recording.progress.games.done);
	recording_fini(&recording);
	enum status closed = book_close(&recording.book, &close_why);
	if (closed && (!status || status == STATUS_STOPPED)) {
		status = closed;
		*why = close_why;
	}
	return status;
}
