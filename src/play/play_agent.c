/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One game of an agent; see play_agent.h. Its time is that of thinking, without showing. */
#include "src/play/play_agent.h"

#include "base/clock.h"
#include "src/play/play_player.h"
#include "src/play/play_tape.h"
#include "src/play/play_watch.h"
#include "src/run/traces.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

/* What a game of an agent is shown and recorded with. */
struct performance {
	struct show show;
	struct tape *tape;   /* NULL if it is not recorded */
	struct trace *trace; /* NULL if it is not traced */
	double thinking;     /* seconds, without the time that showing takes */
	double resumed;	     /* clock when the agent went on thinking */
};

static bool performance_move(void *context, const struct turn *turn, int move,
			     const struct decision *decision)
{
	struct performance *performance = context;
	performance->thinking += clock_seconds() - performance->resumed;
	bool taken = !performance->tape || tape_watch(performance->tape, turn, move, decision);
	if (taken && performance->trace)
		taken = trace_move(performance->trace, turn, move, decision);
	if (taken)
		show_turn(&performance->show, turn, move);
	performance->resumed = clock_seconds();
	return taken;
}

/*
 * Plays the one game, shows it, and takes notes of it if there is a TAPE or a TRACE for that. Fails as
 * agent_check().
 */
static enum status game_perform(struct agent *agent, const struct performance_options *options,
				struct tape *tape, struct trace *trace, struct outcome *outcome,
				struct why *why)
{
	char seconds[64];
	struct turn last;
	struct performance performance = {
	    .show = {.style = options->style},
	    .tape = tape,
	    .trace = trace,
	};
	struct play_watch watch = {.move = performance_move, .context = &performance};
	show_begin(&performance.show);
	performance.resumed = clock_seconds();
	play_game(agent, options->recording.seed, options->recording.first, &watch, outcome);
	enum status status = agent_check(agent, why);
	if (status)
		return status;
	performance.thinking += clock_seconds() - performance.resumed;
	turn_init(&last, agent->game, &outcome->last, outcome->score);
	show_end(&performance.show, &last);
	snprintf(seconds, sizeof seconds, "%.3f seconds", performance.thinking);
	show_summary(&performance.show, &last, outcome->moves, seconds);
	return STATUS_OK;
}

static enum status play_one(const struct performance_options *options, struct why *why)
{
	struct game game;
	struct agent *agent;
	struct outcome outcome;
	enum status status = game_init(&game, options->game, why);
	struct agent_env env = {.game = &game};
	if (!status)
		status = agent_new(options->agent, &env, &agent, why);
	if (status)
		return status;
	status = game_perform(agent, options, NULL, NULL, &outcome, why);
	agent_free(agent);
	return status;
}

/* Shows a game of PLAYER's only entry and traces it. */
static enum status play_into_trace(const struct performance_options *options,
				   const struct experiment *player, const char *const *provenance,
				   struct why *why)
{
	struct agent *agent;
	struct trace trace;
	struct outcome outcome;
	const struct entry *entry = player->entries[0];
	struct agent_env env = {.game = &entry->game};
	enum status status = agent_new(entry->agent, &env, &agent, why);
	if (status)
		return status;
	status = trace_open(&trace, options->trace, entry->trained_before, options->recording.first,
			    provenance, why);
	if (!status) {
		struct why reason;
		status = game_perform(agent, options, NULL, &trace, &outcome, &reason);
		enum status closed = trace_close(&trace, status == STATUS_OK, why);
		if (status)
			*why = reason;
		else
			status = closed;
	}
	agent_free(agent);
	return status;
}

static enum status play_traced(const struct performance_options *options, struct why *why)
{
	struct game game;
	struct experiment player;
	struct provenance provenance;
	enum status status = trace_check(options->trace, why);
	if (!status)
		status = game_init(&game, options->game, why);
	if (!status)
		status = player_init(&player, &game, options->agent, why);
	if (status)
		return status;
	player.seed = options->recording.seed;
	status = experiment_provenance(&player, options->recording.command, &provenance, why);
	if (!status) {
		status = play_into_trace(options, &player, provenance_lines(&provenance), why);
		provenance_fini(&provenance);
	}
	experiment_fini(&player);
	return status;
}

/* play_one(), appended to BOOK unless it is there already. */
static enum status play_into(struct book *book, const struct performance_options *options,
			     const char *agent_text, struct why *why)
{
	struct agent *agent;
	struct agent_env env = {.game = book->game};
	struct outcome outcome;
	struct tape tape = {0};
	enum status status = agent_new(agent_text, &env, &agent, why);
	if (status)
		return status;
	status = game_perform(agent, options, &tape, NULL, &outcome, why);
	if (!status)
		status = tape_end(&tape, &outcome, why);
	if (!status && book_has(book, options->recording.first))
		fprintf(stderr, "%s: %s: has this game already\n", options->recording.name,
			options->recording.path);
	else if (!status) {
		struct record record = tape_record(&tape, &outcome.last, outcome.score, true);
		status = book_append(book, options->recording.first, &record, why);
	}
	tape_fini(&tape);
	agent_free(agent);
	return status;
}

/* Shows a game and records it. */
static enum status play_recorded(const struct performance_options *options, struct why *why)
{
	struct game game;
	struct experiment player;
	struct book book;
	enum status status = game_init(&game, options->game, why);
	if (!status)
		status = player_init(&player, &game, options->agent, why);
	if (status)
		return status;
	status = player_book_open(&book, &player, &options->recording, why);
	if (!status) {
		struct why close_why;
		status = play_into(&book, options, player.entries[0]->agent, why);
		enum status closed = book_close(&book, &close_why);
		if (closed && !status) {
			status = closed;
			*why = close_why;
		}
	}
	experiment_fini(&player);
	return status;
}

static bool player_next(void *context, struct stage *stage)
{
	(void)context;
	pthread_mutex_lock(&stage->lock);
	stage->next = true;
	pthread_cond_broadcast(&stage->changed);
	pthread_mutex_unlock(&stage->lock);
	return true;
}

/* Lets PLAYER play, and shows it. */
static enum status player_watch(struct player *player, struct terminal *terminal, int delay,
				struct why *why)
{
	struct watched watched = {0};
	struct why end_why;
	struct watch_options options = {
	    .delay = delay, .keys = isatty(STDIN_FILENO), .next = player_next};
	enum status status = player_start(player, why);
	if (!status)
		status = watch_run(player_stage(player), terminal, &options, &watched, why);
	if (!status || status == STATUS_STOPPED)
		watched_tell(&watched, true);
	enum status ended = player_end(player, &end_why);
	if (ended && (!status || status == STATUS_STOPPED)) {
		status = ended;
		*why = end_why;
	}
	return status;
}

/* Games one after the other, in the viewer. */
static enum status play_watched(const struct performance_options *options, struct why *why)
{
	struct game game;
	struct player *player;
	struct terminal terminal;
	enum status status = game_init(&game, options->game, why);
	if (status)
		return status;
	terminal_prepare(&terminal);
	status = player_new(&game, options->agent, &options->recording, &player, why);
	if (status)
		terminal_close(&terminal);
	else
		status = player_watch(player, &terminal, options->delay, why);
	return status;
}

enum status agent_perform(const struct performance_options *options, struct why *why)
{
	if (options->watch)
		return play_watched(options, why);
	if (options->recording.path)
		return play_recorded(options, why);
	return options->trace ? play_traced(options, why) : play_one(options, why);
}
