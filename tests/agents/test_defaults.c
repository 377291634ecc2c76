/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Weights left at auto: those of the line of the shape, either way round, or of the largest one
 * before it; the lines themselves; and real parameters listed, with their scales.
 */
#include "agents/agent.h"
#include "tests/agents/agent_of.h"
#include "tests/games.h"
#include "tests/random_board.h"
#include "tests/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WEIGHTS_MAX = 9 };

struct line {
	int set, rows, cols;
	double weight[WEIGHTS_MAX];
};

static const struct line heuristics[] = {
#define HEURISTIC(set, rows, cols, ...) {set, rows, cols, {__VA_ARGS__}},
#include "agents/values/weights.def"
};

static const struct line strongs[] = {
#define STRONG(set, rows, cols, ...) {set, rows, cols, {__VA_ARGS__}},
#include "agents/values/weights.def"
};

static const struct line linear9s[] = {
#define LINEAR9_WEIGHTS(set, rows, cols, ...) {set, rows, cols, {__VA_ARGS__}},
#include "agents/values/weights.def"
};

static const struct family {
	const char *value;
	const struct line *lines;
	size_t count, weights;
	const char *keys[WEIGHTS_MAX];
} families[] = {
    {"heuristic",
     heuristics,
     sizeof heuristics / sizeof *heuristics,
     4,
     {"w_empty", "w_corner", "w_monotone", "w_merge"}},
    {"strong",
     strongs,
     sizeof strongs / sizeof *strongs,
     9,
     {"base", "w_empty", "w_merge", "w_mono", "mono_power", "w_sum", "sum_power", "w_edge",
      "w_corner"}},
    {"linear9",
     linear9s,
     sizeof linear9s / sizeof *linear9s,
     9,
     {"w1", "w2", "w3", "w4", "w5", "w6", "w7", "w8", "w9"}},
};

enum { FAMILIES = sizeof families / sizeof *families };

static void weights_check(const struct family *family, const char *agent, const char *shape,
			  const double *wanted)
{
	struct game game;
	struct tunables reals;
	struct why why;
	size_t found = 0;
	game_of(shape, &game);
	if (tunable_list(&reals, agent, &(struct agent_env){.game = &game}, &why))
		fail_msg("%s", why.text);
	for (size_t i = 0; i < reals.n; i++)
		for (size_t k = 0; k < family->weights; k++)
			if (strcmp(reals.real[i].param->name, family->keys[k]) == 0) {
				if (reals.real[i].value != wanted[k])
					fail_msg("%s on %s: %s is %g", agent, shape,
						 family->keys[k], reals.real[i].value);
				found++;
			}
	assert_int_equal(found, family->weights);
}

static int set_newest(const struct family *family)
{
	int newest = 0;
	for (size_t i = 0; i < family->count; i++)
		newest = family->lines[i].set > newest ? family->lines[i].set : newest;
	return newest;
}

/* That of SET or of the newest set before it. */
static const struct line *line_of(const struct family *family, int set, int rows, int cols)
{
	for (; set > 0; set--)
		for (size_t i = 0; i < family->count; i++)
			if (family->lines[i].set == set && family->lines[i].rows == rows &&
			    family->lines[i].cols == cols)
				return &family->lines[i];
	return NULL;
}

/* In every set from that of its line on, lying and standing. */
TEST(weights_left_at_auto_are_those_of_the_shape)
{
	for (size_t f = 0; f < FAMILIES; f++)
		for (size_t i = 0; i < families[f].count; i++) {
			const struct line *line = &families[f].lines[i];
			for (int set = line->set; set <= set_newest(&families[f]); set++) {
				const double *weights =
				    line_of(&families[f], set, line->rows, line->cols)->weight;
				const char *agent = text_of("expectimax:depth=1,value=%s,tuned=%d",
							    families[f].value, set);
				weights_check(&families[f], agent,
					      text_of("%dx%d", line->rows, line->cols), weights);
				weights_check(&families[f], agent,
					      text_of("%dx%d", line->cols, line->rows), weights);
			}
		}
}

/* Without a line of its own: 2x6 has the 12 cells of 3x4, 3x5 and 4x4 come after it. */
TEST(a_shape_without_a_line_takes_that_of_the_largest_before_it)
{
	static const struct {
		const char *shape;
		int rows, cols;
	} cases[] = {{"3x5", 3, 4}, {"6x2", 3, 4}, {"4x5", 4, 4}, {"5x6", 5, 5}, {"2x3", 2, 2}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct line *line = line_of(&families[1], 1, cases[i].rows, cases[i].cols);
		assert_non_null(line);
		weights_check(&families[1], "expectimax:value=strong,tuned=1", cases[i].shape,
			      line->weight);
	}
}

TEST(the_default_set_is_the_newest)
{
	for (size_t f = 0; f < FAMILIES; f++) {
		char settings[SPEC_MAX];
		const int newest = set_newest(&families[f]);
		const char *agent = text_of("expectimax:value=%s", families[f].value);
		assert_int_equal(agent_settings(agent, settings, NULL), STATUS_OK);
		assert_non_null(strstr(settings, text_of("tuned=%d", newest)));
		/* One more there is not. */
		struct why why;
		agent = text_of("expectimax:value=%s,tuned=%d", families[f].value, newest + 1);
		assert_int_equal(agent_settings(agent, settings, &why), STATUS_INPUT);
		assert_non_null(strstr(why.text, "tuned: "));
	}
}

