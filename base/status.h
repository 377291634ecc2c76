/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a call that the world can make fail says so.
 *
 * Such a call returns enum status, leaves its results untouched on failure, and writes one line for
 * the user (what, where, what would be right) into the caller's struct why. Only src/ prints it.
 */
#ifndef NXN_STATUS_H
#define NXN_STATUS_H

#include <stddef.h>

enum status {
	STATUS_OK,
	STATUS_INPUT,	/* what the user gave is wrong: exit status 2 */
	STATUS_SYSTEM,	/* memory, disk, permissions: exit status 1 */
	STATUS_STOPPED, /* interrupted on request; nothing finished is lost */
};

struct why {
	char text[1024];
};

#define MUST_USE __attribute__((warn_unused_result))

/*
 * Formats the reason into WHY (which may be NULL) and returns STATUS, so that a failure reads
 * `return why_set(why, STATUS_INPUT, "%s: no such agent", name);`. What is not plain
 * (base/text.h) becomes '?', but for tabs: what a reason quotes must not make two lines of it, nor command the
 * terminal.
 */
__attribute__((format(printf, 3, 4))) enum status why_set(struct why *why, enum status status,
							  const char *format, ...);

/* The same for a failed system call: appends ": " and the text of errno. STATUS_SYSTEM. */
__attribute__((format(printf, 2, 3))) enum status why_errno(struct why *why, const char *format,
							    ...);

/*
 * The same for the file PATH, which could not be opened or read: "PATH: WHAT: ", or "PATH: " if
 * WHAT is NULL. STATUS_INPUT if there is nothing, or nothing that could be opened, such as a
 * socket, or a folder, with what would be right.
 */
enum status why_file(struct why *why, const char *path, const char *what);

/*
 * Checks a text that is to be printed, WHAT in reasons: an argument, a label, a field of a log. STATUS_INPUT unless
 * it is plain (base/text.h) and has 1 to MOST bytes. Whoever reads text from outside calls this.
 */
enum { LABEL_BYTES_MAX = 200 };
MUST_USE enum status text_check(const char *what, const char *text, size_t most, struct why *why);

#endif
