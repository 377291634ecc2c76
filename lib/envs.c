/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Environments: N games at once, with the interface of reinforcement learning; see nxn.h.
 *
 * A game that is over starts again in the next step, so that its last position is seen ("next-step
 * autoreset" of Gymnasium 1.0). Each environment keeps its position with all four after-states: a
 * step is a copy, a spawn and one call of the rules.
 */
#include "lib/libnxn.h"

#include "agents/play.h"

#include <stdlib.h>

struct env {
	struct board board;
	struct turn turn; /* of that board */
	struct rng spawns, choices;
	uint64_t seed, number; /* of the game under way */
};

struct nxn_envs {
	const struct nxn_game *game;
	size_t n;
	struct env *env;
};

enum nxn_status nxn_envs_new(const struct nxn_game *game, size_t n, uint64_t seed,
			     struct nxn_envs **envs, struct nxn_why *why)
{
	if (n == 0)
		return public_status(
		    why_set(reason(why), STATUS_INPUT, "0 environments: expected 1 or more"));
	struct nxn_envs *made = malloc(sizeof *made);
	struct env *env = n <= SIZE_MAX / sizeof *env
			      ? aligned_alloc(_Alignof(struct env), n * sizeof *env)
			      : NULL;
	if (!made || !env) {
		free(made);
		free(env);
		return public_status(
		    why_set(reason(why), STATUS_SYSTEM, "out of memory for %zu environments", n));
	}
	memset(env, 0, n * sizeof *env);
	*made = (struct nxn_envs){.game = game, .n = n, .env = env};
	for (size_t i = 0; i < n; i++) {
		env[i].turn.game = &game->game;
		env[i].turn.board = &env[i].board;
		nxn_envs_seed(made, i, seed);
	}
	*envs = made;
	return NXN_OK;
}

void nxn_envs_free(struct nxn_envs *envs)
{
	if (!envs)
		return;
	free(envs->env);
	free(envs);
}

/* The game before the first of environment I: it wraps around, as unsigned numbers do. */
void nxn_envs_seed(struct nxn_envs *envs, size_t i, uint64_t seed)
{
	envs->env[i].seed = seed;
	envs->env[i].number = (uint64_t)i - envs->n;
}

/* Starts the next game. */
static void env_start(const struct nxn_envs *envs, struct env *env)
{
	env->number += envs->n;
	rng_init(&env->spawns, env->seed, RNG_SPAWN, env->number);
	rng_init(&env->choices, env->seed, RNG_AGENT, env->number);
	board_start(&envs->game->game, &env->board, &env->spawns);
	turn_init(&env->turn, &envs->game->game, &env->board, 0);
}

static void env_tell(const struct nxn_envs *envs, size_t i, double reward,
		     const struct nxn_observation *out)
{
	/* A byte a direction, for each set of legal moves. */
	static const uint8_t masks[1 << DIRECTIONS][DIRECTIONS] = {
	    {0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {1, 1, 0, 0}, {0, 0, 1, 0}, {1, 0, 1, 0},
	    {0, 1, 1, 0}, {1, 1, 1, 0}, {0, 0, 0, 1}, {1, 0, 0, 1}, {0, 1, 0, 1}, {1, 1, 0, 1},
	    {0, 0, 1, 1}, {1, 0, 1, 1}, {0, 1, 1, 1}, {1, 1, 1, 1}};
	const struct env *env = &envs->env[i];
	const unsigned legal = env->turn.moves.legal;
	if (out->cells)
		board_store(&envs->game->game, &env->board,
			    out->cells + i * (size_t)envs->game->game.cells);
	if (out->reward)
		out->reward[i] = reward;
	if (out->terminated)
		out->terminated[i] = legal == 0;
	if (out->mask)
		memcpy(out->mask + i * DIRECTIONS, masks[legal], DIRECTIONS);
	if (out->score)
		out->score[i] = env->turn.score;
}

void nxn_envs_reset(struct nxn_envs *envs, const struct nxn_observation *out)
{
	const struct nxn_observation nothing = {0};
	for (size_t i = 0; i < envs->n; i++) {
		env_start(envs, &envs->env[i]);
		env_tell(envs, i, 0, out ? out : &nothing);
	}
}

/* Makes MOVE, or starts the next game; the reward. */
static double env_step(const struct nxn_envs *envs, struct env *env, uint8_t move)
{
	const unsigned legal = env->turn.moves.legal;
	if (!legal) {
		env_start(envs, env);
		return 0;
	}
	if (!(legal >> move & 1))
		return 0;
	const uint64_t reward = env->turn.moves.reward[move];
	turn_move(&env->turn, &env->board, move, &env->spawns);
	return (double)reward;
}

enum nxn_status nxn_envs_step(struct nxn_envs *envs, const uint8_t *action,
			      const struct nxn_observation *out, struct nxn_why *why)
{
	const struct nxn_observation nothing = {0};
	unsigned all = 0;
	for (size_t i = 0; i < envs->n; i++)
		all |= action[i];
	for (size_t i = 0; all >= DIRECTIONS && i < envs->n; i++)
		if (action[i] >= DIRECTIONS)
			return public_status(why_set(reason(why), STATUS_INPUT,
						     "action %d in environment %zu: expected 0 up, "
						     "1 right, 2 down or 3 left",
						     action[i], i));
	for (size_t i = 0; i < envs->n; i++) {
		const double reward = env_step(envs, &envs->env[i], action[i]);
		env_tell(envs, i, reward, out ? out : &nothing);
	}
	return NXN_OK;
}

enum nxn_status nxn_envs_act(struct nxn_envs *envs, struct nxn_agent *agent, uint8_t *action,
			     struct nxn_why *why)
{
	if (agent->game != envs->game)
		return public_status(why_set(reason(why), STATUS_INPUT,
					     "an agent of another game: expected one made with the "
					     "game object of the environments"));
	enum status status = STATUS_OK;
	for (size_t i = 0; !status && i < envs->n; i++) {
		struct env *env = &envs->env[i];
		struct decision decision;
		decision_init(&decision);
		action[i] = 0;
		if (!env->turn.moves.legal)
			continue;
		action[i] = (uint8_t)agent->agent->class->act(agent->agent->self, &env->turn,
							      &env->choices, &decision);
		status = agent_check(agent->agent, reason(why));
	}
	return public_status(status);
}
