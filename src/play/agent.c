/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Games of an agent: one that is shown, recorded or traced, or many for a record file, on several
 * threads; see play_agent().
 *
 * A game is appended to the record file when it is over and not before. So if the process is
 * killed, the file shows which games are left to play.
 */
#include "analysis/tables/table.h"
#include "base/clock.h"
#include "base/stop.h"
#include "src/play/recorder.h"
#include "src/games/pool.h"
#include "src/games/traces.h"
#include "src/play/session.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- One game. */

/* An observer that shows each move, and records it if there is a record file. */
struct shown_game {
	const struct play_options *options;
	struct show show;
	struct recorder recorder;
	bool begun;	 /* a position was shown */
	double thinking; /* seconds of thinking, without the time for showing */
	double resumed;	 /* clock when the agent last resumed thinking */
};

static void shown_position(struct shown_game *shown, const struct turn *turn)
{
	if (!shown->begun)
		show_begin(&shown->show);
	shown->begun = true;
	show_position(&shown->show, turn);
}

static bool shown_move(void *context, const struct turn *turn, int move,
		       const struct decision *decision)
{
	struct shown_game *shown = context;
	shown->thinking += clock_seconds() - shown->resumed;
	if (shown->options->record)
		recorder_move(&shown->recorder, turn, move, decision);
	shown_position(shown, turn);
	show_move(&shown->show, turn, move);
	shown->resumed = clock_seconds();
	return true;
}

/* Plays the game and writes its trace. Errors as in src/games/traces.h. */
static enum status trace_play(struct shown_game *shown, const struct experiment *experiment,
			      struct agent *agent, const struct play_watch *watch,
			      struct outcome *outcome, struct why *why)
{
	const struct play_options *options = shown->options;
	struct provenance provenance;
	bool finished;
	enum status status = experiment_provenance(experiment, options->command, &provenance, why);
	if (status)
		return status;
	status = traces_play(options->trace, provenance_lines(&provenance), agent,
			     experiment->entries[0]->trained_before, options->seed, options->index,
			     watch, outcome, &finished, why);
	provenance_fini(&provenance);
	return status;
}

/* Plays the game and shows it. Errors as agent_new() and agent_check(). */
static enum status shown_play(struct shown_game *shown, const struct record_log *log,
			      struct outcome *outcome, struct why *why)
{
	const struct play_options *options = shown->options;
	const struct agent_env env = {.game = log->game};
	const struct play_watch watch = {.move = shown_move, .context = shown};
	char time[GRID_TEXT_MAX];
	struct agent *agent;
	struct turn last;
	enum status status = agent_new(log->player, &env, &agent, why);
	if (status)
		return status;
	shown->resumed = clock_seconds();
	if (options->trace)
		status = trace_play(shown, &log->experiment, agent, &watch, outcome, why);
	else
		play_game(agent, options->seed, options->index, &watch, outcome);
	shown->thinking += clock_seconds() - shown->resumed;
	status = status ? status : agent_check(agent, why);
	agent_free(agent);
	if (status)
		return status;
	turn_init(&last, log->game, &outcome->last, outcome->score);
	shown_position(shown, &last);
	time_text(1e3 * shown->thinking, time);
	show_end(&shown->show, &last, outcome->moves, time);
	return STATUS_OK;
}

/* Plays and shows the game; appends it to the record file, if any, unless the file has it. */
static enum status play_one(const struct play_options *options, const struct game *game,
			    struct why *why)
{
	struct record_log log = {.game = game, .player = options->agent};
	struct shown_game shown = {.options = options, .show.style = options->style};
	struct outcome outcome = {0};
	enum status status = STATUS_OK;
	if (options->record || options->trace)
		status = record_log_open(&log, options, game, NULL, why);
	if (!status)
		status = shown_play(&shown, &log, &outcome, why);
	if (!status && record_log_has(&log, options->index))
		fprintf(stderr, "%s: %s: has this game already\n", options->name, options->record);
	else if (!status && options->record)
		status = record_log_append(&log, options->index, &shown.recorder, &outcome.last,
					   outcome.score, why);
	free(shown.recorder.move);
	return record_log_close(&log, status, why);
}

