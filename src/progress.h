/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One line on standard error that tells how far long work has come. */
#ifndef NXN_PROGRESS_H
#define NXN_PROGRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Work of one kind: games played, games trained, or positions searched. */
struct progress_count {
	uint64_t total;
	atomic_uint_least64_t before; /* of these, done by earlier runs */
	atomic_uint_least64_t done;   /* by this run; any thread adds to it */
};

/* Zeroed, with its totals set, before workers start. */
struct progress {
	bool shown;
	double started, drawn; /* seconds of clock.h */
	struct progress_count games, training, searches;
};

/* Starts the clock; the line is shown if FORCED or standard error is a terminal. */
void progress_start(struct progress *progress, bool forced);

/* Draws the line anew if a quarter of a second has passed since it was. One thread. */
void progress_tick(struct progress *progress);

/* Draws the line anew. One thread. */
void progress_show(const struct progress *progress);

/* Removes the line. */
void progress_clear(const struct progress *progress);

#endif
