/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nxn duel: two players play the same games until it is clear who scores more, or that they are as
 * good as equal (analysis/stats/sequential.h).
 *
 * Games are those of nxn compare: game i of both is stream i of the seed, in DIR/games.tsv. Looks
 * are taken after fixed numbers of games, and look at games 0 .. n-1 whatever else the log holds;
 * so a duel ends at the same game with the same verdict however often it is interrupted, for any
 * number of threads.
 */
#ifndef NXN_DUEL_H
#define NXN_DUEL_H

#include "src/run/launch.h"

/* As many as can tell two players apart: those of analysis/stats/sequential.h. */
enum { DUEL_BATCH_MIN = 20 };

struct duel_options {
	struct game_options game;
	const char *agent[2];
	int agents; /* so many are given */
	uint64_t seed;
	double alpha;	/* probability of an error that is allowed */
	double beta;	/* of missing an effect, for plans and comparisons */
	double bound;	/* 0 for none */
	uint64_t batch; /* games before the first look */
	uint64_t most;	/* games at the most */
	double effect;	/* to plan for; 0 to play */
	double sd;	/* for that, the spread of pairs; 0 to find it out */
	uint64_t pilot; /* by so many games */
	struct launch_options launch;
};

/* Plays the duel, or plans it, and reports. As launch_run(). */
MUST_USE enum status duel_launch(const struct duel_options *options, const struct invocation *call,
				 struct why *why);

#endif
