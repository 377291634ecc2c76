/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A session: games that an agent plays, that come from a record file, or that a person plays with
 * the keyboard and optional advice of an agent. Games are on the screen; without a screen a person
 * types letters on standard input, and show.c prints the game.
 *
 * A session stores every position of its game with the state of the spawn stream, and shows one of
 * them, at the cursor. So going back and forth never changes a game, and taking back a move means
 * removing the last position. The moves of a watched game are those of play_game() and do not
 * depend on timing. A game that a person records only goes forward: after taking back moves, a
 * person knows which tiles will appear, and the record could not show that.
 */
#include "src/play/session.h"

#include "analysis/tables/table.h"
#include "base/clock.h"
#include "base/stop.h"
#include "base/xalloc.h"
#include "src/play/recorder.h"
#include "src/play/terminal.h"
#include "src/play/thinker.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOVE_NONE = -1, FRAME_MS = 16, IDLE_MS = 100, THINKING_SHOWN_MS = 300, PAGE_MOVES = 10 };

static const int delays[] = {0, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000};
enum { DELAYS = sizeof delays / sizeof *delays };

/* A position of the game, and its move. */
struct ply {
	struct board board;
	uint64_t score;
	struct rng spawns; /* stream for the tile after the move */
	int move, advice;  /* move made, and move advised; or MOVE_NONE */
	double seconds;	   /* time of the decision; negative if unknown */
	struct decision decision;
};

struct session {
	const struct play_options *options;
	struct terminal terminal;
	bool screen, human;
	struct game game;
	struct record_log log;	       /* open if games are recorded */
	struct record_reader *records; /* source of the games, or NULL */
	struct thinker *thinker;       /* agent that plays or advises, or NULL */
	struct rng choices;	       /* random stream of the agent */
	uint64_t index;		       /* number of the game */
	struct ply *ply;	       /* positions; the last is the present one */
	size_t plies;
	bool over; /* the game has ended */
	bool next; /* the user asked for another game */
	char title[RECORD_PLAYER_MAX + FOLDER_PATH_MAX + 128];
	const char *remark; /* remark about a finished game */
	double thought;	    /* seconds of thinking in this game */
	/* The display. */
	size_t cursor;
	int delay;    /* milliseconds between moves */
	double since; /* when the move at the cursor was first visible, or 0 */
	bool playing, help, ended;
	char message[256]; /* shown until the next key */
	struct why *why;   /* for session_must() */
	/* For a person's games. */
	bool pressed;	  /* a key was pressed */
	struct show show; /* output without a screen */
};

/* Shows a message about an error or a key that has no effect. */
__attribute__((format(printf, 2, 3))) static void session_warn(struct session *s,
							       const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(s->message, sizeof s->message, format, args);
	va_end(args);
	if (!s->screen)
		fprintf(stderr, "%s: %s\n", s->options->name, s->message);
}

/* Ends the session, after work that ended with STATUS; also returns an error of closing. */
static enum status session_end(struct session *s, enum status status)
{
	terminal_close(&s->terminal);
	status = record_log_close(&s->log, status, s->why);
	thinker_free(s->thinker);
	free(s->ply);
	return status;
}

/* Ends the process, with the reason s->why, if STATUS is a failure. */
static void session_must(struct session *s, enum status status)
{
	if (status)
		exit(command_exit(s->options->name, session_end(s, status), s->why));
}

/* ---- The game. */

static struct ply *ply_last(const struct session *s)
{
	return &s->ply[s->plies - 1];
}

static bool is_over(const struct session *s)
{
	return s->game.over(&ply_last(s)->board);
}

static struct turn turn_at(const struct session *s, size_t i)
{
	struct turn turn;
	turn_init(&turn, &s->game, &s->ply[i].board, s->ply[i].score);
	return turn;
}

static void ply_add(struct session *s, const struct board *board, uint64_t score,
		    const struct rng *spawns)
{
	s->ply = xgrow(s->ply, s->plies, sizeof *s->ply);
	s->ply[s->plies++] = (struct ply){.board = *board,
					  .score = score,
					  .spawns = *spawns,
					  .move = MOVE_NONE,
					  .advice = MOVE_NONE,
					  .seconds = -1};
	decision_init(&ply_last(s)->decision);
}

/* Removes all positions. */
static void game_reset(struct session *s)
{
	s->plies = s->cursor = 0;
	s->since = s->thought = 0;
	s->remark = "";
	s->over = s->next = false;
	s->playing = true;
}

