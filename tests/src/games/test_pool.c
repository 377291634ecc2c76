/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The pool looks after its work at times that no wall clock moves, and its threads share an agent.
 */
#include "src/games/pool.h"

#include "tests/games.h"
#include "tests/wall_clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

static enum status unit_run(struct job *job, uint64_t unit, int thread, struct why *why)
{
	(void)job;
	(void)unit;
	(void)thread;
	(void)why;
	second_pass();
	return STATUS_OK;
}

static void work_is_looked_after_though_the_clock_is_set_back(void **state)
{
	(void)state;
	struct why why;
	struct job job = {.run = unit_run, .end = 1};
	struct progress progress = {.games.total = 1};
	struct pool *pool = pool_new(1);
	char shown[2000] = "";
	int lines = 0;
	FILE *file = tmpfile();
	const int kept = dup(STDERR_FILENO);
	assert_non_null(file);
	dup2(fileno(file), STDERR_FILENO);
	progress_start(&progress, true);
	pool_add(pool, &job);
	enum status status = pool_run(pool, &progress, &why);
	dup2(kept, STDERR_FILENO);
	close(kept);
	assert_int_equal(status, STATUS_OK);
	rewind(file);
	for (size_t n = fread(shown, 1, sizeof shown, file); n-- > 0;)
		lines += shown[n] == '\r';
	fclose(file);
	assert_true(lines > 3); /* every quarter of a second */
}

struct getting {
	struct job job;
	struct instances instances;
	int loads;
};

static enum status instance_get(struct job *job, uint64_t unit, int thread, struct why *why)
{
	struct agent *agent;
	(void)unit;
	return instances_get(&((struct getting *)job)->instances, thread, &agent, why);
}

/* Long enough for the other thread to come. */
static enum status slow_load(void *context, struct agent *agent, struct why *why)
{
	(void)agent;
	(void)why;
	++*(int *)context;
	nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
	return STATUS_OK;
}

static void threads_that_want_an_agent_at_once_load_it_once(void **state)
{
	(void)state;
	struct why why;
	struct game game;
	struct getting getting = {.job = {.run = instance_get, .end = 2}};
	struct pool *pool = pool_new(2);
	game_of("2x2", &game);
	instances_init(&getting.instances, &game, "random", 2);
	getting.instances.load = slow_load;
	getting.instances.context = &getting.loads;
	pool_add(pool, &getting.job);
	assert_int_equal(pool_run(pool, NULL, &why), STATUS_OK);
	instances_fini(&getting.instances);
	assert_int_equal(getting.loads, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(work_is_looked_after_though_the_clock_is_set_back),
	    cmocka_unit_test(threads_that_want_an_agent_at_once_load_it_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
