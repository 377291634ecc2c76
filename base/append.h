/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files of lines that are only ever appended to: what their writers have in common.
 *
 * Every record is one write(2) to a file opened with O_APPEND, so what a crash can leave behind is
 * at most a torn last line. A file is taken over in this order: append_open(), the writer's own
 * look at what is there, and only then append_truncate() and append_header(). Whatever goes wrong before
 * the cut leaves it as it was.
 */
#ifndef NXN_APPEND_H
#define NXN_APPEND_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct append_file {
	int fd;
	size_t cut; /* bytes of a torn last line that append_truncate() removed */
	char path[1024];
};

/*
 * Opens the regular file PATH to append to it, and makes it if there is none; FLAGS are further
 * ones of open(2): O_NOFOLLOW for a log in a folder of results, which is not to be a symbolic link.
 * Keeps other writers out until it is closed. STATUS_INPUT if the path is too long or leads to
 * something else, or, which names it KIND, if there is another writer or the file has been removed
 * since it was opened; STATUS_SYSTEM if it cannot be opened. After success FILE is for append_close(), or
 * for close(2) of its descriptor if it cannot be taken over.
 */
MUST_USE enum status append_open(struct append_file *file, const char *path, int flags,
				 const char *kind, struct why *why);

/*
 * Cuts the file to its first WHOLE bytes, which TORN bytes follow, and notes how many were cut off.
 * STATUS_SYSTEM if that fails.
 */
MUST_USE enum status append_truncate(struct append_file *file, off_t whole, off_t torn,
				     struct why *why);

/*
 * Appends the line FIRST, those of PROVENANCE (ends with NULL) as comments behind "# ", and the
 * line LAST; all without newlines, and any of them may be NULL. Fails as append_write(), or with
 * STATUS_SYSTEM when memory runs out.
 */
MUST_USE enum status append_header(const struct append_file *file, const char *first,
				   const char *const *provenance, const char *last,
				   struct why *why);

/*
 * Appends LENGTH bytes of TEXT with one write(2). Any number of threads. STATUS_SYSTEM if they
 * could not be written whole: nothing more may be appended, so that the torn line is the last.
 */
MUST_USE enum status append_write(const struct append_file *file, const char *text, size_t length,
				  struct why *why);

/* Closes the file once it is on the disk. STATUS_SYSTEM; it is closed all the same. */
MUST_USE enum status append_close(struct append_file *file, struct why *why);

#endif
