/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The log of a sweep: a log of rows (analysis/logs/rowlog.h), one for every position that was
 * searched.
 *
 *   # provenance of the run that wrote the lines below it, any number of lines
 *   config board agent position seconds nodes probes hits depth                (tab-separated)
 *   00c0ffee00c0ffee 4x4 expectimax:depth=3 0,2,.../... 0.000061 812 301 44 3
 *
 * `config` stands for all that decides how long a search takes: what decides the move, and the
 * program, the machine and how much else it does. A search is known by (config, position).
 */
#ifndef NXN_SWEEP_LOG_H
#define NXN_SWEEP_LOG_H

#include "analysis/logs/rowlog.h"

#include <stdint.h>

/* One search. */
struct sweep_row {
	uint64_t config;
	const char *board, *agent; /* who searched; NULL in what is read */
	const char *position;	   /* as boards/board.c writes it */
	double seconds;
	uint64_t nodes;	       /* positions made and looked at */
	uint64_t probes, hits; /* of the transposition table */
	uint64_t depth;	       /* own moves looked ahead */
};

extern const struct rowlog_kind sweep_log_kind;

/* The search of POSITION under CONFIG, or NULL. Any thread. */
const struct sweep_row *sweep_log_find(const struct rowlog *log, uint64_t config,
				       const char *position);

#endif
