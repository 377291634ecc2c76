/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ctrl-C, SIGTERM, SIGUSR1 and SIGHUP ask for an orderly end, and so do a budget of time when it is
 * over and the limit on processor time (SIGXCPU): they set a flag that long work looks at. A second
 * signal of the first four, of a kind, ends the process at once, which loses no finished game
 * either. SIGHUP stays ignored where it is (nohup).
 */
#ifndef NXN_STOP_H
#define NXN_STOP_H

#include <stdbool.h>

/* Installs the handlers. Call once, before there are threads. */
void stop_catch(void);

/*
 * SIGINT, SIGTERM and SIGHUP, however often they come: for who has a terminal to give back, and
 * looks at the flag often enough.
 */
void stop_catch_terminal(void);

/* Asks for an end SECONDS from now; never if that is 0. After stop_catch(). */
void stop_after(double seconds);

/* Does as if the signal had come, unless one has: another rank has got it. */
void stop_request(int signal_number);

/* Whether an end was asked for. Any thread; cheap. */
bool stop_requested(void);

/* The signal that asked for it, or 0; SIGALRM stands for the budget. */
int stop_signal(void);

#endif
