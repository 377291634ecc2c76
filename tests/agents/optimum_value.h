/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a table says of positions. */
#ifndef NXN_TESTS_OPTIMUM_VALUE_H
#define NXN_TESTS_OPTIMUM_VALUE_H

#include "agents/solver/optimum.h"

#include <math.h>

/*
 * The value of a position: the largest worth of its moves. A lost one and one beyond max_sum have
 * 0, one with the target 1. NAN if the table does not tell.
 */
static inline double optimum_value(const struct optimum *o, const struct turn *turn)
{
	const struct optimum_header *head = optimum_header(o);
	double worth[DIRECTIONS], best = NAN;
	if (head->goal == GOAL_TARGET && board_max(turn->board) >= head->target)
		return 1;
	if (!turn->moves.legal || (head->max_sum && board_sum(turn->board) > head->max_sum))
		return 0;
	if (!optimum_moves(o, turn, worth))
		return NAN;
	for (int d = 0; d < DIRECTIONS; d++)
		best = fmax(best, worth[d]);
	return best;
}

#endif
