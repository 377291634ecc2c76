/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that share the work of one decision. */
#ifndef NXN_THREAD_TEAM_H
#define NXN_THREAD_TEAM_H

#include "base/status.h"

#include <stddef.h>

struct thread_team;

/* A task. No two calls that run at the same time have the same WORKER < threads. */
typedef void thread_team_task(void *context, size_t task, int worker);

/*
 * Starts THREADS - 1 threads; the caller of thread_team_run() is worker 0. STATUS_SYSTEM on
 * failure.
 */
MUST_USE enum status thread_team_new(int threads, struct thread_team **team, struct why *why);

/*
 * Calls TASK for 0 .. TASKS - 1, in any order, on all threads, or on the caller alone if TEAM is
 * NULL. Returns when all calls have returned.
 */
void thread_team_run(struct thread_team *team, thread_team_task *task, void *context, size_t tasks);

/* TEAM may be NULL. */
void thread_team_free(struct thread_team *team);

#endif
