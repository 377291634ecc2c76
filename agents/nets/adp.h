/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Approximate dynamic programming over an ordered grid: what the files of the agent adp share. */
#ifndef NXN_ADP_H
#define NXN_ADP_H

#include "agents/agent.h"
#include "agents/values/ordered.h"

enum {
	ADP_WEIGHTS = ORDERS + 1, /* of the indicators, then of the constant */
	ADP_PATTERNS = 1 << ORDERS,
	ADP_BATCH_MAX = 1000,
};

/* What learning needs of a training game: y can be any of three, states differ by what they show. */
struct adp_game {
	uint64_t score, sum; /* points; sum of the tiles of the last position */
	uint64_t exponent;   /* of its largest tile */
	uint64_t states[ADP_PATTERNS];
};

/* What was learned, and the games of the batch that is not complete. */
struct adp_knowledge {
	uint64_t trained;
	double weight[ADP_WEIGHTS];
	size_t games;	       /* below ADP_BATCH_MAX */
	struct adp_game *game; /* room for ADP_BATCH_MAX */
};

enum adp_update { ADP_DESCENT, ADP_PRINTED, ADP_LSTSQ };
enum adp_error { ADP_MEAN, ADP_SUM };
enum adp_reward { ADP_REWARD_SUM, ADP_REWARD_SCORE, ADP_REWARD_MAX };
enum adp_ties { ADP_FIRST, ADP_RANDOM };
enum adp_lost { ADP_SHOWN, ADP_ZERO };

struct adp {
	char file[PARAM_TEXT_MAX];
	int update, error, reward, ties, lost; /* choices */
	double alpha;
	int64_t batch, constant, standardise;

	const struct game *game;
	struct adp_knowledge own;	       /* empty if borrowed */
	const struct adp_knowledge *knowledge; /* own, or another instance's */
};

extern const struct param adp_params[];

/* y of the N games, standardised if SETTINGS say so. */
void adp_rewards(const struct adp *settings, const struct adp_game *games, size_t n, double *y);

/*
 * The gradient at WEIGHT of the sum over all states of N games of (y - weight phi)^2, phi being a
 * state's first FEATURES (ORDERS or ADP_WEIGHTS) of indicators and constant; the number of states.
 */
double adp_gradient(const struct adp_game *games, const double *y, size_t n,
		    const double weight[ADP_WEIGHTS], int features, double gradient[ADP_WEIGHTS]);

/*
 * The weights that make the same sum, and the square of their distance from WEIGHT, as small as can
 * be: where the states do not decide, they stay.
 */
void adp_lstsq(const struct adp_game *games, const double *y, size_t n,
	       const double weight[ADP_WEIGHTS], int features, double best[ADP_WEIGHTS]);

/* Learns from the batch of ADP, and empties it. */
void adp_learn_batch(struct adp *adp);

/* Makes room for a batch; weights are as before learning. */
MUST_USE enum status adp_make(void *self, const struct game *game, struct why *why);

extern const struct agent_model adp_model;

#endif
