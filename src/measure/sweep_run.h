/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A running sweep, and its searches. */
#ifndef NXN_SWEEP_RUN_H
#define NXN_SWEEP_RUN_H

#include "src/measure/positions.h"
#include "src/measure/sweep.h"
#include "src/measure/sweep_cells.h"

struct sweep_run {
	struct launch_task task;
	const struct experiment *experiment; /* that of the task: its entries are the cells */
	const struct sweep *sweep;
	size_t boards;
	const struct game **games; /* [boards] */
	struct positions *sets;	   /* [boards]; empty without positions */
	bool threaded;		   /* searches use several threads */
	int workers;		   /* cells searched at a time */
	struct gamelog played;	   /* the games in the folder's log, if this sweep plays */

	/* For searches. */
	uint64_t *config; /* [cells] */
	struct shared_log log;
	struct pool *pool;
	struct progress progress;
	struct job job; /* unit r * cells + i: the cell that comes i-th in round r */
	size_t *order;	/* [rounds * cells] */
};

/*
 * Sets how the searches of RUN, which has an experiment and options, are timed. The caller frees
 * run->config.
 */
void searches_init(struct sweep_run *run);

/* Does the missing searches; sets task.searches unless the log could not be opened. */
MUST_USE enum status searches_do(struct sweep_run *run, struct why *why);

/* Estimates the times of CELLS, whose games are set, from the log of the searches. */
MUST_USE enum status sweep_times(const struct sweep_run *run, struct sweep_cell *cells,
				 struct why *why);

/* The positions of cell I. */
static inline const struct positions *cell_positions(const struct sweep_run *run, size_t i)
{
	return &run->sets[i / sweep_board_cells(run->sweep)];
}

#endif
