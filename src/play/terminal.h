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

/* What the screen of curses has. */
struct canvas {
	int lines, columns;
	int colours; /* 256, 8 or 0 */
	bool utf8;
};

/* What is to be seen. */
struct scene {
	const struct game *game;
	const struct board *board;
	const char *title; /* who plays what */
	uint64_t score;
	size_t move, moves;		 /* made before BOARD; and in all of the game so far */
	const struct decision *decision; /* in BOARD */
	double seconds;			 /* that it took; negative if not known */
	int chosen;			 /* a direction, or -1 */
	const char *state;		 /* what happens now */
	const char *message;		 /* in place of STATE unless it is "" */
	const char *keys;		 /* what keys do, two blanks between them */
	const char *const *help;	 /* lines to show in place of the board; NULL: the board */
};

/*
 * Draws SCENE, on a blank screen: the board with every tile to be read, score and moves, what moves
 * are worth, what happens now and the keys that fit. With less than 60 columns or 20 lines draws
 * one line that says so (screen.c).
 */
void scene_draw(const struct scene *scene, const struct canvas *canvas);

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

struct terminal {
	SCREEN *screen; /* NULL: keys are characters of standard input, and nothing is shown */
	struct canvas canvas;
	bool keys;	/* there are some */
	uint64_t taken; /* of them so far */
	bool prepared;
	sigset_t mask;	  /* of signals, before it was prepared */
	sigset_t waiting; /* while a key is waited for */
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
 * Ctrl-Z, with the terminal given back, and continues after it.
 */
int terminal_key(struct terminal *terminal, int milliseconds);

/* Shows SCENE. */
void terminal_show(struct terminal *terminal, const struct scene *scene);

/* Draws all anew next time, whatever the terminal shows. */
void terminal_refresh(void);

/* Gives it back as it was, if it was opened; undoes terminal_prepare(). */
void terminal_close(struct terminal *terminal);

#endif
