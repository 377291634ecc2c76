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

#include <stddef.h>
#include <stdio.h>

struct recording {
	struct job job;
	const struct recording_options *options;
	const struct entry *entry;
	struct progress progress;
	struct pool *pool;
	struct book book;
	struct instances instances;
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

/* A game under way: its notes, and what could end it. */
struct taping {
	struct tape tape;
	const struct pool *pool;
};

static bool taping_move(void *context, const struct turn *turn, int move,
			const struct decision *decision)
{
	struct taping *taping = context;
	return tape_watch(&taping->tape, turn, move, decision) && !pool_ending(taping->pool);
}

/* Plays game INDEX and appends it. STATUS_STOPPED if it was abandoned. */
static enum status recording_game(struct recording *recording, struct agent *agent, uint64_t index,
				  struct why *why)
{
	struct taping taping = {.pool = recording->pool};
	struct play_watch watch = {.move = taping_move, .context = &taping};
	struct outcome outcome;
	bool whole = play_game(agent, recording->options->seed, index, &watch, &outcome);
	enum status status = agent_check(agent, why);
	if (!status)
		status = whole || taping.tape.status ? tape_end(&taping.tape, &outcome, why)
						     : STATUS_STOPPED;
	if (!status && !pool_log_begin(recording->pool)) {
		status = STATUS_STOPPED;
	} else if (!status) {
		struct record record =
		    tape_record(&taping.tape, &outcome.last, outcome.score, true);
		status = book_append(&recording->book, index, &record, why);
		status = pool_log_end(recording->pool, status, why);
	}
	tape_fini(&taping.tape);
	return status;
}

static enum status recording_run(struct job *job, uint64_t unit, int thread, struct why *why)
{
	struct recording *recording =
	    (struct recording *)((char *)job - offsetof(struct recording, job));
	struct agent *agent;
	if (book_has(&recording->book, unit))
		return STATUS_OK;
	enum status status = instances_get(&recording->instances, thread, &agent, why);
	if (!status)
		status = recording_game(recording, agent, unit, why);
	if (!status)
		atomic_fetch_add(&recording->progress.games.done, 1);
	return status;
}

/* Lets the threads work to the end, or to a signal or failure. */
static enum status recording_work(struct recording *recording, struct why *why)
{
	enum status status = pool_new(recording->options->threads, &recording->pool, why);
	if (status)
		return status;
	pool_add(recording->pool, &recording->job);
	progress_start(&recording->progress, false);
	status = pool_run(recording->pool, &recording->progress, why);
	progress_clear(&recording->progress);
	const struct work_done games = progress_done(&recording->progress.games);
	if (status && status != STATUS_STOPPED)
		return status;
	return games.done < games.total ? STATUS_STOPPED : STATUS_OK;
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
	status = instances_init(&recording.instances, &recording.entry->game,
				recording.entry->agent, options->threads, why);
	if (!status)
		status = recording_work(&recording, why);
	*before = there;
	*played = atomic_load(&recording.progress.games.done);
	instances_fini(&recording.instances);
	enum status closed = book_close(&recording.book, &close_why);
	if (closed && (!status || status == STATUS_STOPPED)) {
		status = closed;
		*why = close_why;
	}
	return status;
}
