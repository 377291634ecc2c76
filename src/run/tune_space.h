/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parameters that are tuned, out of --params, and agents that have given values of them. */
#ifndef NXN_TUNE_SPACE_H
#define NXN_TUNE_SPACE_H

#include "agents/agent.h"
#include "analysis/stats/cross_entropy.h"

struct tune_space {
	char agent[SPEC_MAX]; /* the agent as it was given, canonical */
	size_t n;
	const char *name[TUNABLE_MAX];
	struct ce_axis axis[TUNABLE_MAX];
};

/*
 * Finds the parameters in LIST, pieces GLOB[=MU][~SIGMA] between commas, among the real ones of
 * AGENT bound to ENV; of two pieces that name the same, the later counts. Without MU the mean is
 * what AGENT plays with; without SIGMA the deviation is SHARE of its size, SHARE itself if it is 0.
 * STATUS_INPUT, listing the parameters there are, if a piece names none; or as agent_new().
 */
MUST_USE enum status tune_space_init(struct tune_space *space, const char *agent, const char *list,
				     double share, const struct agent_env *env, struct why *why);

/* The agent with x[i] for parameter i, canonical. STATUS_INPUT if that is too long. */
MUST_USE enum status tune_space_agent(const struct tune_space *space, const double *x,
				      char agent[SPEC_MAX], struct why *why);

/* The means, as a candidate could have them. */
void tune_space_mean(const struct tune_space *space, double *x);

/* "w_empty=10~5 w_corner=20~10": means and deviations, on the heap; NULL if memory runs out. */
char *tune_space_text(const struct tune_space *space);

#endif
