/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that are complete or not there; see whole.h.
 *
 * Invariant: nobody ever sees a part of a file under its final name.
 */
#include "base/whole.h"

#include "base/links.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void whole_free(struct whole *whole)
{
	free(whole->path);
	free(whole->temporary);
	*whole = (struct whole){.fd = -1};
}

enum status whole_begin(struct whole *whole, const char *path, const char *kind, struct why *why)
{
	struct stat st;
	struct whole begun = {.fd = -1};
	enum status status;
	/* A folder or a device would be replaced by the rename. */
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return why_set(why, STATUS_INPUT, "%s: not a regular file, expected the name of %s",
			       path, kind);
	status = links_follow(path, &begun.path, why);
	if (status)
		return status;
	if (asprintf(&begun.temporary, "%s.%ld.tmp", begun.path, (long)getpid()) < 0) {
		begun.temporary = NULL;
		whole_free(&begun);
		return why_set(why, STATUS_SYSTEM, "%s: out of memory", path);
	}
	begun.fd =
	    open(begun.temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (begun.fd < 0) {
		status = why_errno(why, "%s: cannot create", begun.temporary);
		whole_free(&begun);
		return status;
	}
	*whole = begun;
	return STATUS_OK;
}

/* So that the new name survives a power cut; a file system that cannot do it is not an error. */
static void folder_sync(const char *path)
{
	char *copy = strdup(path);
	int fd = copy ? open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	if (fd >= 0) {
		fsync(fd);
		close(fd);
	}
	free(copy);
}

enum status whole_write(struct whole *whole, const void *data, size_t size, struct why *why)
{
	const char *bytes = data;
	while (size > 0) {
		ssize_t n = write(whole->fd, bytes, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return why_errno(why, "%s: cannot write", whole->temporary);
		bytes += n;
		size -= (size_t)n;
	}
	return STATUS_OK;
}

enum status whole_commit(struct whole *whole, struct why *why)
{
	enum status status = STATUS_OK;
	if (fsync(whole->fd) != 0)
		status = why_errno(why, "%s: cannot write", whole->temporary);
	if (!status && rename(whole->temporary, whole->path) != 0)
		status =
		    why_errno(why, "%s: cannot rename %s to it", whole->path, whole->temporary);
	if (status) {
		whole_abort(whole);
		return status;
	}
	close(whole->fd);
	folder_sync(whole->path);
	whole_free(whole);
	return STATUS_OK;
}

void whole_abort(struct whole *whole)
{
	if (whole->fd >= 0) {
		close(whole->fd);
		unlink(whole->temporary);
	}
	whole_free(whole);
}
