/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Games of an agent; see play_agent(): one that is shown, recorded or traced, whose time is that of
 * thinking, without showing; many for a record file, on several threads; and games in the viewer,
 * played by a thread of their own.
 *
 * Invariants: a game is in the record file once it is over and not before, so whatever kills the
 * process, the file tells which games are left to play. The moves of a watched game are those of
 * play_game(), and do not depend on when they are wanted.
 */
#include "analysis/tables/table.h"
#include "base/clock.h"
#include "base/stop.h"
#include "src/play/recorder.h"
#include "src/play/watch.h"
#include "src/games/pool.h"
#include "src/games/traces.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Games of an agent on record. */

/* The game has come to BOARD. */
static enum status recorder_reach(struct recorder *recorder, const struct board *board)
{
	if (recorder->begun)
		return recorder_add(
		    recorder, record_move_of(recorder->direction, &recorder->after, board), NULL);
	recorder->begun = true;
	recorder->start = *board;
	return STATUS_OK;
}

/* Records a game that play_game() plays; as play_watch.move, with the recorder as context. */
static bool recorder_watch(void *context, const struct turn *turn, int move,
			   const struct decision *decision)
{
	struct recorder *recorder = context;
	(void)decision;
	recorder->status = recorder_reach(recorder, turn->board);
	recorder->after = turn->moves.after[move];
	recorder->direction = move;
	return recorder->status == STATUS_OK;
}

/* Ends such a record with how the game ended. STATUS_SYSTEM if memory ran out. */
static enum status recorder_end(struct recorder *recorder, const struct outcome *outcome,
				struct why *why)
{
	if (!recorder->status)
		recorder->status = recorder_reach(recorder, &outcome->last);
	if (recorder->status)
		return why_set(why, recorder->status, "a game of %zu moves: out of memory",
			       recorder->moves);
	return STATUS_OK;
}

/*
 * What the games of AGENT on GAME are filed under: an experiment of one entry, to be freed by
 * experiment_fini(). Errors as experiment_add().
 */
static enum status agent_experiment(struct experiment *experiment, const struct game *game,
				    const char *agent, struct why *why)
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

/*
 * record_log_open() for games of the agent of OPTIONS on GAME; errors as agent_experiment(), too.
 */
static enum status record_log_open_agent(struct record_log *log, const struct game *game,
					 const struct play_options *options, struct why *why)
{
	*log = (struct record_log){.seed = options->seed};
	enum status status = agent_experiment(&log->experiment, game, options->agent, why);
	if (status)
		return status;
	const struct experiment_entry *entry = log->experiment.entries[0];
	log->game = &entry->game;
	log->player = entry->agent;
	log->config = (struct record_number){true, entry_config(entry, entry->trained_before)};
	status = record_log_open(log, options, why);
	if (status)
		experiment_fini(&log->experiment);
	return status;
}

/* ---- One game. */

/* What becomes of each move of a game. */
struct performance {
	struct show show;
	struct recorder *recorder;	     /* NULL if it is not recorded */
	const struct provenance *provenance; /* of its trace; NULL if it is not traced */
	uint64_t trained;		     /* games behind the player */
	bool begun;			     /* showing */
	double thinking;		     /* seconds, without the time that showing takes */
	double resumed;			     /* clock when the agent went on thinking */
};

/* Begins to show the game. */
static void performance_show(struct performance *performance)
{
	if (!performance->begun)
		show_begin(&performance->show);
	performance->begun = true;
}

static bool performance_move(void *context, const struct turn *turn, int move,
			     const struct decision *decision)
{
	struct performance *performance = context;
	performance->thinking += clock_seconds() - performance->resumed;
	bool taken =
	    !performance->recorder || recorder_watch(performance->recorder, turn, move, decision);
	if (taken) {
		performance_show(performance);
		show_turn(&performance->show, turn, move);
	}
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
	char time[GRID_TEXT_MAX];
	struct turn last;
	bool finished;
	struct play_watch watch = {.move = performance_move, .context = performance};
	enum status status = agent_new(agent_text, &env, &agent, why);
	if (status)
		return status;
	performance->show.style = options->style;
	performance->resumed = clock_seconds();
	if (performance->provenance)
		status = traces_play(options->trace, provenance_lines(performance->provenance),
				     agent, performance->trained, options->seed, options->index,
				     &watch, outcome, &finished, why);
	else
		play_game(agent, options->seed, options->index, &watch, outcome);
	performance->thinking += clock_seconds() - performance->resumed;
	status = status ? status : agent_check(agent, why);
	agent_free(agent);
	if (status)
		return status;
	performance_show(performance);
	turn_init(&last, game, &outcome->last, outcome->score);
	show_end(&performance->show, &last);
	time_text(1e3 * performance->thinking, time);
	show_summary(&performance->show, &last, outcome->moves, time);
	return STATUS_OK;
}

