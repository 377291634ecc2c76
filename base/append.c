/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Append-only files of lines; see append.h. */
#include "base/append.h"

#include "base/file.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Some network file systems have no locks; their files are written without one. */
static enum status append_lock(const struct append_file *file, const char *kind, struct why *why)
{
	struct stat there;
	if (fstat(file->fd, &there) != 0)
		return why_file(why, file->path, "cannot be opened for writing");
	if (!S_ISREG(there.st_mode))
		return why_set(why, STATUS_INPUT,
			       "%s: is not a regular file; expected a %s, or none", file->path,
			       kind);
	if (flock(file->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
		return why_set(why, STATUS_INPUT, "%s: another process is writing this %s",
			       file->path, kind);
	if (fstat(file->fd, &there) == 0 && there.st_nlink == 0)
		return why_set(why, STATUS_INPUT, "%s: another process has just removed this %s",
			       file->path, kind);
	return STATUS_OK;
}

enum status append_open(struct append_file *file, const char *path, int flags, const char *kind,
			struct why *why)
{
	struct append_file f = {.fd = -1};
	if ((size_t)snprintf(f.path, sizeof f.path, "%s", path) >= sizeof f.path)
		return why_set(why, STATUS_INPUT, "%.80s...: too long a path", path);
	/* O_NONBLOCK: do not wait for the reader of a pipe. */
	f.fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_CLOEXEC | flags, 0666);
	enum status status = STATUS_OK;
	if (f.fd < 0 && errno == ELOOP && flags & O_NOFOLLOW &&
	    (status = link_refuse(path, "a file of this folder itself", why)))
		return status;
	if (f.fd < 0 && errno == ENXIO)
		return why_set(
		    why, STATUS_INPUT,
		    "%s: cannot be opened for writing: is a pipe or a socket; expected a "
		    "regular file, or none",
		    path);
	if (f.fd < 0)
		return why_file(why, path, "cannot be opened for writing");
	status = append_lock(&f, kind, why);
	if (status)
		close(f.fd);
	else
		*file = f;
	return status;
}

enum status append_truncate(struct append_file *file, off_t whole, off_t torn, struct why *why)
{
	if (torn > 0 && ftruncate(file->fd, whole) != 0)
		return why_errno(why, "%s: cannot cut off its torn last line", file->path);
	file->cut = (size_t)torn;
	return STATUS_OK;
}

enum status append_header(const struct append_file *file, const char *first,
			  const char *const *provenance, const char *last, struct why *why)
{
	char *text = NULL;
	size_t length = 0;
	FILE *memory = stream_open(&text, &length);
	if (!memory)
		return why_errno(why, "%s: cannot make its header", file->path);
	if (first)
		fprintf(memory, "%s\n", first);
	for (; provenance && *provenance; provenance++)
		fprintf(memory, "# %s\n", *provenance);
	if (last)
		fprintf(memory, "%s\n", last);
	enum status status = fclose(memory) == 0
				 ? append_write(file, text, length, why)
				 : why_errno(why, "%s: cannot make its header", file->path);
	free(text);
	return status;
}

enum status append_write(const struct append_file *file, const char *text, size_t length,
			 struct why *why)
{
	ssize_t written;
	do
		written = write(file->fd, text, length);
	while (written < 0 && errno == EINTR);
	if (written < 0)
		return why_errno(why, "%s: cannot be written", file->path);
	if ((size_t)written != length)
		return why_set(why, STATUS_SYSTEM,
			       "%s: only %zd of %zu bytes could be written; is the disk full?",
			       file->path, written, length);
	return STATUS_OK;
}

enum status append_close(struct append_file *file, struct why *why)
{
	int fd = file->fd;
	file->fd = -1;
	/* EINVAL: the file cannot be synchronised, for example a device. */
	if (fsync(fd) != 0 && errno != EINVAL) {
		enum status status = why_errno(why, "%s: cannot be written to disk", file->path);
		close(fd);
		return status;
	}
	return close(fd) == 0 ? STATUS_OK : why_errno(why, "%s: cannot be closed", file->path);
}
