/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Positions sampled from games; see sweep_positions.h.
 *
 * One position a game, so that they are independent, as intervals over them require. Which move of
 * a game it is, is decided while the game is played (reservoir sampling, Vitter, Random sampling
 * with a reservoir, ACM TOMS 11, 1985, for a sample of one): move t takes the place of the position
 * kept with probability 1/t.
 */
#include "src/run/sweep_positions.h"

#include "agents/play.h"
#include "src/run/pool.h"
#include "base/stop.h"

#include <stdatomic.h>
#include <stdlib.h>

/* The heuristic one move ahead: fast, and as good as a weak human. It needs no table. */
const char positions_player[] = "expectimax:depth=1,tt=0,tuned=1";

enum { GAMES_A_POSITION = 50 };

/* A position kept of a game under way. */
struct reservoir {
	struct rng rng;
	struct board kept;
	uint32_t moves;
};

static bool reservoir_move(void *context, const struct turn *turn, int move,
			   const struct decision *decision)
{
	struct reservoir *r = context;
	(void)move;
	(void)decision;
	if (rng_below(&r->rng, ++r->moves) == 0)
		r->kept = *turn->board;
	return !stop_requested();
}

/* Games FIRST, FIRST + 1, ... as a job: the position of game FIRST + i goes to kept[i]. */
struct round {
	struct job job;
	const struct game *game;
	uint64_t seed, first;
	struct agent **agents; /* of each thread */
	struct board *kept;
	bool *there; /* the game had a move */
	atomic_bool stopped;
};

static void round_run(struct job *job, uint64_t unit, int thread)
{
	struct round *round = (struct round *)job;
	struct outcome outcome;
	struct reservoir reservoir = {.moves = 0};
	struct play_watch watch = {.move = reservoir_move, .context = &reservoir};
	uint64_t index = round->first + unit;
	rng_init(&reservoir.rng, round->seed, RNG_SAMPLE, index);
	if (!play_game(round->agents[thread], round->seed, index, &watch, &outcome))
		atomic_store(&round->stopped, true);
	round->there[unit] = reservoir.moves > 0;
	round->kept[unit] = reservoir.kept;
}

/* Plays N games from round->first on. */
static enum status round_play(struct round *round, uint64_t n, int threads, struct why *why)
{
	struct pool *pool;
	round->job = (struct job){.run = round_run, .end = n};
	enum status status = pool_new(threads, &pool, why);
	if (status)
		return status;
	pool_add(pool, &round->job);
	status = pool_start(pool, why);
	while (!pool_wait(pool, 100))
		if (stop_requested())
			pool_stop(pool);
	pool_free(pool);
	if (!status && (atomic_load(&round->stopped) || stop_requested()))
		status = STATUS_STOPPED;
	return status;
}

/* Plays rounds of as many games as there are positions missing. */
static enum status rounds_play(struct round *round, struct positions *set, size_t n, int threads,
			       struct why *why)
{
	bool added;
	enum status status = STATUS_OK;
	while (!status && set->n < n && round->first < (uint64_t)GAMES_A_POSITION * n) {
		uint64_t games = n - set->n;
		status = round_play(round, games, threads, why);
		for (uint64_t i = 0; !status && i < games; i++)
			if (round->there[i])
				status =
				    positions_add(set, round->game, &round->kept[i], &added, why);
		round->first += games;
	}
	if (!status && set->n < n)
		status = why_set(why, STATUS_INPUT,
				 "positions: %zu games on %s have only %zu different positions "
				 "instead of %zu",
				 (size_t)round->first, round->game->name, set->n, n);
	return status;
}

static enum status agents_make(struct agent **agents, const struct game *game, int threads,
			       struct why *why)
{
	struct agent_env env = {.game = game};
	enum status status = STATUS_OK;
	for (int i = 0; !status && i < threads; i++)
		status = agent_new(positions_player, &env, &agents[i], why);
	return status;
}

enum status positions_sample(struct positions *set, const struct game *game, size_t n,
			     uint64_t seed, int threads, struct why *why)
{
	struct round round = {
	    .game = game,
	    .seed = seed,
	    .agents = calloc((size_t)threads, sizeof(struct agent *)),
	    .kept = aligned_alloc(_Alignof(struct board), n * sizeof(struct board)),
	    .there = calloc(n, sizeof(bool)),
	};
	struct positions made = {0};
	enum status status =
	    round.agents && round.kept && round.there
		? STATUS_OK
		: why_set(why, STATUS_SYSTEM, "out of memory for %zu positions", n);
	if (!status)
		status = agents_make(round.agents, game, threads, why);
	if (!status)
		status = rounds_play(&round, &made, n, threads, why);
	for (int i = 0; round.agents && i < threads; i++)
		agent_free(round.agents[i]);
	free(round.agents);
	free(round.kept);
	free(round.there);
	if (status)
		positions_fini(&made);
	else
		*set = made;
	return status;
}

void position_late(const struct game *game, uint64_t seed, uint64_t index, struct board *board)
{
	struct rng rng;
	struct moves moves;
	struct board now;
	rng_init(&rng, seed, RNG_SAMPLE, index);
	board_start(game, &now, &rng);
	*board = now;
	for (game->moves(&now, &moves); moves.legal; game->moves(&now, &moves)) {
		int move;
		*board = now;
		do
			move = (int)rng_below(&rng, DIRECTIONS);
		while (!(moves.legal >> move & 1));
		now = moves.after[move];
		board_spawn(game, &now, &rng);
	}
}
