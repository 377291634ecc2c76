/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exact values of simple players, by following all their games at once (agents/solver/exact_play.h), against
 * those of an independent program, exact.txt; and games of a player of which that tells nothing
 * against its exact value.
 */
#include "agents/solver/exact_play.h"

#include "agents/play.h"
#include "base/stop.h"
#include "src/cli/options.h"
#include "src/verify/verify_chance.h"

#include <inttypes.h>
#include <math.h>

enum { GAMES = 20000 };

static bool go_on(void *context, uint64_t sum, uint64_t last, uint64_t states)
{
	(void)context;
	(void)sum;
	(void)last;
	(void)states;
	return !stop_requested();
}

static enum status player_follow(const struct verify *verify, const struct game *game,
				 const char *agent, struct exact_play *play, struct why *why)
{
	const struct exact_play_task task = {.game = game,
					     .agent = agent,
					     .memory = memory_default(),
					     .threads = verify->threads,
					     .tell = go_on};
	return exact_play(&task, play, why);
}

/* One figure and the same of exact.txt. */
static enum status figure_check(struct verify *verify, const char *shape, const char *policy,
				const char *key, double found, double relative, struct why *why)
{
	char what[100], name[80];
	double expected;
	snprintf(name, sizeof name, "policy.%s.%s", policy, key);
	snprintf(what, sizeof what, "%s: %s", shape, name);
	enum status status = facts_find(verify, shape, name, &expected, why);
	if (!status)
		verify_number(verify, what, found, expected, relative);
	return status;
}

/* The probabilities of the largest tiles, those that exact.txt lists. */
static void tiles_compare(struct verify *verify, const struct game *game, const char *policy,
			  const struct exact_play *play)
{
	struct agreement tiles = {0};
	char what[80];
	for (int k = 1; k <= game->max_exponent; k++) {
		char key[80];
		double expected;
		snprintf(key, sizeof key, "policy.%s.p_max_tile.%" PRIu64, policy,
			 UINT64_C(1) << k);
		if (facts_find(verify, game->name, key, &expected, NULL) == STATUS_OK)
			agree_add(&tiles,
				  fabs(play->max_tile[k] - expected) <= 1e-9 * fabs(expected),
				  "%s is %.12g, not %.12g", key, play->max_tile[k], expected);
	}
	snprintf(what, sizeof what, "%s: policy.%s.p_max_tile", game->name, policy);
	verify_tally(verify, what, &tiles);
}

static enum status policy_check(struct verify *verify, const char *shape, const char *agent,
				const char *policy, struct why *why)
{
	struct game game;
	struct exact_play play;
	enum status status = game_init(&game, &(struct game_options){.shape = shape}, why);
	if (!status)
		status = player_follow(verify, &game, agent, &play, why);
	if (!status)
		status = figure_check(verify, shape, policy, "score", play.score, 1e-9, why);
	if (!status) /* out of a difference: half the digits */
		status = figure_check(verify, shape, policy, "sd", play.sd, 1e-7, why);
	if (!status)
		status = figure_check(verify, shape, policy, "moves", play.moves, 1e-9, why);
	if (!status)
		status = figure_check(verify, shape, policy, "states", (double)play.states, 0, why);
	if (!status)
		tiles_compare(verify, &game, policy, &play);
	return status;
}

/* Games of the corner player, of which exact.txt has no figures. */
static enum status corners_check(struct verify *verify, const char *shape, struct why *why)
{
	struct game game;
	struct agent *agent;
	struct exact_play play;
	double score = 0;
	enum status status = game_init(&game, &(struct game_options){.shape = shape}, why);
	const struct agent_env env = {.game = &game};
	if (!status)
		status = player_follow(verify, &game, "corners", &play, why);
	if (!status)
		status = agent_new("corners", &env, &agent, why);
	if (status)
		return status;
	for (uint64_t i = 0; i < GAMES; i++) {
		struct outcome outcome;
		play_game(agent, verify->seed, i, NULL, &outcome);
		score += (double)outcome.score;
	}
	agent_free(agent);
	mean_tell(verify, shape, "corners", score / GAMES, GAMES, play.score, play.sd);
	return STATUS_OK;
}

static enum status policies_check(struct verify *verify, const char *shape, struct why *why)
{
	static const struct {
		const char *agent, *policy;
	} players[] = {{"random", "random"},
		       {"greedy", "greedy_URDL"},
		       {"greedy:ties=random", "greedy_random_ties"}};
	enum status status = STATUS_OK;
	for (int i = 0; !status && i < 3; i++)
		status = policy_check(verify, shape, players[i].agent, players[i].policy, why);
	return status ? status : corners_check(verify, shape, why);
}

enum status verify_policies(struct verify *verify, struct why *why)
{
	enum status status = policies_check(verify, "2x2", why);
	return status ? status : policies_check(verify, "2x3", why);
}

enum status verify_policies_long(struct verify *verify, struct why *why)
{
	return policies_check(verify, "3x3", why);
}
