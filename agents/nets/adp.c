/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Approximate dynamic programming over an ordered grid (Dedieu, Amar: Deep Reinforcement Learning for
 * 2048, section 4.2).
 *
 *   J(x) = sum over k of lambda_k phi_k(x)
 *
 * with the four indicators phi of agents/values/ordered.c. The player makes the move with the largest E J(x') over
 * the spawns after it, the first of equal ones in the order up, right, down, left (ties=first) or any of
 * them (ties=random). Games are played in batches with the same weights, which start at 1. After a batch,
 * over all states i that its games went through, the first and the lost one included, with y(i) the
 * reward of the game (the sum of its last position), centred and standardised within the batch (section
 * 3.2.1):
 *
 *   Delta = gradient of sum over i of (y(i) - lambda phi(i))^2 = 2 sum of phi(i) (lambda phi(i) - y(i))
 *   lambda := (1 - alpha) lambda + alpha Delta                               update=printed
 *
 * That adds the gradient, and so goes uphill: away from the rewards, faster and faster where 2 lambda phi
 * phi exceeds the pull of 1 - alpha. Hence
 *
 *   lambda := lambda - alpha Delta                                           update=descent, the default
 *   lambda := (1 - alpha) lambda + alpha argmin of the same sum              update=lstsq
 *
 * error=mean divides Delta by the number of states, so that alpha does not have to know how long games
 * are; error=sum does not, as printed. constant=1 has a fifth feature, which is always 1: it moves no
 * move, but takes the mean of y off the others, which matters with standardise=0.
 *
 * As printed, J does not know that a game is lost. With lost=zero it is 0 then, in the player's
 * expectation, and a lost position is no state of the sum.
 *
 * Check value: weights of 0 and ties=first is the player that makes the first legal move.
 */
#include "agents/nets/adp.h"

#include "agents/agent.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#define FIELD(name) offsetof(struct adp, name)

const struct param adp_params[] = {
    {"file", PARAM_FILE, FIELD(file), "", 0, 0, NULL, "model file; its settings are taken with it"},
    {"update", PARAM_CHOICE, FIELD(update), "descent", 0, 0, "descent|printed|lstsq",
     "down the gradient; up and shrinking, as printed; towards least squares"},
    {"alpha", PARAM_REAL, FIELD(alpha), "0.05", 0, 1, NULL, "learning rate"},
    {"error", PARAM_CHOICE, FIELD(error), "mean", 0, 0, "mean|sum",
     "squared errors of a batch: their mean over its states, or their sum"},
    {"constant", PARAM_INT, FIELD(constant), "0", 0, 1, NULL, "a feature that is always 1"},
    {"batch", PARAM_INT, FIELD(batch), "10", 1, ADP_BATCH_MAX, NULL, "games between updates"},
    {"reward", PARAM_CHOICE, FIELD(reward), "sum", 0, 0, "sum|score|max",
     "of a game: the sum of its last tiles, its points, its largest tile"},
    {"standardise", PARAM_INT, FIELD(standardise), "1", 0, 1, NULL,
     "rewards of a batch have mean 0 and deviation 1"},
    {"ties", PARAM_CHOICE, FIELD(ties), "first", 0, 0, "first|random",
     "among equal moves the first of up, right, down, left, or any"},
    {"lost", PARAM_CHOICE, FIELD(lost), "shown", 0, 0, "shown|zero",
     "what a lost position is worth: what it shows, like any other, or 0"},
    {0},
};

/* E J of each legal move; the set of the best. */
static unsigned moves_judge(const struct adp *adp, const struct moves *moves,
			    double value[DIRECTIONS])
{
	const double *weight = adp->knowledge->weight;
	double most = -INFINITY;
	unsigned best = 0;
	for (int d = 0; d < DIRECTIONS; d++) {
		double mean[ORDERS];
		if (!(moves->legal >> d & 1))
			continue;
		value[d] = weight[ORDERS] *
			   order_expect(adp->game, &moves->after[d], adp->lost == ADP_ZERO, mean);
		for (int i = 0; i < ORDERS; i++)
			value[d] += weight[i] * mean[i];
		if (value[d] > most)
			best = 0;
		if (value[d] >= most) {
			best |= 1u << d;
			most = value[d];
		}
	}
	/* Weights that diverged make no number of any move. */
	best = best ? best : moves->legal;
	return adp->ties == ADP_FIRST ? best & -best : best;
}

static void chances_set(unsigned best, double chance[DIRECTIONS])
{
	for (int d = 0; d < DIRECTIONS; d++)
		chance[d] = best >> d & 1 ? 1.0 / __builtin_popcount(best) : 0;
}

static void adp_chances(void *self, const struct turn *turns, size_t n,
			double (*chance)[DIRECTIONS])
{
	double value[DIRECTIONS];
	for (size_t i = 0; i < n; i++)
		chances_set(moves_judge(self, &turns[i].moves, value), chance[i]);
}

/* One of the set BEST; draws only if there is a choice. */
static int best_pick(unsigned best, struct rng *rng)
{
	const struct moves any = {.legal = best};
	return best & (best - 1) ? moves_any(&any, rng) : __builtin_ctz(best);
}

static int adp_act(void *self, const struct turn *turn, struct rng *rng, struct decision *decision)
{
	const unsigned best = moves_judge(self, &turn->moves, decision->value);
	chances_set(best, decision->chance);
	return best_pick(best, rng);
}

/* Training game number EPISODE, into the batch. */
static void training_game(struct adp *adp, uint64_t seed, uint64_t episode, struct outcome *outcome)
{
	struct adp_game *game = &adp->own.game[adp->own.games++];
	struct board board;
	struct moves moves;
	struct rng rng;
	double value[DIRECTIONS], uncertainty = 0;
	*outcome = (struct outcome){0};
	*game = (struct adp_game){0};
	rng_init(&rng, seed, RNG_TRAIN, episode);
	board_start(adp->game, &board, &rng);
	game->states[order_of(adp->game, &board)]++;
	for (adp->game->moves(&board, &moves); moves.legal; adp->game->moves(&board, &moves)) {
		const unsigned best = moves_judge(adp, &moves, value);
		const int move = best_pick(best, &rng);
		outcome->score += moves.reward[move];
		outcome->moves++;
		uncertainty += 2 - 2.0 / __builtin_popcount(best);
		board = moves.after[move];
		board_spawn(adp->game, &board, &rng);
		if (adp->lost == ADP_SHOWN || !adp->game->over(&board))
			game->states[order_of(adp->game, &board)]++;
	}
	outcome->uncertainty = outcome->moves ? uncertainty / (double)outcome->moves : NAN;
	outcome->max_exponent = board_max(&board);
	outcome->last = board;
	game->score = outcome->score;
	game->sum = board_sum(&board);
	game->exponent = (uint64_t)outcome->max_exponent;
}

static void adp_learn(void *self, const struct training_request *request)
{
	struct adp *adp = self;
	struct adp_knowledge *own = &adp->own;
	struct outcome outcome;
	assert(adp->knowledge == own);
	while (own->trained < request->end) {
		training_game(adp, request->seed, own->trained, &outcome);
		own->trained++;
		if (own->games >= (size_t)adp->batch)
			adp_learn_batch(adp);
		if (!request->over(request->context, &outcome))
			break;
	}
}

static uint64_t adp_trained(const void *self)
{
	return ((const struct adp *)self)->knowledge->trained;
}

static void adp_fini(void *self)
{
	struct adp *adp = self;
	free(adp->own.game);
	adp->own.game = NULL;
}

enum status adp_make(void *self, const struct game *game, struct why *why)
{
	struct adp *adp = self;
	adp->game = game;
	adp->knowledge = &adp->own;
	for (int i = 0; i < ADP_WEIGHTS; i++)
		adp->own.weight[i] = i < ORDERS || adp->constant;
	adp->own.game = calloc(ADP_BATCH_MAX, sizeof *adp->own.game);
	return adp->own.game
		   ? STATUS_OK
		   : why_set(why, STATUS_SYSTEM, "out of memory for the games of a batch");
}

static enum status adp_init(void *self, const struct agent_env *env, struct why *why)
{
	struct adp *adp = self;
	const struct adp *owner = env->owner;
	if (owner) {
		*adp = *owner;
		adp->own = (struct adp_knowledge){0};
		return STATUS_OK;
	}
	return adp->file[0] ? agent_restore(&adp_agent, adp, env->game, adp->file, why)
			    : adp_make(adp, env->game, why);
}

static enum policy_kind adp_policy_kind(const void *self)
{
	return ((const struct adp *)self)->ties == ADP_RANDOM ? POLICY_CHANCES : POLICY_FIXED;
}

const struct agent_class adp_agent = {
    .name = "adp",
    .summary = "approximate dynamic programming over an ordered grid",
    .params = adp_params,
    .size = sizeof(struct adp),
    .init = adp_init,
    .act = adp_act,
    .chances = adp_chances,
    .policy_kind = adp_policy_kind,
    .learn = adp_learn,
    .trained = adp_trained,
    .model = &adp_model,
    .fini = adp_fini,
};
