/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines of text files, for all input. A UTF-8 byte order mark at the start is skipped, and lines
 * may end in CR LF.
 */
#ifndef NXN_LINES_H
#define NXN_LINES_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A file that is being read line by line. */
struct lines {
	const char *path; /* name in messages */
	FILE *file;
	char *text;	    /* the line without its end; the caller may modify it */
	size_t length;	    /* bytes of `text` */
	size_t number;	    /* line number, from 1 */
	size_t whole, torn; /* bytes in complete lines, and in a last line without newline */
	bool ended;	    /* the line ended with a newline */
	size_t room;
};

/* Opens PATH, which must outlive LINES. Errors and errno as input_open(). */
MUST_USE enum status lines_open(struct lines *lines, const char *path, struct why *why);

/* Opens PATH, which may be a pipe or terminal. Errors as input_open_stream(). */
MUST_USE enum status lines_open_stream(struct lines *lines, const char *path, struct why *why);

/* Starts reading FILE, which remains the caller's. PATH names it in messages. */
void lines_start(struct lines *lines, FILE *file, const char *path);

/*
 * Reads the next line. Returns false at the end or on failure, with *STATUS: STATUS_INPUT, with
 * file and line, for a zero byte; STATUS_SYSTEM if the file cannot be read or memory runs out.
 */
MUST_USE bool lines_next(struct lines *lines, enum status *status, struct why *why);

/*
 * STATUS_INPUT, with the number of the first wrong byte, unless LINE, which has the given NUMBER in
 * the file PATH, consists of plain text (base/text.h) and tabs.
 */
MUST_USE enum status line_plain(const char *path, size_t number, const char *line, struct why *why);

/* Frees the line; the file stays open. */
void lines_end(struct lines *lines);

/* Frees the line and closes the file. */
void lines_close(struct lines *lines);

/*
 * Converts the SIZE bytes at TEXT in place to the text that lines_next() would read: no byte order
 * mark, lines ending in newlines. Adds a NUL, at most at TEXT[SIZE]. Returns the size without it.
 */
size_t lines_normalize(char *text, size_t size);

#endif
