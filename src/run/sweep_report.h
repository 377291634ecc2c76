/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is made of a sweep: the table for people, recommendations, tables for gnuplot, figures. */
#ifndef NXN_SWEEP_REPORT_H
#define NXN_SWEEP_REPORT_H

#include "src/run/sweep.h"
#include "src/run/sweep_positions.h"

/* A sweep under way. */
struct sweep_run {
	const struct experiment *experiment; /* its entries are the cells */
	const struct sweep *sweep;
	const char *directory, *command; /* as typed, for provenance */
	int workers;			 /* cells timed at a time */
	size_t boards;
	const struct game **games; /* [boards] */
	struct positions *sets;	   /* [boards]; empty without positions */
};

/*
 * Prints the table of what is in the logs; unless SCREEN_ONLY, for a sweep that is not over, prints
 * the best cells for the budgets, writes tables, and with FIGURES draws figures. STATUS_SYSTEM if a file cannot be written or a
 * figure cannot be drawn; what came before it is there then.
 */
MUST_USE enum status sweep_report(const struct sweep_run *run, bool screen_only, bool figures,
				  struct why *why);

/* Where the positions come from, as text. */
void sweep_source(const struct sweep_run *run, char *text, size_t size);

#endif
