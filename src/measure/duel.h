/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn duel: which of two players scores more. */
#ifndef NXN_DUEL_H
#define NXN_DUEL_H

#include "analysis/stats/stats.h"
#include "src/measure/launch.h"

struct duel_options {
	struct game_options game;
	const char *agent[2];
	int agents; /* so many are given */
	bool untrained;
	bool scores; /* the agents are files of scores */
	const char *column;
	uint64_t seed;
	double alpha;	/* probability of an error that is allowed */
	double beta;	/* of missing an effect, for plans and comparisons */
	double bound;	/* 0 for none */
	uint64_t batch; /* games before the first look */
	uint64_t most;	/* games at the most */
	bool bounded;	/* that was asked for */
	double effect;	/* to plan for; 0 to play */
	double sd;	/* for that, the spread of pairs; 0 to find it out */
	uint64_t pilot; /* by so many games */
	struct launch_options launch;
};

/*
 * Plays, or plans, or compares scores, as OPTIONS say, and reports on it, as launch_run(). The exit
 * status does not depend on the verdict.
 */
MUST_USE enum status duel(const struct duel_options *options, const struct invocation *call,
			  struct why *why);

#endif
