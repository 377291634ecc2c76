/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ctrl-C and SIGTERM ask for an orderly end: they set a flag that long work looks at. A second one
 * ends the process at once, which loses no finished game either.
 */
#ifndef NXN_STOP_H
#define NXN_STOP_H

#include <stdbool.h>

/* Installs the handlers. Call once, before there are threads. */
void stop_catch(void);

/*
 * The same with SIGHUP, however often they come: for who has a terminal to give back, and looks at
 * the flag often enough.
 */
void stop_catch_terminal(void);

/* Whether an end was asked for. Any thread; cheap. */
bool stop_requested(void);

/* The signal that asked for it, or 0. */
int stop_signal(void);

#endif
