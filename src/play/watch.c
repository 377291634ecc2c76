/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The viewer; see watch.h. The shared game goes its own way; this looks at one of its positions,
 * the one that the cursor is at, and tells how far ahead the game may be. So going back and forth
 * never changes a game.
 *
 * A frame is drawn at most 60 times a second, however many moves are made in between.
 */
#include "src/play/watch.h"

#include "agents/play.h"
#include "analysis/tables/table.h"
#include "base/array.h"
#include "base/clock.h"
#include "base/stop.h"
#include "src/play/play.h"

#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- Threads beside the one that has the terminal. */

enum status side_thread_start(pthread_t *thread, void *(*run)(void *), void *context,
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

bool side_thread_join(pthread_t thread, int milliseconds)
{
	if (milliseconds < 0)
		return pthread_join(thread, NULL) == 0;
	const struct timespec until = clock_after(milliseconds * 1e-3);
	return pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &until) == 0;
}

/* ---- The shared game. */

void shared_game_init(struct shared_game *shared)
{
	*shared = (struct shared_game){.lock = PTHREAD_MUTEX_INITIALIZER,
				       .changed = PTHREAD_COND_INITIALIZER};
}

void shared_game_fini(struct shared_game *shared)
{
	free(shared->ply);
	pthread_cond_destroy(&shared->changed);
	pthread_mutex_destroy(&shared->lock);
}

static enum status position_add(struct shared_game *shared, const struct board *board,
				uint64_t score, struct why *why)
{
	struct ply *grown =
	    array_grow(shared->ply, shared->plies, &shared->capacity, sizeof *grown);
	if (!grown)
		return why_errno(why, "a game of %zu moves", shared->plies);
	shared->ply = grown;
	struct ply *ply = &shared->ply[shared->plies++];
	*ply = (struct ply){.board = *board, .score = score, .move = MOVE_NONE, .seconds = -1};
	decision_init(&ply->decision);
	return STATUS_OK;
}

enum status shared_game_begin(struct shared_game *shared, const struct game *game,
			      const struct board *board, struct why *why, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(shared->title, sizeof shared->title, format, args);
	va_end(args);
	shared->plies = 0;
	shared->game = game;
	shared->remark[0] = '\0';
	shared->games++;
	shared->over = shared->next = false;
	shared->seconds = 0;
	return position_add(shared, board, 0, why);
}

enum status shared_game_move(struct shared_game *shared, int move, const struct decision *decision,
			     double seconds, const struct board *board, uint64_t score,
			     struct why *why)
{
	struct ply *last = &shared->ply[shared->plies - 1];
	last->move = move;
	last->seconds = (float)seconds;
	if (decision)
		last->decision = *decision;
	return position_add(shared, board, score, why);
}

/* The moves that were made. */
static size_t shared_game_moves(const struct shared_game *shared)
{
	return shared->plies ? shared->plies - 1 : 0;
}

void shared_game_end(struct shared_game *shared, const char *remark)
{
	snprintf(shared->remark, sizeof shared->remark, "%s", remark);
	shared->over = true;
}

void shared_game_fail(struct shared_game *shared, enum status status, const struct why *why)
{
	if (shared->status)
		return;
	shared->status = status;
	shared->why = *why;
}

/* ---- The viewer. */

enum {
	FRAME_MILLISECONDS = 16,
	IDLE_MILLISECONDS = 100,
	AHEAD_MILLISECONDS = 200,
	PAGE_MOVES = 10
};

static const int delays[] = {0, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000};
enum { DELAYS = sizeof delays / sizeof *delays };

struct watch {
	struct shared_game *shared;
	struct terminal *terminal;
	const struct watch_options *options;
	uint64_t number; /* of the game, among shared->games */
	size_t cursor;
	int delay;    /* milliseconds */
	double since; /* when the move at the cursor could be seen first, or 0 */
	bool playing, help, ended;
	const char *message;
	/* What the shared game had when it was looked at last. */
	const struct game *game; /* NULL as long as there is none */
	struct ply ply;		 /* at the cursor */
	size_t moves;
	bool over;	/* the game, at that position */
	double seconds; /* of thinking in all */
	char title[sizeof((struct shared_game *)NULL)->title];
	char remark[sizeof((struct shared_game *)NULL)->remark];
	double thinking; /* seconds about the position at the cursor, or the next one; 0: not */
};

/* Moves the cursor on as time goes by. The game is locked. */
static void watch_play(struct watch *watch, double now)
{
	const size_t moves = shared_game_moves(watch->shared);
	if (watch->delay == 0) {
		/* To the last move that was made, so that it is seen what it was worth. */
		watch->cursor = watch->shared->over || !moves ? moves : moves - 1;
		return;
	}
	if (watch->cursor == moves)
		return;
	if (watch->since <= 0)
		watch->since = now;
	const double steps = floor((now - watch->since) * 1e3 / watch->delay);
	const size_t left = moves - watch->cursor;
	if (steps < 1)
		return;
	watch->cursor += steps < (double)left ? (size_t)steps : left;
	watch->since = watch->cursor == moves ? 0 : watch->since + steps * watch->delay / 1e3;
}

