/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks of bundles and runs: files against their checksums, games against their logs; see paper.h. */
#include "src/paper/paper.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

static bool has_file(const char *folder, const char *file)
{
	char path[FOLDER_PATH_MAX];
	return path_format(path, NULL, "%s/%s", folder, file) == STATUS_OK &&
	       access(path, F_OK) == 0;
}

/* Checks all logs in FOLDER; GAMES tells whether there is one. */
static enum status logs_check(const char *run, const char *folder, const char *other,
			      const struct paper_check *check, struct paper_count *count,
			      bool *games, struct why *why)
{
	bool played = has_file(folder, "games.tsv"), held = has_file(folder, "gap.tsv");
	enum status status = STATUS_OK;
	if (played)
		status = paper_replay(run, folder, other, false, check, count, why);
	if (!status && held)
		status = paper_replay(run, folder, other, true, check, count, why);
	*games = played || held;
	return status;
}

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* Checks each run of the bundle PATH. */
static enum status bundle_check(const char *path, const struct paper_check *check,
				struct paper_count *count, struct why *why)
{
	char data[FOLDER_PATH_MAX], folder[FOLDER_PATH_MAX], played[FOLDER_PATH_MAX];
	struct dirent **entries;
	bool games;
	enum status status = path_format(data, why, "%s/data", path);
	int n = status ? -1 : scandir(data, &entries, is_visible, alphasort);
	if (n < 0)
		return status ? status : why_errno(why, "%s: cannot be read", data);
	for (int i = 0; i < n; i++) {
		const char *run = entries[i]->d_name;
		status = status ? status : path_format(folder, why, "%s/%s", data, run);
		status = status ? status : path_format(played, why, "%s/runs/%s", path, run);
		status =
		    status ? status : logs_check(run, folder, played, check, count, &games, why);
		if (!status && !games)
			printf("%s: no game log, so nothing to play again\n", run);
		free(entries[i]);
	}
	free(entries);
	return status;
}

enum status paper_check_folder(const char *path, const struct paper_check *check,
			       struct paper_count *count, size_t *files, size_t *bad,
			       struct why *why)
{
	size_t all = 0, other = 0;
	bool games, bundle;
	enum status status = paper_bundle_find(path, &bundle, why);
	if (status)
		return status;
	if (!bundle) {
		enum status checked = logs_check(path, path, path, check, count, &games, why);
		if (!checked && !games)
			return why_set(why, STATUS_INPUT,
				       "%s: holds neither a bundle nor a log, games.tsv or gap.tsv",
				       path);
		return checked;
	}
	status = paper_sums_check(path, &all, &other, why);
	*files += all;
	*bad += other;
	return status ? status : bundle_check(path, check, count, why);
}
