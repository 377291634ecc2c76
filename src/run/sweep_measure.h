/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Times the cells of a sweep, into a log (analysis/logs/sweep_log.h). A search that is in the log is not
 * timed again, so resuming is measuring again.
 *
 * A position is searched once in a cell, by a player who has not seen it: each cell has a new one,
 * and the positions of a set are of different games. One that is gone on with searches what it has done
 * once more, untimed, so that its table is what it would have been.
 */
#ifndef NXN_SWEEP_MEASURE_H
#define NXN_SWEEP_MEASURE_H

#include "analysis/logs/sweep_log.h"
#include "src/run/share.h"
#include "src/run/sweep.h"
#include "src/run/sweep_positions.h"

/*
 * The searches of CONFIG in LOG that count, in the order of SET: up to the first that is missing or
 * to the one with which LIMIT seconds were spent. Lists them in ROWS, which has room for all, or is
 * NULL; their number; and in SPENT, unless it is NULL, their seconds.
 */
size_t sweep_searches(const struct rowlog *log, uint64_t config, const struct game *game,
		      const struct positions *set, double limit, const struct sweep_row **rows,
		      double *spent);

struct measure_options {
	const char *directory; /* of the log */
	struct share share;    /* of the cells, in the order of the experiment */
	const char *const *provenance;
	int workers;
	bool progress; /* as in tournament.h */
};

/* The searches in DIRECTORY, those of all parts of the log; LOG is the caller's. As parts_read(). */
MUST_USE enum status sweep_searches_read(struct rowlog *log, const char *directory,
					 struct why *why);

/* Searches, those of earlier runs included; a cell at its limit counts as searched through. */
struct measure_count {
	uint64_t done, total;
};

/*
 * Searches what is missing; SETS[i] are the positions of the i-th board. STATUS_STOPPED after
 * Ctrl-C; STATUS_INPUT if the log is none or in use; STATUS_SYSTEM if it cannot be written. COUNT
 * is set unless the log could not be opened.
 */
MUST_USE enum status sweep_measure(const struct experiment *experiment, const struct sweep *sweep,
				   const struct positions *sets,
				   const struct measure_options *options,
				   struct measure_count *count, struct why *why);

#endif
