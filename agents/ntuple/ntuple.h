/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The n-tuple learner: parameters, network, training games, and the model files that hold them.
 */
#ifndef NXN_NTUPLE_H
#define NXN_NTUPLE_H

#include "agents/model.h"
#include "agents/param.h"
#include "agents/ntuple/td.h"

/* What ntuple_params set; see their docs in ntuple.c. */
struct ntuple_settings {
	char file[PARAM_TEXT_MAX], tuples[PARAM_TEXT_MAX], stages[PARAM_TEXT_MAX];
	int iso, above, rule, update, rate, error, terminal, decay; /* choices */
	int64_t levels, alpha_games, trace, lanes, carousel;
	double init, alpha, alpha_end, lambda, gamma, epsilon;
};

/* The parameters of struct ntuple_settings, which must be the first member of their owner. */
extern const struct param ntuple_params[];

struct ntuple {
	struct ntuple_settings settings;
	const struct game *game;
	struct network own;	       /* empty if borrowed */
	const struct network *network; /* own, or another instance's */
	const struct td *knowledge;    /* td, or another instance's */
	struct td td;
};

/* Makes network and trainer as the settings say, nothing learned. */
MUST_USE enum status ntuple_make(void *self, const struct game *game, struct why *why);

extern const struct agent_model ntuple_model;

void ntuple_fini(void *self);

#endif
