/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The real parameters of an agent, for who looks for better ones. */
#ifndef NXN_TUNABLE_H
#define NXN_TUNABLE_H

#include "agents/agent.h"

enum { TUNABLE_MAX = 64 };

struct real {
	const struct param *param;
	double value; /* what it plays with, NAN if that is no number */
};

struct tunables {
	size_t n;
	struct real
	    real[TUNABLE_MAX]; /* the agent's own, then those of its values, in table order */
};

/*
 * Lists the parameters of kind PARAM_REAL of the agent TEXT, bound to ENV: a word such as auto is
 * there as the number it stands for. A parameter of a value that the agent hides with one of the
 * same name is left out. Errors are those of agent_new().
 */
MUST_USE enum status tunable_list(struct tunables *reals, const char *text,
				  const struct agent_env *env, struct why *why);

#endif
