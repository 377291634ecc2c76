/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One search and its time; see sweep_search.h.
 *
 * Reading CLOCK_THREAD_CPUTIME_ID can take half a microsecond and more, as much as a shallow
 * search, and reading CLOCK_MONOTONIC some 20 ns. So the latter is read inside of the former, and
 * the lesser difference counts: that is the former only where the thread had to wait.
 */
#include "src/run/sweep_search.h"

#include "agents/play.h"
#include "boards/simd/isa.h"
#include "base/clock.h"
#include "src/run/sweep_positions.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { WARM_SEARCHES = 200, WARM_NODES = 20000 };

/* The whole number that SPEC, with all its parameters, sets KEY to, or FALLBACK. */
static uint64_t spec_number(const char *spec, const char *key, uint64_t fallback)
{
	const char *found = strstr(spec, key);
	return found ? strtoull(found + strlen(key), NULL, 10) : fallback;
}

/* Whether a search of ENTRY has threads of its own. */
static bool entry_threaded(const struct entry *entry)
{
	return spec_number(entry->settings, ",threads=", 1) > 1;
}

int sweep_workers(const struct experiment *experiment, int threads)
{
	return entry_threaded(experiment->entries[0]) ? 1 : threads;
}

uint64_t sweep_config(const struct entry *entry, int workers)
{
	char text[1024], cpu[256];
	processor_name(cpu, sizeof cpu);
	int length = snprintf(text, sizeof text, "%016" PRIx64 " %s, %s, %s, %s, %d",
			      entry_config(entry, entry_trained(entry)), version_text,
			      compiler_text, isa_name(entry->game.isa), cpu, workers);
	return XXH3_64bits(text, length < (int)sizeof text ? (size_t)length : sizeof text - 1);
}

const char *search_clock(const struct entry *entry)
{
	return entry_threaded(entry) ? "time that passed"
				     : "time of the thread on a processor, or that passed if less";
}

static double thread_seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double search_time(const struct entry *entry, struct agent *agent, const struct board *board,
		   uint64_t seed, uint64_t number, struct decision *decision)
{
	struct turn turn;
	struct rng rng;
	turn_init(&turn, agent->game, board, 0);
	rng_init(&rng, seed, RNG_AGENT, number);
	decision_init(decision);
	double cpu = thread_seconds(), start = clock_seconds();
	agent->class->act(agent->self, &turn, &rng, decision);
	double passed = clock_seconds() - start;
	cpu = thread_seconds() - cpu;
	return entry_threaded(entry) || passed < cpu ? passed : cpu;
}

void search_warm(const struct entry *entry, struct agent *agent, uint64_t seed)
{
	struct decision decision;
	uint64_t nodes = 0;
	/* Counts and no clock decide, so that what a table holds afterwards is always the same. */
	for (uint64_t i = 0; i < WARM_SEARCHES && nodes < WARM_NODES; i++) {
		struct board board;
		position_late(agent->game, seed, i, &board);
		if (agent->game->over(&board))
			break;
		search_time(entry, agent, &board, seed, i, &decision);
		nodes += decision.nodes;
	}
}
