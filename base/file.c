/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Paths, folders, reading and replacing files, links, locks; see file.h.
 *
 * Invariant: no process ever sees part of a file under its final name.
 */
#include "base/file.h"

#include "base/stop.h"
#include "config.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#ifdef HAVE_SYS_SYSMACROS_H
#include <sys/sysmacros.h>
#endif
#include <time.h>
#include <unistd.h>

enum { FIRST = 4096 };

/* ---- Input. */

static const char *kind_name(mode_t mode)
{
	return S_ISFIFO(mode)			? "a pipe"
	       : S_ISSOCK(mode)			? "a socket"
	       : S_ISCHR(mode) || S_ISBLK(mode) ? "a device"
						: "not a file";
}

/* Closes FD and returns -1 with errno ERROR. */
static int close_with(int fd, int error)
{
	close(fd);
	errno = error;
	return -1;
}

/*
 * Opens PATH for reading and sets *MODE to its type. O_NONBLOCK avoids waiting for the writer of a
 * pipe, where Ctrl-C would have no effect, since its handler has SA_RESTART.
 */
static int input_descriptor(const char *path, const char *what, mode_t *mode, struct why *why,
			    enum status *status)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0 && fstat(fd, &st) != 0)
		fd = close_with(fd, errno);
	if (fd >= 0 && S_ISDIR(st.st_mode))
		fd = close_with(fd, EISDIR);
	const int error = errno;
	*status = fd < 0 ? why_file(why, path, what) : STATUS_OK;
	errno = error;
	if (fd >= 0)
		*mode = st.st_mode;
	return fd;
}

/* Opens a stream on FD; closes FD on failure. */
static enum status descriptor_stream(int fd, const char *path, FILE **file, struct why *why)
{
	*file = fdopen(fd, "r");
	if (*file)
		return STATUS_OK;
	const enum status status = why_errno(why, "%s: cannot be read", path);
	close(fd);
	return status;
}

/* input_open() with WHAT in the message of a file that cannot be opened, unless WHAT is NULL. */
static enum status regular_open(const char *path, const char *what, FILE **file, struct why *why)
{
	mode_t mode = 0;
	enum status status;
	const int fd = input_descriptor(path, what, &mode, why, &status);
	if (status)
		return status;
	if (S_ISREG(mode))
		return descriptor_stream(fd, path, file, why);
	close_with(fd, EINVAL);
	return why_set(why, STATUS_INPUT, "%s: is %s; expected a regular file", path,
		       kind_name(mode));
}

enum status input_open(const char *path, FILE **file, struct why *why)
{
	return regular_open(path, "cannot be read", file, why);
}

/* Limit for input from a pipe or terminal, in bytes. */
enum { STREAM_MAX = 1 << 30 };

/*
 * read(2) from the pipe or terminal FD. A signal may arrive just before poll(2), so poll(2) must
 * not wait for long.
 */
static ssize_t stream_read(int fd, char *bytes, size_t size)
{
	struct pollfd wait = {.fd = fd, .events = POLLIN};
	enum { WAIT = 100 /* ms */ };
	for (;;) {
		if (stop_requested()) {
			errno = EINTR;
			return -1;
		}
		const int ready = poll(&wait, 1, WAIT);
		if (ready < 0 && errno != EINTR)
			return -1;
		if (ready <= 0)
			continue;
		const ssize_t n = read(fd, bytes, size);
		if (n >= 0 || (errno != EINTR && errno != EAGAIN))
			return n;
	}
}

