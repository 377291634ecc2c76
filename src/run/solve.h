/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What nxn solve is asked for, and its parts. */
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

/* Solves GAME and prints the table; COMMAND is for its head. As solve(), and as solve_check(). */
MUST_USE enum status solve_optimum(const struct solve_options *options, const struct game *game,
				   const char *command, struct why *why);

/*
 * Values the play of options->policy, held against options->table if there is one, and prints what
 * comes out. As exact_play(), optimum_open(), and as solve_check().
 */
MUST_USE enum status solve_policy(const struct solve_options *options, const struct game *game,
				  const char *command, struct why *why);

/*
 * STATUS_INPUT if no game on the board reaches the target, or games begin with a larger sum than the
 * largest.
 */
MUST_USE enum status solve_check(const struct solve_options *options, const struct game *game,
				 struct why *why);

#endif