static enum status play_shown(const struct play_options *options, const struct game *game,
			      struct why *why)
{
	struct performance performance = {0};
	struct outcome outcome;
	return game_perform(options->agent, game, options, &performance, &outcome, why);
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
		const struct experiment_entry *entry = experiment.entries[0];
		struct outcome outcome;
		struct performance performance = {.provenance = &provenance,
						  .trained = entry->trained_before};
		status =
		    game_perform(entry->agent, &entry->game, options, &performance, &outcome, why);
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

/* ---- Many games for a record file. */

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
	recording->pool = pool_new(recording->options->threads);
	pool_add(recording->pool, &recording->job);
	progress_start(&recording->progress, false);
	enum status status = pool_run(recording->pool, &recording->progress, why);
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
	instances_init(&recording->instances, recording->log.game, recording->log.player,
		       options->threads);
	enum status status = recording_work(recording, why);
	instances_fini(&recording->instances);
	return record_log_close(&recording->log, status, why);
}

/*
 * Plays those of GAMES games from INDEX on that are not in the record file yet, and appends each
 * when it ends, so that their order depends on the threads.
 */
static enum status play_recorded_games(const struct play_options *options, struct why *why)
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

/* ---- Games in the viewer. */

/*
 * Plays games from number INDEX on in a thread, which makes moves as long as the shared game wants
 * some, and looks up between two of them, so all that it is asked for, but for its end, waits for
 * the move under way. Each game that is over is recorded if there is a record file.
 */
struct player_thread {
	struct shared_game shared;
	struct game game;
	struct play_options options; /* a copy, since the thread may be the last to end */
	/* The thread's, while it runs. */
	struct record_log log; /* open if there is a record file */
	struct agent *agent;
	struct stepped_game stepped;
	struct recorder recorder;
	pthread_t thread;
	bool started;
};

/* Waits until there is something to do; true if that is a move. The lock is held. */
static bool move_await(struct shared_game *shared)
{
	shared->began = 0;
	while (!shared->quit && !shared->next &&
	       (shared->over || shared->status || shared->plies > shared->wanted))
		pthread_cond_wait(&shared->changed, &shared->lock);
	shared->began = clock_seconds();
	return !shared->quit && !shared->next;
}

/* Makes a move; called and left with the lock held, which is given up meanwhile. */
static enum status move_make(struct player_thread *player, struct rng *choices, struct why *why)
{
	struct shared_game *shared = &player->shared;
	struct stepped_game *stepped = &player->stepped;
	struct agent *agent = player->agent;
	struct decision decision;
	const double began = shared->began;
	pthread_mutex_unlock(&shared->lock);
	decision_init(&decision);
	const int move = agent->class->act(agent->self, &stepped->turn, choices, &decision);
	const double seconds = clock_seconds() - began;
	enum status status = agent_check(agent, why);
	pthread_mutex_lock(&shared->lock);
	if (status)
		return status;
	const struct record_move made = stepped_game_move(stepped, move);
	if (player->log.open)
		status = recorder_add(&player->recorder, made, why);
	shared->seconds += seconds;
	return status ? status
		      : shared_game_move(shared, move, &decision, seconds, &stepped->board,
					 stepped->turn.score, why);
}