/* Starts game s->index of the seed. */
static void game_start(struct session *s, const char *player)
{
	const struct play_options *options = s->options;
	struct board board;
	struct rng spawns;
	rng_init(&spawns, options->seed, RNG_SPAWN, s->index);
	rng_init(&s->choices, options->seed, RNG_AGENT, s->index);
	board_start(&s->game, &board, &spawns);
	snprintf(s->title, sizeof s->title, "%s  %s  game %" PRIu64 ", seed %" PRIu64, s->game.name,
		 player, s->index, options->seed);
	game_reset(s);
	ply_add(s, &board, 0, &spawns);
}

/* Makes a legal move in the last position and adds a tile. */
static void game_move(struct session *s, int move)
{
	struct ply *last = ply_last(s);
	struct board board = last->board;
	struct rng spawns = last->spawns;
	struct turn turn = turn_at(s, s->plies - 1);
	turn_move(&turn, &board, move, &spawns);
	last->move = move;
	ply_add(s, &board, turn.score, &spawns);
}

/* Appends the game to the record file. */
static void game_record(struct session *s)
{
	const struct ply *last = ply_last(s);
	struct recorder recorder = {0};
	for (size_t i = 0; i + 1 < s->plies; i++) {
		const struct turn turn = turn_at(s, i);
		recorder_move(&recorder, &turn, s->ply[i].move, NULL);
	}
	session_must(
	    s, record_log_append(&s->log, s->index, &recorder, &last->board, last->score, s->why));
	free(recorder.move);
}

/* Loads the game on LINE of a record file. */
static void game_read(struct session *s, const struct record_line *line)
{
	const struct record *record = &line->record;
	const struct rng none = {0};
	struct board board = record->start;
	struct turn turn;
	snprintf(s->title, sizeof s->title, "%s  %s  %s, line %zu", line->game->name, line->player,
		 s->options->replay, line->number);
	game_reset(s);
	s->game = *line->game;
	s->over = true;
	turn_init(&turn, &s->game, &board, 0);
	ply_add(s, &board, 0, &none);
	for (size_t i = 0; i < record->moves; i++) {
		ply_last(s)->move = record->move[i].direction;
		record_step(&record->move[i], &turn, &board);
		ply_add(s, &board, turn.score, &none);
	}
}

/* ---- An agent that plays. */

/* Whether the agent should move: as far as its moves will be shown before the next update. */
static bool move_wanted(const struct session *s)
{
	if (!s->thinker || s->human || s->over)
		return false;
	if (s->playing && s->delay == 0)
		return true;
	const size_t ahead = 2 + (s->playing ? (size_t)(2 * IDLE_MS / s->delay) : 0);
	return s->cursor + ahead >= s->plies;
}

/* Ends the game if no move is left. */
static void game_end(struct session *s)
{
	if (s->over || !is_over(s))
		return;
	s->over = true;
	if (s->log.open && record_log_has(&s->log, s->index)) {
		s->remark = "in the record file already";
	} else if (s->log.open) {
		game_record(s);
		s->remark = "recorded";
	}
}

/* Makes the move of the agent if it is ready within MILLISECONDS; returns whether it is. */
static bool agent_move(struct session *s, int milliseconds)
{
	const struct thought *thought = thinker_take(s->thinker, milliseconds);
	struct ply *last = ply_last(s);
	if (!thought || s->next)
		return thought;
	*s->why = thought->why;
	session_must(s, thought->status);
	last->decision = thought->decision;
	last->seconds = thought->seconds;
	s->thought += thought->seconds;
	s->choices = thought->choices;
	game_move(s, thought->move);
	game_end(s);
	return true;
}

static enum status agent_ask(struct session *s, struct why *why)
{
	const struct ply *last = ply_last(s);
	return thinker_ask(s->thinker, &last->board, last->score, &s->choices, why);
}

/* Lets the agent play for at most one frame, as far as its moves are needed. */
static void agent_play(struct session *s)
{
	const double until = clock_seconds() + FRAME_MS * 1e-3;
	game_end(s);
	for (bool made = true; made;) {
		const bool busy = thinker_busy(s->thinker) > 0;
		const int left = (int)((until - clock_seconds()) * 1e3);
		if (s->next && !busy) {
			s->index++;
			game_start(s, s->options->agent);
			continue;
		}
		if (!busy && (left <= 0 || !move_wanted(s)))
			break;
		if (!busy)
			session_must(s, agent_ask(s, s->why));
		made = agent_move(s, left > 0 ? left : 0);
	}
}

