/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An agent in a thread of its own; see play_player.h. It makes moves as long as the stage wants
 * some, and looks up between two of them, so all that a stage is asked for waits for the move under
 * way; but for its end.
 *
 * Invariant: the moves of a game are those of play_game(), and do not depend on when they are wanted.
 */
#include "src/play/play_player.h"

#include "base/clock.h"
#include "src/play/play_course.h"
#include "src/play/play_tape.h"
#include "src/play/play_thread.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JOIN_MILLISECONDS = 100 };

struct player {
	struct stage stage;
	struct game game;
	struct recording_options options;
	struct experiment experiment; /* of the one agent, if there is a record file */
	bool booked;
	struct book book; /* the thread's, while it runs */
	struct agent *agent;
	char *text; /* that specifies it */
	struct course course;
	struct tape tape;
	pthread_t thread;
	bool started;
};

struct stage *player_stage(struct player *player)
{
	return &player->stage;
}

/* Waits until there is something to do; true if that is a move. The lock is held. */
static bool move_await(struct stage *stage)
{
	while (!stage->quit && !stage->next &&
	       (stage->over || stage->status || session_moves(&stage->session) >= stage->wanted))
		pthread_cond_wait(&stage->changed, &stage->lock);
	stage->began = clock_seconds();
	return !stage->quit && !stage->next;
}

/* Makes a move; called and left with the lock held, which is given up meanwhile. */
static enum status move_make(struct player *player, struct rng *choices, struct why *why)
{
	struct stage *stage = &player->stage;
	struct course *course = &player->course;
	struct agent *agent = player->agent;
	struct decision decision;
	const double began = stage->began;
	pthread_mutex_unlock(&stage->lock);
	decision_init(&decision);
	const int move = agent->class->act(agent->self, &course->turn, choices, &decision);
	const double seconds = clock_seconds() - began;
	enum status status = agent_check(agent, why);
	pthread_mutex_lock(&stage->lock);
	if (status)
		return status;
	const struct record_move made = course_move(course, move);
	const struct thought thought = thought_of(&decision, seconds);
	if (player->booked)
		status = tape_add(&player->tape, made, why);
	stage->seconds += seconds;
	return status ? status
		      : stage_move(stage, move, &thought, &course->board, course->turn.score, why);
}

/* Appends the game that is over. What is to be said of it goes into REMARK. */
static enum status game_record(struct player *player, uint64_t index, char *remark, size_t size,
			       struct why *why)
{
	*remark = '\0';
	if (!player->booked)
		return STATUS_OK;
	if (book_has(&player->book, index)) {
		snprintf(remark, size, "in the record file already");
		return STATUS_OK;
	}
	const struct record record =
	    tape_record(&player->tape, &player->course.board, player->course.turn.score, true);
	snprintf(remark, size, "recorded");
	return book_append(&player->book, index, &record, why);
}

/* Plays game INDEX, and waits behind it, until another is asked for, or the end. The lock is held. */
static enum status game_play(struct player *player, uint64_t index, struct why *why)
{
	struct stage *stage = &player->stage;
	struct course *course = &player->course;
	struct rng choices;
	char remark[sizeof stage->remark];
	rng_init(&choices, player->options.seed, RNG_AGENT, index);
	course_start(course, &player->game, player->options.seed, index);
	player->tape.moves = 0;
	player->tape.start = course->board;
	enum status status = stage_begin(
	    stage, &player->game, &course->board, why, "%s  %s  game %" PRIu64 ", seed %" PRIu64,
	    player->game.name, player->text, index, player->options.seed);
	while (!status && course->turn.moves.legal && move_await(stage))
		status = move_make(player, &choices, why);
	if (!status && !course->turn.moves.legal) {
		status = game_record(player, index, remark, sizeof remark, why);
		stage_end(stage, remark);
	}
	if (!status)
		move_await(stage);
	return status;
}

static void *player_run(void *context)
{
	struct player *player = context;
	struct stage *stage = &player->stage;
	struct why why;
	enum status status = STATUS_OK;
	pthread_mutex_lock(&stage->lock);
	for (uint64_t index = player->options.first; !status && !stage->quit; index++)
		status = game_play(player, index, &why);
	if (status)
		stage_fail(stage, status, &why);
	pthread_mutex_unlock(&stage->lock);
	return NULL;
}

/* Opens the record file. */
static enum status player_book(struct player *player, const char *agent, struct why *why)
{
	enum status status = player_init(&player->experiment, &player->game, agent, why);
	if (!status)
		status =
		    player_book_open(&player->book, &player->experiment, &player->options, why);
	player->booked = !status;
	return status;
}

enum status player_new(const struct game *game, const char *agent,
		       const struct recording_options *options, struct player **player,
		       struct why *why)
{
	struct why ignored;
	struct player *made = calloc(1, sizeof *made);
	char *text = strdup(agent);
	if (!made || !text) {
		free(made);
		free(text);
		return why_errno(why, "a player");
	}
	made->game = *game;
	made->options = *options;
	made->text = text;
	stage_init(&made->stage);
	struct agent_env env = {.game = &made->game};
	enum status status = options->path ? player_book(made, agent, why) : STATUS_OK;
	if (!status)
		status = agent_new(agent, &env, &made->agent, why);
	if (!status) {
		*player = made;
		return STATUS_OK;
	}
	enum status closed = player_end(made, &ignored);
	(void)closed;
	return status;
}

enum status player_start(struct player *player, struct why *why)
{
	enum status status = thread_start(&player->thread, player_run, player, why);
	player->started = !status;
	return status;
}

/* Whether the thread has ended, or does so soon. */
static bool player_joined(struct player *player)
{
	pthread_mutex_lock(&player->stage.lock);
	player->stage.quit = true;
	pthread_cond_broadcast(&player->stage.changed);
	pthread_mutex_unlock(&player->stage.lock);
	if (thread_join(player->thread, JOIN_MILLISECONDS))
		return true;
	pthread_detach(player->thread);
	return false;
}

enum status player_end(struct player *player, struct why *why)
{
	enum status status = STATUS_OK;
	if (!player || (player->started && !player_joined(player)))
		return STATUS_OK;
	if (player->booked)
		status = book_close(&player->book, why);
	experiment_fini(&player->experiment);
	agent_free(player->agent);
	tape_fini(&player->tape);
	stage_fini(&player->stage);
	free(player->text);
	free(player);
	return status;
}
