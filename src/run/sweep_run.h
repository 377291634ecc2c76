/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A sweep under way, and what is made of it: the table for people, recommendations, tables,
 * figures.
 */
#ifndef NXN_SWEEP_RUN_H
#define NXN_SWEEP_RUN_H

#include "analysis/logs/rowlog.h"
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
	int workers; /* cells timed at a time */
	size_t boards;
	const struct game **games; /* [boards] */
	struct positions *sets;	   /* [boards]; empty without positions */
	struct gamelog played;	   /* the games in the folder's log, if this sweep plays */
};

/*
 * Prints the table of what is in the logs; unless SCREEN_ONLY, for a sweep that is not over, prints
 * the best cells for the budgets and writes tables. STATUS_SYSTEM if a file cannot be written.
 */
MUST_USE enum status sweep_report(struct sweep_run *run, bool screen_only, struct why *why);

/* What decides how long the searches of ENTRY take, with WORKERS of them at a time. */
uint64_t sweep_config(const struct entry *entry, int workers);

/* The clock that times the searches of ENTRY, in words. */
const char *search_clock(const struct entry *entry);

/*
 * The searches in DIRECTORY, those of all parts of the log; LOG is the caller's. As
 * parts_read().
 */
MUST_USE enum status sweep_searches_read(struct rowlog *log, const char *directory,
					 struct why *why);

/*
 * The searches of CONFIG in LOG that count, in the order of SET: up to the first that is missing or
 * to the one with which LIMIT seconds were spent. Lists them in ROWS, which has room for all, or is
 * NULL; their number; and in SPENT, unless it is NULL, their seconds.
 */
size_t sweep_searches(const struct rowlog *log, uint64_t config, const struct game *game,
		      const struct positions *set, double limit, const struct sweep_row **rows,
		      double *spent);

/* Which positions are sampled, N of each board, as text. */
void positions_source(size_t n, uint64_t seed, char *text, size_t size);

#endif
