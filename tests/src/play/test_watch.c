/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A thread beside the terminal is waited for as long as is said, whatever the wall clock does. */
#include "src/play/watch.h"

#include "tests/wall_clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void *thread_run(void *context)
{
	second_pass();
	return context;
}

static void a_join_ends_in_time_though_the_clock_is_set_back(void **state)
{
	(void)state;
	struct why why;
	pthread_t thread;
	assert_int_equal(side_thread_start(&thread, thread_run, NULL, &why), STATUS_OK);
	assert_false(side_thread_join(thread, 50));
	assert_true(side_thread_join(thread, -1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_join_ends_in_time_though_the_clock_is_set_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
