/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table files of best play, which is found naively too; what cannot be had fails the test. */
#ifndef NXN_TESTS_TABLES_H
#define NXN_TESTS_TABLES_H

#include "agents/solver/optimum.h"
#include "agents/solver/solver.h"
#include "tests/agents/naive.h"
#include "tests/games.h"
#include "tests/agents/optimum_value.h"

#include <stdlib.h>
#include <string.h>

/* A game solved naively. */
struct solved {
	struct game game;
	struct naive naive;
	double value;
};

static inline void solve_naively(struct solved *s, const struct game_options *options,
				 enum goal goal, int target, uint64_t max_sum)
{
	game_make(options, &s->game);
	s->naive =
	    (struct naive){.game = &s->game, .goal = goal, .target = target, .max_sum = max_sum};
	s->value = naive_solve(&s->naive);
}

static inline bool near(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fmax(1, fabs(b));
}

static inline struct optimum *table_open(const char *from, const struct game *game)
{
	struct optimum *optimum;
	struct why why;
	if (optimum_open(from, game, false, &optimum, &why))
		fail_msg("%s", why.text);
	return optimum;
}

static inline struct turn turn_of(const struct game *game, const struct board *board)
{
	struct turn turn = {.game = game, .board = board};
	game->moves(board, &turn.moves);
	return turn;
}

/*
 * Writes the table of S as the solver finds it, with the value of every start; the number of its
 * after-states. With table_check() the table is that of the naive recursion.
 */
static inline uint64_t table_write(struct solved *s, const char *to)
{
	struct solve_result result;
	struct why why;
	double sum = 0;
	const struct solve_task task = {
	    .game = &s->game,
	    .goal = s->naive.goal,
	    .target = s->naive.target,
	    .max_sum = s->naive.max_sum,
	    .memory = 1 << 28,
	    .threads = 2,
	    .out = to,
	    .made = "a test",
	};
	if (solve(&task, &result, &why))
		fail_msg("%s", why.text);
	struct optimum *o = table_open(to, &s->game);
	assert_true(near(result.value, s->value) && optimum_header(o)->value == result.value);
	assert_true(result.start_count > 0);
	for (size_t i = 0; i < result.start_count; i++) {
		const struct turn turn = turn_of(&s->game, &result.starts[i].board);
		assert_true(optimum_value(o, &turn) == result.starts[i].value);
		assert_true(
		    near(result.starts[i].value, naive_value(&s->naive, &result.starts[i].board)));
		sum += result.starts[i].probability;
	}
	assert_true(near(sum, 1));
	const uint64_t afterstates = result.total.afterstates;
	optimum_close(o);
	solve_result_free(&result);
	return afterstates;
}

/* Solves naively and writes the table. */
static inline void table_make(struct solved *s, const struct game_options *options, enum goal goal,
			      int target, uint64_t max_sum, const char *to)
{
	solve_naively(s, options, goal, target, max_sum);
	table_write(s, to);
}

static inline struct optimum_header table_head(const char *from)
{
	struct optimum *o = table_open(from, NULL);
	const struct optimum_header head = *optimum_header(o);
	optimum_close(o);
	return head;
}

/* The table at FROM says of every position what was found naively. */
static inline void table_check(const char *from, struct solved *s)
{
	struct optimum *o = table_open(from, &s->game);
	struct why why;
	assert_int_equal(optimum_verify(o, &why), STATUS_OK);
	for (size_t i = 0; i < s->naive.capacity; i++) {
		const struct naive_entry *e = &s->naive.entries[i];
		double worth[DIRECTIONS];
		if (!e->used)
			continue;
		struct turn turn = turn_of(&s->game, &e->board);
		assert_true(near(optimum_value(o, &turn), e->value));
		assert_true(optimum_moves(o, &turn, worth));
		for (int d = 0; d < DIRECTIONS; d++)
			if (turn.moves.legal >> d & 1)
				assert_true(near(
				    worth[d], naive_gain(&s->naive, turn.moves.reward[d]) +
						  naive_after(&s->naive, &turn.moves.after[d], 1)));
			else
				assert_true(isnan(worth[d]));
	}
	optimum_close(o);
}

#endif