/* Copies FD to OUT up to the end. */
static enum status stream_copy(int fd, FILE *out, const char *path, struct why *why)
{
	char bytes[1 << 14];
	ssize_t n;
	size_t size = 0;
	while ((n = stream_read(fd, bytes, sizeof bytes)) > 0 && size <= STREAM_MAX) {
		size += (size_t)n;
		if (fwrite(bytes, 1, (size_t)n, out) != (size_t)n)
			break;
	}
	if (stop_requested())
		return why_set(why, STATUS_STOPPED, "%s: stopped while it was read", path);
	if (n < 0)
		return why_errno(why, "%s: cannot be read", path);
	if (size > STREAM_MAX)
		return why_set(why, STATUS_INPUT, "%s: larger than %d bytes", path, STREAM_MAX);
	if (!stream_flush(out) || fseek(out, 0, SEEK_SET) != 0)
		return why_errno(why, "%s: cannot be held in memory", path);
	return STATUS_OK;
}

/*
 * Whether FD can end: a terminal ends with Ctrl-D, /dev/null at once; other devices may not.
 */
static bool stream_can_end(int fd, mode_t mode)
{
	struct stat st;
	return S_ISFIFO(mode) || isatty(fd) ||
	       (fstat(fd, &st) == 0 && S_ISCHR(mode) && st.st_rdev == makedev(1, 3));
}

int unnamed_open(const char *name)
{
#ifdef HAVE_MEMFD_CREATE
	return memfd_create(name, MFD_CLOEXEC);
#else
	char path[80];
	snprintf(path, sizeof path, "/tmp/%.40s-XXXXXX", name);
	const int fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	return fd;
#endif
}

enum status input_open_stream(const char *path, FILE **file, struct why *why)
{
	mode_t mode = 0;
	enum status status;
	const int fd = input_descriptor(path, NULL, &mode, why, &status);
	if (status)
		return status;
	if (S_ISREG(mode))
		return descriptor_stream(fd, path, file, why);
	if (!stream_can_end(fd, mode)) {
		close(fd);
		return why_set(why, STATUS_INPUT, "%s: is %s; expected a file or a pipe", path,
			       kind_name(mode));
	}
	const int memory = unnamed_open("input");
	FILE *copy = memory < 0 ? NULL : fdopen(memory, "w+");
	status = copy ? stream_copy(fd, copy, path, why)
		      : why_errno(why, "%s: cannot be held in memory", path);
	close(fd);
	if (!status)
		*file = copy;
	else if (copy)
		fclose(copy);
	else if (memory >= 0)
		close(memory);
	return status;
}

/* Reads IN to its end, or a byte more than MOST. Any file may have grown or have no length. */
static enum status stream_read_all(FILE *in, size_t most, char **bytes, size_t *size)
{
	for (size_t room = FIRST; *size <= most; room *= 2) {
		char *grown = realloc(*bytes, room + 1);
		if (!grown)
			return STATUS_SYSTEM;
		*bytes = grown;
		*size += fread(grown + *size, 1, room - *size, in);
		grown[*size] = '\0';
		if (*size < room)
			break;
	}
	return ferror(in) ? STATUS_SYSTEM : STATUS_OK;
}

