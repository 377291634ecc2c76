/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The solver against an independent program's facts; its tables are compared with the rules
 * followed naively in test_optimum.c.
 */
#include "agents/solver/solver.h"
#include "tests/agents/folder.h"
#include "tests/exact_values.h"
#include "tests/test.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static struct solve_task task_of(const struct game *game)
{
	return (struct solve_task){.game = game, .memory = (uint64_t)1 << 30, .threads = 2};
}

static void solve_fine(const struct solve_task *task, struct solve_result *result)
{
	struct why why;
	if (solve(task, result, &why))
		fail_msg("%s: %s", task->game->name, why.text);
}

static void assert_close(double value, double expected)
{
	if (!(fabs(value - expected) <= 1e-9 * fmax(1, fabs(expected))))
		fail_msg("%.12g, expected %.12g", value, expected);
}

TEST(totals_are_those_of_an_independent_program)
{
	static const char *const shapes[] = {"2x2", "2x3"};
	for (int i = 0; i < 2; i++) {
		struct game game;
		struct solve_result result;
		game_of(shapes[i], &game);
		struct solve_task task = task_of(&game);
		solve_fine(&task, &result);
		const struct solve_layer *total = &result.total;
		const struct {
			const char *key;
			uint64_t count;
		} counts[] = {
		    {"states", total->states},
		    {"states_raw", total->states_raw},
		    {"terminal", total->states - total->live},
		    {"terminal_raw", total->states_raw - total->live_raw},
		    {"afterstates", total->afterstates},
		    {"afterstates_raw", total->afterstates_raw},
		    {"move_pairs", total->pairs},
		    {"move_pairs_raw", total->pairs_raw},
		    {"max_sum", total->sum},
		    {"max_tile", (uint64_t)1 << result.max_exponent},
		};
		for (size_t j = 0; j < sizeof counts / sizeof counts[0]; j++)
			assert_int_equal(counts[j].count, exact(shapes[i], counts[j].key));
		assert_close(result.value, exact(shapes[i], "optimal_score"));
		solve_result_free(&result);
	}
}

/* 4x3 stands in the vectors for 3x4; both shapes are solved. */
TEST(layers_are_those_of_an_independent_program)
{
	static const struct {
		const char *shape, *vectors;
		uint64_t max_sum;
	} cases[] = {{"2x2", "2x2", 0},	 {"2x3", "2x3", 0},  {"3x2", "2x3", 0}, {"3x3", "3x3", 120},
		     {"3x4", "4x3", 40}, {"4x3", "4x3", 40}, {"4x4", "4x4", 30}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct game game;
		struct solve_result result;
		char line[256], found[256], name[8];
		uint64_t sum, seen = 0;
		game_of(cases[i].shape, &game);
		struct solve_task task = task_of(&game);
		task.max_sum = cases[i].max_sum;
		task.count = true;
		solve_fine(&task, &result);
		assert_true(isnan(result.value));
		FILE *file = vectors_open("layers.txt");
		while (fgets(line, sizeof line, file)) {
			if (sscanf(line, "%7s %" SCNu64, name, &sum) != 2 ||
			    strcmp(name, cases[i].vectors) != 0 ||
			    (task.max_sum && sum > task.max_sum))
				continue;
			assert_true(seen < result.layer_count);
			const struct solve_layer *layer = &result.layers[seen++];
			snprintf(found, sizeof found,
				 "%s %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
				 " %" PRIu64 " %" PRIu64 "\n",
				 name, layer->sum, layer->states, layer->states_raw, layer->live,
				 layer->live_raw, layer->afterstates, layer->afterstates_raw);
			assert_string_equal(found, line);
		}
		fclose(file);
		assert_true(seen == result.layer_count && seen > 10);
		solve_result_free(&result);
	}
}

