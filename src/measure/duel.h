/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn duel: which of two players scores more. */
#ifndef NXN_DUEL_H
#define NXN_DUEL_H

#include "analysis/stats/stats.h"
#include "src/measure/launch.h"

struct duel_options {
	struct game_options game;
	const char *agent[2];
	int agents; /* number of agents */
	bool untrained;
	bool scores; /* the agents are files of scores */
	const char *column;
	uint64_t seed;
	bool seeded;	/* the user gave the seed */
	double alpha;	/* allowed probability of a false verdict */
	double beta;	/* probability of missing an effect, for plans and comparisons */
	double bound;	/* share by which equal players may differ; 0: none */
	uint64_t batch; /* games before the first look */
	uint64_t most;	/* largest number of games */
	bool bounded;	/* the user gave `most` */
	double effect;	/* effect to plan for; 0: play */
	double sd;	/* spread of pairs for the plan; 0: take it from a pilot */
	uint64_t pilot; /* games of the pilot */
	struct launch_options launch;
};

/*
 * Plays, plans, or compares scores, as OPTIONS say, and reports. Errors as launch_run(). The exit
 * status does not depend on the verdict.
 */
MUST_USE enum status duel(const struct duel_options *options, const struct invocation *call,
			  struct why *why);

#endif
