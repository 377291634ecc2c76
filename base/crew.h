/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that work on one decision together. */
#ifndef NXN_CREW_H
#define NXN_CREW_H

#include "base/status.h"

#include <stddef.h>

struct crew;

/* TASK is called with worker < threads, which no two calls at a time share. */
typedef void crew_task(void *context, size_t task, int worker);

/* Starts THREADS - 1 threads; the caller of crew_run() is worker 0. STATUS_SYSTEM if it cannot. */
MUST_USE enum status crew_new(int threads, struct crew **crew, struct why *why);

/* Calls TASK for 0 .. TASKS - 1, in any order, on all threads; returns when all have returned. */
void crew_run(struct crew *crew, crew_task *task, void *context, size_t tasks);

/* NULL is fine. */
void crew_free(struct crew *crew);

#endif