/* Appends the game that is over. REMARK is what is to be said of it. */
static enum status game_record(struct player_thread *player, uint64_t index, const char **remark,
			       struct why *why)
{
	const struct stepped_game *stepped = &player->stepped;
	if (!player->log.open)
		return STATUS_OK;
	*remark = "in the record file already";
	if (record_log_has(&player->log, index))
		return STATUS_OK;
	const struct record record =
	    recorder_record(&player->recorder, &stepped->board, stepped->turn.score, true);
	*remark = "recorded";
	return record_log_append(&player->log, index, &record, why);
}

/*
 * Plays game INDEX, and waits behind it, until another is asked for, or the end. The lock is held.
 */
static enum status game_play(struct player_thread *player, uint64_t index, struct why *why)
{
	struct shared_game *shared = &player->shared;
	struct stepped_game *stepped = &player->stepped;
	struct rng choices;
	const char *remark = "";
	rng_init(&choices, player->options.seed, RNG_AGENT, index);
	stepped_game_start(stepped, &player->game, player->options.seed, index);
	player->recorder.moves = 0;
	player->recorder.start = stepped->board;
	enum status status = shared_game_begin(
	    shared, &player->game, &stepped->board, why, "%s  %s  game %" PRIu64 ", seed %" PRIu64,
	    player->game.name, player->options.agent, index, player->options.seed);
	while (!status && stepped->turn.moves.legal && move_await(shared))
		status = move_make(player, &choices, why);
	if (!status && !stepped->turn.moves.legal) {
		status = game_record(player, index, &remark, why);
		shared_game_end(shared, remark);
	}
	if (!status)
		move_await(shared);
	return status;
}

static void *player_run(void *context)
{
	struct player_thread *player = context;
	struct shared_game *shared = &player->shared;
	struct why why;
	enum status status = STATUS_OK;
	pthread_mutex_lock(&shared->lock);
	for (uint64_t index = player->options.index; !status && !shared->quit; index++)
		status = game_play(player, index, &why);
	if (status)
		shared_game_fail(shared, status, &why);
	pthread_mutex_unlock(&shared->lock);
	return NULL;
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

/* Opens the record file, makes the agent and starts the thread. */
static enum status player_start(struct player_thread *player, struct why *why)
{
	const struct play_options *options = &player->options;
	const struct agent_env env = {.game = &player->game};
	enum status status = STATUS_OK;
	shared_game_init(&player->shared);
	if (options->record)
		status = record_log_open_agent(&player->log, &player->game, options, why);
	if (!status)
		status = agent_new(options->agent, &env, &player->agent, why);
	if (!status)
		status = side_thread_start(&player->thread, player_run, player, why);
	player->started = !status;
	return status;
}

/* Whether the thread has ended, or does so soon. */
static bool player_joined(struct player_thread *player)
{
	pthread_mutex_lock(&player->shared.lock);
	player->shared.quit = true;
	pthread_cond_broadcast(&player->shared.changed);
	pthread_mutex_unlock(&player->shared.lock);
	if (side_thread_join(player->thread, SIDE_THREAD_END_MS))
		return true;
	pthread_detach(player->thread);
	return false;
}

/*
 * Ends it at once, even if the agent thinks about a move: then its thread and all that it uses are
 * left to the end of the process. Returns STATUS, or a failure to close the record file.
 */
static enum status player_end(struct player_thread *player, enum status status, struct why *why)
{
	if (player->started && !player_joined(player))
		return status;
	status = record_log_close(&player->log, status, why);
	agent_free(player->agent);
	recorder_fini(&player->recorder);
	shared_game_fini(&player->shared);
	free(player);
	return status;
}

/* Games one after the other. */
static enum status play_watched(const struct play_options *options, const struct game *game,
				struct why *why)
{
	const struct watch_options watch = {
	    .delay = options->delay, .timed = true, .next = player_next};
	struct terminal terminal;
	struct player_thread *player = calloc(1, sizeof *player);
	if (!player)
		return why_errno(why, "a player");
	player->game = *game;
	player->options = *options;
	terminal_prepare(&terminal);
	enum status status = player_start(player, why);
	if (!status)
		status = watch_run(&player->shared, &terminal, &watch, why);
	terminal_close(&terminal);
	return player_end(player, status, why);
}

enum status play_agent(const struct play_options *options, struct why *why)
{
	struct game game;
	if (options->games)
		return play_recorded_games(options, why);
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
