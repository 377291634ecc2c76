/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data behind figures and tables: logs, positions, traces, and with --models what was learned. */
#include "src/paper/paper.h"

#include "base/append.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Copies SOURCE/FILE to data/RUN/FILE, if it is there. */
static enum status file_take(struct paper *paper, const struct paper_run *run, const char *file,
			     struct why *why)
{
	char from[FOLDER_PATH_MAX], to[FOLDER_PATH_MAX];
	enum status status = path_format(from, why, "%s/%s", run->source, file);
	status = status ? status : path_format(to, why, "data/%s/%s", run->name, file);
	if (status || access(from, F_OK) != 0)
		return status;
	return paper_copy(paper, from, to, why);
}

static int is_visible(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');
	return entry->d_name[0] != '.' &&
	       !(dot && (strcmp(dot, ".tmp") == 0 || strcmp(dot, ".part") == 0 ||
			 strcmp(dot, ".lock") == 0));
}

/* Copies the files in SOURCE/FOLDER, if it is there. */
static enum status folder_take(struct paper *paper, const struct paper_run *run, const char *folder,
			       struct why *why)
{
	char path[FOLDER_PATH_MAX];
	struct stat there;
	struct dirent **entries;
	enum status status = path_format(path, why, "%s/%s", run->source, folder);
	int count = status ? 0 : scandir(path, &entries, is_visible, alphasort);
	if (count < 0)
		return errno == ENOENT ? STATUS_OK : why_errno(why, "%s: cannot be read", path);
	for (int i = 0; i < count; i++) {
		status = status ? status
				: path_format(path, why, "%s/%s/%s", run->source, folder,
					      entries[i]->d_name);
		if (!status && stat(path, &there) == 0 && S_ISREG(there.st_mode))
			status = file_take(paper, run, path + strlen(run->source) + 1, why);
		free(entries[i]);
	}
	if (count > 0)
		free(entries);
	return status;
}

/* Adds what the line "# TEXT" says to line COUNT of the provenance of RUN. */
static enum status provenance_add(struct paper_run *run, int count, char *line, struct why *why)
{
	static const char title[] = "title: ";
	line[strcspn(line, "\n")] = '\0';
	run->provenance[count] = strdup(line + 2);
	if (!run->provenance[count])
		return why_set(why, STATUS_SYSTEM, "%s: out of memory", run->source);
	if (strncmp(line + 2, title, sizeof title - 1) == 0)
		paper_title(run, line + 2 + sizeof title - 1);
	return STATUS_OK;
}

/*
 * The `#` lines at the head of the file PATH: where the numbers of RUN come from. Some logs have them below
 * the names of their columns.
 */
static enum status provenance_take(struct paper_run *run, const char *path, struct why *why)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;
	int lines = 0;
	bool more = true, names = false;
	enum status status = STATUS_OK;
	if (!file)
		return why_errno(why, "%s: cannot be read", path);
	while (!status && more) {
		const bool got = getline(&line, &size, file) > 0;
		const bool note = got && strncmp(line, "# ", 2) == 0;
		if (!got && lines_cut_short(file))
			status = why_errno(why, "%s: cannot be read", path);
		more = got && lines < PAPER_LINES_MAX && (note || (lines == 0 && !names));
		names = names || !note;
		if (more && note)
			status = provenance_add(run, lines++, line, why);
	}
	free(line);
	fclose(file);
	return status;
}

static enum status single_take(struct paper *paper, struct paper_run *run, struct why *why)
{
	char to[FOLDER_PATH_MAX];
	const char *slash = strrchr(run->source, '/');
	enum status status =
	    path_format(to, why, "data/%s/%s", run->name, slash ? slash + 1 : run->source);
	status = status ? status : provenance_take(run, run->source, why);
	return status ? status : paper_copy(paper, run->source, to, why);
}

enum status paper_data(struct paper *paper, struct paper_run *run, struct why *why)
{
	static const char *const files[] = {"games.tsv", "searches.tsv", "positions.txt",
					    "gap.tsv"};
	static const char *const logs[] = {"games.tsv", "searches.tsv", "gap.tsv"}; /* by kind */
	char path[FOLDER_PATH_MAX];
	if (run->kind == PAPER_SINGLE)
		return single_take(paper, run, why);
	enum status status = path_format(path, why, "%s/%s", run->source, logs[run->kind]);
	status = status ? status : provenance_take(run, path, why);
	for (size_t i = 0; !status && i < sizeof files / sizeof *files; i++)
		status = file_take(paper, run, files[i], why);
	if (!status && *run->experiment) {
		status = path_format(path, why, "data/%s/experiment.yaml", run->name);
		status = status ? status : paper_copy(paper, run->experiment, path, why);
	}
	status = status ? status : folder_take(paper, run, "traces", why);
	return status || !paper->models ? status : folder_take(paper, run, "models", why);
}