static bool weights_equal(const struct line *a, const struct line *b, size_t n)
{
	for (size_t k = 0; k < n; k++)
		if (a->weight[k] != b->weight[k])
			return false;
	return true;
}

TEST(sets_are_in_order_and_repeat_no_line)
{
	for (size_t f = 0; f < FAMILIES; f++) {
		assert_non_null(line_of(&families[f], 1, 2, 2));
		for (size_t i = 0; i < families[f].count; i++) {
			const struct line *line = &families[f].lines[i];
			const struct line *before =
			    line_of(&families[f], line->set - 1, line->rows, line->cols);
			assert_true(line->rows <= line->cols);
			assert_true(i == 0 || line->set >= line[-1].set);
			assert_ptr_equal(line_of(&families[f], line->set, line->rows, line->cols),
					 line);
			assert_false(before && weights_equal(before, line, families[f].weights));
		}
	}
}

/* Multiples of 1/64, so that sums are exact, and at most 127 times a power of two, for speed. */
TEST(weights_of_the_heuristic_are_small_multiples_of_a_power_of_two)
{
	for (size_t i = 0; i < families[0].count; i++) {
		double largest = 0, unit = 1024;
		bool even = false;
		for (int k = 0; k < 4; k++)
			largest = fmax(largest, fabs(heuristics[i].weight[k]));
		while (!even && unit > 1. / 64) {
			unit /= 2;
			even = true;
			for (int k = 0; k < 4; k++)
				even = even && fmod(heuristics[i].weight[k], unit) == 0;
		}
		assert_true(even);
		assert_true(largest / unit <= 127);
	}
}

/* Set 1 is what the heuristic was before there were sets. */
TEST(the_first_heuristic_has_weights_10_20_10_5_on_every_board)
{
	static const char *const shapes[] = {"2x2", "3x3", "4x4", "5x5", "6x6", "3x5"};
	for (size_t i = 0; i < 6; i++)
		weights_check(&families[0], "expectimax:tuned=1", shapes[i],
			      (const double[]){10, 20, 10, 5});
}

TEST(real_parameters_are_listed_in_the_order_of_their_tables)
{
	static const struct {
		const char *agent, *names;
	} cases[] = {
	    {"random", ""},
	    {"expectimax:value=score", "cutoff=0.001 move_p=1 terminal=-3 ms=0 "},
	    {"expectimax:w_merge=7,tuned=1", "cutoff=0.001 move_p=1 terminal=-3 ms=0 w_empty=10 "
					     "w_corner=20 w_monotone=10 w_merge=7 "},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char names[500] = "";
		struct game game;
		struct tunables reals;
		const char *agent =
		    text_of("%s%s", cases[i].agent, i ? ",cutoff=1e-3,terminal=-3" : "");
		game_of("3x3", &game);
		assert_int_equal(
		    tunable_list(&reals, agent, &(struct agent_env){.game = &game}, NULL),
		    STATUS_OK);
		for (size_t k = 0; k < reals.n; k++)
			snprintf(names + strlen(names), sizeof names - strlen(names), "%s=%g ",
				 reals.real[k].param->name, reals.real[k].value);
		assert_string_equal(names, cases[i].names);
	}
	struct tunables reals;
	struct why why;
	assert_int_equal(tunable_list(&reals, "expectimux", NULL, &why), STATUS_INPUT);
}

/* Large tiles are 2^(cells / 2 + 3): 32 on 2x2, 512 on 3x4, 2048 on 4x4, 2^21 on 6x6. */
TEST(scales_are_declared_or_those_of_defaults_and_of_tiles_on_the_board)
{
	static const struct {
		const char *shape, *agent, *name;
		double scale;
	} cases[] = {
	    {"4x4", "expectimax", "cutoff", 1e-4},
	    {"4x4", "expectimax:cutoff=0.5", "cutoff", 1e-4},
	    {"4x4", "expectimax", "terminal", 100},
	    {"4x4", "expectimax:ms=3", "ms", 1},
	    {"2x2", "expectimax:w_corner=0", "w_corner", 10},
	    {"2x2", "expectimax:value=strong", "w_edge", 0.5},
	    {"4x4", "expectimax:value=linear9", "w1", 4},
	    {"2x2", "expectimax:value=linear9", "w3", 4. / 32},
	    {"3x4", "expectimax:value=linear9", "w3", 4. / 512},
	    {"4x4", "expectimax:value=linear9", "w3", 4. / 2048},
	    {"6x6", "expectimax:value=linear9,w3=9", "w3", 4. / 2097152},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct game game;
		struct tunables reals;
		size_t k = 0;
		game_of(cases[i].shape, &game);
		assert_int_equal(
		    tunable_list(&reals, cases[i].agent, &(struct agent_env){.game = &game}, NULL),
		    STATUS_OK);
		while (k < reals.n && strcmp(reals.real[k].param->name, cases[i].name) != 0)
			k++;
		assert_true(k < reals.n);
		assert_true(reals.real[k].scale == cases[i].scale);
	}
}

TESTS(NULL, NULL)
