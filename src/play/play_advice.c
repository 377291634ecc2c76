/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Advice from a thread that lives as long as a question; see play_advice.h. */
#include "src/play/play_advice.h"

#include "agents/play.h"
#include "base/clock.h"
#include "src/play/play_thread.h"

#include <stdlib.h>

enum { END_MILLISECONDS = 100 };

struct adviser {
	struct game game;
	struct agent *agent;
	uint64_t seed, index;
	pthread_t thread;
	bool asked;
	/* The thread's, while there is one. */
	struct turn turn;
	struct advice advice;
	enum status status;
	struct why why;
};

enum status adviser_new(const char *agent, const struct game *game, uint64_t seed, uint64_t index,
			struct adviser **adviser, struct why *why)
{
	struct adviser *made = calloc(1, sizeof *made);
	if (!made)
		return why_errno(why, "an adviser");
	made->game = *game;
	made->seed = seed;
	made->index = index;
	struct agent_env env = {.game = &made->game};
	enum status status = agent_new(agent, &env, &made->agent, why);
	if (status)
		free(made);
	else
		*adviser = made;
	return status;
}

static void *adviser_think(void *context)
{
	struct adviser *adviser = context;
	const struct agent *agent = adviser->agent;
	struct decision decision;
	struct rng choices;
	const double began = clock_seconds();
	decision_init(&decision);
	rng_init(&choices, adviser->seed, RNG_AGENT, adviser->index);
	adviser->advice.move = agent->class->act(agent->self, &adviser->turn, &choices, &decision);
	adviser->advice.thought = thought_of(&decision, clock_seconds() - began);
	adviser->status = agent_check(agent, &adviser->why);
	return NULL;
}

enum status adviser_ask(struct adviser *adviser, const struct turn *turn, struct why *why)
{
	adviser->advice.board = *turn->board;
	turn_init(&adviser->turn, &adviser->game, &adviser->advice.board, turn->score);
	enum status status = thread_start(&adviser->thread, adviser_think, adviser, why);
	adviser->asked = !status;
	return status;
}

bool adviser_asked(const struct adviser *adviser)
{
	return adviser && adviser->asked;
}

bool adviser_take(struct adviser *adviser, int milliseconds, struct advice *advice,
		  enum status *status, struct why *why)
{
	if (!adviser->asked || !thread_join(adviser->thread, milliseconds))
		return false;
	adviser->asked = false;
	*advice = adviser->advice;
	*status = adviser->status;
	if (*status)
		*why = adviser->why;
	return true;
}

void adviser_free(struct adviser *adviser)
{
	if (!adviser)
		return;
	if (adviser->asked && !thread_join(adviser->thread, END_MILLISECONDS)) {
		pthread_detach(adviser->thread);
		return;
	}
	agent_free(adviser->agent);
	free(adviser);
}
