/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A game of an agent, shown, recorded or traced; see play_agent(). Its time is that of thinking,
 * without showing.
 */
#include "base/clock.h"
#include "src/play/agent_thread.h"
#include "src/play/show.h"
#include "src/play/watch.h"
#include "src/run/traces.h"

#include <inttypes.h>
#include <stdio.h>

/* What becomes of each move of a game. */
struct performance {
	struct show show;
	struct recorder *recorder; /* NULL if it is not recorded */
	struct trace *trace;	   /* NULL if it is not traced */
	double thinking;	   /* seconds, without the time that showing takes */
	double resumed;		   /* clock when the agent went on thinking */
};

static bool performance_move(void *context, const struct turn *turn, int move,
			     const struct decision *decision)
{
	struct performance *performance = context;
	performance->thinking += clock_seconds() - performance->resumed;
	bool taken =
	    !performance->recorder || recorder_watch(performance->recorder, turn, move, decision);
	if (taken && performance->trace)
		taken = trace_move(performance->trace, turn, move, decision);
	if (taken)
		show_turn(&performance->show, turn, move);
	performance->resumed = clock_seconds();
	return taken;
}

/* Plays the game of AGENT on GAME and shows it. Errors as agent_new() and agent_check(). */
static enum status game_perform(const char *agent_text, const struct game *game,
				const struct play_options *options, struct performance *performance,
				struct outcome *outcome, struct why *why)
{
	struct agent *agent;
	struct agent_env env = {.game = game};
	char seconds[64];
	struct turn last;
	struct play_watch watch = {.move = performance_move, .context = performance};
	enum status status = agent_new(agent_text, &env, &agent, why);
	if (status)
		return status;
	performance->show.style = options->style;
	show_begin(&performance->show);
	performance->resumed = clock_seconds();
	play_game(agent, options->seed, options->index, &watch, outcome);
	performance->thinking += clock_seconds() - performance->resumed;
	status = agent_check(agent, why);
	agent_free(agent);
	if (status)
		return status;
	turn_init(&last, game, &outcome->last, outcome->score);
	show_end(&performance->show, &last);
	snprintf(seconds, sizeof seconds, "%.3f seconds", performance->thinking);
	show_summary(&performance->show, &last, outcome->moves, seconds);
	return STATUS_OK;
}

static enum status play_shown(const struct play_options *options, const struct game *game,
			      struct why *why)
{
	struct performance performance = {0};
	struct outcome outcome;
	return game_perform(options->agent, game, options, &performance, &outcome, why);
}

/* Plays for the entry of an agent and traces it. */
static enum status entry_trace(const struct play_options *options, const struct entry *entry,
			       const struct provenance *provenance, struct why *why)
{
	struct trace trace;
	struct performance performance = {.trace = &trace};
	struct outcome outcome;
	struct why reason;
	enum status status = trace_open(&trace, options->trace, entry->trained_before,
					options->index, provenance_lines(provenance), why);
	if (status)
		return status;
	status = game_perform(entry->agent, &entry->game, options, &performance, &outcome, &reason);
	enum status closed = trace_close(&trace, status == STATUS_OK, why);
	if (status)
		*why = reason;
	return status ? status : closed;
}

static enum status play_traced(const struct play_options *options, const struct game *game,
			       struct why *why)
{
	struct experiment experiment;
	struct provenance provenance;
	enum status status = agent_experiment(&experiment, game, options->agent, why);
	if (status)
		return status;
	experiment.seed = options->seed;
	status = experiment_provenance(&experiment, options->command, &provenance, why);
	if (!status) {
		status = entry_trace(options, experiment.entries[0], &provenance, why);
		provenance_fini(&provenance);
	}
	experiment_fini(&experiment);
	return status;
}

/* Appends the game to the record file unless it is there already. */
static enum status play_recorded(const struct play_options *options, const struct game *game,
				 struct why *why)
{
	struct record_log log;
	struct recorder recorder = {0};
	struct performance performance = {.recorder = &recorder};
	struct outcome outcome;
	enum status status = record_log_open_agent(&log, game, options, why);
	if (status)
		return status;
	status = game_perform(log.player, log.game, options, &performance, &outcome, why);
	if (!status)
		status = recorder_end(&recorder, &outcome, why);
	if (!status && record_log_has(&log, options->index)) {
		fprintf(stderr, "%s: %s: has this game already\n", options->name, options->record);
	} else if (!status) {
		struct record record =
		    recorder_record(&recorder, &outcome.last, outcome.score, true);
		status = record_log_append(&log, options->index, &record, why);
	}
	recorder_fini(&recorder);
	return record_log_close(&log, status, why);
}

static bool player_next(void *context, struct shared_game *shared)
{
	(void)context;
	pthread_mutex_lock(&shared->lock);
	shared->next = true;
	pthread_cond_broadcast(&shared->changed);
	pthread_mutex_unlock(&shared->lock);
	return true;
}

/* Games one after the other, in the viewer. */
static enum status play_watched(const struct play_options *options, const struct game *game,
				struct why *why)
{
	const struct watch_options watch = {
	    .delay = options->delay, .timed = true, .next = player_next};
	struct player_thread *player = NULL;
	struct terminal terminal;
	terminal_prepare(&terminal);
	enum status status = player_thread_new(game, options, &player, why);
	if (!status)
		status = player_thread_start(player, why);
	if (!status)
		status = watch_run(player_thread_game(player), &terminal, &watch, why);
	terminal_close(&terminal);
	return player_thread_end(player, status, why);
}

enum status play_agent(const struct play_options *options, struct why *why)
{
	struct game game;
	enum status status = options->trace ? trace_check(options->trace, why) : STATUS_OK;
	if (!status)
		status = game_init(&game, &options->game, why);
	if (status)
		return status;
	return options->watch	 ? play_watched(options, &game, why)
	       : options->record ? play_recorded(options, &game, why)
	       : options->trace	 ? play_traced(options, &game, why)
				 : play_shown(options, &game, why);
}
