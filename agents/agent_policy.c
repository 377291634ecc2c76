/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An agent as a policy; see agent_policy.h. Values are standardised before the softmax because they come in
 * any unit: with two legal moves it gives 0.88 and 0.12 whatever they are, with four 0.77 to the best if
 * the others are alike.
 */
#include "agents/agent_policy.h"

#include <math.h>

/* The softmax of standardised values; false if fewer than two are known or all are equal. */
static bool values_softmax(const double value[DIRECTIONS], unsigned legal, double *chance)
{
	double sum = 0, squares = 0, total = 0;
	int known = 0;
	for (int d = 0; d < DIRECTIONS; d++)
		if (legal >> d & 1 && isfinite(value[d])) {
			sum += value[d];
			known++;
		}
	const double mean = sum / known;
	for (int d = 0; d < DIRECTIONS; d++)
		if (legal >> d & 1 && isfinite(value[d]))
			squares += (value[d] - mean) * (value[d] - mean);
	if (known < 2 || !(squares > 0))
		return false;
	const double sd = sqrt(squares / known);
	for (int d = 0; d < DIRECTIONS; d++) {
		const bool counts = legal >> d & 1 && isfinite(value[d]);
		chance[d] = counts ? exp((value[d] - mean) / sd) : 0;
		total += chance[d];
	}
	for (int d = 0; d < DIRECTIONS; d++)
		chance[d] /= total;
	return true;
}

static void act_chances(struct agent *agent, const struct turn *turn, struct rng *rng,
			double chance[DIRECTIONS])
{
	struct decision decision;
	decision_init(&decision);
	const int move = agent->class->act(agent->self, turn, rng, &decision);
	const bool told = !isnan(decision_uncertainty(&decision));
	if (!told && values_softmax(decision.value, turn->moves.legal, chance))
		return;
	for (int d = 0; d < DIRECTIONS; d++)
		chance[d] = told ? decision.chance[d] : d == move;
}

void agent_policy_chances(struct agent *agent, const struct turn *turns, size_t n, struct rng *rng,
			  double (*chance)[DIRECTIONS])
{
	if (agent->class->chances)
		agent->class->chances(agent->self, turns, n, chance);
	else
		for (size_t i = 0; i < n; i++)
			act_chances(agent, &turns[i], rng, chance[i]);
}

/* A move with these probabilities; rounding cannot make it illegal. */
static int chance_draw(const double chance[DIRECTIONS], double uniform)
{
	int last = -1;
	for (int d = 0; d < DIRECTIONS; d++) {
		if (!(chance[d] > 0))
			continue;
		last = d;
		if (uniform < chance[d])
			break;
		uniform -= chance[d];
	}
	return last;
}

void agent_policy_moves(struct agent *agent, const struct turn *turns, size_t n, struct rng *rng,
			double (*chance)[DIRECTIONS], int *move)
{
	if (agent->class->chances) {
		agent->class->chances(agent->self, turns, n, chance);
		for (size_t i = 0; i < n; i++)
			move[i] = chance_draw(chance[i], rng_real(rng));
		return;
	}
	for (size_t i = 0; i < n; i++) {
		struct decision decision;
		decision_init(&decision);
		move[i] = agent->class->act(agent->self, &turns[i], rng, &decision);
	}
}