/* Lets the game be as far ahead as will be seen until the next look at it. */
static void watch_want(struct watch *watch)
{
	struct shared_game *shared = watch->shared;
	size_t wanted = SIZE_MAX;
	if (!watch->playing || watch->delay > 0)
		wanted = watch->cursor + 2;
	if (watch->playing && watch->delay > 0)
		wanted += (size_t)(AHEAD_MILLISECONDS / watch->delay);
	if (wanted == shared->wanted)
		return;
	shared->wanted = wanted;
	pthread_cond_broadcast(&shared->changed);
}

/* Looks at the shared game. Fails as that does. */
static enum status watch_look(struct watch *watch, struct why *why)
{
	struct shared_game *shared = watch->shared;
	const double now = clock_seconds();
	pthread_mutex_lock(&shared->lock);
	if (watch->number != shared->games) {
		watch->number = shared->games;
		watch->cursor = 0;
		watch->since = 0;
		watch->playing = true;
	}
	if (watch->playing)
		watch_play(watch, now);
	watch_want(watch);
	if (shared->status)
		*why = shared->why;
	const enum status status = shared->status;
	const size_t moves = shared_game_moves(shared);
	watch->game = shared->game;
	watch->moves = moves;
	watch->over = shared->over && watch->cursor == moves;
	watch->seconds = shared->seconds;
	if (shared->plies)
		watch->ply = shared->ply[watch->cursor];
	const bool needed = !shared->over && moves - watch->cursor < 2 && moves < shared->wanted;
	watch->thinking = needed && shared->began > 0 ? now - shared->began : 0;
	memcpy(watch->title, shared->title, sizeof watch->title);
	memcpy(watch->remark, shared->remark, sizeof watch->remark);
	pthread_mutex_unlock(&shared->lock);
	if (watch->over && watch->playing) {
		watch->playing = false;
		watch->ended = watch->ended || !watch->terminal->keys;
	}
	return status;
}

enum { STATE_MAX = 192, THINKING_SHOWN_MS = 300 };

static void state_text(const struct watch *watch, char text[STATE_MAX])
{
	if (watch->over && !watch->game->over(&watch->ply.board))
		snprintf(text, STATE_MAX, "the record ends here, unfinished");
	else if (watch->over)
		snprintf(text, STATE_MAX, "game over%s%s", *watch->remark ? "; " : "",
			 watch->remark);
	else if (watch->thinking * 1e3 > THINKING_SHOWN_MS)
		snprintf(text, STATE_MAX, "thinking, %.1f s%s", watch->thinking,
			 watch->playing ? "" : "; paused");
	else if (!watch->playing)
		snprintf(text, STATE_MAX, "paused");
	else if (watch->delay == 0)
		snprintf(text, STATE_MAX, "as fast as it goes");
	else if (watch->delay <= 1000)
		snprintf(text, STATE_MAX, "%.3g moves per second", 1e3 / watch->delay);
	else
		snprintf(text, STATE_MAX, "a move in %.3g s", watch->delay / 1e3);
}

static void watch_draw(struct watch *watch)
{
	static const char *const keys[] = {
	    "q quit", "space pause", "left right step", "+- speed",	"n next game",
	    "? keys", "home end",    "r again",		"0 full speed", NULL};
	static const char *const help[] = {"space p   pause, go on",
					   "right . l a move forward",
					   "left , h  a move back",
					   "page up   ten moves back",
					   "page down ten moves forward",
					   "home g    to the start",
					   "end G     to the last move",
					   "+ -       faster, slower",
					   "0         as fast as it goes",
					   "r         the game again",
					   "n         the next game",
					   "ctrl-l    draw all again",
					   "q ctrl-c  quit",
					   "? esc     back to the board",
					   NULL};
	char state[STATE_MAX];
	if (!watch->game)
		return;
	state_text(watch, state);
	const struct scene scene = {
	    .game = watch->game,
	    .board = &watch->ply.board,
	    .title = watch->title,
	    .score = watch->ply.score,
	    .move = watch->cursor,
	    .moves = watch->playing ? watch->cursor : watch->moves,
	    .decision = &watch->ply.decision,
	    .seconds = watch->ply.seconds,
	    .chosen = watch->ply.move,
	    .state = state,
	    .message = watch->message,
	    .keys = watch->terminal->keys ? keys : NULL,
	    .help = watch->help ? help : NULL,
	};
	terminal_show(watch->terminal, &scene);
}

/* Milliseconds until there may be something new to see. */
static int watch_patience(const struct watch *watch)
{
	if (watch->thinking > 0 || !watch->game || (watch->playing && watch->delay == 0))
		return FRAME_MILLISECONDS;
	if (!watch->playing || watch->since <= 0)
		return IDLE_MILLISECONDS;
	double left = watch->delay - (clock_seconds() - watch->since) * 1e3;
	return left > IDLE_MILLISECONDS	   ? IDLE_MILLISECONDS
	       : left > FRAME_MILLISECONDS ? (int)left + 1
					   : FRAME_MILLISECONDS;
}

