/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Paths, folders and files read whole; see file.h. */
#include "base/file.h"

#include "base/atomic_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { FIRST = 4096 };

/* A file's length is a hint: pipes have none, and files grow. */
/* How much room is likely to hold IN, and the byte that tells that it ended; MOST + 1 at most. */
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
	if (!in) {
		const bool missing = errno == ENOENT || errno == ENOTDIR;
		why_errno(why, "%s", path);
		return missing ? STATUS_INPUT : STATUS_SYSTEM;
	}
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

void file_await(const char *path)
{
	const struct timespec pause = {.tv_nsec = 100 * 1000 * 1000};
	char folder[FOLDER_PATH_MAX];
	const char *slash = strrchr(path, '/');
	if (path_format(folder, NULL, "%.*s", slash ? (int)(slash - path) + 1 : 2,
			slash ? path : "./"))
		return;
	for (int i = 0; i < 300 && access(path, F_OK) != 0 && access(folder, F_OK) == 0; i++)
		nanosleep(&pause, NULL);
}
