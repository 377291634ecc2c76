/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Atomic files, symbolic links and locks; see atomic_file.h.
 *
 * Invariant: nobody ever sees a part of a file under its final name.
 */
#include "base/atomic_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static void atomic_file_free(struct atomic_file *file)
{
	free(file->path);
	free(file->temporary);
	*file = (struct atomic_file){.fd = -1};
}

enum status atomic_file_begin(struct atomic_file *file, const char *path, const char *kind,
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
	*file = begun;
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

enum status atomic_file_write(struct atomic_file *file, const void *data, size_t size,
			      struct why *why)
{
	const char *bytes = data;
	while (size > 0) {
		ssize_t n = write(file->fd, bytes, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return why_errno(why, "%s: cannot write", file->temporary);
		bytes += n;
		size -= (size_t)n;
	}
	return STATUS_OK;
}

enum status atomic_file_commit(struct atomic_file *file, struct why *why)
{
	enum status status = STATUS_OK;
	if (fsync(file->fd) != 0)
		status = why_errno(why, "%s: cannot write", file->temporary);
	if (!status && rename(file->temporary, file->path) != 0)
		status = why_errno(why, "%s: cannot rename %s to it", file->path, file->temporary);
	if (status) {
		atomic_file_abort(file);
		return status;
	}
	close(file->fd);
	folder_sync(file->path);
	atomic_file_free(file);
	return STATUS_OK;
}

void atomic_file_abort(struct atomic_file *file)
{
	if (file->fd >= 0) {
		close(file->fd);
		unlink(file->temporary);
	}
	atomic_file_free(file);
}

enum status part_create(const char *path, FILE **file, struct why *why)
{
	char part[FOLDER_PATH_MAX];
	enum status status = path_format(part, why, "%s.part", path);
	if (status)
		return status;
	*file = fopen(part, "we");
	return *file ? STATUS_OK : why_errno(why, "%s: cannot write", part);
}

enum status part_finish(FILE *file, const char *path, enum status status, struct why *why)
{
	char part[FOLDER_PATH_MAX];
	const bool failed = ferror(file);
	if ((fclose(file) != 0 || failed) && !status)
		status = why_errno(why, "%s: cannot write", path);
	if (path_format(part, NULL, "%s.part", path))
		return STATUS_INPUT; /* part_create() would have failed */
	if (!status && rename(part, path) != 0)
		status = why_errno(why, "%s: cannot write", path);
	if (status)
		unlink(part);
	return status;
}

/* As many as Linux follows. */
enum { LINKS_MAX = 40 };

/* Whether AT is a link; then *NEXT is where it leads, or NULL when memory runs out. */
static bool link_read(const char *at, char **next)
{
	char to[PATH_MAX];
	const ssize_t length = readlink(at, to, sizeof to - 1);
	if (length <= 0)
		return false;
	to[length] = '\0';
	const char *slash = strrchr(at, '/');
	const int folder = slash && *to != '/' ? (int)(slash + 1 - at) : 0;
	if (asprintf(next, "%.*s%s", folder, at, to) < 0)
		*next = NULL;
	return true;
}

/* Only the last name of a path matters: every call follows those of folders. realpath(3) needs a file. */
enum status links_follow(const char *path, char **target, struct why *why)
{
	char *at = strdup(path), *next;
	for (int i = 0; at && i <= LINKS_MAX; i++) {
		if (!link_read(at, &next)) {
			*target = at;
			return STATUS_OK;
		}
		free(at);
		at = next;
	}
	if (!at)
		return why_set(why, STATUS_SYSTEM, "%s: out of memory", path);
	free(at);
	return why_set(why, STATUS_INPUT,
		       "%s: a symbolic link that leads in a circle; expected a file", path);
}

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

/*
 * lock_take() of a NAME that is no link. Whoever had a lock removes its file: so a process that has opened
 * and locked it looks whether the file still has that name, and begins again if not.
 */
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

/* Whether FILE is NAME.PID.tmp of a process that is gone. */
static bool is_leftover(const char *file, const char *name)
{
	size_t length = strlen(name);
	if (strncmp(file, name, length) != 0 || file[length] != '.')
		return false;
	char *end;
	long pid = strtol(file + length + 1, &end, 10);
	return pid > 0 && strcmp(end, ".tmp") == 0 && kill((pid_t)pid, 0) != 0 && errno == ESRCH;
}

/* leftovers_remove() of a PATH that is no link. */
static void leftovers_unlink(const char *path)
{
	char folder[FOLDER_PATH_MAX], leftover[FOLDER_PATH_MAX];
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	int length = slash ? (int)(name - path) : 2;
	if (path_format(folder, NULL, "%.*s", length, slash ? path : "./"))
		return;
	DIR *files = opendir(folder);
	if (!files)
		return;
	for (struct dirent *file; (file = readdir(files));)
		if (is_leftover(file->d_name, name) &&
		    path_format(leftover, NULL, "%s%s", folder, file->d_name) == STATUS_OK)
			unlink(leftover);
	closedir(files);
}

void leftovers_remove(const char *path)
{
	char *target;
	if (links_follow(path, &target, NULL))
		return;
	leftovers_unlink(target);
	free(target);
}

void leftovers_sweep(const char *folder)
{
	char path[FOLDER_PATH_MAX];
	DIR *models = opendir(folder);
	if (!models)
		return;
	for (struct dirent *file; (file = readdir(models));)
		if (fnmatch("*.nxn.*.tmp", file->d_name, 0) == 0 &&
		    path_format(path, NULL, "%s/%s", folder, file->d_name) == STATUS_OK)
			unlink(path);
	closedir(models);
}
