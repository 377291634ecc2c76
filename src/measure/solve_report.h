/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn solve: exact values of a board, or of an agent's play on it. */
#ifndef NXN_SOLVE_REPORT_H
#define NXN_SOLVE_REPORT_H

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
	const char *policy; /* agent to evaluate, or NULL: optimal play */
	const char *table;  /* table file that the agent is compared with, or NULL */
	bool untrained;	    /* `policy` may be an untrained learner */
	bool count;	    /* only enumerate */
	bool goal_given;
	bool full;
	bool no_times;
};

/* Names of the goals in options and results. */
extern const char *const solve_goals[GOALS];

/*
 * Does what OPTIONS say and prints the results; after a request to stop, how to resume. Errors as
 * solve() and exact_play().
 */
MUST_USE enum status solve_report(const struct solve_options *options,
				  const struct invocation *call, struct why *why);

#endif