/* ---- The cursor. */

/* Advances the cursor with time. */
static void cursor_play(struct session *s)
{
	const size_t moves = s->plies - 1;
	const double now = clock_seconds();
	if (s->delay == 0) {
		/* Stops at the last move, so that its value is visible. */
		s->cursor = s->over || !moves ? moves : moves - 1;
		return;
	}
	if (s->cursor == moves)
		return;
	if (s->since <= 0)
		s->since = now;
	for (; s->cursor < moves && (now - s->since) * 1e3 >= s->delay; s->cursor++)
		s->since += s->delay * 1e-3;
	if (s->cursor == moves)
		s->since = 0;
}

static bool is_at_end(const struct session *s)
{
	return s->over && s->cursor == s->plies - 1;
}

/* Updates the game and the cursor, which change without a key. */
static void session_update(struct session *s)
{
	if (s->human) {
		s->cursor = s->plies - 1;
		return;
	}
	if (s->thinker)
		agent_play(s);
	if (s->playing)
		cursor_play(s);
	if (s->playing && is_at_end(s)) {
		s->playing = false;
		s->ended = s->ended || !s->terminal.keys;
	}
}

/* ---- Keys. */

static void press_quit(struct session *s, int unused)
{
	(void)unused;
	s->ended = true;
}

static void press_pause(struct session *s, int unused)
{
	(void)unused;
	s->playing = !s->playing && !is_at_end(s);
	s->since = 0;
}

/* Moves the cursor MOVES forward, or back if MOVES is negative. */
static void press_step(struct session *s, int moves)
{
	const long long to = (long long)s->cursor + moves, last = (long long)s->plies - 1;
	s->playing = false;
	s->cursor = (size_t)(to < 0 ? 0 : to > last ? last : to);
}

/* Selects the next longer (SIGN 1) or shorter (SIGN -1) delay. */
static void press_speed(struct session *s, int sign)
{
	int i = sign > 0 ? 0 : DELAYS - 1;
	while (i >= 0 && i < DELAYS && (delays[i] - s->delay) * sign <= 0)
		i += sign;
	if (i >= 0 && i < DELAYS)
		s->delay = delays[i];
	s->since = 0;
}

static void press_full_speed(struct session *s, int unused)
{
	(void)unused;
	s->delay = 0;
	s->playing = true;
}

static void press_again(struct session *s, int unused)
{
	(void)unused;
	s->cursor = 0;
	s->since = 0;
	s->playing = true;
}

static void press_next(struct session *s, int unused)
{
	const struct record_line *line = NULL;
	struct why why;
	(void)unused;
	s->next = !s->records;
	if (!s->records)
		return;
	if (record_reader_next(s->records, &line, &why))
		session_warn(s, "%s", why.text);
	else if (line)
		game_read(s, line);
	else
		session_warn(s, "there is no next game");
}

static void press_help(struct session *s, int change)
{
	s->help = change && !s->help;
}

static void press_redraw(struct session *s, int unused)
{
	(void)unused;
	if (s->screen)
		terminal_refresh();
}

/* Without a screen, prints the last position. */
static void position_print(const struct session *s)
{
	const struct turn turn = turn_at(s, s->plies - 1);
	if (!s->screen)
		show_position(&s->show, &turn);
}

static void press_move(struct session *s, int direction)
{
	const struct turn turn = turn_at(s, s->plies - 1);
	if (!(turn.moves.legal >> direction & 1)) {
		session_warn(s, "%s: %s", direction_names[direction],
			     turn.moves.legal ? "moves nothing" : "the game is over");
		return;
	}
	if (!s->screen)
		show_move(&s->show, &turn, direction);
	game_move(s, direction);
	position_print(s);
}

static void press_back(struct session *s, int unused)
{
	(void)unused;
	if (s->log.open || s->plies == 1) {
		session_warn(s, s->log.open ? "no move is taken back in a game that is recorded"
					    : "no move to take back");
		return;
	}
	s->plies--;
	ply_last(s)->move = MOVE_NONE;
	if (!s->screen)
		printf("%smove %" PRIu64 " is taken back\n", show_mark(&s->show), s->show.moves--);
	position_print(s);
}

