/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Agents for tests: made, refused, asked, played with. */
#ifndef NXN_TESTS_AGENT_OF_H
#define NXN_TESTS_AGENT_OF_H

#include "agents/agent.h"
#include "agents/play.h"
#include "tests/games.h"
#include "tests/texts.h"

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

/* The agent TEXT on SHAPE, with everything else by default. */
static inline struct agent *agent_on(const char *text, const char *shape, struct game *game)
{
	game_of(shape, game);
	return agent_of(text, game);
}

/* What AGENT does in TURN, with the DRAW-th stream of numbers. */
static inline int turn_ask(struct agent *agent, const struct turn *turn, uint64_t draw,
			   struct decision *decision)
{
	struct rng rng;
	rng_init(&rng, 7, RNG_TEST, draw);
	decision_init(decision);
	return agent->class->act(agent->self, turn, &rng, decision);
}

/* What it does on BOARD, -1 if no move is legal; and in the position TEXT. */
static inline int board_ask(struct agent *agent, const struct board *board,
			    struct decision *decision)
{
	struct turn turn;
	turn_init(&turn, agent->game, board, 0);
	decision_init(decision);
	return turn.moves.legal ? turn_ask(agent, &turn, 0, decision) : -1;
}

static inline int text_ask(struct agent *agent, const char *text, struct decision *decision)
{
	const struct board board = board_of(agent->game, text);
	return board_ask(agent, &board, decision);
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
