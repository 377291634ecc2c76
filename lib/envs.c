/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Environments: N games at a time, with the interface of reinforcement learning; see nxn.h.
 *
 * A game that is over starts again in the next step, so that the caller sees its last position
 * ("next-step autoreset" of Gymnasium 1.0). Each environment stores its position with all four
 * after-states; so a step is a copy, a spawn and one call of the rules.
 *
 * A saved state is a header and, for each environment, a record with its seed, its game number and
 * the number of random words drawn, since Philox can skip to any place of a stream. nxn_envs_load()
 * checks a state as strictly as text from a user.
 */
#include "lib/libnxn.h"

#include "agents/fields.h"
#include "agents/play.h"
#include "base/thread_team.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

struct env {
	struct board board;
	struct turn turn; /* of `board` */
	struct rng spawns, choices;
	uint64_t seed, number; /* of the present game */
	uint64_t step;	       /* difference between the numbers of two games in a row */
	bool started;
};

/* The tasks that a thread does first, the same in every step, since its cache has them. */
struct share {
	_Alignas(64) _Atomic size_t next;
	size_t end;
};

struct nxn_envs {
	const struct nxn_game *game;
	size_t n;
	struct env *env;
	struct thread_team *team; /* threads of `process`; its child processes do not have them */
	pid_t process;
	int threads;
	struct share *share; /* of each thread */
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

/* The team if this process has its threads, else NULL. */
static struct thread_team *own_team(const struct nxn_envs *envs)
{
	return envs->team && envs->process == getpid() ? envs->team : NULL;
}

void nxn_envs_free(struct nxn_envs *envs)
{
	if (!envs)
		return;
	thread_team_free(own_team(envs));
	free(envs->share);
	free(envs->env);
	free(envs);
}

enum nxn_status nxn_envs_threads(struct nxn_envs *envs, int threads, struct nxn_why *why)
{
	struct thread_team *team = NULL;
	if (threads < 1 || threads > NXN_ENVS_THREADS_MAX)
		return public_status(why_set(reason(why), STATUS_INPUT,
					     "%d threads: expected 1 to %d", threads,
					     NXN_ENVS_THREADS_MAX));
	struct share *share =
	    aligned_alloc(_Alignof(struct share), (size_t)threads * sizeof *share);
	if (!share)
		return public_status(
		    why_set(reason(why), STATUS_SYSTEM, "out of memory for %d threads", threads));
	const enum status status =
	    threads > 1 ? thread_team_new(threads, &team, reason(why)) : STATUS_OK;
	if (!status) {
		thread_team_free(own_team(envs));
		free(envs->share);
		envs->team = team;
		envs->process = getpid();
		envs->threads = threads;
		envs->share = share;
	} else {
		free(share);
	}
	return public_status(status);
}

/* The next reset adds STEP to the number. FIRST - STEP may wrap around, which is well defined. */
enum nxn_status nxn_envs_games(struct nxn_envs *envs, size_t i, uint64_t seed, uint64_t first,
			       uint64_t step, struct nxn_why *why)
{
	if (i >= envs->n)
		return public_status(why_set(reason(why), STATUS_INPUT,
					     "environment %zu: expected 0..%zu", i, envs->n - 1));
	envs->env[i].seed = seed;
	envs->env[i].number = first - step;
	envs->env[i].step = step;
	return NXN_OK;
}

void nxn_envs_seed(struct nxn_envs *envs, size_t i, uint64_t seed)
{
	(void)nxn_envs_games(envs, i, seed, i, envs->n, NULL);
}

static void env_start(const struct nxn_envs *envs, struct env *env)
{
	env->number += env->step;
	env->started = true;
	rng_init(&env->spawns, env->seed, RNG_SPAWN, env->number);
	rng_init(&env->choices, env->seed, RNG_AGENT, env->number);
	board_start(&envs->game->game, &env->board, &env->spawns);
	turn_init(&env->turn, &envs->game->game, &env->board, 0);
}

static void env_observe(const struct nxn_envs *envs, size_t i, double reward,
			const struct nxn_observation *out)
{
	/* One byte per direction, for each set of legal moves. */
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
	nxn_envs_reset_some(envs, NULL, out);
}

void nxn_envs_reset_some(struct nxn_envs *envs, const uint8_t *which,
			 const struct nxn_observation *out)
{
	const struct nxn_observation nothing = {0};
	for (size_t i = 0; i < envs->n; i++) {
		if (!which || which[i] || !envs->env[i].started)
			env_start(envs, &envs->env[i]);
		env_observe(envs, i, 0, out ? out : &nothing);
	}
}

/* Makes MOVE, or starts the next game if the present one is over. Returns the reward. */
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

struct step_job {
	const struct nxn_envs *envs;
	const uint8_t *action;
	const struct nxn_observation *out;
};

/* Environments per task of a step: enough to make distributing the tasks cheap. */
enum { TASK_ENVS = 128 };

static void task_step(const struct step_job *job, size_t task)
{
	const size_t first = task * TASK_ENVS, left = job->envs->n - first;
	const size_t end = first + (left < TASK_ENVS ? left : TASK_ENVS);
	for (size_t i = first; i < end; i++) {
		const double reward = env_step(job->envs, &job->envs->env[i], job->action[i]);
		env_observe(job->envs, i, reward, job->out);
	}
}

/* Does the tasks of WORKER's share, then those that are left in other shares. */
static void shares_step(void *context, size_t run, int worker)
{
	const struct step_job *job = context;
	const int threads = job->envs->threads;
	(void)run;
	for (int k = 0; k < threads; k++) {
		struct share *share = &job->envs->share[(worker + k) % threads];
		for (;;) {
			const size_t task =
			    atomic_fetch_add_explicit(&share->next, 1, memory_order_relaxed);
			if (task >= share->end)
				break;
			task_step(job, task);
		}
	}
}

static void team_step(struct step_job *job, struct thread_team *team, size_t tasks)
{
	const struct nxn_envs *envs = job->envs;
	const size_t threads = (size_t)envs->threads;
	for (size_t k = 0; k < threads; k++) {
		envs->share[k].next = tasks * k / threads;
		envs->share[k].end = tasks * (k + 1) / threads;
	}
	thread_team_run(team, shares_step, job, threads);
}

enum nxn_status nxn_envs_step(struct nxn_envs *envs, const uint8_t *action,
			      const struct nxn_observation *out, struct nxn_why *why)
{
	const struct nxn_observation nothing = {0};
	struct step_job job = {.envs = envs, .action = action, .out = out ? out : &nothing};
	unsigned all = 0;
	for (size_t i = 0; i < envs->n; i++)
		all |= action[i];
	for (size_t i = 0; all >= DIRECTIONS && i < envs->n; i++)
		if (action[i] >= DIRECTIONS)
			return public_status(why_set(reason(why), STATUS_INPUT,
						     "action %d in environment %zu: expected 0 up, "
						     "1 right, 2 down or 3 left",
						     action[i], i));
	const size_t tasks = (envs->n + TASK_ENVS - 1) / TASK_ENVS;
	struct thread_team *team = tasks > 1 ? own_team(envs) : NULL;
	if (team)
		team_step(&job, team, tasks);
	for (size_t task = 0; !team && task < tasks; task++)
		task_step(&job, task);
	return NXN_OK;
}

static bool same_rules(const struct game *a, const struct game *b)
{
	return a->rows == b->rows && a->cols == b->cols &&
	       strcmp(a->spawn.text, b->spawn.text) == 0;
}

enum nxn_status nxn_envs_act(struct nxn_envs *envs, struct nxn_agent *agent, uint8_t *action,
			     struct nxn_why *why)
{
	if (!same_rules(&agent->game->game, &envs->game->game))
		return public_status(why_set(reason(why), STATUS_INPUT,
					     "an agent of another game: expected one made for the "
					     "shape and spawn rule of the environments"));
	enum status status = (enum status)nxn_agent_ready(agent, why);
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

/* ---- States. */

/* A state begins with this header, little-endian; records of env_bytes() bytes follow. */
static const char state_mark[8] = "nxnenvs1";
enum {
	STATE_ROWS = sizeof state_mark,
	STATE_COLS = STATE_ROWS + 4,
	STATE_N = STATE_COLS + 4,
	STATE_SPAWN = STATE_N + 8,
	STATE_HEADER = STATE_SPAWN + SPAWN_TEXT_MAX
};

/*
 * A record has these numbers, then a byte that says whether the environment has started, then
 * cells.
 */
enum { ENV_SEED, ENV_NUMBER, ENV_STEP, ENV_SCORE, ENV_SPAWNS, ENV_CHOICES, ENV_NUMBERS };
enum { ENV_STARTED = 8 * ENV_NUMBERS, ENV_CELLS };

static size_t env_bytes(const struct nxn_envs *envs)
{
	return ENV_CELLS + (size_t)envs->game->game.cells;
}

size_t nxn_envs_state_size(const struct nxn_envs *envs)
{
	return STATE_HEADER + envs->n * env_bytes(envs);
}

static void header_make(const struct nxn_envs *envs, unsigned char header[STATE_HEADER])
{
	memset(header, 0, STATE_HEADER);
	memcpy(header, state_mark, sizeof state_mark);
	field_put32(header + STATE_ROWS, (uint32_t)envs->game->game.rows);
	field_put32(header + STATE_COLS, (uint32_t)envs->game->game.cols);
	field_put64(header + STATE_N, envs->n);
	strcpy((char *)header + STATE_SPAWN, envs->game->game.spawn.text);
}

static void env_save(const struct nxn_envs *envs, const struct env *env, unsigned char *record)
{
	const uint64_t number[ENV_NUMBERS] = {[ENV_SEED] = env->seed,
					      [ENV_NUMBER] = env->number,
					      [ENV_STEP] = env->step,
					      [ENV_SCORE] = env->turn.score,
					      [ENV_SPAWNS] = rng_draws(&env->spawns),
					      [ENV_CHOICES] = rng_draws(&env->choices)};
	for (size_t k = 0; k < ENV_NUMBERS; k++)
		field_put64(record + 8 * k, env->started || k < ENV_SCORE ? number[k] : 0);
	record[ENV_STARTED] = env->started;
	board_store(&envs->game->game, &env->board, record + ENV_CELLS);
}

void nxn_envs_save(const struct nxn_envs *envs, void *state)
{
	unsigned char *at = state;
	header_make(envs, at);
	at += STATE_HEADER;
	for (size_t i = 0; i < envs->n; i++, at += env_bytes(envs))
		env_save(envs, &envs->env[i], at);
}

static enum status state_wrong(size_t i, const char *what, struct why *why)
{
	return why_set(why, STATUS_INPUT,
		       "environment %zu of a saved state has %s: expected bytes from "
		       "nxn_envs_save()",
		       i, what);
}

/* The points that tiles k cost at most, all made from tiles of 2: (k - 1) 2^k each. */
static uint64_t score_most(const struct nxn_envs *envs, const unsigned char *cells)
{
	uint64_t most = 0;
	for (int i = 0; i < envs->game->game.cells; i++)
		most += cells[i] > 0 ? (uint64_t)(cells[i] - 1) << cells[i] : 0;
	return most;
}

static enum status record_check(const struct nxn_envs *envs, size_t i, const unsigned char *record,
				struct why *why)
{
	struct board board;
	struct why problem;
	const bool started = record[ENV_STARTED] == 1;
	if (record[ENV_STARTED] > 1)
		return state_wrong(i, "a mark that is neither 0 nor 1", why);
	if (field_get64(record + 8 * ENV_SPAWNS) > (started ? RNG_DRAWS_MAX : 0) ||
	    field_get64(record + 8 * ENV_CHOICES) > (started ? RNG_DRAWS_MAX : 0))
		return state_wrong(i, "drawn more than a stream has", why);
	if (board_take(&envs->game->game, record + ENV_CELLS, 0, &board, &problem) ||
	    started != (board_max(&board) > 0))
		return state_wrong(i, "a position that no game has", why);
	if (field_get64(record + 8 * ENV_SCORE) > score_most(envs, record + ENV_CELLS))
		return state_wrong(i, "a score that no game has", why);
	return STATUS_OK;
}

static void env_load(const struct nxn_envs *envs, const unsigned char *record, struct env *env)
{
	uint64_t number[ENV_NUMBERS];
	for (size_t k = 0; k < ENV_NUMBERS; k++)
		number[k] = field_get64(record + 8 * k);
	memset(&env->turn, 0, sizeof env->turn);
	env->turn.game = &envs->game->game;
	env->turn.board = &env->board;
	env->seed = number[ENV_SEED];
	env->number = number[ENV_NUMBER];
	env->step = number[ENV_STEP];
	env->started = record[ENV_STARTED] == 1;
	board_load(&envs->game->game, record + ENV_CELLS, &env->board);
	if (!env->started)
		return;
	rng_init(&env->spawns, env->seed, RNG_SPAWN, env->number);
	rng_skip(&env->spawns, number[ENV_SPAWNS]);
	rng_init(&env->choices, env->seed, RNG_AGENT, env->number);
	rng_skip(&env->choices, number[ENV_CHOICES]);
	turn_init(&env->turn, &envs->game->game, &env->board, number[ENV_SCORE]);
}

enum nxn_status nxn_envs_load(struct nxn_envs *envs, const void *state, size_t size,
			      struct nxn_why *why)
{
	const unsigned char *records = (const unsigned char *)state + STATE_HEADER;
	const size_t bytes = env_bytes(envs);
	unsigned char header[STATE_HEADER];
	enum status status = STATUS_OK;
	header_make(envs, header);
	if (size != nxn_envs_state_size(envs) || memcmp(header, state, STATE_HEADER) != 0)
		return public_status(why_set(reason(why), STATUS_INPUT,
					     "a saved state of %zu bytes is not of %zu "
					     "environments of %s with spawn rule %s",
					     size, envs->n, envs->game->game.name,
					     envs->game->game.spawn.text));
	for (size_t i = 0; !status && i < envs->n; i++)
		status = record_check(envs, i, records + i * bytes, reason(why));
	for (size_t i = 0; !status && i < envs->n; i++)
		env_load(envs, records + i * bytes, &envs->env[i]);
	return public_status(status);
}
