/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that appear under their name complete or not at all: written under a temporary name in the
 * same folder, which takes the place of what was there when all is on the disk. A symbolic link stays, and
 * the file that it leads to is replaced.
 */
#ifndef NXN_ATOMIC_FILE_H
#define NXN_ATOMIC_FILE_H

#include "base/status.h"

#include <stddef.h>

struct atomic_file {
	int fd; /* of the temporary file, for writing */
	char *path, *temporary;
};

/*
 * Begins a file that is to be called PATH; KIND names it in errors ("a model file"). STATUS_INPUT if
 * PATH exists and is not a regular file, or is a symbolic link in a circle; STATUS_SYSTEM if the folder
 * cannot be written or memory runs out; then there is nothing to abort.
 */
MUST_USE enum status atomic_file_begin(struct atomic_file *whole, const char *path,
				       const char *kind, struct why *why);

/* Writes SIZE bytes behind those that it has. STATUS_SYSTEM; it is still to be aborted then. */
MUST_USE enum status atomic_file_write(struct atomic_file *whole, const void *data, size_t size,
				       struct why *why);

/* Puts it in its place. On failure what was at PATH before is still there. Ends it either way. */
MUST_USE enum status atomic_file_commit(struct atomic_file *whole, struct why *why);

/* Gives up and leaves what is at PATH. */
void atomic_file_abort(struct atomic_file *whole);

#endif