/* Receives advice and ignores it if it is about a position that was taken back. */
static void advice_take(struct session *s, int milliseconds)
{
	struct ply *last = ply_last(s);
	const struct thought *thought = thinker_take(s->thinker, milliseconds);
	if (thought && thought->status) {
		session_warn(s, "%s", thought->why.text);
	} else if (thought && board_equal(&thought->board, &last->board)) {
		last->decision = thought->decision;
		last->seconds = thought->seconds;
		last->advice = thought->move;
		snprintf(s->message, sizeof s->message, "%s: %s", s->options->agent,
			 direction_names[thought->move]);
		if (!s->screen)
			printf("%s%s\n", show_mark(&s->show), s->message);
	}
}

static void press_advice(struct session *s, int unused)
{
	struct why why;
	(void)unused;
	if (!s->thinker)
		session_warn(s, "no adviser: choose one with --agent");
	else if (is_over(s))
		session_warn(s, "the game is over");
	else if (thinker_busy(s->thinker) > 0)
		return;
	else if (agent_ask(s, &why))
		session_warn(s, "%s", why.text);
	else
		/* Letters from a pipe wait for the advice, so that output stays in order. */
		advice_take(s, s->screen ? 0 : -1);
}

/* Keys and their functions, with the texts in the line of keys and in the help. */
struct key_action {
	int key[6];
	const char *brief, *help;
	void (*press)(struct session *s, int argument);
	int argument;
};

static const struct key_action watch_keys[] = {
    {{'q', 'Q', KEY_CTRL_D, KEY_CLOSED}, "q quit", "q ctrl-c  quit", press_quit, 0},
    {{' ', 'p'}, "space pause", "space p   pause, continue", press_pause, 0},
    {{'?'}, "? keys", "? esc     this list, back to the board", press_help, 1},
    {{KEY_ESCAPE}, NULL, NULL, press_help, 0},
    {{'l', '.', KEY_RIGHT}, "left right step", "right . l a move forward", press_step, 1},
    {{'h', ',', KEY_LEFT}, NULL, "left , h  a move back", press_step, -1},
    {{KEY_NPAGE}, NULL, "page down ten moves forward", press_step, PAGE_MOVES},
    {{KEY_PPAGE}, NULL, "page up   ten moves back", press_step, -PAGE_MOVES},
    {{'g', KEY_HOME}, NULL, "home g    to the start", press_step, -INT_MAX},
    {{'G', KEY_END}, NULL, "end G     to the last move", press_step, INT_MAX},
    {{'+', '=', KEY_UP}, "+- speed", "+ -       faster, slower", press_speed, -1},
    {{'-', KEY_DOWN}, NULL, NULL, press_speed, 1},
    {{'0'}, NULL, "0         full speed", press_full_speed, 0},
    {{'n'}, "n next game", "n         the next game", press_next, 0},
    {{'r'}, NULL, "r         the same game again", press_again, 0},
    {{KEY_CTRL_L}, NULL, "ctrl-l    redraw the screen", press_redraw, 0},
    {.press = NULL},
};

/* Moves: wasd, hjkl, and the letters of record files. */
static const struct key_action human_keys[] = {
    {{'q', KEY_CTRL_D, KEY_CLOSED}, "q quit", NULL, press_quit, 0},
    {{'w', 'k', 'u', 'U', KEY_UP}, "arrows move", NULL, press_move, UP},
    {{'d', 'l', 'r', 'R', KEY_RIGHT}, NULL, NULL, press_move, RIGHT},
    {{'s', 'j', 'D', KEY_DOWN}, NULL, NULL, press_move, DOWN},
    {{'a', 'h', 'L', KEY_LEFT}, NULL, NULL, press_move, LEFT},
    {{'z'}, "z back", NULL, press_back, 0},
    {{'?'}, "? advice", NULL, press_advice, 0},
    {{KEY_CTRL_L}, NULL, NULL, press_redraw, 0},
    {.press = NULL},
};

enum { KEY_ACTIONS = sizeof watch_keys / sizeof *watch_keys };

static const struct key_action *session_keys(const struct session *s)
{
	return s->human ? human_keys : watch_keys;
}

/* Warns of an unknown key; names a character from a pipe. */
static void press_unknown(struct session *s, int key)
{
	const uint64_t taken = s->terminal.taken;
	if (!s->human)
		session_warn(s, "not a key here; ? shows them");
	else if (key <= 255 && isprint(key))
		session_warn(s, "character %" PRIu64 ", '%c', is no key; ignored", taken, key);
	else
		session_warn(s, "character %" PRIu64 ", byte %d, is no key; ignored", taken,
			     key > 255 ? KEY_ESCAPE : key);
}

