/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A crew hands out task numbers from a counter. Between runs its threads wait on a condition: a run
 * costs some microseconds, so searches use it for work of milliseconds.
 */
#include "base/crew.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct crew {
	pthread_mutex_t mutex;
	pthread_cond_t start, done;
	unsigned long run; /* the number of runs begun */
	int busy;	   /* threads that have not finished the present run */
	bool over;
	crew_task *task;
	void *context;
	size_t tasks;
	_Atomic size_t next;
	int threads; /* started, the caller not counted */
	struct member {
		struct crew *crew;
		pthread_t thread;
		int worker;
	} member[];
};

static void tasks_do(struct crew *crew, int worker)
{
	for (;;) {
		size_t task = atomic_fetch_add_explicit(&crew->next, 1, memory_order_relaxed);
		if (task >= crew->tasks)
			return;
		crew->task(crew->context, task, worker);
	}
}

static void *member_main(void *argument)
{
	struct member *member = argument;
	struct crew *crew = member->crew;
	unsigned long seen = 0;
	pthread_mutex_lock(&crew->mutex);
	for (;;) {
		while (crew->run == seen && !crew->over)
			pthread_cond_wait(&crew->start, &crew->mutex);
		if (crew->over)
			break;
		seen = crew->run;
		pthread_mutex_unlock(&crew->mutex);
		tasks_do(crew, member->worker);
		pthread_mutex_lock(&crew->mutex);
		if (--crew->busy == 0)
			pthread_cond_signal(&crew->done);
	}
	pthread_mutex_unlock(&crew->mutex);
	return NULL;
}

/* Signals are for the threads that know what to do with them. */
static int member_start(struct member *member)
{
	sigset_t all, old;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	int error = pthread_create(&member->thread, NULL, member_main, member);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return error;
}

enum status crew_new(int threads, struct crew **crew, struct why *why)
{
	struct crew *made = calloc(1, sizeof *made + (size_t)(threads - 1) * sizeof *made->member);
	if (!made)
		return why_set(why, STATUS_SYSTEM, "out of memory for %d threads", threads);
	pthread_mutex_init(&made->mutex, NULL);
	pthread_cond_init(&made->start, NULL);
	pthread_cond_init(&made->done, NULL);
	for (int i = 0; i < threads - 1; i++) {
		struct member *member = &made->member[i];
		*member = (struct member){.crew = made, .worker = i + 1};
		errno = member_start(member);
		if (errno) {
			enum status status = why_errno(why, "thread %d of a search", i + 2);
			crew_free(made);
			return status;
		}
		made->threads++;
	}
	*crew = made;
	return STATUS_OK;
}

void crew_run(struct crew *crew, crew_task *task, void *context, size_t tasks)
{
	pthread_mutex_lock(&crew->mutex);
	crew->task = task;
	crew->context = context;
	crew->tasks = tasks;
	atomic_store_explicit(&crew->next, 0, memory_order_relaxed);
	crew->busy = crew->threads;
	crew->run++;
	pthread_cond_broadcast(&crew->start);
	pthread_mutex_unlock(&crew->mutex);
	tasks_do(crew, 0);
	pthread_mutex_lock(&crew->mutex);
	while (crew->busy)
		pthread_cond_wait(&crew->done, &crew->mutex);
	pthread_mutex_unlock(&crew->mutex);
}

void crew_free(struct crew *crew)
{
	if (!crew)
		return;
	pthread_mutex_lock(&crew->mutex);
	crew->over = true;
	pthread_cond_broadcast(&crew->start);
	pthread_mutex_unlock(&crew->mutex);
	for (int i = 0; i < crew->threads; i++)
		pthread_join(crew->member[i].thread, NULL);
	pthread_cond_destroy(&crew->start);
	pthread_cond_destroy(&crew->done);
	pthread_mutex_destroy(&crew->mutex);
	free(crew);
}
