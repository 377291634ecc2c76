/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The progress line of nxn solve. */
#ifndef NXN_SOLVE_SHOW_H
#define NXN_SOLVE_SHOW_H

#include "agents/solver/solver.h"
#include "src/run/progress.h"

/* Zeroed, with what the first four say. */
struct solve_show {
	bool forced;	  /* even if standard error is not a terminal */
	bool partial;	  /* the game ends early: at a tile or a sum */
	uint64_t most;	  /* no sum is larger, where that is less than the solver knows; or 0 */
	const char *what; /* the one pass that the work has; NULL: a solver's two */
	struct progress progress;
	bool begun, backward;
};

/*
 * For `tell` of a solve_task, with a struct solve_show as its context: false once an end was asked
 * for (base/stop.h). One thread at a time.
 */
bool solve_show(void *context, const struct solve_progress *progress);

/* Removes the line. */
void solve_show_end(struct solve_show *show);

#endif
