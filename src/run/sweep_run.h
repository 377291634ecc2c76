/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A sweep under way, and what is made of it: the table for people, recommendations, tables,
 * figures.
 */
#ifndef NXN_SWEEP_RUN_H
#define NXN_SWEEP_RUN_H

#include "analysis/logs/rowlog.h"
#include "analysis/tables/tables.h"
#include "src/run/sweep.h"

struct position {
	struct board board, canonical;
};

/* Different positions of one board, none the image of another, each with a legal move. */
struct positions {
	struct position *position;
	size_t n, room;
};

struct sweep_run {
	const struct experiment *experiment; /* its entries are the cells */
	const struct sweep *sweep;
	const char *directory, *command; /* as typed */
	struct provenance provenance;
	int workers;	   /* cells timed at a time */
	const char *clock; /* that times searches, in words */
	size_t boards;
	const struct game **games; /* [boards] */
	struct positions *sets;	   /* [boards]; empty without positions */
	struct gamelog played;	   /* the games in the folder's log, if this sweep plays */
};

/*
 * Prints the table of what is in the logs, and unless the sweep was STOPPED the best cells for the
 * budgets; if it WRITES, leaves tables. STATUS_SYSTEM if a file cannot be written.
 */
MUST_USE enum status sweep_report(struct sweep_run *run, bool stopped, bool writes,
				  struct why *why);

/* Estimates the times of CELLS from the log of the searches. */
MUST_USE enum status sweep_times(const struct sweep_run *run, struct sweep_cell *cells,
				 struct why *why);

/* Which positions are sampled, N of each board, as text. */
void positions_source(size_t n, uint64_t seed, char *text, size_t size);

#endif
