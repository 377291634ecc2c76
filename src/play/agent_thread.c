/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Agents in threads of their own; see agent_thread.h. A player makes moves as long as the shared game
 * wants some, and looks up between two of them, so all that it is asked for waits for the move under
 * way; but for its end. An adviser's thread lives as long as a question.
 *
 * Invariant: the moves of a game are those of play_game(), and do not depend on when they are wanted.
 */
#include "src/play/agent_thread.h"

#include "base/clock.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { JOIN_MILLISECONDS = 100 };

/*
 * Starts a thread that gets no signal but those of a fault of its own; others are for the thread that
 * has the terminal. STATUS_SYSTEM if it cannot be started.
 */
static enum status thread_start(pthread_t *thread, void *(*run)(void *), void *context,
				struct why *why)
{
	static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
	sigset_t others, mask;
	sigfillset(&others);
	for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
		sigdelset(&others, faults[i]);
	pthread_sigmask(SIG_SETMASK, &others, &mask);
	int error = pthread_create(thread, NULL, run, context);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
	return error ? why_set(why, STATUS_SYSTEM, "a thread could not be started") : STATUS_OK;
}

/* Joins it if it ends in MILLISECONDS, or whenever it ends if they are negative; whether it has. */
static bool thread_join(pthread_t thread, int milliseconds)
{
	struct timespec until;
	if (milliseconds < 0)
		return pthread_join(thread, NULL) == 0;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += milliseconds * 1000000L;
	until.tv_sec += until.tv_nsec / 1000000000L;
	until.tv_nsec %= 1000000000L;
	return pthread_timedjoin_np(thread, NULL, &until) == 0;
}

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

struct shared_game *player_thread_game(struct player_thread *player)
{
	return &player->shared;
}

/* Waits until there is something to do; true if that is a move. The lock is held. */
static bool move_await(struct shared_game *shared)
{
	while (!shared->quit && !shared->next &&
	       (shared->over || shared->status || shared_game_moves(shared) >= shared->wanted))
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

/* Plays game INDEX, and waits behind it, until another is asked for, or the end. The lock is held. */
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

enum status player_thread_new(const struct game *game, const struct play_options *options,
			      struct player_thread **player, struct why *why)
{
	struct player_thread *made = calloc(1, sizeof *made);
	if (!made)
		return why_errno(why, "a player");
	made->game = *game;
	made->options = *options;
	shared_game_init(&made->shared);
	struct agent_env env = {.game = &made->game};
	enum status status = options->record
				 ? record_log_open_agent(&made->log, &made->game, options, why)
				 : STATUS_OK;
	if (!status)
		status = agent_new(options->agent, &env, &made->agent, why);
	if (status)
		return player_thread_end(made, status, why);
	*player = made;
	return STATUS_OK;
}

enum status player_thread_start(struct player_thread *player, struct why *why)
{
	enum status status = thread_start(&player->thread, player_run, player, why);
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
	if (thread_join(player->thread, JOIN_MILLISECONDS))
		return true;
	pthread_detach(player->thread);
	return false;
}

enum status player_thread_end(struct player_thread *player, enum status status, struct why *why)
{
	if (!player || (player->started && !player_joined(player)))
		return status;
	status = record_log_close(&player->log, status, why);
	agent_free(player->agent);
	recorder_fini(&player->recorder);
	shared_game_fini(&player->shared);
	free(player);
	return status;
}

struct adviser {
	struct game game;
	struct agent *agent;
	uint64_t seed, index;
	pthread_t thread;
	bool asked;
	/* The thread's, while there is one. */
	struct turn turn;
	struct adviser_answer answer;
	enum status status;
	struct why why;
};

enum status adviser_new(const char *agent, const struct game *game, uint64_t seed, uint64_t index,
			struct adviser **adviser, struct why *why)
{
	struct adviser *made = calloc(1, sizeof *made);
	if (!made)
		return why_errno(why, "an adviser");
	made->game = *game;
	made->seed = seed;
	made->index = index;
	struct agent_env env = {.game = &made->game};
	enum status status = agent_new(agent, &env, &made->agent, why);
	if (status)
		free(made);
	else
		*adviser = made;
	return status;
}

static void *adviser_think(void *context)
{
	struct adviser *adviser = context;
	const struct agent *agent = adviser->agent;
	struct adviser_answer *answer = &adviser->answer;
	struct rng choices;
	const double began = clock_seconds();
	decision_init(&answer->decision);
	rng_init(&choices, adviser->seed, RNG_AGENT, adviser->index);
	answer->move = agent->class->act(agent->self, &adviser->turn, &choices, &answer->decision);
	answer->seconds = (float)(clock_seconds() - began);
	adviser->status = agent_check(agent, &adviser->why);
	return NULL;
}

enum status adviser_ask(struct adviser *adviser, const struct turn *turn, struct why *why)
{
	adviser->answer.board = *turn->board;
	turn_init(&adviser->turn, &adviser->game, &adviser->answer.board, turn->score);
	enum status status = thread_start(&adviser->thread, adviser_think, adviser, why);
	adviser->asked = !status;
	return status;
}

bool adviser_asked(const struct adviser *adviser)
{
	return adviser && adviser->asked;
}

bool adviser_take(struct adviser *adviser, int milliseconds, struct adviser_answer *answer,
		  enum status *status, struct why *why)
{
	if (!adviser->asked || !thread_join(adviser->thread, milliseconds))
		return false;
	adviser->asked = false;
	*answer = adviser->answer;
	*status = adviser->status;
	if (*status)
		*why = adviser->why;
	return true;
}

void adviser_free(struct adviser *adviser)
{
	if (!adviser)
		return;
	if (adviser->asked && !thread_join(adviser->thread, JOIN_MILLISECONDS)) {
		pthread_detach(adviser->thread);
		return;
	}
	agent_free(adviser->agent);
	free(adviser);
}
