/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Table files against best play found naively: every position, goal, spawn rule, start and limit.
 */
#include "tests/exact_values.h"
#include "tests/agents/folder.h"
#include "tests/agents/tables.h"
#include "tests/test.h"

#include <pthread.h>

TEST(heads_tell_what_the_table_is_of)
{
	static const char *const shapes[] = {"2x2", "2x3", "3x2"};
	for (int i = 0; i < 3; i++) {
		struct solved s;
		const char *wide = i ? "2x3" : "2x2";
		solve_naively(&s, &(struct game_options){.shape = shapes[i]}, GOAL_SCORE, 0, 0);
		assert_int_equal(s.naive.count, exact(wide, "states_raw"));
		assert_true(near(s.value, exact(wide, "optimal_score")));
		assert_int_equal(table_write(&s, path), exact(wide, "afterstates"));
		const struct optimum_header head = table_head(path);
		assert_int_equal(head.afterstates, exact(wide, "afterstates"));
		assert_int_equal(head.states, exact(wide, "states"));
		assert_true(near(head.value, s.value));
		assert_string_equal(head.board, shapes[i]);
		assert_string_equal(head.spawn, "2:0.9,4:0.1");
		assert_string_equal(head.start, "");
		assert_string_equal(head.made, "a test");
		assert_int_equal(head.start_tiles, 2);
		naive_free(&s.naive);
	}
}

/* Positions, folded, in layers, from a file, against recursion over all of them as they are. */
TEST(every_position_of_every_goal_rule_and_start_has_its_value)
{
	static const struct {
		struct game_options options;
		enum goal goal;
		int target;
		uint64_t max_sum;
	} cases[] = {
	    {{.shape = "2x2"}, GOAL_SCORE, 0, 0},
	    {{.shape = "2x3"}, GOAL_SCORE, 0, 0},
	    {{.shape = "3x2"}, GOAL_MOVES, 0, 0},
	    {{.shape = "2x2"}, GOAL_BEST_MOVES, 0, 0},
	    {{.shape = "2x2", .spawn = "2:0.5,4:0.3,8:0.2"}, GOAL_SCORE, 0, 0},
	    {{.shape = "2x3", .spawn = "4:0.75,2:0.25"}, GOAL_TARGET, 6, 0},
	    {{.shape = "2x2", .spawn = "2:0.9,16:0.1"}, GOAL_SCORE, 0, 0},
	    {{.shape = "2x2", .spawn = "2:0.5,8:0.5", .start_tiles = 1}, GOAL_BEST_SCORE, 0, 0},
	    {{.shape = "2x2", .spawn = "2:0.9,8:0.1", .start = "2,0/0,0"}, GOAL_TARGET, 3, 0},
	    {{.shape = "2x2", .spawn = "4:1"}, GOAL_MOVES, 0, 0},
	    {{.shape = "2x2", .start_tiles = 4}, GOAL_SCORE, 0, 0},
	    {{.start = "2,4/2,8"}, GOAL_SCORE, 0, 0},
	    {{.start = "2,4/8,16"}, GOAL_SCORE, 0, 0},
	    {{.start = "2,4,0/8,16,2"}, GOAL_TARGET, 7, 0},
	    {{.start = "2,0/0,0", .spawn = "4:0.5,8:0.5"}, GOAL_SCORE, 0, 0},
	    {{.shape = "2x3"}, GOAL_SCORE, 0, 60},
	    {{.shape = "2x3"}, GOAL_MOVES, 0, 31},
	    /* Targets that no such sum has, and that the cells of its keys have no room for. */
	    {{.shape = "2x2"}, GOAL_TARGET, 5, 12},
	    {{.shape = "2x3"}, GOAL_TARGET, 7, 30},
	    {{.shape = "2x3"}, GOAL_TARGET, 4, 30},
	    {{.shape = "2x2", .spawn = "2:0.9,16:0.1", .start = "2,2/0,0"}, GOAL_TARGET, 4, 14},
	    {{.shape = "3x3", .start_tiles = 1}, GOAL_SCORE, 0, 18},
	    {{.start = "512,64,32/16,8,4/2,0,2"}, GOAL_TARGET, 10, 646},
	    {{.shape = "3x2"}, GOAL_SCORE, 0, 0},
	    {{.shape = "2x2"}, GOAL_TARGET, 3, 0},
	    {{.shape = "2x2"}, GOAL_TARGET, 4, 0},
	    {{.shape = "2x2"}, GOAL_TARGET, 5, 0},
	    {{.shape = "2x2"}, GOAL_BEST_SCORE, 0, 0},
	    {{.shape = "2x2"}, GOAL_BEST_MOVES, 0, 0},
	    {{.shape = "2x2"}, GOAL_MOVES, 0, 0},
	    {{.shape = "2x2", .spawn = "2:1"}, GOAL_SCORE, 0, 0},
	    {{.shape = "2x2", .spawn = "2:0.5,4:0.25,8:0.25", .start_tiles = 1}, GOAL_SCORE, 0, 0},
	    {{.start = "4,2/0,0"}, GOAL_SCORE, 0, 0},
	    {{.shape = "3x2"}, GOAL_SCORE, 0, 50},
	    {{.shape = "2x3"}, GOAL_TARGET, 6, 0},
	    {{.shape = "2x3"}, GOAL_BEST_MOVES, 0, 0},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct solved s;
		table_make(&s, &cases[i].options, cases[i].goal, cases[i].target, cases[i].max_sum,
			   path);
		table_check(path, &s);
		naive_free(&s.naive);
	}
}

