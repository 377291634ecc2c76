/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Locks beside files; see lock.h.
 *
 * Whoever had a lock removes its file: so a process that has opened and locked one looks whether that
 * is still the one of that name, and else begins again.
 */
#include "base/lock.h"

#include "base/links.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static bool same_file(int fd, const char *path)
{
	struct stat mine, there;
	return fstat(fd, &mine) == 0 && stat(path, &there) == 0 && mine.st_dev == there.st_dev &&
	       mine.st_ino == there.st_ino;
}

/* Whether the folder that NAME is to be in is not there; a path of at most FOLDER_PATH_MAX. */
static bool folder_lacks(const char *name)
{
	char folder[FOLDER_PATH_MAX];
	const char *slash = strrchr(name, '/');
	if (!slash || slash == name)
		return false;
	snprintf(folder, sizeof folder, "%.*s", (int)(slash - name), name);
	return access(folder, F_OK) != 0;
}

/* lock_take() of a NAME that is no link. */
static enum status name_take(struct lock *lock, const char *name, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	enum status status = path_format(path, why, "%s.lock", name);
	while (!status) {
		const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
		if (fd < 0 && errno == ENOENT && folder_lacks(name))
			return why_set(why, STATUS_INPUT, "%s: the folder for it is not there",
				       name);
		if (fd < 0)
			return why_errno(why, "%s: cannot be made", path);
		if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
			const int error = errno;
			close(fd);
			errno = error;
			return error == EWOULDBLOCK
				   ? why_set(why, STATUS_INPUT,
					     "%s: another process is writing this file", name)
				   : why_errno(why, "%s: cannot be locked", path);
		}
		if (same_file(fd, path)) {
			lock->fd = fd;
			strcpy(lock->path, path);
			return STATUS_OK;
		}
		close(fd);
	}
	return status;
}

enum status lock_take(struct lock *lock, const char *name, struct why *why)
{
	char *target;
	enum status status = links_follow(name, &target, why);
	if (status)
		return status;
	status = name_take(lock, target, why);
	free(target);
	return status;
}

void lock_release(struct lock *lock)
{
	if (!lock->path[0])
		return;
	unlink(lock->path);
	close(lock->fd);
	lock->path[0] = '\0';
}
