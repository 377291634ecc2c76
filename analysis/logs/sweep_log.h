/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The log of a sweep: a log of rows (analysis/logs/rowlog.h), one for every position that was searched.
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

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One search. */
struct sweep_row {
	uint64_t config;
	char *position; /* as boards/text.c writes it */
	double seconds;
	uint64_t nodes;	       /* positions made and looked at */
	uint64_t probes, hits; /* of the transposition table */
	uint64_t depth;	       /* own moves looked ahead */
};

/* Searches in memory, by config and position. Read the public members, change none. */
struct sweep_log {
	struct sweep_row *rows;
	size_t count, room;
	size_t torn; /* bytes of a last line without a newline, of a log that was only read */
};

/*
 * Reads the file PATH into the new LOG; a torn last line is left out. STATUS_INPUT, with file and
 * line, for what is not such a file; STATUS_SYSTEM if it cannot be read, or memory runs out. The
 * log is the caller's, for sweep_log_fini().
 */
MUST_USE enum status sweep_log_read(struct sweep_log *log, const char *path, struct why *why);

/* The same of all FILES, as sweep_log_read() of each. */
MUST_USE enum status sweep_log_read_parts(struct sweep_log *log, const struct parts *files,
					  struct why *why);
void sweep_log_fini(struct sweep_log *log);

/* The search of POSITION under CONFIG, or NULL. Any thread. */
const struct sweep_row *sweep_log_find(const struct sweep_log *log, uint64_t config,
				       const char *position);

/*
 * rowlog_open() of the log of a sweep; the new LOG becomes what is there, on success, and is the
 * caller's.
 */
MUST_USE enum status sweep_log_open(struct rowlog_writer *writer, const char *path,
				    const char *const *provenance, struct sweep_log *log,
				    struct why *why);

/*
 * Appends a search by AGENT, which no control character is in, on BOARD. One thread at a time.
 * STATUS_SYSTEM if the line could not be written whole, after which nothing more may be appended.
 */
MUST_USE enum status sweep_log_append(struct rowlog_writer *writer, const struct sweep_row *row,
				      const char *board, const char *agent, struct why *why);

/* This log in parts. */
extern const struct parts_kind sweep_log_parts;

#endif
