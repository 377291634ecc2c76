/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time left: for each cell from its own games, shared by the workers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "src/run/progress.h"
#include "tests/near.h"

static const uint64_t second = 1000000000;

static void each_cell_counts_with_its_own_games(void **state)
{
	/* 90 games of 1 s and 9 of 60 s: 630 s of work for two workers. */
	struct progress_cell cells[] = {
	    {.games = 100, .begun = 1, .played = 10, .playing = 10 * second},
	    {.games = 10, .begun = 1, .played = 1, .playing = 60 * second},
	};
	const struct progress progress = {.cells = cells, .cell_count = 2, .workers = 2};
	bool least = true;

	(void)state;
	assert_near(progress_left(&progress, &least), 315, 1e-6);
	assert_false(least);
}

static void training_waits_for_no_other_worker(void **state)
{
	/* 900 games of training, a tenth of a second each, then a game of 5 s. */
	struct progress_cell cells[] = {{.games = 2,
					 .training = 1000,
					 .begun = 1,
					 .played = 1,
					 .playing = 5 * second,
					 .trained = 100,
					 .learning = 10 * second}};
	const struct progress progress = {.cells = cells, .cell_count = 1, .workers = 8};
	bool least = true;

	(void)state;
	assert_near(progress_left(&progress, &least), 95, 1e-6);
	assert_false(least);
}

static void training_by_time_takes_that_time(void **state)
{
	struct progress_cell cells[] = {
	    {.training_time = 60 * second, .begun = 1, .learning = 20 * second}};
	const struct progress progress = {.cells = cells, .cell_count = 1, .workers = 2};
	bool least = true;

	(void)state;
	assert_near(progress_left(&progress, &least), 40, 1e-6);
	assert_false(least);
}

static void what_has_not_ended_makes_it_a_bound(void **state)
{
	struct progress_cell cells[] = {
	    {.games = 5}, {.games = 4, .begun = 1, .played = 2, .playing = 2 * second}};
	const struct progress progress = {.cells = cells, .cell_count = 2, .workers = 1};
	bool least = false;

	(void)state;
	assert_near(progress_left(&progress, &least), 2, 1e-6);
	assert_true(least);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_cell_counts_with_its_own_games),
	    cmocka_unit_test(training_waits_for_no_other_worker),
	    cmocka_unit_test(training_by_time_takes_that_time),
	    cmocka_unit_test(what_has_not_ended_makes_it_a_bound),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
