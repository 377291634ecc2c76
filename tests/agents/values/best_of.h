/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The leaf evaluator of agents/value.h by its definition, for one position. */
#ifndef NXN_TESTS_BEST_OF_H
#define NXN_TESTS_BEST_OF_H

#include "agents/value.h"
#include "boards/oracle.h"

/* The sum of the values of AFTER with an exponent K in each empty cell in turn. */
static inline double spawns_sum(const struct game *game, const struct value *value,
				const struct leaf_rule *rule, const struct board *after, uint8_t k)
{
	double sum = 0;
	for (int r = 0; r < game->rows; r++)
		for (int c = 0; c < game->cols; c++) {
			struct board board = *after;
			struct moves moves;
			double x;
			if (after->cell[r][c])
				continue;
			board.cell[r][c] = k;
			oracle_moves(game, &board, &moves);
			value_eval(value, &board, 1, &x);
			sum += moves.legal ? x : rule->terminal;
		}
	return sum;
}

static inline double leaf(const struct game *game, const struct value *value,
			  const struct leaf_rule *rule, const struct board *after, bool exact)
{
	double sums[SPAWN_KINDS_MAX], sum = 0;
	const int empty = board_empty(game, after);
	if (!rule->spawns) {
		value_eval(value, after, 1, &sum);
		return sum;
	}
	/* Where the order of a sum matters, it is the one of the closed form. */
	if (!exact && empty > 1)
		value->class->spawn_sums(value->self, after, game->spawn.exponent,
					 game->spawn.kinds, sums);
	else
		for (int i = 0; i < game->spawn.kinds; i++)
			sums[i] = spawns_sum(game, value, rule, after, game->spawn.exponent[i]);
	for (int i = 0; i < game->spawn.kinds; i++)
		sum += game->spawn.probability[i] * sums[i];
	return sum * (1.0 / empty);
}

/* value.h's `best`, to the letter. */
static inline double best_of(const struct game *game, const struct value *value,
			     const struct leaf_rule *rule, const struct board *board, bool exact)
{
	struct moves moves;
	double best = rule->terminal;
	bool any = false;
	oracle_moves(game, board, &moves);
	for (int d = 0; d < DIRECTIONS; d++) {
		if (!(moves.legal >> d & 1))
			continue;
		double x = leaf(game, value, rule, &moves.after[d], exact);
		if (rule->rewards)
			x += (double)moves.reward[d];
		best = !any || x > best ? x : best;
		any = true;
	}
	return best;
}

#endif
