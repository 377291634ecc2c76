/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pool looks after its work at times that no wall clock moves. */
#define progress_tick look_count
#include "src/games/pool.c"

#include "tests/wall_clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static int looks;

void look_count(struct progress *progress)
{
	(void)progress;
	looks++;
}

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
	struct progress progress = {0};
	struct pool *pool = pool_new(1);
	pool_add(pool, &job);
	assert_int_equal(pool_run(pool, &progress, &why), STATUS_OK);
	assert_true(looks > 3); /* every quarter of a second */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(work_is_looked_after_though_the_clock_is_set_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
