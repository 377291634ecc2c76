/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What moves are worth to a network that learned by one of the rules of td.h. */
#include "agents/ntuple/td.h"

/* V of a lost position is 0; only a spawn in the last empty cell can lose. */
double td_spawns_value(const struct network *network, const struct board *after)
{
	const struct game *game = network->game;
	struct board spawned[CELLS_MAX];
	double value[CELLS_MAX], mean = 0;
	uint8_t cells[CELLS_MAX];
	const int count = board_empty_cells(game, after, cells);
	for (int kind = 0; kind < game->spawn.kinds; kind++) {
		double sum = 0;
		for (int i = 0; i < count; i++) {
			spawned[i] = *after;
			*board_at(&spawned[i], cells[i]) = game->spawn.exponent[kind];
		}
		network_eval(network, spawned, (size_t)count, value);
		for (int i = 0; i < count; i++)
			sum += count == 1 && game->over(&spawned[i]) ? 0 : value[i];
		mean += game->spawn.probability[kind] * sum / count;
	}
	return mean;
}

int td_best(const struct network *network, enum td_rule rule, const struct moves *moves,
	    double value[DIRECTIONS])
{
	double v[DIRECTIONS] = {0};
	int best = -1;
	if (rule != RULE_TD_STATE)
		network_eval(network, moves->after, DIRECTIONS, v);
	for (int d = 0; d < DIRECTIONS; d++) {
		if (!(moves->legal >> d & 1))
			continue;
		if (rule == RULE_TD_STATE)
			v[d] = td_spawns_value(network, &moves->after[d]);
		value[d] = rule == RULE_Q ? v[d] : (double)moves->reward[d] + v[d];
		if (best < 0 || value[d] > value[best])
			best = d;
	}
	return best;
}
