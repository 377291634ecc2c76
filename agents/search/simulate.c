/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Simulations of a tree search; see simulate.h.
 *
 * Draws from the stream, step by step: the prior's, if act() makes them, for all positions that are
 * new in this step; then for each simulation that walks, in order, those of tree_choose() and of
 * the spawn; and at the end the judge's.
 */
#include "agents/search/simulate.h"

#include "agents/play.h"
#include "base/virtual_memory.h"

enum status simulate_init(struct simulate *s, struct why *why)
{
	bool failed = false;
	s->turn = scratch_new(s->width, sizeof *s->turn, &failed);
	s->board = scratch_new(s->width, sizeof *s->board, &failed);
	s->step = scratch_new(s->width * (size_t)s->depth, sizeof *s->step, &failed);
	s->length = scratch_new(s->width, sizeof *s->length, &failed);
	s->walking = scratch_new(s->width, sizeof *s->walking, &failed);
	s->worth = scratch_new(s->width, sizeof *s->worth, &failed);
	s->asked = scratch_new(s->width, sizeof *s->asked, &failed);
	s->asking = scratch_new(s->width, sizeof(struct tree_node *), &failed);
	s->chance = scratch_new(s->width, sizeof *s->chance, &failed);
	return failed ? why_set(why, STATUS_SYSTEM, "out of memory for %zu simulations at a time",
				s->width)
		      : STATUS_OK;
}

void simulate_fini(struct simulate *s)
{
	tree_fini(&s->tree);
	judge_fini(&s->judge);
	free(s->turn);
	free(s->board);
	free(s->step);
	free(s->length);
	free(s->walking);
	free(s->worth);
	free(s->asked);
	free(s->asking);
	free(s->chance);
}

void simulate_forget(struct simulate *s)
{
	tree_clear(&s->tree);
	s->simulations = s->nodes = 0;
	s->deepest = 0;
}

/* Fills in P of the positions that are new. */
static void priors_ask(struct simulate *s, size_t n, struct rng *rng)
{
	if (!n || !s->prior)
		return;
	agent_policy_chances(s->prior, s->asked, n, rng, s->chance);
	for (size_t i = 0; i < n; i++) {
		const unsigned legal = s->asked[i].moves.legal;
		const double share = s->uniform / __builtin_popcount(legal);
		for (int d = 0; d < DIRECTIONS; d++)
			if (legal >> d & 1)
				s->asking[i]->prior[d] = (1 - s->uniform) * s->chance[i][d] + share;
	}
}

/* Finds the positions of simulations in the tree, or puts them there; how many go on. */
static size_t positions_find(struct simulate *s, size_t n, int depth, struct rng *rng)
{
	size_t left = 0, fresh_ones = 0;
	for (size_t k = 0; k < n; k++) {
		const size_t i = s->walking[k];
		bool fresh;
		struct tree_node *node = tree_find(&s->tree, &s->board[i], &fresh);
		if (!node)
			continue;
		if (fresh) {
			s->asked[fresh_ones] = s->turn[i];
			s->asking[fresh_ones++] = node;
		}
		if (fresh && depth && s->stops_at_new)
			continue;
		s->step[i * (size_t)s->depth + (size_t)depth].node = node;
		s->walking[left++] = i;
	}
	priors_ask(s, fresh_ones, rng);
	return left;
}

/* A move of simulation I; whether it can go on. */
static bool simulation_step(struct simulate *s, size_t i, int depth, struct rng *rng)
{
	struct turn *turn = &s->turn[i];
	struct simulation_step *step = &s->step[i * (size_t)s->depth + (size_t)depth];
	step->move = tree_choose(&s->tree, step->node, turn->moves.legal, &s->rule, rng);
	step->reward = (double)turn->moves.reward[step->move];
	step->node->tried[step->move]++;
	s->board[i] = turn->moves.after[step->move];
	board_spawn(s->game, &s->board[i], rng);
	turn_init(turn, s->game, &s->board[i], turn->score + turn->moves.reward[step->move]);
	s->length[i] = depth + 1;
	return turn->moves.legal;
}

/* All N simulations to their ends. */
static void simulations_walk(struct simulate *s, size_t n, struct rng *rng)
{
	for (int depth = 0; depth < s->depth && n; depth++) {
		size_t left = 0;
		n = positions_find(s, n, depth, rng);
		s->nodes += n;
		s->deepest = n && depth >= s->deepest ? depth + 1 : s->deepest;
		for (size_t k = 0; k < n; k++) {
			const size_t i = s->walking[k];
			if (simulation_step(s, i, depth, rng))
				s->walking[left++] = i;
		}
		n = left;
	}
}

/* The return of each move on the way: what the end is worth and, from it on, points. */
static void simulation_learn(struct simulate *s, size_t i)
{
	double returned = s->worth[i];
	for (int depth = s->length[i] - 1; depth >= 0; depth--) {
		struct simulation_step *step = &s->step[i * (size_t)s->depth + (size_t)depth];
		if (s->points > 0)
			returned += s->points * step->reward;
		tree_learn(&s->tree, step->node, step->move, returned);
	}
	tree_count(&s->tree, returned);
}

void simulate_run(struct simulate *s, const struct turn *root, size_t n, struct rng *rng)
{
	for (size_t i = 0; i < n; i++) {
		s->board[i] = *root->board;
		s->turn[i] = *root;
		s->turn[i].board = &s->board[i];
		s->length[i] = 0;
		s->walking[i] = i;
	}
	tree_scale(&s->tree, s->rule.norm);
	simulations_walk(s, n, rng);
	s->nodes += judge_leaves(&s->judge, s->turn, n, rng, s->worth);
	for (size_t i = 0; i < n; i++)
		simulation_learn(s, i);
	s->simulations += n;
}
