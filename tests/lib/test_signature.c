/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One number for how nxn plays, computed through <nxn.h>: a hash of every move and score of eight
 * games of each player. It is the same for every instruction set and number of threads, and a
 * change that claims to change no behaviour leaves it as it is. Like reference.txt, `expected` is
 * what an earlier nxn gave. tests/lib/lib_install.sh compiles this as a program outside.
 */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#ifdef HAVE_CONFIG_H
#include "lib/nxn.h"
#else
#include <nxn.h>
#endif
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

static const uint64_t expected = UINT64_C(0xb068b87980066fa7);

enum { SEED = 2048, GAMES = 8 };

static const struct {
	const char *board, *agent;
	uint64_t training; /* games before the first */
	bool threads;	   /* it searches with threads */
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

static void check(enum nxn_status status, const struct nxn_why *why)
{
	if (status == NXN_OK)
		return;
	fprintf(stderr, "%s\n", why->text);
	exit(1);
}

static uint64_t game_hash(struct nxn_game *game, struct nxn_agent *agent, uint64_t number,
			  XXH3_state_t *state)
{
	struct nxn_envs *envs;
	struct nxn_why why;
	uint64_t score = 0, moves = 0;
	uint8_t terminated = 0, action;
	const struct nxn_observation out = {.score = &score, .terminated = &terminated};
	/* Of one environment the games are 0, 1, 2, ...: the resets before NUMBER skip them. */
	check(nxn_envs_new(game, 1, SEED, &envs, &why), &why);
	for (uint64_t i = 0; i <= number; i++)
		nxn_envs_reset(envs, &out);
	XXH3_64bits_reset(state);
	while (!terminated) {
		moves++;
		check(nxn_envs_act(envs, agent, &action, &why), &why);
		const uint64_t seen[2] = {action, score};
		XXH3_64bits_update(state, seen, sizeof seen);
		check(nxn_envs_step(envs, &action, &out, &why), &why);
	}
	const uint64_t end[2] = {score, moves};
	XXH3_64bits_update(state, end, sizeof end);
	nxn_envs_free(envs);
	return XXH3_64bits_digest(state);
}

/* The hash of all rows, whose searches have so many THREADS. */
static uint64_t signature_make(int threads)
{
	static uint64_t hashes[ROWS * GAMES];
	XXH3_state_t *state = XXH3_createState();
	struct nxn_why why;
	for (int r = 0; r < ROWS; r++) {
		char text[128];
		struct nxn_game *game;
		struct nxn_agent *agent;
		snprintf(text, sizeof text, rows[r].threads ? "%s,threads=%d" : "%s", rows[r].agent,
			 threads);
		check(nxn_game_new(rows[r].board, NULL, 0, NULL, &game, &why), &why);
		check(nxn_agent_new(game, text, &agent, &why), &why);
		if (rows[r].training)
			check(nxn_agent_train(agent, SEED, rows[r].training, &why), &why);
		for (uint64_t i = 0; i < GAMES; i++)
			hashes[r * GAMES + (int)i] = game_hash(game, agent, i, state);
		nxn_agent_free(agent);
		nxn_game_free(game);
	}
	XXH3_freeState(state);
	return XXH3_64bits(hashes, sizeof hashes);
}

/* Whether this machine has the instruction set NAME, which games take from now on. */
static bool isa_set(const char *name)
{
	struct nxn_game *game;
	struct nxn_why why;
	setenv("NXN_ISA", name, 1);
	if (nxn_game_new("2x2", NULL, 0, NULL, &game, &why))
		return false;
	nxn_game_free(game);
	return true;
}

/* Whether the signature is that of NAME, an instruction set, with so many THREADS. */
static bool signature_holds(const char *name, int threads)
{
	const uint64_t made = signature_make(threads);
	if (made != expected)
		fprintf(stderr, "%s, %d threads: %016" PRIx64 ", not %016" PRIx64 "\n", name,
			threads, made, expected);
	return made == expected;
}

/* With an argument, one thread and the instruction set that nxn takes. */
int main(int argc, char *argv[])
{
	static const char *const names[] = {"portable", "avx2", "avx512"};
	(void)argv;
	bool bad = !signature_holds("the usual", argc > 1 ? 1 : 4);
	for (int i = 0; argc == 1 && i < 3; i++)
		bad |= isa_set(names[i]) && !signature_holds(names[i], 1);
	printf(
	    "1..1\n%sok 1 - the signature is that of every instruction set and number of threads\n",
	    bad ? "not " : "");
	return bad;
}
