/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The terminal while a game is on it: taken over by curses, drawn on, and given back as it was,
 * whatever ends or stops the process, but for SIGKILL; or, without a screen, the characters of
 * standard input. Only the thread that opened it calls these functions, and nothing else calls
 * curses.
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

/* A window of curses. */
struct canvas {
	WINDOW *window;
	int lines, columns;
	int colours; /* 256, 8 or 0 */
	bool utf8;
};

/* Texts end with NULL in lists; they are sorted by how much they matter. */
struct scene {
	const struct game *game;
	const struct board *board;
	const char *title; /* who plays what */
	uint64_t score;
	size_t move, moves;		 /* made before BOARD; and in all of what was played */
	const struct decision *decision; /* in BOARD; NULL: none */
	double seconds;			 /* that it took; negative if not known */
	int chosen;			 /* a direction, or -1 */
	const char *state;		 /* what is going on */
	const char *message;		 /* in place of that; NULL or empty: none */
	const char *const *keys;	 /* what keys do, shortly */
	const char *const *help;	 /* lines to show in place of the board; NULL: the board */
};

/*
 * Draws SCENE onto CANVAS, which is blank. The board comes first: it is whole, with every tile to
 * be read, wherever the canvas has a line a row and three columns a cell (but one); then the score,
 * what goes on, what moves are worth, and the rest. Less room than that gets one line that says so
 * (screen.c).
 */
void scene_draw(const struct scene *scene, struct canvas *canvas);

/* Tells curses the colours of all tiles, after start_color() (screen.c). */
void tile_colours_init(int colours);

/* Beside those of curses. */
enum key {
	KEY_CTRL_D = 4,
	KEY_CTRL_L = 12,
	KEY_ESCAPE = 27,
	KEY_OTHER = KEY_MAX + 1, /* a sequence that is not known */
	KEY_NONE,		 /* none in time, or a signal came */
	KEY_CLOSED,		 /* the end of the input */
};

enum { TERMINAL_FATAL = 6 };

struct terminal {
	SCREEN *screen; /* NULL: keys are characters of standard input, and nothing is shown */
	struct canvas canvas;
	bool keys;	/* there are some */
	uint64_t taken; /* of them so far */
	bool prepared;
	sigset_t mask;				/* of signals, before it was prepared */
	sigset_t waiting;			/* while a key is waited for */
	struct sigaction fatal[TERMINAL_FATAL]; /* what was done at such signals */
};

/*
 * Has signals wait that only TERMINAL is to see. Call it before there are threads, of agents as
 * well, which would get them instead. What is drawn is UTF-8 by LC_ALL, LC_CTYPE or LANG.
 */
void terminal_prepare(struct terminal *terminal);

/*
 * Takes it over: an empty screen, no cursor, keys as they are pressed if KEYS, in which case
 * standard input is a terminal too. Colours by TERM, and none with NO_COLOR (https://no-color.org).
 * SIGINT, SIGTERM and SIGHUP are caught, for stop_requested(). STATUS_SYSTEM if it cannot be had.
 */
MUST_USE enum status terminal_open(struct terminal *terminal, bool keys, struct why *why);

/*
 * The next key, in MILLISECONDS, or KEY_NONE, also when a signal came. Stops the process for
 * Ctrl-Z, with the terminal given back, and goes on behind it.
 */
int terminal_key(struct terminal *terminal, int milliseconds);

/* Shows SCENE. */
void terminal_show(struct terminal *terminal, const struct scene *scene);

/* Draws all anew next time, whatever the terminal shows. */
void terminal_refresh(void);

/* Gives it back as it was, if it was opened; undoes terminal_prepare(). */
void terminal_close(struct terminal *terminal);

#endif
