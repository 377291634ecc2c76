/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Paths and folders; see folder.h. */
#include "base/folder.h"

#include "base/links.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

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

enum status table_create(const char *directory, const char *name, char path[FOLDER_PATH_MAX],
			 FILE **file, struct why *why)
{
	enum status status = path_format(path, why, "%s/tables/%s.tsv", directory, name);
	if (status)
		return status;
	*file = fopen(path, "w");
	return *file ? STATUS_OK : why_errno(why, "%s: cannot be written", path);
}

enum status table_finish(FILE *file, const char *path, struct why *why)
{
	const bool failed = ferror(file);
	return fclose(file) || failed ? why_errno(why, "%s: cannot be written", path) : STATUS_OK;
}
