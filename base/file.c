/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Paths, folders, files read whole and files replaced, links and locks; see file.h.
 *
 * Invariant: nobody ever sees a part of a file under its final name.
 */
#include "base/file.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { FIRST = 4096 };

/*
 * How much room is likely to hold IN, and the byte that tells that it ended; MOST + 1 at most. A
 * file's length is a hint: pipes have none, and files grow.
 */
static size_t room_first(FILE *in, size_t most)
{
	struct stat stat;
	size_t room = FIRST;
	if (fstat(fileno(in), &stat) == 0 && S_ISREG(stat.st_mode) && stat.st_size >= 0)
		room = (size_t)stat.st_size + 1;
	return room <= most ? room : most + 1;
}

/* Reads up to MOST + 1 bytes of IN. */
static enum status file_take(FILE *in, size_t most, char **bytes, size_t *size)
{
	size_t room = 0;
	for (size_t next = room_first(in, most); *size == room && room <= most;
	     next = 2 * room <= most ? 2 * room : most + 1) {
		char *grown = realloc(*bytes, next + 1);
		if (!grown)
			return STATUS_SYSTEM;
		*bytes = grown;
		room = next;
		*size += fread(grown + *size, 1, room - *size, in);
		grown[*size] = '\0';
	}
	return ferror(in) ? STATUS_SYSTEM : STATUS_OK;
}

enum status file_read(const char *path, size_t most, char **bytes, size_t *size, struct why *why)
{
	*bytes = NULL;
	*size = 0;
	FILE *in = fopen(path, "re");
	if (!in)
		return why_file(why, path, NULL);
	enum status status = file_take(in, most, bytes, size);
	if (status)
		status = why_file(why, path, NULL);
	else if (*size > most)
		status = why_set(why, STATUS_INPUT, "%s: larger than %zu bytes", path, most);
	fclose(in);
	if (status) {
		free(*bytes);
		*bytes = NULL;
	}
	return status;
}

ssize_t file_read_at(int fd, void *data, size_t size, off_t at)
{
	size_t got = 0;
	while (got < size) {
		char *to = (char *)data + got;
		const ssize_t n =
		    at < 0 ? read(fd, to, size - got) : pread(fd, to, size - got, at + (off_t)got);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		got += (size_t)n;
	}
	return (ssize_t)got;
}

enum status path_format(char path[FOLDER_PATH_MAX], struct why *why, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int length = vsnprintf(path, FOLDER_PATH_MAX, format, args);
	va_end(args);
	if (length < 0 || length >= FOLDER_PATH_MAX)
		return why_set(why, STATUS_INPUT, "%.80s...: too long a path", path);
	return STATUS_OK;
}

void path_word(const char *text, char *word)
{
	for (; *text; text++)
		*word++ = isalnum((unsigned char)*text) || strchr("._-=", *text) ? *text : '_';
	*word = '\0';
}

static enum status folder_make_one(const char *path, struct why *why)
{
	struct stat there;
	if (mkdir(path, 0777) == 0)
		return STATUS_OK;
	int error = errno;
	if (stat(path, &there) == 0) {
		if (S_ISDIR(there.st_mode))
			return STATUS_OK;
		return why_set(why, STATUS_INPUT, "%s: is not a folder", path);
	}
	if (lstat(path, &there) == 0 && S_ISLNK(there.st_mode))
		return why_set(why, STATUS_INPUT,
			       "%s: a symbolic link that leads nowhere; expected a folder", path);
	errno = error;
	return why_errno(why, "%s: cannot make the folder", path);
}

enum status folder_make(const char *path, struct why *why)
{
	char part[FOLDER_PATH_MAX];
	enum status status = path_format(part, why, "%s", path);
	for (char *slash = part; !status && (slash = strchr(slash + 1, '/'));) {
		*slash = '\0';
		status = folder_make_one(part, why);
		*slash = '/';
	}
	return status ? status : folder_make_one(part, why);
}

/* The folder that PATH is in, with a slash at its end. */
static enum status folder_of(const char *path, char folder[FOLDER_PATH_MAX])
{
	const char *slash = strrchr(path, '/');
	return path_format(folder, NULL, "%.*s", slash ? (int)(slash - path) + 1 : 2,
			   slash ? path : "./");
}

void file_await(const char *path)
{
	const struct timespec pause = {.tv_nsec = 100 * 1000 * 1000};
	char folder[FOLDER_PATH_MAX];
	if (folder_of(path, folder))
		return;
	for (int i = 0; i < 300 && access(path, F_OK) != 0 && access(folder, F_OK) == 0; i++)
		nanosleep(&pause, NULL);
}

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
		status = why_file(why, begun.temporary, "cannot create");
		atomic_file_free(&begun);
		return status;
	}
	*file = begun;
	return STATUS_OK;
}

/* So that the new name survives a power cut; a file system that cannot do it is not an error. */
static void folder_sync(const char *path)
{
	char folder[FOLDER_PATH_MAX];
	const int fd =
	    folder_of(path, folder) ? -1 : open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0) {
		fsync(fd);
		close(fd);
	}
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

bool stream_flush(FILE *file)
{
	errno = 0;
	if (fflush(file) != 0)
		return false;
	if (ferror(file))
		errno = EIO;
	return !ferror(file);
}

enum status part_finish(FILE *file, const char *path, enum status status, struct why *why)
{
	char part[FOLDER_PATH_MAX];
	/* A write that failed earlier has left no errno: another one has it if the cause lasts. */
	if (ferror(file))
		fputc('\n', file);
	if (!stream_flush(file) && !status)
		status = why_errno(why, "%s: cannot write", path);
	if (fclose(file) != 0 && !status)
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

/* Calls follow the links of folders: only the last name matters. realpath(3) needs a file. */
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

/* Whether the folder that NAME is to be in is not there. */
static bool folder_lacks(const char *name)
{
	char folder[FOLDER_PATH_MAX];
	return folder_of(name, folder) == STATUS_OK && access(folder, F_OK) != 0;
}

/*
 * lock_take() of a NAME that is no link. Whoever had a lock removes its file: so a process that has
 * opened and locked it looks whether the file still has that name, and begins again if not.
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

/* Removes leftovers of NAME in FOLDER; of all model files if it is NULL. */
static void leftovers_unlink(const char *folder, const char *name)
{
	char path[FOLDER_PATH_MAX];
	DIR *files = opendir(folder);
	if (!files)
		return;
	for (struct dirent *file; (file = readdir(files));) {
		const char *found = file->d_name;
		const bool left =
		    name ? is_leftover(found, name) : fnmatch("*.nxn.*.tmp", found, 0) == 0;
		if (left && path_format(path, NULL, "%s/%s", folder, found) == STATUS_OK)
			unlink(path);
	}
	closedir(files);
}

void leftovers_remove(const char *path)
{
	char *target, folder[FOLDER_PATH_MAX];
	if (links_follow(path, &target, NULL))
		return;
	const char *slash = strrchr(target, '/');
	if (folder_of(target, folder) == STATUS_OK)
		leftovers_unlink(folder, slash ? slash + 1 : target);
	free(target);
}

void leftovers_sweep(const char *folder)
{
	leftovers_unlink(folder, NULL);
}
