/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Game logs as a user names them: files, and folders with a games.tsv and its parts. */
#include "analysis/logs/gamelog.h"
#include "analysis/logs/parts.h"

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

/* Says what is missing in FOLDER, which has no game log: perhaps a share of another one. */
static enum status nothing_tell(const char *folder, struct why *why)
{
	static const struct rowlog_kind *const others[] = {&gap_log_kind, &sweep_log_kind};
	char text[PARTS_LACK_MAX];
	struct parts parts;
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		if (parts_find(others[i], folder, &parts, why))
			return STATUS_INPUT;
		const bool lacks = parts_lack(others[i], &parts, text);
		parts_free(&parts);
		if (lacks)
			return why_set(why, STATUS_INPUT, "%s: %s", folder, text);
	}
	return why_set(why, STATUS_INPUT, "%s/games.tsv: no such game log", folder);
}

/* The games of a folder, which must have a log, or of a file. */
static enum status path_read(struct gamelog *log, const char *argument, struct parts *torn,
			     struct why *why)
{
	struct stat there;
	struct parts files;
	if (stat(argument, &there) != 0 || !S_ISDIR(there.st_mode))
		return file_read(log, argument, torn, why);
	enum status status = parts_all(&gamelog_kind, argument, &files, why);
	if (status)
		return status;
	status = files.n ? parts_check(&gamelog_kind, &files, 0, why) : nothing_tell(argument, why);
	for (size_t i = 0; !status && i < files.n; i++)
		status = file_read(log, files.path[i], torn, why);
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
