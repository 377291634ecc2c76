/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Logs of rows: append-only text files of one kind of record, in the manner of base/append.h.
 *
 *   # provenance of the run that wrote the lines below it, any number of lines
 *   the names of the columns                                                   (tab-separated)
 *   a record a line
 *
 * A record is one write(2), and no line is believed that does not end in a newline: a process may be
 * killed at any moment, and the next writer cuts a torn last line off.
 */
#ifndef NXN_ROWLOG_H
#define NXN_ROWLOG_H

#include "analysis/logs/parts.h"
#include "base/append.h"

#include <stdbool.h>
#include <stdint.h>

enum { ROWLOG_COLUMNS_MAX = 16 };

/* A kind of log. */
struct rowlog_kind {
	const char *header; /* the names of the columns, without a newline */
	int columns;	    /* at most ROWLOG_COLUMNS_MAX */
	const char *log;    /* in messages: "the log of a sweep" */
	const char *names;  /* likewise, the columns: "config board agent ... depth" */
	const char *row;    /* likewise, a record: "a search" */
	/*
	 * Takes a record, cut at its tabs, into LOG. STATUS_INPUT, without a reason, if it is none;
	 * STATUS_SYSTEM when memory runs out.
	 */
	enum status (*take)(void *log, char *const *field, struct why *why);
};

/*
 * Hands all records of the file PATH to LOG; a torn last line, of TORN bytes, is left out. STATUS_INPUT,
 * with file and line, for what is not such a file; STATUS_SYSTEM if it cannot be read, or take() says so.
 */
MUST_USE enum status rowlog_read(const struct rowlog_kind *kind, const char *path, void *log,
				 size_t *torn, struct why *why);

/* The same of all FILES, one after the other. */
MUST_USE enum status rowlog_read_parts(const struct rowlog_kind *kind, const struct parts *files,
				       void *log, size_t *torn, struct why *why);

struct rowlog_writer {
	struct append_file file;
	const char *const *provenance; /* not yet written; NULL once it is */
};

/*
 * Opens PATH for appending, creates it if need be, hands what is there to LOG, cuts off a torn last
 * line, and keeps other writers out. The lines of PROVENANCE (without "# "; ends with NULL; they stay
 * until closing) are written before the first record. STATUS_INPUT if another process is writing it or
 * if it is something else, which is then left as it is; STATUS_SYSTEM if it cannot be opened or written.
 * On failure LOG may have taken some records.
 */
MUST_USE enum status rowlog_open(struct rowlog_writer *writer, const struct rowlog_kind *kind,
				 const char *path, const char *const *provenance, void *log,
				 struct why *why);

/*
 * Appends LINE of LENGTH bytes, newline included. One thread at a time. STATUS_SYSTEM if it could not be
 * written whole, after which nothing more may be appended.
 */
MUST_USE enum status rowlog_append(struct rowlog_writer *writer, const char *line, size_t length,
				   struct why *why);

/* Hands the file to the disk and closes it. STATUS_SYSTEM if that failed; closed anyway. */
MUST_USE enum status rowlog_close(struct rowlog_writer *writer, struct why *why);

/* Digits of BASE and nothing else; false if TEXT is not that, or too large. */
bool rowlog_number(const char *text, int base, uint64_t *number);

/* A finite number from 0 that TEXT begins with; what follows it, or NULL. */
const char *rowlog_real(const char *text, double *number);

#endif
