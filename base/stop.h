/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Requests to stop. Ctrl-C (SIGINT), SIGTERM, SIGUSR1, SIGHUP, the end of a time budget, and the
 * limit on processor time (SIGXCPU) set a flag that long computations check. If one of the first
 * four signals arrives twice, the process ends at once; finished games are not lost. SIGHUP stays
 * ignored if it was ignored at the start (nohup).
 */
#ifndef NXN_STOP_H
#define NXN_STOP_H

#include <stdbool.h>

/* Installs the signal handlers. Call once, before threads start. */
void stop_catch(void);

/*
 * Catches SIGINT, SIGTERM and SIGHUP however often they arrive, for a caller that must restore a
 * terminal and checks the flag often.
 */
void stop_catch_terminal(void);

/* Requests a stop SECONDS from now; never if SECONDS is 0. Call after stop_catch(). */
void stop_after(double seconds);

/*
 * Cancels stop_after(), even if the time is over. Afterwards a stop is requested only if another
 * signal has arrived.
 */
void stop_cancel(void);

/* Requests a stop as if the signal had arrived, unless one has; for signals to other ranks. */
void stop_request(int signal_number);

/* Whether a stop was requested. Any thread; fast. */
bool stop_requested(void);

/* The signal that requested the stop, or 0; SIGALRM means the time budget. */
int stop_signal(void);

#endif
