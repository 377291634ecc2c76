/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lines of text files, as every input is read: a UTF-8 byte order mark at the start of a file
 * is skipped, and lines may end in CR LF, as editors on other systems leave them.
 */
#ifndef NXN_LINES_H
#define NXN_LINES_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A file while its lines are read. */
struct lines {
	const char *path; /* in messages */
	FILE *file;
	char *text;    /* the line without its end, which may be changed in place */
	size_t length; /* of TEXT, in bytes */
	size_t number; /* of the line, from 1 */
	size_t whole,
	    torn;   /* bytes of the file in whole lines, and in a last one without newline */
	bool ended; /* the line has its newline */
	size_t room;
};

/* Opens PATH, which must outlive LINES. As input_open(), errno included. */
MUST_USE enum status lines_open(struct lines *lines, const char *path, struct why *why);

/* The same for input that may be a pipe or terminal. As input_open_stream(). */
MUST_USE enum status lines_open_stream(struct lines *lines, const char *path, struct why *why);

/* Reads FILE, which stays the caller's and which messages call PATH. */
void lines_start(struct lines *lines, FILE *file, const char *path);

/*
 * Reads the next line; false behind the last, and with a *STATUS if there is none to go on with:
 * STATUS_INPUT, with file and line, for a zero byte; STATUS_SYSTEM if the file cannot be read or
 * memory runs out.
 */
MUST_USE bool lines_next(struct lines *lines, enum status *status, struct why *why);

/* Frees the line, and leaves the file open. */
void lines_end(struct lines *lines);

/* Frees the line and closes the file. */
void lines_close(struct lines *lines);

/*
 * Makes of the SIZE bytes at TEXT, in place, what lines_next() would have read: without a byte
 * order mark, and with newlines alone. Returns their number; a NUL follows them.
 */
size_t lines_normalize(char *text, size_t size);

#endif
