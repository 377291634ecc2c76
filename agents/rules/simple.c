/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The three baselines of Mayer-Hirshfeld, Navarro and Saleh, AI Agent for 2048, section 3.
 *
 * random   any legal move, uniformly.
 * greedy   the largest reward; ties by a fixed order of directions, or at random.
 * corners  a move after which a largest tile is in a corner, if there is one; among those (or
 *          among all, if there is none) the largest reward, ties in the order up, right, down,
 *          left. The paper does not state its rule; this is the simplest that fits the name.
 *
 * Check values, exact: on 2x2 random scores 19.6565 on average, greedy 26.7930 (ties=URDL).
 */
#include "agents/play.h"

#include <math.h>
#include <string.h>

static const struct field no_params[] = {{0}};

static void random_chances(void *self, const struct turn *turns, size_t n,
			   double (*chance)[DIRECTIONS])
{
	(void)self;
	for (size_t i = 0; i < n; i++)
		chances_uniform(turns[i].moves.legal, chance[i]);
}

static int random_act(void *self, const struct turn *turn, struct rng *rng,
		      struct decision *decision)
{
	(void)self;
	chances_uniform(turn->moves.legal, decision->chance);
	return moves_any(&turn->moves, rng);
}

static bool random_symmetric(const void *self)
{
	(void)self;
	return true;
}

const struct agent_class random_agent = {
    .name = "random",
    .summary = "any legal move, uniformly",
    .params = no_params,
    .act = random_act,
    .chances = random_chances,
    .policy = POLICY_CHANCES,
    .symmetric = random_symmetric,
};

struct greedy {
	char ties[FIELD_TEXT_MAX];
	int order[DIRECTIONS];
	bool at_random;
};

static const struct field greedy_params[] = {
    {FIELD_MEMBER(FIELD_CHARS, greedy, ties), .fallback = direction_letters,
     .help = "order of directions with equal rewards (a permutation of URDL), or random"},
    {0},
};

static enum status greedy_init(void *self, const struct agent_env *env, struct why *why)
{
	struct greedy *greedy = self;
	(void)env;
	greedy->at_random = strcmp(greedy->ties, "random") == 0;
	unsigned seen = 0;
	for (int i = 0; i < DIRECTIONS && !greedy->at_random; i++) {
		greedy->order[i] = direction_of_letter(greedy->ties[i]);
		seen |= 1u << greedy->order[i];
	}
	if (!greedy->at_random && (seen != 15 || greedy->ties[DIRECTIONS]))
		return why_set(why, STATUS_INPUT,
			       "greedy: ties=%.40s: expected a permutation of URDL, or random",
			       greedy->ties);
	return STATUS_OK;
}

/*
 * Returns the legal moves with the largest reward, one bit each: all of them if ties are random,
 * else the first in the order of ties. Illegal moves have no reward.
 */
static unsigned greedy_best(const struct greedy *greedy, const struct moves *moves)
{
	uint64_t most = 0;
	unsigned best = 0;
	int first = 0;
	for (int d = 0; d < DIRECTIONS; d++)
		most = moves->reward[d] > most ? moves->reward[d] : most;
	for (int d = 0; d < DIRECTIONS; d++)
		best |= (unsigned)(moves->reward[d] == most) << d;
	best &= moves->legal;
	for (int i = DIRECTIONS - 1; i >= 0; i--)
		first = best >> greedy->order[i] & 1 ? greedy->order[i] : first;
	return greedy->at_random ? best : 1u << first;
}

static void greedy_chances(void *self, const struct turn *turns, size_t n,
			   double (*chance)[DIRECTIONS])
{
	for (size_t i = 0; i < n; i++)
		chances_uniform(greedy_best(self, &turns[i].moves), chance[i]);
}

/* Takes the n-th of equal moves with probability 1/n, so all are equally likely. */
static int greedy_draw(const struct moves *moves, struct rng *rng)
{
	int best = -1;
	uint32_t equal = 0;
	for (int d = 0; d < DIRECTIONS; d++) {
		if (!(moves->legal >> d & 1))
			continue;
		if (best < 0 || moves->reward[d] > moves->reward[best]) {
			best = d;
			equal = 1;
		} else if (moves->reward[d] == moves->reward[best]) {
			best = rng_below(rng, ++equal) == 0 ? d : best;
		}
	}
	return best;
}

static int greedy_act(void *self, const struct turn *turn, struct rng *rng,
		      struct decision *decision)
{
	const struct greedy *greedy = self;
	const struct moves *moves = &turn->moves;
	const unsigned best = greedy_best(greedy, moves);
	chances_uniform(best, decision->chance);
	for (int d = 0; d < DIRECTIONS; d++)
		decision->value[d] = moves->legal >> d & 1 ? (double)moves->reward[d] : NAN;
	return greedy->at_random ? greedy_draw(moves, rng) : __builtin_ctz(best);
}

static enum policy_kind greedy_policy_kind(const void *self)
{
	return ((const struct greedy *)self)->at_random ? POLICY_CHANCES : POLICY_FIXED;
}

static bool greedy_symmetric(const void *self)
{
	return ((const struct greedy *)self)->at_random;
}

const struct agent_class greedy_agent = {
    .name = "greedy",
    .summary = "the largest reward",
    .params = greedy_params,
    .size = sizeof(struct greedy),
    .init = greedy_init,
    .act = greedy_act,
    .chances = greedy_chances,
    .policy_kind = greedy_policy_kind,
    .symmetric = greedy_symmetric,
};

static int corners_best(const struct turn *turn)
{
	int best = -1;
	bool best_corner = false;
	for (int d = 0; d < DIRECTIONS; d++) {
		if (!(turn->moves.legal >> d & 1))
			continue;
		bool corner = board_max_in_corner(turn->game, &turn->moves.after[d]);
		if (best < 0 || corner > best_corner ||
		    (corner == best_corner && turn->moves.reward[d] > turn->moves.reward[best])) {
			best = d;
			best_corner = corner;
		}
	}
	return best;
}

static void corners_chances(void *self, const struct turn *turns, size_t n,
			    double (*chance)[DIRECTIONS])
{
	(void)self;
	for (size_t i = 0; i < n; i++)
		chances_uniform(1u << corners_best(&turns[i]), chance[i]);
}

static int corners_act(void *self, const struct turn *turn, struct rng *rng,
		       struct decision *decision)
{
	const int best = corners_best(turn);
	(void)self;
	(void)rng;
	chances_uniform(1u << best, decision->chance);
	return best;
}

const struct agent_class corners_agent = {
    .name = "corners",
    .summary = "keeps a largest tile in a corner, then the largest reward",
    .params = no_params,
    .act = corners_act,
    .chances = corners_chances,
    .policy = POLICY_FIXED,
};
