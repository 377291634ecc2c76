/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The progress line of nxn solve. */
#ifndef NXN_SOLVE_SHOW_H
#define NXN_SOLVE_SHOW_H

#include "agents/solver.h"
#include "src/progress.h"

/* Zeroed, with what the first three say. */
struct solve_show {
	bool forced;  /* even if standard error is not a terminal */
	bool partial; /* the game ends early: at a tile or a sum */
	const char
	    *what; /* the work is of one pass, and this is its name; NULL: of a solver's two */
	struct progress progress;
	bool begun, backward;
	uint64_t layer; /* the sum of the layer that was finished last */
};

/*
 * For `tell` of a solve_task, with a struct solve_show as its context: false once an end was asked
 * for (src/stop.h). One thread at a time.
 */
bool solve_show(void *context, const struct solve_progress *progress);

/* Removes the line. */
void solve_show_end(struct solve_show *show);

#endif