TEST(other_goals_have_the_values_of_an_independent_program)
{
	static const struct {
		const char *shape;
		enum goal goal;
		int target;
		const char *key;
	} cases[] = {
	    {"2x2", GOAL_TARGET, 3, "p_reach.8"},     {"2x2", GOAL_TARGET, 4, "p_reach.16"},
	    {"2x2", GOAL_TARGET, 5, "p_reach.32"},    {"2x3", GOAL_TARGET, 3, "p_reach.8"},
	    {"2x3", GOAL_TARGET, 4, "p_reach.16"},    {"2x3", GOAL_TARGET, 5, "p_reach.32"},
	    {"2x3", GOAL_TARGET, 6, "p_reach.64"},    {"2x3", GOAL_TARGET, 7, "p_reach.128"},
	    {"2x2", GOAL_BEST_SCORE, 0, "max_score"}, {"2x2", GOAL_BEST_MOVES, 0, "max_moves"},
	    {"2x3", GOAL_BEST_SCORE, 0, "max_score"}, {"2x3", GOAL_BEST_MOVES, 0, "max_moves"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct game game;
		struct solve_result result;
		game_of(cases[i].shape, &game);
		struct solve_task task = task_of(&game);
		task.goal = cases[i].goal;
		task.target = cases[i].target;
		solve_fine(&task, &result);
		assert_close(result.value, exact(cases[i].shape, cases[i].key));
		assert_true(!task.target || result.max_exponent < task.target);
		solve_result_free(&result);
	}
}

/* Stops when LEFT more layers have been told. */
static bool stop_after(void *context, const struct solve_progress *progress)
{
	int *left = context;
	assert_true(progress->sum <= progress->last);
	assert_true(progress->done <= progress->states);
	assert_int_equal(progress->backward, !progress->layer);
	return (*left)-- > 0;
}

static void assert_same(const struct solve_result *a, const struct solve_result *b)
{
	assert_memory_equal(&a->total, &b->total, sizeof a->total);
	assert_int_equal(a->layer_count, b->layer_count);
	assert_memory_equal(a->layers, b->layers, a->layer_count * sizeof *a->layers);
	assert_int_equal(a->start_count, b->start_count);
	assert_memory_equal(a->starts, b->starts, a->start_count * sizeof *a->starts);
	assert_memory_equal(&a->value, &b->value, sizeof a->value);
	assert_int_equal(a->max_exponent, b->max_exponent);
}

TEST(threads_and_instruction_sets_change_no_bit)
{
	struct solve_result first = {0}, again;
	for (enum isa isa = 0; isa < ISAS; isa++) {
		if (!isa_available(isa))
			continue;
		setenv("NXN_ISA", isa_name(isa), 1);
		for (int threads = 1; threads <= 5; threads += 2) {
			struct game game;
			game_of("2x3", &game);
			struct solve_task task = task_of(&game);
			task.threads = threads;
			solve_fine(&task, &again);
			if (!first.layers) {
				first = again;
				continue;
			}
			assert_same(&first, &again);
			solve_result_free(&again);
		}
	}
	unsetenv("NXN_ISA");
	solve_result_free(&first);
}

/* 2x2 has 29 layers: 29 forwards, 29 backwards. */
TEST(a_task_stopped_in_any_layer_goes_on_to_the_same_bits)
{
	struct game game;
	struct solve_result whole, again = {0};
	char layers[128];
	struct why why;
	game_of("2x2", &game);
	struct solve_task task = task_of(&game);
	solve_fine(&task, &whole);
	assert_int_equal(whole.layer_count, 29);
	task.work = path;
	task.tell = stop_after;
	snprintf(layers, sizeof layers, "%s/layers.nxl", path);
	for (int step = 1; step < 60; step += step < 6 ? 1 : 4) {
		int left, stops = 0;
		task.context = &left;
		for (left = step; solve(&task, &again, &why); left = step + stops) {
			assert_string_equal(why.text, "stopped");
			stops++;
		}
		assert_true(stops > 0 || step >= 58);
		assert_same(&whole, &again);
		solve_result_free(&again);
		assert_int_equal(unlink(layers), 0);
	}
	assert_int_equal(rmdir(path), 0);
	solve_result_free(&whole);
}

TEST(tasks_that_cannot_be_solved_are_refused)
{
	static const struct {
		struct game_options options;
		struct solve_task task;
		const char *why;
	} cases[] = {
	    {{.shape = "4x4"},
	     {.memory = 1 << 30},
	     "4x4 is too large to be solved in full; expected a board such as 3x3"},
	    {{.shape = "2x2"},
	     {.memory = 1 << 30, .goal = GOAL_TARGET, .target = 2},
	     "games can start with the tile 4, expected a target above that"},
	    {{.start = "16,0/0,8"},
	     {.memory = 1 << 30, .goal = GOAL_TARGET, .target = 3},
	     "games can start with the tile 16, expected a target above that"},
	    {{.shape = "4x4", .start_tiles = 8},
	     {.memory = 1 << 20, .max_sum = 32},
	     "4x4: what games start from takes more than 1 MiB"},
	    {{.shape = "2x3"}, {.memory = 20000}, "take more than 0 MiB of memory"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct game game;
		struct solve_result result;
		struct why why = {""};
		game_make(&cases[i].options, &game);
		struct solve_task task = cases[i].task;
		task.game = &game;
		task.threads = 1;
		assert_int_equal(solve(&task, &result, &why), STATUS_INPUT);
		if (!strstr(why.text, cases[i].why))
			fail_msg("'%s', expected '%s'", why.text, cases[i].why);
	}
}

static bool never_told(void *context, const struct solve_progress *progress)
{
	(void)context;
	(void)progress;
	fail_msg("work began");
	return false;
}

TEST(a_table_that_cannot_be_written_is_refused_before_the_work)
{
	struct game game;
	struct solve_result result;
	struct why why;
	game_of("2x2", &game);
	struct solve_task task = task_of(&game);
	task.out = "no such folder/table";
	task.tell = never_told;
	assert_int_equal(solve(&task, &result, &why), STATUS_INPUT);
	assert_non_null(strstr(why.text, "no such folder"));
}

TEST(a_folder_of_another_task_is_refused)
{
	struct game game;
	struct solve_result result;
	struct why why;
	char layers[128];
	game_of("2x2", &game);
	struct solve_task task = task_of(&game);
	task.work = path;
	solve_fine(&task, &result);
	solve_result_free(&result);
	task.goal = GOAL_MOVES;
	assert_int_equal(solve(&task, &result, &why), STATUS_INPUT);
	snprintf(layers, sizeof layers, "%s/layers.nxl", path);
	assert_int_equal(unlink(layers), 0);
	assert_int_equal(rmdir(path), 0);
}

TESTS(folder_setup, folder_remove)
