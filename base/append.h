/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Append-only files of lines.
 *
 * Every record is one write(2) to a file opened with O_APPEND, so a crash leaves at most one
 * incomplete ("torn") last line. To continue a file, a writer calls append_open(), checks the
 * contents itself, and only then calls append_truncate() and append_header(). If anything fails
 * before append_truncate(), the file is unchanged.
 */
#ifndef NXN_APPEND_H
#define NXN_APPEND_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct append_file {
	int fd;
	size_t cut; /* bytes of an incomplete last line that append_truncate() removed */
	char path[1024];
};

/*
 * Opens the regular file PATH for appending and creates it if it does not exist. FLAGS are more
 * flags for open(2), such as O_NOFOLLOW for a log in a folder of results, since that must not be a
 * symbolic link. Locks the file against other writers until it is closed; KIND names the file in
 * the message about another writer. STATUS_INPUT if the path is too long or is not a regular file,
 * if another process is writing the file, or if the file was removed while it was being opened;
 * STATUS_SYSTEM if it cannot be opened. On success the caller closes FILE with append_close(), or
 * closes its descriptor if the contents are not acceptable.
 */
MUST_USE enum status append_open(struct append_file *file, const char *path, int flags,
				 const char *kind, struct why *why);

/*
 * Truncates the file to its first WHOLE bytes and stores in FILE the number TORN of bytes that
 * follow them. STATUS_SYSTEM on failure.
 */
MUST_USE enum status append_truncate(struct append_file *file, off_t whole, off_t torn,
				     struct why *why);

/*
 * Appends the line FIRST, each line of PROVENANCE (an array that ends with NULL) as a comment after
 * "# ", and the line LAST. Lines come without newlines; any argument may be NULL. Errors as
 * append_write(), and STATUS_SYSTEM if memory runs out.
 */
MUST_USE enum status append_header(const struct append_file *file, const char *first,
				   const char *const *provenance, const char *last,
				   struct why *why);

/*
 * Appends LENGTH bytes of TEXT with one write(2). Any number of threads may call it. STATUS_SYSTEM
 * if not all bytes were written; the caller must not append anything after that, so that the
 * incomplete line remains the last one.
 */
MUST_USE enum status append_write(const struct append_file *file, const char *text, size_t length,
				  struct why *why);

/*
 * Writes the file to the disk and closes it. STATUS_SYSTEM if that fails; the file is closed
 * anyway.
 */
MUST_USE enum status append_close(struct append_file *file, struct why *why);

#endif
