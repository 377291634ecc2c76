/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Paths and folders; see folder.h. */
#include "src/folder.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

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
