/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs of a team: every task once, and no waiting for a thread that does not come. */
#include "base/thread_team.h"
#include "tests/test.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

/* While `idle` is set, a new thread does nothing: it stands for one that never gets a processor. */
static bool idle;

static void *nothing_do(void *argument)
{
	(void)argument;
	return NULL;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
		   void *argument)
{
	int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
	*(void **)&create = dlsym(RTLD_NEXT, "pthread_create");
	return create(thread, attributes, idle ? nothing_do : run, argument);
}

enum { TASKS = 7 };

struct tally {
	_Atomic int done[TASKS], at_work;
};

static void task_count(void *context, size_t task, int worker)
{
	struct tally *tally = context;
	(void)worker;
	tally->at_work++;
	tally->done[task]++;
	tally->at_work--;
}

/* Tasks so short that threads often wake when the run, or the next one, is over. */
TEST(every_task_is_done_once_when_a_run_returns)
{
	struct thread_team *team;
	struct why why;
	assert_int_equal(thread_team_new(4, &team, &why), STATUS_OK);
	for (int run = 0; run < 3000; run++) {
		struct tally tally = {0};
		thread_team_run(team, task_count, &tally, TASKS);
		assert_int_equal(tally.at_work, 0);
		for (int i = 0; i < TASKS; i++)
			assert_int_equal(tally.done[i], 1);
	}
	thread_team_free(team);
}

/* The alarm ends a wait. */
TEST(a_run_does_not_wait_for_a_thread_that_has_not_joined)
{
	struct thread_team *team;
	struct tally tally = {0};
	struct why why;
	idle = true;
	assert_int_equal(thread_team_new(2, &team, &why), STATUS_OK);
	alarm(20);
	thread_team_run(team, task_count, &tally, TASKS);
	alarm(0);
	for (int i = 0; i < TASKS; i++)
		assert_int_equal(tally.done[i], 1);
	thread_team_free(team);
	idle = false;
}

TESTS(NULL, NULL)
