/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plays games for a record file; see play_recorded_games().
 *
 * Invariant: a game is in the file once it is over and not before, so whatever kills the process,
 * the file tells which games are left to play.
 */
#include "base/stop.h"
#include "src/play/recorder.h"
#include "src/run/pool.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

struct recording {
	struct job job;
	const struct play_options *options;
	struct progress progress;
	struct pool *pool;
	struct record_log log;
	struct instances instances;
};

/* A game under way: its record, and what could end it. */
struct recorded_game {
	struct recorder recorder;
	const struct pool *pool;
};

static bool recorded_move(void *context, const struct turn *turn, int move,
			  const struct decision *decision)
{
	struct recorded_game *game = context;
	return recorder_watch(&game->recorder, turn, move, decision) && !pool_ending(game->pool);
}

/* Plays game INDEX and appends it. STATUS_STOPPED if it was abandoned. */
static enum status recording_game(struct recording *recording, struct agent *agent, uint64_t index,
				  struct why *why)
{
	struct recorded_game game = {.pool = recording->pool};
	struct play_watch watch = {.move = recorded_move, .context = &game};
	struct outcome outcome;
	bool whole = play_game(agent, recording->options->seed, index, &watch, &outcome);
	enum status status = agent_check(agent, why);
	if (!status)
		status = whole || game.recorder.status ? recorder_end(&game.recorder, &outcome, why)
						       : STATUS_STOPPED;
	if (!status && !pool_log_begin(recording->pool)) {
		status = STATUS_STOPPED;
	} else if (!status) {
		struct record record =
		    recorder_record(&game.recorder, &outcome.last, outcome.score, true);
		status = record_log_append(&recording->log, index, &record, why);
		status = pool_log_end(recording->pool, status, why);
	}
	recorder_fini(&game.recorder);
	return status;
}

static enum status recording_run(struct job *job, uint64_t unit, int thread, struct why *why)
{
	struct recording *recording =
	    (struct recording *)((char *)job - offsetof(struct recording, job));
	struct agent *agent;
	if (record_log_has(&recording->log, unit))
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

/* Plays the games that are not in the file, and closes it. */
static enum status recording_play(struct recording *recording, struct why *why)
{
	const struct play_options *options = recording->options;
	uint64_t before = 0;
	for (uint64_t i = 0; i < options->games; i++)
		before += record_log_has(&recording->log, options->index + i);
	atomic_store(&recording->progress.games.before, before);
	enum status status = instances_init(&recording->instances, recording->log.game,
					    recording->log.player, options->threads, why);
	if (!status)
		status = recording_work(recording, why);
	instances_fini(&recording->instances);
	return record_log_close(&recording->log, status, why);
}

enum status play_recorded_games(const struct play_options *options, struct why *why)
{
	struct recording recording = {
	    .job = {.run = recording_run,
		    .next = options->index,
		    .end = options->index + options->games},
	    .options = options,
	    .progress.games.total = options->games,
	};
	struct game game;
	char agent[SPEC_MAX];
	if (options->index > UINT64_MAX - options->games)
		return why_set(why, STATUS_INPUT,
			       "--game %" PRIu64 ": too large for %" PRIu64 " games",
			       options->index, options->games);
	enum status status = game_init(&game, &options->game, why);
	if (!status)
		status = record_log_open_agent(&recording.log, &game, options, why);
	if (status)
		return status;
	stop_catch();
	snprintf(agent, sizeof agent, "%s", recording.log.player);
	status = recording_play(&recording, why);
	const struct progress_count *games = &recording.progress.games;
	if (!status || status == STATUS_STOPPED)
		printf("%s: %" PRIu64 " games of %s on %s, seed %" PRIu64 ", %" PRIu64
		       " of them new\n",
		       options->record, games->before + games->done, agent, game.name,
		       options->seed, games->done);
	return status;
}