static void session_press(struct session *s, int key)
{
	if (s->human && key < 256 && isspace(key))
		return; /* separates letters */
	s->message[0] = '\0';
	s->pressed = s->pressed || key != KEY_CLOSED;
	for (const struct key_action *a = session_keys(s); a->press; a++)
		for (size_t i = 0; i < sizeof a->key / sizeof *a->key; i++)
			if (key && a->key[i] == key) {
				a->press(s, a->argument);
				return;
			}
	press_unknown(s, key);
}

/* ---- The display. */

enum { STATE_MAX = 192 };

static void state_watched(const struct session *s, char text[STATE_MAX])
{
	/* The move at the cursor, or the next one, is not known yet. */
	const double thinking = s->cursor + 2 >= s->plies ? thinker_busy(s->thinker) : 0;
	if (is_at_end(s) && !is_over(s))
		snprintf(text, STATE_MAX, "the record ends here, unfinished");
	else if (is_at_end(s))
		snprintf(text, STATE_MAX, "game over%s%s", *s->remark ? "; " : "", s->remark);
	else if (thinking * 1e3 > THINKING_SHOWN_MS)
		snprintf(text, STATE_MAX, "thinking, %.1f s%s", thinking,
			 s->playing ? "" : "; paused");
	else if (!s->playing)
		snprintf(text, STATE_MAX, "paused");
	else if (s->delay == 0)
		snprintf(text, STATE_MAX, "full speed");
	else if (s->delay <= 1000)
		snprintf(text, STATE_MAX, "%.3g moves per second", 1e3 / s->delay);
	else
		snprintf(text, STATE_MAX, "a move in %.3g s", s->delay / 1e3);
}

static const char *state_of_person(const struct session *s)
{
	return thinker_busy(s->thinker) > 0 ? "thinking"
	       : is_over(s)		    ? "no move is left"
	       : s->log.open		    ? "your move; recorded"
					    : "your move";
}

static void session_draw(struct session *s)
{
	const struct ply *ply = &s->ply[s->cursor];
	const char *help[KEY_ACTIONS] = {NULL};
	char state[STATE_MAX], keys[256] = "";
	int lines = 0;
	for (const struct key_action *a = session_keys(s); a->press; a++) {
		const size_t used = strlen(keys);
		if (a->brief && s->terminal.keys)
			snprintf(keys + used, sizeof keys - used, "%s  ", a->brief);
		if (a->help)
			help[lines++] = a->help;
	}
	if (!s->human)
		state_watched(s, state);
	const struct scene scene = {
	    .game = &s->game,
	    .board = &ply->board,
	    .title = s->title,
	    .score = ply->score,
	    .move = s->cursor,
	    .moves = s->playing ? s->cursor : s->plies - 1,
	    .decision = &ply->decision,
	    .seconds = ply->seconds,
	    .chosen = s->human ? ply->advice : ply->move,
	    .state = s->human ? state_of_person(s) : state,
	    .message = s->message,
	    .keys = keys,
	    .help = s->help ? help : NULL,
	};
	terminal_show(&s->terminal, &scene);
}

/* Returns the milliseconds until the display may change. */
static int session_timeout(const struct session *s)
{
	if (move_wanted(s))
		return 0;
	if (thinker_busy(s->thinker) > 0)
		return FRAME_MS;
	if (!s->playing || s->since <= 0)
		return IDLE_MS;
	const double left = s->delay - (clock_seconds() - s->since) * 1e3;
	return left > IDLE_MS ? IDLE_MS : left > FRAME_MS ? (int)left + 1 : FRAME_MS;
}

/* Runs until the session ends. In watched games, handles all pending keys before the next frame. */
static void session_loop(struct session *s)
{
	session_update(s);
	while (!s->ended && !stop_requested()) {
		if (s->screen)
			session_draw(s);
		int key = terminal_key(&s->terminal, session_timeout(s));
		while (key != KEY_NONE && !s->ended) {
			session_press(s, key);
			key = s->human ? KEY_NONE : terminal_key(&s->terminal, 0);
		}
		if (s->human)
			advice_take(s, 0);
		if (!s->ended)
			session_update(s);
	}
}

/* ---- Watched games. */

