/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table files of best play, found naively; what cannot be had fails the test. */
#ifndef NXN_TESTS_TABLES_H
#define NXN_TESTS_TABLES_H

#include "agents/solver/optimum.h"
#include "boards/simd/keys.h"
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

/* An after-state as a table has it. */
struct row {
	uint64_t sum, code;
	double value;
};

static inline int row_compare(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	if (x->sum != y->sum)
		return x->sum < y->sum ? 1 : -1;
	return (x->code > y->code) - (x->code < y->code);
}

/* All after-states, without those that have the target; one a code. */
static inline struct row *rows_make(struct solved *s, const struct keys *keys, size_t *count)
{
	struct row *rows = malloc((s->naive.count * DIRECTIONS + 1) * sizeof *rows);
	size_t n = 0, kept = 0;
	for (size_t i = 0; i < s->naive.capacity; i++) {
		struct moves moves = {0};
		if (s->naive.entries[i].used)
			oracle_moves(&s->game, &s->naive.entries[i].board, &moves);
		for (int d = 0; d < DIRECTIONS; d++) {
			const struct board *after = &moves.after[d];
			if (!(moves.legal >> d & 1) ||
			    (s->naive.goal == GOAL_TARGET && board_max(after) >= s->naive.target))
				continue;
			struct row *row = &rows[n++];
			row->sum = board_sum(after);
			row->code = keys_pack(keys, after);
			keys_fold(keys, &row->code, 1);
			keys_mix(keys, &row->code, 1);
			row->value = naive_after(&s->naive, after, 1);
		}
	}
	qsort(rows, n, sizeof *rows, row_compare);
	for (size_t i = 0; i < n; i++)
		if (kept == 0 || row_compare(&rows[kept - 1], &rows[i]) != 0)
			rows[kept++] = rows[i];
		else
			assert_true(near(rows[kept - 1].value, rows[i].value));
	*count = kept;
	return rows;
}

static inline int largest_exponent(const struct solved *s)
{
	int most = 1;
	for (size_t i = 0; i < s->naive.capacity; i++)
		if (s->naive.entries[i].used) {
			/* A move may make one more. */
			const int max = board_max(&s->naive.entries[i].board) + 1;
			most = max > most ? max : most;
		}
	return most < s->game.max_exponent ? most : s->game.max_exponent;
}

static inline struct optimum_header head_of(struct solved *s)
{
	struct optimum_header head = {
	    .goal = s->naive.goal,
	    .target = s->naive.target,
	    .max_sum = s->naive.max_sum,
	    .max_exponent = largest_exponent(s),
	    .value = s->value,
	    .states = s->naive.count,
	    .made = "a test",
	};
	optimum_header_game(&head, &s->game);
	return head;
}

static inline enum status rows_put(struct optimum_writer *writer, const struct row *rows, size_t n,
				   struct why *why)
{
	uint64_t *code = malloc((n + 1) * sizeof *code);
	double *value = malloc((n + 1) * sizeof *value);
	enum status status = STATUS_OK;
	for (size_t i = 0; i < n && !status;) {
		const uint64_t sum = rows[i].sum;
		size_t m = 0;
		for (; i < n && rows[i].sum == sum; i++, m++) {
			code[m] = rows[i].code;
			value[m] = rows[i].value;
		}
		status = optimum_put(writer, sum, code, value, m, why);
	}
	free(code);
	free(value);
	return status;
}

/* Writes the table of S; the number of its after-states. */
static inline size_t table_write(struct solved *s, const char *to)
{
	struct optimum_header head = head_of(s);
	struct optimum_writer *writer;
	struct keys keys;
	struct why why;
	size_t n;
	assert_int_equal(keys_init(&keys, &s->game, head.max_exponent, true, &why), STATUS_OK);
	struct row *rows = rows_make(s, &keys, &n);
	assert_int_equal(optimum_create(&writer, to, &head, &why), STATUS_OK);
	assert_int_equal(rows_put(writer, rows, n, &why), STATUS_OK);
	assert_int_equal(optimum_finish(writer, &head, &why), STATUS_OK);
	free(rows);
	return n;
}

static inline struct optimum *table_open(const char *from, const struct game *game)
{
	struct optimum *optimum;
	struct why why;
	if (optimum_open(from, game, &optimum, &why))
		fail_msg("%s", why.text);
	return optimum;
}

static inline struct turn turn_of(const struct game *game, const struct board *board)
{
	struct turn turn = {.game = game, .board = board};
	game->moves(board, &turn.moves);
	return turn;
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
