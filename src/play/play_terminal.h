/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The terminal while a game is on it: taken over, drawn on, and given back as it was, whatever ends
 * or stops the process, but for SIGKILL.
 */
#ifndef NXN_PLAY_TERMINAL_H
#define NXN_PLAY_TERMINAL_H

#include "src/play/play_keys.h"
#include "src/play/screen.h"

#include <signal.h>

enum { TERMINAL_FATAL = 6 };

struct terminal {
	struct keys keys;
	int signals; /* a file of SIGWINCH, SIGTSTP and SIGCONT */
	sigset_t mask;
	struct sigaction fatal[TERMINAL_FATAL]; /* what was done at such signals */
	struct canvas canvas, before;
	bool taken;
	bool known; /* what the terminal shows is in BEFORE */
};

/* NULL if standard output can show a game, else why not. */
const char *terminal_lacks(void);

/*
 * What is known of standard output: its size (80 columns of 24 lines if it does not tell); colours by
 * NO_COLOR (https://no-color.org), COLORTERM and TERM; UTF-8 by LC_ALL, LC_CTYPE or LANG.
 */
struct look terminal_look(void);

/*
 * Has signals wait that only TERMINAL is to see. Call it before there are threads, of agents as well,
 * which would get them instead. STATUS_SYSTEM if it cannot be.
 */
MUST_USE enum status terminal_prepare(struct terminal *terminal, struct why *why);

/*
 * Takes it over: an empty screen, no cursor, keys as they are pressed if KEYS, in which case standard
 * input is a terminal too. SIGINT, SIGTERM and SIGHUP are caught, for stop_requested(). STATUS_SYSTEM
 * if it cannot be had.
 */
MUST_USE enum status terminal_open(struct terminal *terminal, bool keys, struct why *why);

/*
 * The next key, in MILLISECONDS, or KEY_NONE, also when a signal came. Stops the process for Ctrl-Z,
 * with the terminal given back, and goes on behind it.
 */
int terminal_key(struct terminal *terminal, int milliseconds);

/* Shows SCENE. STATUS_SYSTEM when memory runs out. */
MUST_USE enum status terminal_show(struct terminal *terminal, const struct scene *scene,
				   struct why *why);

/* Forgets what it shows: next time all is drawn. */
void terminal_refresh(struct terminal *terminal);

/* Gives it back as it was, if it was opened; undoes terminal_prepare(). */
void terminal_close(struct terminal *terminal);

#endif