/* Prints the position shown last and a summary, which stay on standard output. */
static void session_summary(const struct session *s)
{
	const struct turn turn = turn_at(s, s->cursor);
	const struct show show = {.style = SHOW_BOARDS};
	const size_t more = s->plies - 1 - s->cursor;
	char count[64], time[GRID_TEXT_MAX] = "", remark[sizeof count + sizeof time + 2];
	if (s->thinker)
		time_text(1e3 * s->thought, time);
	snprintf(count, sizeof count, "%zu more were made", more);
	snprintf(remark, sizeof remark, "%s%s%s",
		 more		    ? count
		 : turn.moves.legal ? "unfinished"
				    : "over",
		 *time ? ", " : "", time);
	show_position(&show, &turn);
	show_end(&show, &turn, s->cursor, remark);
}

/* Runs the session on the terminal. */
static enum status session_watch(struct session *s)
{
	session_must(s, terminal_open(&s->terminal, isatty(STDIN_FILENO), s->why));
	session_loop(s);
	terminal_close(&s->terminal);
	session_summary(s);
	return session_end(s, stop_requested() ? STATUS_STOPPED : STATUS_OK);
}

enum status session_agent(const struct play_options *options, const struct game *game,
			  struct why *why)
{
	struct session s = {.options = options,
			    .screen = true,
			    .game = *game,
			    .index = options->index,
			    .delay = options->delay,
			    .why = why};
	terminal_prepare(&s.terminal);
	if (options->record)
		session_must(&s, record_log_open(&s.log, options, game, NULL, why));
	session_must(&s, thinker_new(options->agent, &s.game, &s.thinker, why));
	game_start(&s, options->agent);
	return session_watch(&s);
}

enum status session_records(const struct play_options *options, struct record_reader *reader,
			    const struct record_line *line, struct why *why)
{
	struct session s = {.options = options,
			    .screen = true,
			    .records = reader,
			    .delay = options->delay,
			    .why = why};
	terminal_prepare(&s.terminal);
	game_read(&s, line);
	return session_watch(&s);
}

/* ---- A person. */

/* Takes the screen, if there is one, runs the game, restores the screen and prints the result. */
static void human_play(struct session *s)
{
	if (s->screen) {
		session_must(s, terminal_open(&s->terminal, true, s->why));
	} else {
		stop_catch_terminal();
		show_begin(&s->show);
		position_print(s);
	}
	session_loop(s);
	terminal_close(&s->terminal);
	if (!s->pressed && !stop_requested())
		session_must(s, why_set(s->why, STATUS_INPUT,
					"--human: no key came from standard input: play on a "
					"terminal, or pipe keys, as in echo wasd | nxn play "
					"--human"));
	const struct turn turn = turn_at(s, s->plies - 1);
	if (s->screen)
		show_position(&s->show, &turn);
	s->screen = false;
	show_end(&s->show, &turn, s->plies - 1, turn.moves.legal ? "unfinished" : "over");
}

/* Appends the game to the record file, if there is one, and reports that. */
static void human_record(struct session *s)
{
	const char *mark = show_mark(&s->show);
	if (!s->log.open || (s->plies == 1 && !s->pressed))
		return;
	if (s->plies == 1) {
		printf("%sno move to record\n", mark);
		return;
	}
	game_record(s);
	printf("%srecorded in %s: game %" PRIu64 " of %s, seed %" PRIu64 "\n", mark,
	       s->options->record, s->index, s->log.player, s->options->seed);
}

enum status play_human(const struct play_options *options, struct why *why)
{
	struct session s = {.options = options, .human = true, .index = options->index, .why = why};
	const char *agent = options->agent;
	char name[RECORD_PLAYER_MAX + 64];
	const char *player = options->player ? options->player : name;
	enum status status = game_init(&s.game, &options->game, why);
	if (status)
		return status;
	s.screen = isatty(STDIN_FILENO) && !terminal_lacks();
	s.show.style = options->style;
	s.terminal.keys = true;
	if (s.screen)
		terminal_prepare(&s.terminal);
	snprintf(name, sizeof name, "human%s%.*s", agent ? " advised by " : "", RECORD_PLAYER_MAX,
		 agent ? agent : "");
	if (options->record)
		session_must(&s, record_log_open(&s.log, options, &s.game, player, why));
	while (!options->numbered && record_log_has(&s.log, s.index))
		s.index++;
	if (agent)
		session_must(&s, thinker_new(agent, &s.game, &s.thinker, why));
	game_start(&s, player);
	human_play(&s);
	human_record(&s);
	return session_end(&s, stop_requested() ? STATUS_STOPPED : STATUS_OK);
}
