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

/*
 * Games of one player on one board, and the training before them, which is done one game after the
 * other. Clock times are of clock.h, in nanoseconds; workers add to what is atomic.
 */
struct progress_cell {
	const char *board, *label;
	uint64_t games;			     /* to be played by this run */
	atomic_uint_least64_t training;	     /* games of training, likewise */
	atomic_uint_least64_t training_time; /* likewise, where training is by time */
	atomic_uint_least64_t begun; /* when the last game that was begun was; 0: none was */
	atomic_uint_least64_t played, trained;
	atomic_uint_least64_t playing, learning; /* time that those took */
};

/* Zeroed, with its totals set, before workers start. */
struct progress {
	bool shown;
	double started, drawn; /* seconds of clock.h */
	double end;	       /* when work ends at the latest, the same; 0 if it has no such end */
	struct progress_count games, training, seconds, searches, positions;
	atomic_uint_least64_t moves;  /* of this run, of training; 0 to say nothing of moves */
	char note[PROGRESS_NOTE_MAX]; /* goes at the end of the line */
	/* The time left is that of the cells, if there are any, done by so many workers. */
	struct progress_cell *cells;
	size_t cell_count;
	int workers;
};

/* Now, as in struct progress_cell; and the time since THEN, which becomes now. */
uint64_t progress_clock(void);
uint64_t progress_lap(uint64_t *then);

/*
 * The seconds until all cells are done. A game takes as long as those of its cell did on average.
 * Sets *LEAST where that is a bound only: games of a cell have not ended, or not begun.
 */
double progress_left(const struct progress *progress, bool *least);

/* Starts the clock; the line is shown if FORCED or standard error is a terminal. */
void progress_start(struct progress *progress, bool forced);

/* Draws the line anew if a fifth of a second has passed since it was. One thread at a time. */
void progress_tick(struct progress *progress);

/* Removes the line. */
void progress_clear(const struct progress *progress);

/* ---- The line of a solver. */

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
