/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table that `nxn tune` writes, and goes on with: a row a generation under a head of
 * provenance, and before each row, as `#` lines, the games and the candidates behind it.
 *
 * A tuning that goes on is done once more from its start, but for the games: what they came to is
 * read from the table. Each line that it comes to must be the next one there; those beyond the end
 * are appended, each by one write(2). So wherever an earlier run was killed, the table becomes what
 * it would have become, and it belongs to this tuning and no other.
 */
#ifndef NXN_TUNE_LOG_H
#define NXN_TUNE_LOG_H

#include "base/append.h"

struct tune_log {
	struct append_file file; /* its descriptor is -1 if the table is another rank's */
	char *text;		 /* what was there, its lines ended by NUL */
	size_t size, at;	 /* its bytes, and the next line's place among them */
	size_t number;		 /* of that line, from 1 */
};

/*
 * Opens the table PATH with this HEAD, lines that each end in a newline, of which CONFIG is one
 * and COLUMNS the last. If the table exists, it must have those two; a torn last line is cut off.
 * STATUS_INPUT if it is something else, of another tuning or being written, STATUS_SYSTEM if it
 * cannot be written.
 */
MUST_USE enum status tune_log_open(struct tune_log *log, const char *path, const char *head,
				   const char *config, const char *columns, struct why *why);

/* A table that rank 0 writes: to this rank it has no line, and takes every one. */
void tune_log_elsewhere(struct tune_log *log);

/* The next line of an earlier run, without its newline, or NULL: from here on all is new. */
const char *tune_log_next(const struct tune_log *log);

/*
 * The tuning has come to LINE, which ends in a newline. STATUS_INPUT if an earlier run came to
 * another one, STATUS_SYSTEM if it cannot be written.
 */
MUST_USE enum status tune_log_line(struct tune_log *log, const char *line, struct why *why);

/* The tuning is over. STATUS_INPUT if the table goes on. */
MUST_USE enum status tune_log_end(const struct tune_log *log, struct why *why);

/* Hands the table to the disk and closes it. STATUS_SYSTEM if that failed; closed anyway. */
MUST_USE enum status tune_log_close(struct tune_log *log, struct why *why);

#endif
