/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What nxn solve does, with what it is asked for. */
#ifndef NXN_SOLVE_H
#define NXN_SOLVE_H

#include "agents/solver/solver.h"
#include "src/cli/options.h"

struct solve_options {
	struct game_options game;
	enum goal goal;
	uint64_t target;  /* the tile itself; 0: none */
	uint64_t max_sum; /* 0: none */
	uint64_t memory;  /* bytes */
	struct pace pace;
	const char *work;   /* folder, or NULL */
	const char *out;    /* table file, or NULL */
	const char *policy; /* an agent whose play is to be valued, or NULL: the best play */
	const char *table;  /* table file that the agent is held against, or NULL */
	bool count;	    /* only enumerate */
	bool no_layers;
	bool no_times;
};

/* The goals as options and results name them: "best-score". */
extern const char *const solve_goals[GOALS];

/*
 * Solves GAME and prints the result; COMMAND is for its head. Errors of solve(); STATUS_INPUT if
 * no game on the board reaches the target, or games begin with a larger sum than the largest.
 */
MUST_USE enum status solve_optimum(const struct solve_options *options, const struct game *game,
				   const char *command, struct why *why);

/*
 * Values the play of options->policy, compared with options->table if there is one, and prints
 * the result. Errors of exact_play(), optimum_open() and, for the largest sum, solve_optimum().
 */
MUST_USE enum status solve_policy(const struct solve_options *options, const struct game *game,
				  const char *command, struct why *why);

#endif
