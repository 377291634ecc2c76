/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Game logs as a user names them: files, and folders with a games.tsv and its parts. */
#include "analysis/logs/gamelog.h"
#include "analysis/logs/parts.h"

#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

/* Reads PATH, and adds it to TORN if its last line is. */
static enum status file_read(struct gamelog *log, const char *path, struct parts *torn,
			     struct why *why)
{
	const size_t before = log->torn;
	enum status status = gamelog_read(log, path, why);
	if (!status && log->torn > before)
		parts_add(torn, path);
	return status;
}

/* The games of a folder, which must have a log, or of a file. */
static enum status path_read(struct gamelog *log, const char *argument, struct parts *torn,
			     struct why *why)
{
	char path[PATH_MAX];
	struct stat there;
	struct parts files;
	if (stat(argument, &there) != 0 || !S_ISDIR(there.st_mode))
		return file_read(log, argument, torn, why);
	enum status status = parts_all(&gamelog_kind, argument, &files, why);
	if (status)
		return status;
	for (size_t i = 0; !status && i < files.n; i++)
		status = file_read(log, files.path[i], torn, why);
	if (!files.n && snprintf(path, sizeof path, "%s/games.tsv", argument) >= (int)sizeof path)
		status = why_set(why, STATUS_INPUT, "%.80s...: too long a path", argument);
	else if (!files.n)
		status = file_read(log, path, torn, why); /* to say what is missing */
	parts_free(&files);
	return status;
}

enum status gamelog_read_paths(struct gamelog *log, const char *const *paths, size_t n,
			       size_t *ends, struct parts *torn, struct why *why)
{
	struct gamelog read;
	struct parts cut = {0};
	enum status status = STATUS_OK;
	gamelog_init(&read);
	for (size_t i = 0; !status && i < n; i++) {
		status = path_read(&read, paths[i], &cut, why);
		if (ends)
			ends[i] = read.count;
	}
	if (!status && read.count == 0)
		status = why_set(why, STATUS_INPUT, "%s: holds no games%s", paths[0],
				 cut.n ? ", only a torn line" : "");
	if (status) {
		parts_free(&cut);
		gamelog_fini(&read);
	} else {
		*log = read;
		*torn = cut;
	}
	return status;
}
