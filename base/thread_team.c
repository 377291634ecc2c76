/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A team hands out task numbers from a counter. Between runs its threads wait for a condition, as
 * thread_team_run() waits for the end of a run. Waking up takes some ten microseconds, so both spin
 * for that long first.
 *
 * A run waits only for threads that have joined it. A thread that wakes up late, because its
 * processor is busy with another program, finds the run closed and waits for the next one.
 */
#include "base/thread_team.h"

#include "base/clock.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct thread_team {
	pthread_mutex_t mutex;
	pthread_cond_t start, done;
	/* Written under the mutex, read without it. */
	_Atomic unsigned long run; /* number of runs so far */
	_Atomic int busy;	   /* threads that are working in the present run */
	bool open;		   /* threads may join the present run */
	bool over;
	thread_team_task *task;
	void *context;
	size_t tasks;
	_Atomic size_t next;
	int threads; /* threads started, without the caller */
	struct member {
		struct thread_team *team;
		pthread_t thread;
		int worker;
	} member[];
};

#define WATCH_SECONDS 2e-5

/* Spins for a while until a run after number SEEN begins. */
static void begin_spin(struct thread_team *team, unsigned long seen)
{
	const double end = clock_seconds() + WATCH_SECONDS;
	while (team->run == seen && clock_seconds() < end)
		;
}

/* Spins for a while until all threads have left the run. */
static void end_spin(struct thread_team *team)
{
	const double end = clock_seconds() + WATCH_SECONDS;
	while (team->busy && clock_seconds() < end)
		;
}

static void tasks_do(struct thread_team *team, int worker)
{
	for (;;) {
		size_t task = atomic_fetch_add_explicit(&team->next, 1, memory_order_relaxed);
		if (task >= team->tasks)
			return;
		team->task(team->context, task, worker);
	}
}

static void *member_main(void *argument)
{
	struct member *member = argument;
	struct thread_team *team = member->team;
	unsigned long seen = 0;
	for (;;) {
		begin_spin(team, seen);
		pthread_mutex_lock(&team->mutex);
		while (team->run == seen && !team->over)
			pthread_cond_wait(&team->start, &team->mutex);
		if (team->over)
			break;
		seen = team->run;
		const bool joins = team->open;
		team->busy += joins;
		pthread_mutex_unlock(&team->mutex);
		if (!joins)
			continue;
		tasks_do(team, member->worker);
		pthread_mutex_lock(&team->mutex);
		if (--team->busy == 0)
			pthread_cond_signal(&team->done);
		pthread_mutex_unlock(&team->mutex);
	}
	pthread_mutex_unlock(&team->mutex);
	return NULL;
}

/* Starts a thread that blocks all signals, so that other threads handle them. */
static int member_start(struct member *member)
{
	sigset_t all, old;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	int error = pthread_create(&member->thread, NULL, member_main, member);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return error;
}

enum status thread_team_new(int threads, struct thread_team **team, struct why *why)
{
	struct thread_team *made =
	    calloc(1, sizeof *made + (size_t)(threads - 1) * sizeof *made->member);
	if (!made)
		return why_set(why, STATUS_SYSTEM, "out of memory for %d threads", threads);
	pthread_mutex_init(&made->mutex, NULL);
	pthread_cond_init(&made->start, NULL);
	pthread_cond_init(&made->done, NULL);
	for (int i = 0; i < threads - 1; i++) {
		struct member *member = &made->member[i];
		*member = (struct member){.team = made, .worker = i + 1};
		errno = member_start(member);
		if (errno) {
			enum status status = why_errno(why, "thread %d", i + 2);
			thread_team_free(made);
			return status;
		}
		made->threads++;
	}
	*team = made;
	return STATUS_OK;
}

void thread_team_run(struct thread_team *team, thread_team_task *task, void *context, size_t tasks)
{
	for (size_t i = 0; !team && i < tasks; i++)
		task(context, i, 0);
	if (!team)
		return;
	pthread_mutex_lock(&team->mutex);
	team->task = task;
	team->context = context;
	team->tasks = tasks;
	atomic_store_explicit(&team->next, 0, memory_order_relaxed);
	team->open = true;
	team->run++;
	pthread_cond_broadcast(&team->start);
	pthread_mutex_unlock(&team->mutex);
	tasks_do(team, 0);
	pthread_mutex_lock(&team->mutex);
	team->open = false;
	pthread_mutex_unlock(&team->mutex);
	end_spin(team);
	pthread_mutex_lock(&team->mutex);
	while (team->busy)
		pthread_cond_wait(&team->done, &team->mutex);
	pthread_mutex_unlock(&team->mutex);
}

void thread_team_free(struct thread_team *team)
{
	if (!team)
		return;
	pthread_mutex_lock(&team->mutex);
	team->over = true;
	pthread_cond_broadcast(&team->start);
	pthread_mutex_unlock(&team->mutex);
	for (int i = 0; i < team->threads; i++)
		pthread_join(team->member[i].thread, NULL);
	pthread_cond_destroy(&team->start);
	pthread_cond_destroy(&team->done);
	pthread_mutex_destroy(&team->mutex);
	free(team);
}
