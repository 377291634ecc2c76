/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Looking at games; see play_watch.h. The game goes its own way on the stage; this looks at one of
 * its positions, the one that the cursor is at, and tells the stage how far ahead it may be. So going
 * back and forth never changes a game.
 *
 * A frame is drawn at most 60 times a second, however many moves are made in between.
 */
#include "src/play/play_watch.h"

#include "agents/play.h"
#include "base/clock.h"
#include "src/play/play_show.h"
#include "base/stop.h"

#include <math.h>
#include <string.h>

enum {
	FRAME_MILLISECONDS = 16,
	IDLE_MILLISECONDS = 100,
	AHEAD_MILLISECONDS = 200,
	PAGE_MOVES = 10
};

static const int delays[] = {0, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000};
enum { DELAYS = sizeof delays / sizeof *delays };

struct watch {
	struct stage *stage;
	struct terminal *terminal;
	const struct watch_options *options;
	uint64_t game; /* of stage->games */
	size_t cursor;
	int delay;    /* milliseconds */
	double since; /* when the move at the cursor could be seen first, or 0 */
	bool playing, help, ended;
	const char *message;
	/* What the stage had when it was looked at last. */
	struct watched seen;
	char title[sizeof((struct stage *)NULL)->title];
	char remark[sizeof((struct stage *)NULL)->remark];
	double thinking; /* seconds about the position at the cursor, or the next one; 0: not */
};

