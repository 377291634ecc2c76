/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The n-tuple learner: parameters, network, training games, and the model files that hold them.
 */
#ifndef NXN_NTUPLE_H
#define NXN_NTUPLE_H

#include "agents/model.h"
#include "agents/param.h"
#include "agents/ntuple/td.h"

/* What the parameters set; see their docs in ntuple.c. */
struct ntuple_settings {
	char file[PARAM_TEXT_MAX], tuples[PARAM_TEXT_MAX], stages[PARAM_TEXT_MAX];
	int iso, above, rule, update, rate, error, terminal, decay; /* choices */
	int64_t levels, alpha_games, trace, lanes, carousel;
	double init, alpha, alpha_end, lambda, gamma, epsilon;
	/* Of struct network_plan and struct td_options; no parameters of the agent ntuple. */
	bool on_demand, choose_last;
};

/* The state of the agent ntuple, and the first member of that of qlearn. */
struct ntuple {
	struct ntuple_settings settings;
	const struct game *game;
	struct network own;	       /* empty if borrowed */
	const struct network *network; /* own, or another instance's */
	const struct td *knowledge;    /* td, or another instance's */
	struct td td;
};

/*
 * init() of CLASS, which is that of SELF: a borrower of OWNER if there is one, what is in settings.file if
 * that is told, or a new learner.
 */
MUST_USE enum status ntuple_init(const struct agent_class *class, void *self,
				 const struct game *game, const struct ntuple *owner,
				 struct why *why);

/* Other members of the agent class, and of its model files. */
int ntuple_act(void *self, const struct turn *turn, struct rng *rng, struct decision *decision);
enum policy_kind ntuple_policy_kind(const void *self);
void ntuple_learn(void *self, const struct training_request *request);
uint64_t ntuple_trained(const void *self);
void ntuple_fini(void *self);

/* Makes network and trainer as the settings say, nothing learned. */
MUST_USE enum status ntuple_make(void *self, const struct game *game, struct why *why);
void ntuple_describe(const void *self, struct model_head *head);
void ntuple_sections(void *self, struct model_file *file);

#endif