enum status file_read(const char *path, size_t most, char **bytes, size_t *size, struct why *why)
{
	*bytes = NULL;
	*size = 0;
	FILE *in;
	enum status status = regular_open(path, NULL, &in, why);
	if (status)
		return status;
	status = stream_read_all(in, most, bytes, size);
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

bool file_write_at(int fd, const void *data, size_t size, off_t at)
{
	const char *from = data;
	while (size > 0) {
		const ssize_t n = at < 0 ? write(fd, from, size) : pwrite(fd, from, size, at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			errno = n < 0 ? errno : ENOSPC;
			return false;
		}
		from += n;
		size -= (size_t)n;
		at += at < 0 ? 0 : n;
	}
	return true;
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

void path_component(const char *text, char *word)
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

enum status link_refuse(const char *path, const char *expected, struct why *why)
{
	struct stat there;
	if (lstat(path, &there) != 0 || !S_ISLNK(there.st_mode))
		return STATUS_OK;
	return why_set(why, STATUS_INPUT, "%s: is a symbolic link; expected %s", path, expected);
}

enum status folder_make_in(const char *path, struct why *why)
{
	enum status status = link_refuse(path, "a folder", why);
	return status ? status : folder_make_one(path, why);
}

enum status folder_make(const char *path, struct why *why)
{
	char part[FOLDER_PATH_MAX];
	enum status status = path_format(part, why, "%s", path);
	for (char *slash = part; !status && slash;) {
		slash = strchr(slash + 1, '/');
		if (slash)
			*slash = '\0';
		status = folder_make_one(part, why);
		if (slash)
			*slash = '/';
	}
	return status;
}

/* Writes to FOLDER the folder of PATH, with a slash at its end. */
static enum status folder_of(const char *path, char folder[FOLDER_PATH_MAX])
{
	const char *slash = strrchr(path, '/');
	return path_format(folder, NULL, "%.*s", slash ? (int)(slash - path) + 1 : 2,
			   slash ? path : "./");
}

void file_wait(const char *path)
{
	const struct timespec pause = {.tv_nsec = 100 * 1000 * 1000};
	char folder[FOLDER_PATH_MAX];
	if (folder_of(path, folder))
		return;
	for (int i = 0; i < 300 && access(path, F_OK) != 0 && access(folder, F_OK) == 0; i++)
		nanosleep(&pause, NULL);
}

/* ---- Files that are replaced. */

static bool same_file(int fd, const char *path)
{
	struct stat mine, there;
	return fstat(fd, &mine) == 0 && lstat(path, &there) == 0 && mine.st_dev == there.st_dev &&
	       mine.st_ino == there.st_ino;
}

/* Temporary names per file, so this many processes can write one file at the same time. */
enum { TEMPORARY_MAX = 1000 };

static enum status temporary_format(char temporary[FOLDER_PATH_MAX], const char *path, int number,
				    struct why *why)
{
	return path_format(temporary, why, "%s.nxn-%d.tmp", path, number);
}

/* Removes the temporary file PATH unless a process is writing it. */
static bool temporary_remove(const char *path)
{
	struct stat st;
	const int fd = open(path, O_RDWR | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return false;
	const bool removed = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
			     flock(fd, LOCK_EX | LOCK_NB) == 0 && same_file(fd, path) &&
			     unlink(path) == 0;
	close(fd);
	return removed;
}

/*
 * Creates and locks the temporary file PATH. Returns -1 with errno, EEXIST if the name is in use.
 */
static int temporary_make(const char *path)
{
	const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	int fd = open(path, flags, 0666);
	if (fd < 0 && errno == EEXIST) {
		const bool removed = temporary_remove(path);
		errno = EEXIST;
		fd = removed ? open(path, flags, 0666) : -1;
	}
	if (fd < 0)
		return -1;
	/*
	 * Before the lock is taken, another process may regard the file as left over and lock it.
	 */
	const bool locked_by_other = flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
	return locked_by_other || !same_file(fd, path) ? close_with(fd, EEXIST) : fd;
}

/* Creates a temporary file for PATH, which is not a link. Returns -1 with errno. */
static int temporary_create(const char *path, char temporary[FOLDER_PATH_MAX])
{
	int fd = -1;
	errno = EEXIST;
	for (int i = 1; fd < 0 && errno == EEXIST && i <= TEMPORARY_MAX; i++) {
		if (temporary_format(temporary, path, i, NULL))
			errno = ENAMETOOLONG;
		else
			fd = temporary_make(temporary);
	}
	return fd;
}

/* Makes the new name survive a power failure. Ignores file systems that cannot do that. */
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

enum status part_create(const char *path, FILE **file, struct why *why)
{
	char temporary[FOLDER_PATH_MAX];
	const int fd = temporary_create(path, temporary);
	*file = fd < 0 ? NULL : fdopen(fd, "w");
	if (*file)
		return STATUS_OK;
	const int error = errno;
	const enum status status = why_errno(why, "%s: cannot write", path);
	if (fd >= 0) {
		close(fd);
		unlink(temporary);
	}
	errno = error;
	return status;
}

enum status part_create_linked(const char *path, const char *kind, char **target, FILE **file,
			       struct why *why)
{
	struct stat st;
	/* rename(2) would replace a folder or a device. */
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return why_set(why, STATUS_INPUT, "%s: not a regular file, expected the name of %s",
			       path, kind);
	char *end;
	enum status status = links_follow(path, &end, why);
	if (status)
		return status;
	if (part_create(end, file, why)) {
		status = why_file(why, path, "cannot write");
		free(end);
		return status;
	}
	*target = end;
	return STATUS_OK;
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

/* Finds the temporary name of FILE, which part_create() created for PATH. */
static bool temporary_find(FILE *file, const char *path, char temporary[FOLDER_PATH_MAX])
{
	for (int i = 1; i <= TEMPORARY_MAX; i++)
		if (!temporary_format(temporary, path, i, NULL) &&
		    same_file(fileno(file), temporary))
			return true;
	errno = ENOENT;
	return false;
}

enum status part_publish(FILE *file, const char *path, enum status status, struct why *why)
{
	char temporary[FOLDER_PATH_MAX];
	const bool found = temporary_find(file, path, temporary);
	/* An earlier failed write left no errno. Another write sets it if the cause persists. */
	if (ferror(file))
		fputc('\n', file);
	if (!found)
		errno = ENOENT;
	if (!status && (!found || !stream_flush(file) || fsync(fileno(file)) != 0 ||
			rename(temporary, path) != 0))
		status = why_errno(why, "%s: cannot write", path);
	if (!status) {
		folder_sync(path);
		return STATUS_OK;
	}
	if (found)
		unlink(temporary);
	fclose(file);
	return status;
}

enum status part_finish(FILE *file, const char *path, enum status status, struct why *why)
{
	status = part_publish(file, path, status, why);
	if (!status && fclose(file) != 0)
		status = why_errno(why, "%s: cannot write", path);
	return status;
}

/* The limit of Linux. */
enum { LINKS_MAX = 40 };

/* Returns whether AT is a symbolic link. *NEXT is its target, or NULL if memory runs out. */
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

/*
 * System calls follow links of folders, so only the last component matters. realpath(3) requires
 * that the file exists.
 */
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

/* ---- Locks. */

/* Whether the folder of NAME does not exist. */
static bool folder_missing(const char *name)
{
	char folder[FOLDER_PATH_MAX];
	return folder_of(name, folder) == STATUS_OK && access(folder, F_OK) != 0;
}

/* Writes the number and host of this process to the file of LOCK, for messages of others. */
static void holder_write(const struct lock *lock, bool shared)
{
	char host[64] = "", text[128];
	gethostname(host, sizeof host - 1);
	const int length = snprintf(text, sizeof text, "%ld %s\n", (long)getpid(), host);
	if (shared || ftruncate(lock->fd, 0) == 0)
		(void)!write(lock->fd, text, (size_t)length);
}

/*
 * Describes the holder of the lock with file FD: the last process listed there that may still run.
 */
static void holder_read(int fd, char text[128])
{
	char all[4096], host[64] = "";
	const ssize_t length = file_read_at(fd, all, sizeof all - 1, 0);
	char *rest = all;
	long pid;
	int end;
	*text = '\0';
	gethostname(host, sizeof host - 1);
	all[length > 0 ? length : 0] = '\0';
	for (const char *line; (line = strtok_r(rest, "\n", &rest));) {
		if (sscanf(line, "%ld %n", &pid, &end) != 1 || pid <= 0)
			continue;
		const bool here = strcmp(line + end, host) == 0;
		if (!here || kill((pid_t)pid, 0) == 0 || errno != ESRCH)
			snprintf(text, 128, " (process %ld on %.64s)", pid, line + end);
	}
}

/*
 * flock(2) with retries: a process that releases a shared lock holds an exclusive one for a moment.
 */
static int lock_try(int fd, bool shared)
{
	const struct timespec pause = {.tv_nsec = 20 * 1000 * 1000};
	for (int i = 0;; i++) {
		if (flock(fd, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0)
			return 0;
		if (errno != EWOULDBLOCK || i == 5)
			return -1;
		nanosleep(&pause, NULL);
	}
}

/* Reports that the file PATH with FD, the lock of NAME, cannot be locked, and closes FD. */
static enum status lock_fail(struct lock *lock, int fd, const char *path, const char *name,
			     bool folder, struct why *why)
{
	char holder[128];
	const int error = errno;
	lock->busy = error == EWOULDBLOCK;
	if (lock->busy)
		holder_read(fd, holder);
	close_with(fd, error);
	if (!lock->busy)
		return why_errno(why, "%s: cannot be locked", path);
	return why_set(why, STATUS_INPUT, "%s: another process is writing %s%s%s", name,
		       folder ? "in this folder" : "this file", holder,
		       folder ? "; wait for its end, or give another folder" : "");
}

/*
 * Takes the lock of NAME, whose file is PATH. A process that releases a lock removes its file, so
 * the lock counts only if PATH is still the same file after locking; otherwise try again.
 */
static enum status lock_take_path(struct lock *lock, const char *path, const char *name,
				  bool shared, bool folder, struct why *why)
{
	for (;;) {
		const int fd = open(
		    path, O_RDWR | O_CREAT | O_APPEND | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW, 0666);
		if (fd < 0 && errno == ENOENT && folder_missing(name))
			return why_set(why, STATUS_INPUT, "%s: the folder for it is not there",
				       name);
		if (fd < 0)
			return why_errno(why, "%s: cannot be made", path);
		if (lock_try(fd, shared) != 0)
			return lock_fail(lock, fd, path, name, folder, why);
		if (same_file(fd, path)) {
			lock->fd = fd;
			strcpy(lock->path, path);
			holder_write(lock, shared);
			return STATUS_OK;
		}
		close(fd);
	}
}

/* Sets PATH to the lock of the file NAME, and *TARGET, for free(), to the file NAME leads to. */
static enum status lock_path(const char *name, char **target, char path[FOLDER_PATH_MAX],
			     struct why *why)
{
	enum status status = links_follow(name, target, why);
	if (status)
		return status;
	status = path_format(path, why, "%s.lock", *target);
	if (status)
		free(*target);
	return status;
}

enum status lock_take(struct lock *lock, const char *name, struct why *why)
{
	char *target, path[FOLDER_PATH_MAX];
	enum status status = lock_path(name, &target, path, why);
	if (status)
		return status;
	status = lock_take_path(lock, path, target, false, false, why);
	free(target);
	return status;
}

bool lock_is_of(const struct lock *lock, const char *name)
{
	char *target, path[FOLDER_PATH_MAX];
	if (!lock->path[0] || lock_path(name, &target, path, NULL))
		return false;
	free(target);
	return same_file(lock->fd, path);
}

void lock_release(struct lock *lock)
{
	if (!lock->path[0])
		return;
	/* The last process that shares the lock removes its file. */
	const bool last = flock(lock->fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
	if (last && same_file(lock->fd, lock->path))
		unlink(lock->path);
	close(lock->fd);
	if (lock->made) {
		*strrchr(lock->path, '/') = '\0';
		rmdir(lock->path);
	}
	lock->path[0] = '\0';
}

/* ---- Files left by killed processes. */

/* Whether FILE is a temporary name of NAME, or of any file if NAME is NULL. */
static bool is_temporary(const char *file, const char *name)
{
	static const char infix[] = ".nxn-";
	const size_t length = strlen(file);
	if (length < 4 || strcmp(file + length - 4, ".tmp") != 0)
		return false;
	const char *at = file + length - 4;
	while (at > file && isdigit((unsigned char)at[-1]))
		at--;
	const size_t before = (size_t)(at - file);
	const size_t own = before > sizeof infix - 1 ? before - (sizeof infix - 1) : 0;
	return own && *at != '.' && memcmp(file + own, infix, sizeof infix - 1) == 0 &&
	       (!name || (strlen(name) == own && memcmp(file, name, own) == 0));
}

/* Removes temporary files of NAME in FOLDER, or of all files if NAME is NULL. */
static void leftovers_unlink(const char *folder, const char *name)
{
	char path[FOLDER_PATH_MAX];
	DIR *files = opendir(folder);
	if (!files)
		return;
	for (struct dirent *file; (file = readdir(files));)
		if (is_temporary(file->d_name, name) &&
		    path_format(path, NULL, "%s/%s", folder, file->d_name) == STATUS_OK)
			temporary_remove(path);
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

/* ---- Folders of results. */

enum status folder_expect(const char *path, struct why *why)
{
	struct stat there;
	enum status status = link_refuse(path, "a folder", why);
	if (!status && lstat(path, &there) == 0 && !S_ISDIR(there.st_mode))
		status = why_set(why, STATUS_INPUT, "%s: is not a folder", path);
	return status;
}

static bool is_file(const char *path)
{
	struct stat there;
	return lstat(path, &there) == 0 && S_ISREG(there.st_mode);
}

/* Whether PATH is a file, or a folder with one, whose name is then appended to PATH. */
static bool file_find(char path[FOLDER_PATH_MAX])
{
	const size_t length = strlen(path);
	bool found = is_file(path);
	DIR *files = found ? NULL : opendir(path);
	for (struct dirent *file; files && !found && (file = readdir(files));) {
		snprintf(path + length, FOLDER_PATH_MAX - length, "/%s", file->d_name);
		found = !is_temporary(file->d_name, NULL) && is_file(path);
	}
	if (files)
		closedir(files);
	return found;
}

enum status results_refuse(const char *folder, struct why *why)
{
	static const char *const names[] = {"index.html", "tables", "figures"};
	char path[FOLDER_PATH_MAX];
	enum status status = STATUS_OK;
	for (size_t i = 0; !status && i < sizeof names / sizeof *names; i++) {
		status = path_format(path, why, "%s/%s", folder, names[i]);
		if (!status && file_find(path))
			status = why_set(why, STATUS_INPUT,
					 "%s: exists, but no log or table of nxn beside it; give "
					 "another folder",
					 path);
	}
	return status;
}

/* Checks FOLDER's subfolders of results; if ALONE, removes temporary files there and in FOLDER. */
static enum status subfolders_check(const char *folder, bool alone, struct why *why)
{
	static const char *const names[] = {"tables", "figures", "models", "traces"};
	char path[FOLDER_PATH_MAX];
	enum status status = STATUS_OK;
	if (alone)
		leftovers_unlink(folder, NULL);
	for (size_t i = 0; !status && i < sizeof names / sizeof *names; i++) {
		status = path_format(path, why, "%s/%s", folder, names[i]);
		status = status ? status : folder_expect(path, why);
		if (!status && alone)
			leftovers_unlink(path, NULL);
	}
	return status;
}

enum status folder_lock(struct lock *lock, const char *folder, bool shared, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	struct lock taken = {.made = access(folder, F_OK) != 0};
	enum status status = folder_make(folder, why);
	status = status ? status : path_format(path, why, "%s/.nxn.lock", folder);
	status = status ? status : lock_take_path(&taken, path, folder, shared, true, why);
	status = status ? status : subfolders_check(folder, !shared, why);
	if (status)
		lock_release(&taken);
	else
		*lock = taken;
	return status;
}

enum status folder_lock_beside(struct lock *lock, const char *folder, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	enum status status = path_format(path, why, "%s.lock", folder);
	return status ? status : lock_take_path(lock, path, folder, false, true, why);
}