/* Moves the cursor on as time goes by. The stage is locked. */
static void watch_play(struct watch *watch, double now)
{
	const struct session *session = &watch->stage->session;
	const size_t moves = session_moves(session);
	if (watch->delay == 0) {
		/* To the last move that was made, so that it is seen what it was worth. */
		watch->cursor = watch->stage->over || !moves ? moves : moves - 1;
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

/* Lets the stage be as far ahead as will be seen until the next look at it. */
static void watch_want(struct watch *watch)
{
	struct stage *stage = watch->stage;
	size_t wanted = SIZE_MAX;
	if (!watch->playing || watch->delay > 0)
		wanted = watch->cursor + 2;
	if (watch->playing && watch->delay > 0)
		wanted += (size_t)(AHEAD_MILLISECONDS / watch->delay);
	if (wanted == stage->wanted)
		return;
	stage->wanted = wanted;
	pthread_cond_broadcast(&stage->changed);
}

/* Looks at the stage. Fails as the stage does. */
static enum status watch_look(struct watch *watch, struct why *why)
{
	struct stage *stage = watch->stage;
	const double now = clock_seconds();
	pthread_mutex_lock(&stage->lock);
	const struct session *session = &stage->session;
	if (watch->game != stage->games) {
		watch->game = stage->games;
		watch->cursor = 0;
		watch->since = 0;
		watch->playing = true;
	}
	if (watch->playing)
		watch_play(watch, now);
	watch_want(watch);
	if (stage->status)
		*why = stage->why;
	const enum status status = stage->status;
	const size_t moves = session_moves(session);
	watch->seen = (struct watched){.move = watch->cursor,
				       .moves = moves,
				       .over = stage->over && watch->cursor == moves,
				       .seconds = stage->seconds,
				       .game = stage->game};
	if (session->count)
		watch->seen.moment = session->moment[watch->cursor];
	watch->thinking = !stage->over && moves - watch->cursor < 2 && moves < stage->wanted
			      ? now - stage->began
			      : 0;
	memcpy(watch->title, stage->title, sizeof watch->title);
	memcpy(watch->remark, stage->remark, sizeof watch->remark);
	pthread_mutex_unlock(&stage->lock);
	if (watch->seen.over && watch->playing) {
		watch->playing = false;
		watch->ended = !watch->options->keys;
	}
	return status;
}

enum { STATE_MAX = 192, THINKING_SHOWN_MS = 300 };

static void state_text(const struct watch *watch, char text[STATE_MAX])
{
	const struct watched *seen = &watch->seen;
	if (seen->over && !seen->game->over(&seen->moment.board))
		snprintf(text, STATE_MAX, "the record ends here, unfinished");
	else if (seen->over)
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
		snprintf(text, STATE_MAX, "%.3g moves a second", 1e3 / watch->delay);
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
	const struct watched *seen = &watch->seen;
	state_text(watch, state);
	struct scene scene = {
	    .game = seen->game,
	    .board = &seen->moment.board,
	    .title = watch->title,
	    .score = seen->moment.score,
	    .move = seen->move,
	    .moves = watch->playing ? seen->move : seen->moves,
	    .thought = thought_tells(&seen->moment.thought) || seen->moment.thought.seconds >= 0
			   ? &seen->moment.thought
			   : NULL,
	    .chosen = seen->moment.move,
	    .state = state,
	    .message = watch->message,
	    .keys = watch->options->keys ? keys : NULL,
	    .help = watch->help ? help : NULL,
	};
	if (seen->game)
		terminal_show(watch->terminal, &scene);
}

/* Milliseconds until there may be something new to see. */
static int watch_patience(const struct watch *watch)
{
	if (watch->thinking > 0 || !watch->seen.game || (watch->playing && watch->delay == 0))
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
	const double last = (double)watch->seen.moves;
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

static void press_quit(struct watch *watch, int by)
{
	(void)by;
	watch->ended = true;
}

static void press_pause(struct watch *watch, int by)
{
	(void)by;
	watch->playing = !watch->playing && !watch->seen.over;
	watch->since = 0;
}

static void press_step(struct watch *watch, int by)
{
	cursor_set(watch, (double)watch->cursor + by);
}

static void press_start(struct watch *watch, int by)
{
	(void)by;
	cursor_set(watch, 0);
}

static void press_last(struct watch *watch, int by)
{
	(void)by;
	cursor_set(watch, INFINITY);
}

static void press_full_speed(struct watch *watch, int by)
{
	(void)by;
	watch->delay = 0;
	watch->playing = true;
}

static void press_again(struct watch *watch, int by)
{
	(void)by;
	cursor_set(watch, 0);
	watch->since = 0;
	watch->playing = true;
}

static void press_next(struct watch *watch, int by)
{
	(void)by;
	if (!watch->options->next(watch->options->context, watch->stage))
		watch->message = "there is no next game";
}

static void press_help(struct watch *watch, int by)
{
	(void)by;
	watch->help = !watch->help;
}

static void press_board(struct watch *watch, int by)
{
	(void)by;
	watch->help = false;
}

static void press_refresh(struct watch *watch, int by)
{
	(void)watch;
	(void)by;
	terminal_refresh();
}

static const struct {
	int key;
	void (*press)(struct watch *watch, int by);
	int by;
} bindings[] = {
    {'q', press_quit, 0},
    {'Q', press_quit, 0},
    {KEY_CTRL_D, press_quit, 0},
    {KEY_CLOSED, press_quit, 0},
    {' ', press_pause, 0},
    {'p', press_pause, 0},
    {KEY_RIGHT, press_step, 1},
    {'.', press_step, 1},
    {'l', press_step, 1},
    {KEY_LEFT, press_step, -1},
    {',', press_step, -1},
    {'h', press_step, -1},
    {KEY_PPAGE, press_step, -PAGE_MOVES},
    {KEY_NPAGE, press_step, PAGE_MOVES},
    {KEY_HOME, press_start, 0},
    {'g', press_start, 0},
    {KEY_END, press_last, 0},
    {'G', press_last, 0},
    {'+', delay_change, -1},
    {'=', delay_change, -1},
    {KEY_UP, delay_change, -1},
    {'-', delay_change, 1},
    {KEY_DOWN, delay_change, 1},
    {'0', press_full_speed, 0},
    {'r', press_again, 0},
    {'n', press_next, 0},
    {'?', press_help, 0},
    {KEY_ESCAPE, press_board, 0},
    {KEY_CTRL_L, press_refresh, 0},
};

static void watch_press(struct watch *watch, int key)
{
	watch->message = NULL;
	for (size_t i = 0; i < sizeof bindings / sizeof *bindings; i++) {
		if (bindings[i].key == key) {
			bindings[i].press(watch, bindings[i].by);
			return;
		}
	}
	watch->message = "not a key here; ? shows them";
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

enum status watch_run(struct stage *stage, struct terminal *terminal,
		      const struct watch_options *options, struct watched *watched, struct why *why)
{
	struct watch watch = {
	    .stage = stage, .terminal = terminal, .options = options, .delay = options->delay};
	enum status status = terminal_open(terminal, options->keys, why);
	if (!status)
		status = watch_loop(&watch, why);
	terminal_close(terminal);
	*watched = watch.seen;
	return status || !stop_requested() ? status : STATUS_STOPPED;
}

void watched_tell(const struct watched *watched, bool timed)
{
	struct turn turn;
	char remark[128], seconds[32] = "";
	const struct show show = {.style = SHOW_BOARDS};
	if (!watched->game)
		return;
	turn_init(&turn, watched->game, &watched->moment.board, watched->moment.score);
	if (timed)
		snprintf(seconds, sizeof seconds, ", %.3f seconds", watched->seconds);
	if (watched->over || watched->move == watched->moves)
		snprintf(remark, sizeof remark, "%s%s", turn.moves.legal ? "unfinished" : "over",
			 seconds);
	else
		snprintf(remark, sizeof remark, "%zu more were made%s",
			 watched->moves - watched->move, seconds);
	show_end(&show, &turn);
	show_summary(&show, &turn, watched->move, remark);
}
