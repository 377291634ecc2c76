/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads beside the one that has the terminal. */
#ifndef NXN_PLAY_THREAD_H
#define NXN_PLAY_THREAD_H

#include "base/status.h"

#include <pthread.h>
#include <stdbool.h>

/*
 * Starts a thread that gets no signal but those of a fault of its own; others are for the thread that
 * has the terminal. STATUS_SYSTEM if it cannot be started.
 */
MUST_USE enum status thread_start(pthread_t *thread, void *(*run)(void *), void *context,
				  struct why *why);

/* Joins it if it ends in MILLISECONDS, or whenever it ends if they are negative; whether it has. */
bool thread_join(pthread_t thread, int milliseconds);

#endif