/* What a thread looks up, in a table in which nothing was looked up before. */
struct asking {
	struct solved *solved;
	const struct optimum *optimum;
	pthread_t thread;
	int wrong;
};

static void *ask(void *context)
{
	struct asking *asking = context;
	const struct naive *naive = &asking->solved->naive;
	for (size_t i = 0; i < naive->capacity; i++)
		if (naive->entries[i].used) {
			struct turn turn = turn_of(naive->game, &naive->entries[i].board);
			asking->wrong +=
			    !near(optimum_value(asking->optimum, &turn), naive->entries[i].value);
		}
	return NULL;
}

TEST(threads_look_up_at_the_same_time)
{
	enum { THREADS = 4 };
	struct solved s;
	struct asking asking[THREADS];
	table_make(&s, &(struct game_options){.shape = "2x3"}, GOAL_SCORE, 0, 0, path);
	struct optimum *o = table_open(path, &s.game);
	for (int i = 0; i < THREADS; i++) {
		asking[i] = (struct asking){.solved = &s, .optimum = o};
		assert_int_equal(pthread_create(&asking[i].thread, NULL, ask, &asking[i]), 0);
	}
	for (int i = 0; i < THREADS; i++) {
		pthread_join(asking[i].thread, NULL);
		assert_int_equal(asking[i].wrong, 0);
	}
	optimum_close(o);
	naive_free(&s.naive);
}

/* A value for a position that TEXT describes. */
static double value_of(const struct optimum *o, const struct game *game, const char *text,
		       bool *known)
{
	const struct board board = board_of(game, text);
	double worth[DIRECTIONS];
	struct turn turn = turn_of(game, &board);
	*known = optimum_moves(o, &turn, worth);
	for (int d = 0; d < DIRECTIONS && !*known; d++)
		assert_true(isnan(worth[d]));
	return optimum_value(o, &turn);
}

TEST(what_no_game_reaches_is_unknown)
{
	struct solved s;
	bool known;
	table_make(&s, &(struct game_options){.start = "4,2/0,0"}, GOAL_SCORE, 0, 0, path);
	struct optimum *o = table_open(path, &s.game);
	assert_true(near(value_of(o, &s.game, "4,2/0,0", &known), 64.0061016158) && known);
	/* A layer without it; no such layer. */
	assert_true(isnan(value_of(o, &s.game, "8,0/0,0", &known)) && !known);
	assert_true(isnan(value_of(o, &s.game, "2,2/0,0", &known)) && !known);
	optimum_close(o);
	naive_free(&s.naive);
}

TEST(a_tile_too_large_for_the_keys_is_unknown)
{
	struct solved s;
	struct optimum_writer *writer;
	struct why why;
	bool known;
	table_make(&s, &(struct game_options){.shape = "2x2"}, GOAL_SCORE, 0, 0, path);
	struct optimum_header head = table_head(path);
	head.max_exponent = 2;
	assert_int_equal(optimum_create(&writer, other, &head, &why), STATUS_OK);
	/* All 256 codes there are. */
	uint64_t code[256];
	double value[256];
	for (uint64_t i = 0; i < 256; i++) {
		code[i] = i;
		value[i] = 1;
	}
	assert_int_equal(optimum_put(writer, 8, code, value, 256, &why), STATUS_OK);
	assert_int_equal(optimum_finish(writer, &head, &why), STATUS_OK);
	struct optimum *o = table_open(other, &s.game);
	assert_true(value_of(o, &s.game, "4,2/0,2", &known) == 5 && known);
	assert_true(isnan(value_of(o, &s.game, "8,0/0,0", &known)) && !known);
	optimum_close(o);
	naive_free(&s.naive);
}

TEST(ends_are_worth_what_the_goal_says)
{
	struct solved s;
	bool known;
	/* Beyond the largest sum the game is over. */
	table_make(&s, &(struct game_options){.shape = "2x2"}, GOAL_SCORE, 0, 20, path);
	struct optimum *o = table_open(path, &s.game);
	assert_true(value_of(o, &s.game, "16,2/4,0", &known) == 0 && !known);
	assert_true(value_of(o, &s.game, "2,4/4,2", &known) == 0 && known);
	optimum_close(o);
	naive_free(&s.naive);
	/* The target is there, and is not asked for what follows. */
	table_make(&s, &(struct game_options){.shape = "2x2"}, GOAL_TARGET, 4, 0, path);
	o = table_open(path, &s.game);
	assert_true(value_of(o, &s.game, "16,4/2,4", &known) == 1 && known);
	assert_true(value_of(o, &s.game, "16,4/4,0", &known) == 1 && known);
	assert_true(value_of(o, &s.game, "8,8/2,4", &known) == 1 && known);
	assert_true(value_of(o, &s.game, "8,4/4,2", &known) < 1 && known);
	optimum_close(o);
	naive_free(&s.naive);
}

TESTS(folder_setup, folder_remove)