/* ---- Many games for a record file. */

struct recording {
	struct job job;
	const struct play_options *options;
	struct progress progress;
	struct pool *pool;
	struct record_log log;
	struct instances instances;
};

/* A game in progress: its record, and the reasons to abandon it. */
struct recorded_game {
	struct recorder recorder;
	const struct pool *pool;
};

static bool recorded_move(void *context, const struct turn *turn, int move,
			  const struct decision *decision)
{
	struct recorded_game *game = context;
	return recorder_move(&game->recorder, turn, move, decision) && !pool_ending(game->pool);
}

/* Plays game INDEX and appends it. STATUS_STOPPED if it was abandoned. */
static enum status recording_play(struct recording *recording, struct agent *agent, uint64_t index,
				  struct why *why)
{
	struct recorded_game game = {.pool = recording->pool};
	const struct play_watch watch = {.move = recorded_move, .context = &game};
	struct outcome outcome;
	const bool whole = play_game(agent, recording->options->seed, index, &watch, &outcome);
	enum status status = agent_check(agent, why);
	if (!status && (!whole || !pool_log_begin(recording->pool))) {
		status = STATUS_STOPPED;
	} else if (!status) {
		status = record_log_append(&recording->log, index, &game.recorder, &outcome.last,
					   outcome.score, why);
		status = pool_log_end(recording->pool, status, why);
	}
	free(game.recorder.move);
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
		status = recording_play(recording, agent, unit, why);
	if (!status)
		atomic_fetch_add(&recording->progress.games.done, 1);
	return status;
}

/* Plays the games that are not in the file until all are played or a signal or failure occurs. */
static enum status recording_work(struct recording *recording, struct why *why)
{
	const struct play_options *options = recording->options;
	uint64_t before = 0;
	for (uint64_t i = 0; i < options->games; i++)
		before += record_log_has(&recording->log, options->index + i);
	atomic_store(&recording->progress.games.before, before);
	instances_init(&recording->instances, recording->log.game, recording->log.player,
		       options->threads);
	recording->pool = pool_new(options->threads);
	pool_add(recording->pool, &recording->job);
	progress_start(&recording->progress, false);
	enum status status = pool_run(recording->pool, &recording->progress, why);
	progress_clear(&recording->progress);
	instances_fini(&recording->instances);
	const struct work_done games = progress_done(&recording->progress.games);
	return !status && games.done < games.total ? STATUS_STOPPED : status;
}

/*
 * Plays those of GAMES games from INDEX on that are not in the record file, and appends each when
 * it ends, so their order depends on the threads.
 */
static enum status play_many(const struct play_options *options, const struct game *game,
			     struct why *why)
{
	struct recording recording = {
	    .job = {.run = recording_run,
		    .next = options->index,
		    .end = options->index + options->games},
	    .options = options,
	    .progress.games.total = options->games,
	};
	char agent[SPEC_MAX];
	if (options->index > UINT64_MAX - options->games)
		return why_set(why, STATUS_INPUT,
			       "--game %" PRIu64 ": too large for %" PRIu64 " games",
			       options->index, options->games);
	enum status status = record_log_open(&recording.log, options, game, NULL, why);
	if (status)
		return status;
	stop_catch();
	snprintf(agent, sizeof agent, "%s", recording.log.player);
	status = recording_work(&recording, why);
	status = record_log_close(&recording.log, status, why);
	const struct progress_count *games = &recording.progress.games;
	if (!status || status == STATUS_STOPPED)
		printf("%s: %" PRIu64 " games of %s on %s, seed %" PRIu64 ", %" PRIu64
		       " of them new\n",
		       options->record, games->before + games->done, agent, game->name,
		       options->seed, games->done);
	return status;
}

enum status play_agent(const struct play_options *options, struct why *why)
{
	struct game game;
	enum status status = options->trace ? trace_check(options->trace, why) : STATUS_OK;
	if (!status)
		status = game_init(&game, &options->game, why);
	if (status)
		return status;
	return options->watch	? session_agent(options, &game, why)
	       : options->games ? play_many(options, &game, why)
				: play_one(options, &game, why);
}