static void cursor_set(struct watch *watch, double cursor)
{
	const double last = (double)watch->moves;
	watch->playing = false;
	watch->cursor = (size_t)(cursor < 0 ? 0 : cursor > last ? last : cursor);
}

/* To the next delay in the table that is longer (SIGN 1) or shorter (-1). */
static void delay_change(struct watch *watch, int sign)
{
	int i = sign > 0 ? 0 : DELAYS - 1;
	while (i >= 0 && i < DELAYS && (delays[i] - watch->delay) * sign <= 0)
		i += sign;
	if (i >= 0 && i < DELAYS)
		watch->delay = delays[i];
	watch->since = 0;
}

static void watch_next(struct watch *watch)
{
	if (!watch->options->next(watch->options->context, watch->shared))
		watch->message = "there is no next game";
}

static void watch_play_from(struct watch *watch, size_t cursor, int delay)
{
	watch->cursor = cursor;
	watch->delay = delay;
	watch->since = 0;
	watch->playing = true;
}

/* The first of the keys that do the same as KEY. */
static int key_meant(int key)
{
	static const int same[][4] = {
	    {'q', 'Q', KEY_CTRL_D, KEY_CLOSED},
	    {' ', 'p'},
	    {'l', '.', KEY_RIGHT},
	    {'h', ',', KEY_LEFT},
	    {'g', KEY_HOME},
	    {'G', KEY_END},
	    {'+', '=', KEY_UP},
	    {'-', KEY_DOWN},
	};
	for (size_t i = 0; i < sizeof same / sizeof *same; i++)
		for (size_t k = 1; k < 4; k++)
			if (same[i][k] && same[i][k] == key)
				return same[i][0];
	return key;
}

static void watch_press(struct watch *watch, int key)
{
	const double cursor = (double)watch->cursor;
	watch->message = NULL;
	switch (key_meant(key)) {
	case 'q':
		watch->ended = true;
		break;
	case ' ':
		watch->playing = !watch->playing && !watch->over;
		watch->since = 0;
		break;
	case 'l':
		cursor_set(watch, cursor + 1);
		break;
	case 'h':
		cursor_set(watch, cursor - 1);
		break;
	case KEY_PPAGE:
		cursor_set(watch, cursor - PAGE_MOVES);
		break;
	case KEY_NPAGE:
		cursor_set(watch, cursor + PAGE_MOVES);
		break;
	case 'g':
		cursor_set(watch, 0);
		break;
	case 'G':
		cursor_set(watch, INFINITY);
		break;
	case '+':
		delay_change(watch, -1);
		break;
	case '-':
		delay_change(watch, 1);
		break;
	case '0':
		watch_play_from(watch, watch->cursor, 0);
		break;
	case 'r':
		watch_play_from(watch, 0, watch->delay);
		break;
	case 'n':
		watch_next(watch);
		break;
	case '?':
		watch->help = !watch->help;
		break;
	case KEY_ESCAPE:
		watch->help = false;
		break;
	case KEY_CTRL_L:
		terminal_refresh();
		break;
	default:
		watch->message = "not a key here; ? shows them";
	}
}

/* Until it ends; keys that are there are all taken before the next frame. */
static enum status watch_loop(struct watch *watch, struct why *why)
{
	enum status status = watch_look(watch, why);
	while (!status && !watch->ended && !stop_requested()) {
		watch_draw(watch);
		int key = terminal_key(watch->terminal, watch_patience(watch));
		while (key != KEY_NONE && !watch->ended && !status) {
			watch_press(watch, key);
			status = watch_look(watch, why);
			key = terminal_key(watch->terminal, 0);
		}
		if (!status && !watch->ended)
			status = watch_look(watch, why);
	}
	return status;
}

/* What stays on standard output: the position looked at last, and a line. */
static void watch_tell(const struct watch *watch)
{
	struct turn turn;
	char remark[256], time[GRID_TEXT_MAX] = "";
	const struct show show = {.style = SHOW_BOARDS};
	if (!watch->game)
		return;
	turn_init(&turn, watch->game, &watch->ply.board, watch->ply.score);
	if (watch->options->timed)
		time_text(1e3 * watch->seconds, time);
	const char *comma = *time ? ", " : "";
	if (watch->cursor == watch->moves)
		snprintf(remark, sizeof remark, "%s%s%s", turn.moves.legal ? "unfinished" : "over",
			 comma, time);
	else
		snprintf(remark, sizeof remark, "%zu more were made%s%s",
			 watch->moves - watch->cursor, comma, time);
	show_end(&show, &turn);
	show_summary(&show, &turn, watch->cursor, remark);
}

enum status watch_run(struct shared_game *shared, struct terminal *terminal,
		      const struct watch_options *options, struct why *why)
{
	struct watch watch = {
	    .shared = shared, .terminal = terminal, .options = options, .delay = options->delay};
	enum status status = terminal_open(terminal, isatty(STDIN_FILENO), why);
	if (!status)
		status = watch_loop(&watch, why);
	terminal_close(terminal);
	if (!status && stop_requested())
		status = STATUS_STOPPED;
	if (!status || status == STATUS_STOPPED)
		watch_tell(&watch);
	return status;
}
