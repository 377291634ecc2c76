/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plays the signature's games; see bench.h. A game's hash (XXH3) depends on nothing but its row
 * and its number, and the signature is the hash of these in order.
 */
#include "src/verify/bench.h"

#include "agents/play.h"
#include "src/run/pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { SEED = 2048, GAMES = 8 };

/*
 * Every agent, every kind of shape; searches with a table and without, cut off and not. Weights
 * that have defaults are of a set that stays.
 */
static const struct signed_games {
	const char *board, *agent;
	uint64_t training; /* games before the first */
	bool threads;	   /* as many in each decision as there are in all */
} rows[] = {
    {"2x2", "random", 0, false},
    {"2x6", "greedy:ties=random", 0, false},
    {"4x4", "corners", 0, false},
    {"6x6", "random", 0, false},
    {"2x3", "expectimax:depth=4,cutoff=0,tuned=1", 0, true},
    {"3x3", "expectimax:depth=3,cutoff=1e-2,tt=0,tuned=1", 0, true},
    {"3x5", "expectimax:depth=2,cutoff=1e-3,tt=64K,tuned=1", 0, true},
    {"3x3", "expectimax:depth=5,cutoff=1e-2,tuned=1", 0, true},
    {"4x4", "expectimax:depth=2,cutoff=1e-3,value=score", 0, true},
    {"4x4", "expectimax:depth=2,cutoff=1e-2,tuned=1", 0, true},
    {"3x3", "expectimax:depth=auto,cutoff=3e-2,leaf=after,tuned=1", 0, true},
    {"3x4", "expectimax:nodes=200,depth=1,cutoff=1e-3,tuned=1", 0, false},
    {"3x4", "expectimax:depth=2,cutoff=1e-2,leaf=after,value=strong,tuned=1", 0, true},
    {"5x3", "expectimax:depth=1,cutoff=1e-2,leaf=after,value=strong,tuned=1", 0, true},
    {"5x5", "expectimax:depth=1,tuned=1", 0, true},
    {"3x3", "qlearn", 300, false},
    {"4x3", "qlearn:error=linear,terminal=zero", 100, false},
};

enum { ROWS = sizeof rows / sizeof *rows };

struct signing {
	struct job job;
	int threads;
	uint64_t hashes[ROWS * GAMES];
};

static bool move_hash(void *context, const struct turn *turn, int move,
		      const struct decision *decision)
{
	const uint64_t seen[2] = {(uint64_t)move, turn->score};
	(void)decision;
	return XXH3_64bits_update(context, seen, sizeof seen) == XXH_OK;
}

static uint64_t game_hash(struct agent *agent, XXH3_state_t *state, uint64_t game)
{
	struct play_watch watch = {move_hash, state};
	struct outcome outcome;
	XXH3_64bits_reset(state);
	play_game(agent, SEED, game, &watch, &outcome);
	const uint64_t end[2] = {outcome.score, outcome.moves};
	XXH3_64bits_update(state, end, sizeof end);
	return XXH3_64bits_digest(state);
}

static bool go_on(void *context, const struct outcome *outcome)
{
	(void)context;
	(void)outcome;
	return true;
}

static enum status row_hash(const struct signed_games *row, int threads, uint64_t hashes[GAMES],
			    struct why *why)
{
	char text[SPEC_MAX];
	struct game game;
	struct game_options options = {.shape = row->board};
	struct agent_env env = {.game = &game};
	struct agent *agent;
	enum status status = game_init(&game, &options, why);
	snprintf(text, sizeof text, row->threads ? "%s,threads=%d" : "%s", row->agent, threads);
	if (!status)
		status = agent_new(text, &env, &agent, why);
	if (status)
		return status;
	XXH3_state_t *state = XXH3_createState();
	if (!state)
		status = why_set(why, STATUS_SYSTEM, "out of memory for a signature");
	if (!status && row->training)
		agent->class->learn(agent->self, &(struct training_request){.seed = SEED,
									    .end = row->training,
									    .threads = 1,
									    .over = go_on});
	for (uint64_t i = 0; !status && i < GAMES; i++)
		hashes[i] = game_hash(agent, state, i);
	XXH3_freeState(state);
	agent_free(agent);
	return status;
}

static enum status row_run(struct job *job, uint64_t unit, int thread, struct why *why)
{
	struct signing *s = (struct signing *)(void *)job;
	(void)thread;
	return row_hash(&rows[unit], s->threads, s->hashes + unit * GAMES, why);
}

static enum status signing_run(struct signing *s, int threads, struct why *why)
{
	struct pool *pool;
	enum status status = pool_new(threads, &pool, why);
	if (status)
		return status;
	s->job = (struct job){.run = row_run, .end = ROWS};
	s->threads = threads;
	pool_add(pool, &s->job);
	return pool_run(pool, NULL, why);
}

enum status signature_make(int threads, uint64_t *signature, struct why *why)
{
	struct signing *s = calloc(1, sizeof *s);
	if (!s)
		return why_set(why, STATUS_SYSTEM, "out of memory for a signature");
	enum status status = signing_run(s, threads, why);
	if (!status)
		*signature = XXH3_64bits(s->hashes, sizeof s->hashes);
	free(s);
	return status;
}
