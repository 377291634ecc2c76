/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Agents for tests: made, refused, played with. */
#ifndef NXN_TESTS_AGENT_OF_H
#define NXN_TESTS_AGENT_OF_H

#include "agents/agent.h"
#include "agents/play.h"
#include "tests/games.h"

#include <string.h>

static inline struct agent *agent_of(const char *text, const struct game *game)
{
	struct agent_env env = {.game = game};
	struct agent *agent;
	struct why why;
	if (agent_new(text, &env, &agent, &why))
		fail_msg("%s: %s", text, why.text);
	return agent;
}

/* TEXT is refused as input in one line that says SAYS. */
static inline void expect_refused(const char *text, const struct game *game, const char *says)
{
	struct agent_env env = {.game = game};
	struct agent *agent = NULL;
	struct why why = {""};
	const enum status status = agent_new(text, &env, &agent, &why);
	if (status != STATUS_INPUT)
		fail_msg("%s: status %d, not refused as '%s'", text, status, says);
	assert_null(agent);
	assert_null(strchr(why.text, '\n'));
	if (!strstr(why.text, says))
		fail_msg("%s: '%s' does not say '%s'", text, why.text, says);
}

/* The mean score of its games 0 to GAMES - 1 of seed 2. */
static inline double mean_score(struct agent *agent, uint64_t games)
{
	double sum = 0;
	for (uint64_t i = 0; i < games; i++) {
		struct outcome outcome;
		assert_true(play_game(agent, 2, i, NULL, &outcome));
		sum += (double)outcome.score;
	}
	return sum / (double)games;
}

#endif
