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

#include "analysis/stats/sequential.h"
#include "src/run/experiment.h"
#include "src/run/launch.h"
#include "src/cli/options.h"
#include "src/run/tournament.h"

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

struct duel {
	const struct duel_options *options;
	const struct launch_command *command;
	struct experiment experiment; /* both players */
	struct sequential test;
	struct look look[BOUNDARY_LOOKS_MAX];
	size_t looks;		       /* taken */
	struct tournament_count count; /* of the look that was played for last */
};

/* Makes the players. As experiment_add(). */
MUST_USE enum status duel_init(struct duel *duel, const struct duel_options *options,
			       const struct launch_command *command, struct why *why);
void duel_fini(struct duel *duel);

/*
 * Plays what is missing of the first GAMES games of both; NOTE goes into the progress line. *A and
 * *B are their scores, the caller's, in one piece: free(*A). As tournament_play().
 */
MUST_USE enum status duel_games(struct duel *duel, uint64_t games, const char *note, double **a,
				double **b, struct why *why);

/* Plays and looks until there is a verdict or no look is left. As duel_games(). */
MUST_USE enum status duel_play(struct duel *duel, struct why *why);

/* Says how to go on after a stop. */
void duel_resume_print(const struct duel *duel);

/*
 * Prints the looks that were taken and the verdict, or that there is none yet because it STOPPED.
 */
void duel_print(const struct duel *duel, bool stopped);

/* Writes DIR/tables/duel.tsv and, unless they are not wanted, figures. STATUS_SYSTEM. */
MUST_USE enum status duel_tables(const struct duel *duel, struct why *why);

/*
 * Prints how many games the effect takes, from the spread that is given or that a pilot has found.
 * As duel_games().
 */
MUST_USE enum status duel_plan(struct duel *duel, struct why *why);

#endif
