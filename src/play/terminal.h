/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The terminal during a game: taken over by curses, drawn on, and restored however the process ends
 * or stops, except by SIGKILL; or, without a screen, the characters of standard input. Only the
 * thread that opened the terminal may call these functions. No other code calls curses.
 */
#ifndef NXN_PLAY_TERMINAL_H
#define NXN_PLAY_TERMINAL_H

#include "agents/agent.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <wchar.h>

#define NCURSES_NOMACROS
#include <curses.h>

/* Properties of the screen. */
struct canvas {
	int lines, columns;
	int colours; /* 256, 8 or 0 */
	bool utf8;
};

/* The contents of the screen. */
struct scene {
	const struct game *game;
	const struct board *board;
	const char *title; /* player and game */
	uint64_t score;
	size_t move, moves;		 /* moves before `board`; all moves of the game so far */
	const struct decision *decision; /* decision in `board` */
	double seconds;			 /* time of the decision; negative if unknown */
	int chosen;			 /* direction, or -1 */
	const char *state;		 /* present state, for example "paused" */
	const char *message;		 /* shown in place of `state` unless "" */
	const char *keys;		 /* functions of keys, separated by two blanks */
	const char *const *help;	 /* lines shown in place of the board; NULL: the board */
};

/*
 * Draws SCENE on a blank screen: the board with readable tiles, score and moves, values of moves,
 * the state, and the keys that fit. On a screen of less than 60 columns or 20 lines draws one line
 * that says so (screen.c).
 */
void scene_draw(const struct scene *scene, const struct canvas *canvas);

/* Defines the colours of all tiles; call after start_color() (screen.c). */
void tile_colours_init(int colours);

/* Keys in addition to those of curses. */
enum key {
	KEY_CTRL_D = 4,
	KEY_CTRL_L = 12,
	KEY_ESCAPE = 27,
	KEY_OTHER = KEY_MAX + 1, /* unknown sequence */
	KEY_NONE,		 /* no key in time, or a signal arrived */
	KEY_CLOSED,		 /* end of input */
};

struct terminal {
	SCREEN *screen; /* NULL: no screen; keys are characters of standard input */
	struct canvas canvas;
	bool keys;	/* keys are read */
	uint64_t taken; /* number of keys so far */
	bool prepared;
	sigset_t mask;	  /* signal mask before terminal_prepare() */
	sigset_t waiting; /* signal mask while waiting for a key */
};

/*
 * Blocks the signals that only TERMINAL should receive. Call it before any thread starts, including
 * those of agents, which could otherwise receive them. The display is UTF-8 depending on LC_ALL,
 * LC_CTYPE or LANG.
 */
void terminal_prepare(struct terminal *terminal);

/*
 * Takes over the terminal: clears the screen, hides the cursor, and with KEYS reads single keys;
 * standard input must then be a terminal. Colours depend on TERM and NO_COLOR
 * (https://no-color.org). Catches SIGINT, SIGTERM and SIGHUP for stop_requested(). STATUS_SYSTEM if
 * the terminal cannot be used.
 */
MUST_USE enum status terminal_open(struct terminal *terminal, bool keys, struct why *why);

/*
 * Returns the next key within MILLISECONDS; KEY_NONE if there is none or a signal arrived. On
 * Ctrl-Z restores the terminal, stops the process, and continues afterwards.
 */
int terminal_key(struct terminal *terminal, int milliseconds);

void terminal_show(struct terminal *terminal, const struct scene *scene);

/* Makes the next terminal_show() redraw the whole screen. */
void terminal_refresh(void);

/* Restores the terminal if it was opened, and undoes terminal_prepare(). */
void terminal_close(struct terminal *terminal);

#endif
