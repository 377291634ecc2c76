/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Best play on tiny boards, by recursion over every position a game can reach: no symmetries, no
 * codes, no layers, the rules of boards/oracle.h. What solvers and tables are compared with.
 */
#ifndef NXN_TESTS_NAIVE_H
#define NXN_TESTS_NAIVE_H

#include "agents/solver/optimum.h"
#include "boards/oracle.h"

#include <math.h>
#include <stdlib.h>

/* A position, or an after-state, and what it is worth. */
struct naive_entry {
	struct board board;
	double value;
	bool used;
};

struct naive {
	const struct game *game;
	enum goal goal;
	int target;
	uint64_t max_sum;
	struct naive_entry *entries; /* of positions; a table by hash */
	size_t capacity, count;
};

static inline struct naive_entry *naive_slot(const struct naive *naive, const struct board *board)
{
	uint64_t hash = 0;
	for (int i = 0; i < naive->game->cells; i++)
		hash = hash * 0x9e3779b97f4a7c15u + 1 +
		       board->cell[i / naive->game->cols][i % naive->game->cols];
	hash ^= hash >> 29;
	for (size_t i = (size_t)hash;; i++) {
		struct naive_entry *e = &naive->entries[i & (naive->capacity - 1)];
		if (!e->used || board_equal(&e->board, board))
			return e;
	}
}

static inline void naive_file(struct naive *naive, const struct board *board, double value)
{
	if (naive->count * 2 >= naive->capacity) {
		struct naive old = *naive;
		naive->capacity = old.capacity ? old.capacity * 2 : 1024;
		naive->entries = calloc(naive->capacity, sizeof *naive->entries);
		if (!naive->entries)
			abort();
		for (size_t i = 0; i < old.capacity; i++)
			if (old.entries[i].used)
				*naive_slot(naive, &old.entries[i].board) = old.entries[i];
		free(old.entries);
	}
	*naive_slot(naive, board) = (struct naive_entry){*board, value, true};
	naive->count++;
}

static inline double naive_value(struct naive *naive, const struct board *board);

/* Of an after-state, or of a board that start tiles are to appear on: SPAWNS of them follow. */
static inline double naive_after(struct naive *naive, const struct board *board, int spawns)
{
	const struct game *game = naive->game;
	const bool luck = naive->goal == GOAL_BEST_SCORE || naive->goal == GOAL_BEST_MOVES;
	double sum = 0, best = 0;
	int empty = 0;
	if (naive->goal == GOAL_TARGET && board_max(board) >= naive->target)
		return 1;
	if (spawns == 0)
		return naive_value(naive, board);
	for (int i = 0; i < game->cells; i++) {
		const int r = i / game->cols, c = i % game->cols;
		struct board next = *board;
		empty += !board->cell[r][c];
		for (int k = 0; k < game->spawn.kinds && !board->cell[r][c]; k++) {
			next.cell[r][c] = game->spawn.exponent[k];
			const double value = naive_after(naive, &next, spawns - 1);
			sum += game->spawn.probability[k] * value;
			best = fmax(best, value);
		}
	}
	return luck ? best : sum / empty;
}

/* What a move of REWARD points adds to the goal. */
static inline double naive_gain(const struct naive *naive, uint64_t reward)
{
	if (naive->goal == GOAL_TARGET)
		return 0;
	return naive->goal == GOAL_SCORE || naive->goal == GOAL_BEST_SCORE ? (double)reward : 1;
}

static inline double naive_value(struct naive *naive, const struct board *board)
{
	struct moves moves;
	double best = 0;
	if (naive->goal == GOAL_TARGET && board_max(board) >= naive->target)
		return 1;
	if (naive->max_sum && board_sum(board) > naive->max_sum)
		return 0;
	if (naive->capacity && naive_slot(naive, board)->used)
		return naive_slot(naive, board)->value;
	oracle_moves(naive->game, board, &moves);
	for (int d = 0; d < DIRECTIONS; d++)
		if (moves.legal >> d & 1)
			best = fmax(best, naive_gain(naive, moves.reward[d]) +
					      naive_after(naive, &moves.after[d], 1));
	naive_file(naive, board, best);
	return best;
}

/* From the start of the game; afterwards the entries are all positions that it can reach. */
static inline double naive_solve(struct naive *naive)
{
	const struct board empty = {0};
	const struct game *game = naive->game;
	return game->has_start ? naive_value(naive, &game->start)
			       : naive_after(naive, &empty, game->start_tiles);
}

static inline void naive_free(struct naive *naive)
{
	free(naive->entries);
}

#endif
