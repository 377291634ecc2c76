/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The real parameters of an agent; see tunable.h. They are read from the agent after its init() has
 * run, which is where a class puts the number that a word stands for on a board.
 */
#include "agents/tunable.h"

#include <assert.h>
#include <string.h>

static bool tunable_have(const struct tunables *reals, const char *name)
{
	for (size_t i = 0; i < reals->n; i++)
		if (strcmp(reals->real[i].param->name, name) == 0)
			return true;
	return false;
}

static void table_list(struct tunables *reals, const struct param *params, const void *self)
{
	for (const struct param *p = params; p->name; p++) {
		if (p->kind != PARAM_REAL || tunable_have(reals, p->name))
			continue;
		assert(reals->n < TUNABLE_MAX);
		const double *at = (const void *)((const char *)self + p->offset);
		reals->real[reals->n++] = (struct real){p, *at};
	}
}

enum status tunable_list(struct tunables *reals, const char *text, const struct agent_env *env,
			 struct why *why)
{
	struct agent *agent;
	enum status status = agent_new(text, env, &agent, why);
	if (status)
		return status;
	const struct param *params = agent->class->params;
	*reals = (struct tunables){0};
	table_list(reals, params, agent->self);
	for (const struct param *p = params; p->name; p++)
		if (p->kind == PARAM_VALUE) {
			struct value *const *value =
			    (const void *)((const char *)agent->self + p->offset);
			table_list(reals, (*value)->class->params, (*value)->self);
		}
	agent_free(agent);
	return STATUS_OK;
}
