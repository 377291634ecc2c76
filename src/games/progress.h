/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One line on standard error that tells how far long work has come. */
#ifndef NXN_PROGRESS_H
#define NXN_PROGRESS_H

#include "agents/solver/solver.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { PROGRESS_NOTE_MAX = 256 };

/*
 * Work of one kind: games played, games trained, seconds of training, positions searched or solved.
 */
struct progress_count {
	uint64_t total;		      /* UINT64_MAX if nobody knows; 0 for no such work */
	atomic_uint_least64_t before; /* of these, done by earlier runs */
	atomic_uint_least64_t done;   /* by this run; any thread adds to it */
};

/* How far work of one kind came, that of earlier runs included. */
struct work_done {
	uint64_t done, total;
};

static inline struct work_done progress_done(const struct progress_count *count)
{
	return (struct work_done){count->before + count->done, count->total};
}

/* Zeroed, with its totals set, before workers start. */
struct progress {
	bool shown;	       /* one line, drawn again and again */
	double interval;       /* seconds from one drawing, or line, to the next */
	double started, drawn; /* seconds of clock.h */
	double end;	       /* when work ends at the latest, the same; 0 if it has no such end */
	struct progress_count games, training, seconds, searches, positions;
	atomic_uint_least64_t moves;  /* of this run, of training; 0 to say nothing of moves */
	char note[PROGRESS_NOTE_MAX]; /* goes at the end of the line */
};

/*
 * Starts the clock; the line is shown if FORCED or standard error is a terminal. Elsewhere there is
 * a new line every minute, or every NXN_PROGRESS_SECONDS of the environment.
 */
void progress_start(struct progress *progress, bool forced);

/* Draws the line anew, or prints one, if its time has come. One thread at a time. */
void progress_tick(struct progress *progress);

/* Removes the line. */
void progress_clear(const struct progress *progress);

/* ---- The line of a solver. */

/* Zeroed, with what the first four say. */
struct solve_show {
	bool forced;	  /* even if standard error is not a terminal */
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
