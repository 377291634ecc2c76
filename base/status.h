/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Errors that the outside world can cause.
 *
 * A function that can fail returns enum status, leaves its results unchanged on failure, and writes
 * one line for the user (what is wrong, where, what would be right) to the caller's struct why.
 * Only src/ prints it.
 */
#ifndef NXN_STATUS_H
#define NXN_STATUS_H

#include <stddef.h>

enum status {
	STATUS_OK,
	STATUS_INPUT,	/* wrong input from the user: exit status 2 */
	STATUS_SYSTEM,	/* memory, disk, permissions: exit status 1 */
	STATUS_STOPPED, /* stopped on request; finished work is kept */
};

struct why {
	char text[1024];
};

#define MUST_USE __attribute__((warn_unused_result))

/*
 * Formats the reason into WHY (which may be NULL) and returns STATUS, so that a failure is `return
 * why_set(why, STATUS_INPUT, "%s: no such agent", name);`. Characters that are not plain
 * (base/text.h), except tabs, become '?', so that a quoted text can neither break the line nor
 * control the terminal.
 */
__attribute__((format(printf, 3, 4))) enum status why_set(struct why *why, enum status status,
							  const char *format, ...);

/*
 * why_set() for a failed system call: appends ": " and the text of errno. Returns STATUS_SYSTEM;
 * STATUS_INPUT if a path is too long.
 */
__attribute__((format(printf, 2, 3))) enum status why_errno(struct why *why, const char *format,
							    ...);

/*
 * why_errno() for the file PATH that could not be opened or read. The reason begins with "PATH:
 * WHAT: ", or "PATH: " if WHAT is NULL. Returns STATUS_INPUT if PATH does not exist, is too
 * long, or cannot be opened because it is, for example, a socket or a folder; otherwise
 * STATUS_SYSTEM.
 */
enum status why_file(struct why *why, const char *path, const char *what);

/*
 * Checks a text from outside that will be printed, such as an argument, a label or a field of a
 * log. STATUS_INPUT, with WHAT, unless it is plain (base/text.h) and has 1 to MOST bytes.
 */
enum { LABEL_BYTES_MAX = 200 };
MUST_USE enum status text_check(const char *what, const char *text, size_t most, struct why *why);

#endif
