/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that are complete or not there; see atomic_file.h.
 *
 * Invariant: nobody ever sees a part of a file under its final name.
 */
#include "base/atomic_file.h"

#include "base/links.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void atomic_file_free(struct atomic_file *atomic)
{
	free(atomic->path);
	free(atomic->temporary);
	*atomic = (struct atomic_file){.fd = -1};
}

enum status atomic_file_begin(struct atomic_file *atomic, const char *path, const char *kind,
			      struct why *why)
{
	struct stat st;
	struct atomic_file begun = {.fd = -1};
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
		atomic_file_free(&begun);
		return why_set(why, STATUS_SYSTEM, "%s: out of memory", path);
	}
	begun.fd =
	    open(begun.temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (begun.fd < 0) {
		status = why_errno(why, "%s: cannot create", begun.temporary);
		atomic_file_free(&begun);
		return status;
	}
	*atomic = begun;
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

enum status atomic_file_write(struct atomic_file *atomic, const void *data, size_t size,
			      struct why *why)
{
	const char *bytes = data;
	while (size > 0) {
		ssize_t n = write(atomic->fd, bytes, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return why_errno(why, "%s: cannot write", atomic->temporary);
		bytes += n;
		size -= (size_t)n;
	}
	return STATUS_OK;
}

enum status atomic_file_commit(struct atomic_file *atomic, struct why *why)
{
	enum status status = STATUS_OK;
	if (fsync(atomic->fd) != 0)
		status = why_errno(why, "%s: cannot write", atomic->temporary);
	if (!status && rename(atomic->temporary, atomic->path) != 0)
		status =
		    why_errno(why, "%s: cannot rename %s to it", atomic->path, atomic->temporary);
	if (status) {
		atomic_file_abort(atomic);
		return status;
	}
	close(atomic->fd);
	folder_sync(atomic->path);
	atomic_file_free(atomic);
	return STATUS_OK;
}

void atomic_file_abort(struct atomic_file *atomic)
{
	if (atomic->fd >= 0) {
		close(atomic->fd);
		unlink(atomic->temporary);
	}
	atomic_file_free(atomic);
}
