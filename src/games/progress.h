/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line on standard error that shows the progress of long work. */
#ifndef NXN_PROGRESS_H
#define NXN_PROGRESS_H

#include "agents/solver/solver.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { PROGRESS_NOTE_MAX = 256, PROGRESS_COUNTS = 5 };

/*
 * Progress of one kind of work: games played, training games, seconds of training, searches,
 * positions.
 */
struct progress_count {
	uint64_t total;		      /* UINT64_MAX: unknown; 0: no such work */
	atomic_uint_least64_t before; /* done by earlier runs */
	atomic_uint_least64_t done;   /* done by this run; any thread adds to it */
};

/* Work done so far, including earlier runs, and its total. */
struct work_done {
	uint64_t done, total;
};

static inline struct work_done progress_done(const struct progress_count *count)
{
	return (struct work_done){count->before + count->done, count->total};
}

/* The progress line. Zeroed, with totals set, before workers start. */
struct progress {
	bool shown;	       /* one line that is redrawn */
	double interval;       /* seconds between two drawings or lines */
	double started, drawn; /* times of clock_seconds() */
	double end; /* latest end of the work, as a time of clock_seconds(); 0: unknown */
	union {
		struct {
			struct progress_count games, training, seconds, searches, positions;
		};
		struct progress_count count[PROGRESS_COUNTS]; /* the same in this order */
	};
	atomic_uint_least64_t moves;  /* training moves of this run; 0: do not show */
	char note[PROGRESS_NOTE_MAX]; /* shown at the end of the line */
};

/*
 * Starts the clock. The line is shown if FORCED or if standard error is a terminal. Otherwise a new
 * line is printed every minute, or every NXN_PROGRESS_SECONDS of the environment.
 */
void progress_start(struct progress *progress, bool forced);

/* Redraws the line, or prints one, if it is time. One thread at a time. */
void progress_tick(struct progress *progress);

/* Removes the line; the next tick draws it again. */
void progress_clear(struct progress *progress);

/* ---- The progress line of a solver. */

/* Zeroed, except for the first three members. */
struct solve_show {
	bool forced;	  /* show the line even if standard error is not a terminal */
	uint64_t most;	  /* upper bound of tile sums if the solver has only a larger one; or 0 */
	const char *what; /* name of the only pass; NULL: the two passes of the solver */
	struct progress progress;
	bool begun, backward;
};

/*
 * For `tell` of a solver, with a struct solve_show as context. Returns false after a request to
 * stop (base/stop.h). One thread at a time.
 */
bool solve_show(void *context, const struct solve_progress *progress);

/* Removes the line. */
void solve_show_end(struct solve_show *show);

#endif
