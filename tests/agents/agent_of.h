/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An agent for a test. */
#ifndef NXN_TESTS_AGENT_OF_H
#define NXN_TESTS_AGENT_OF_H

#include "agents/agent.h"
#include "tests/games.h"

static inline struct agent *agent_of(const char *text, const struct game *game)
{
	struct agent_env env = {.game = game};
	struct agent *agent;
	struct why why;
	if (agent_new(text, &env, &agent, &why))
		fail_msg("%s: %s", text, why.text);
	return agent;
}

#endif
