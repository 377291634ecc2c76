/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is to go into a bundle: what an argument names is told by what is there, never by how it is
 * called. A folder with games.tsv, searches.tsv or gap.tsv is a run; a file that begins with the
 * columns of a curve or of a tuning is one of its own; what is no folder and no table is an
 * experiment.
 */
#include "src/paper/paper.h"

#include "analysis/logs/gamelog.h"
#include "analysis/logs/gap_log.h"
#include "analysis/logs/parts.h"
#include "analysis/logs/sweep_log.h"
#include "src/cli/builtin.h"
#include "src/run/experiment.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool has_file(const char *folder, const char *file)
{
	char path[FOLDER_PATH_MAX];
	return path_format(path, NULL, "%s/%s", folder, file) == STATUS_OK &&
	       access(path, F_OK) == 0;
}

static bool name_taken(const struct paper *paper, const char *name)
{
	for (size_t i = 0; i < paper->run_count; i++)
		if (strcmp(paper->runs[i].name, name) == 0)
			return true;
	return false;
}

/* A name for PATH, its last part without SUFFIX, that no other run has. */
static void run_name(const struct paper *paper, const char *path, const char *suffix,
		     char name[PAPER_NAME_MAX])
{
	char whole[FOLDER_PATH_MAX], word[FOLDER_PATH_MAX];
	snprintf(whole, sizeof whole, "%s", path);
	for (size_t end = strlen(whole); end > 1 && whole[end - 1] == '/';)
		whole[--end] = '\0';
	const char *slash = strrchr(whole, '/'), *last = slash ? slash + 1 : whole;
	path_word(last, word);
	size_t length = strlen(word), cut = strlen(suffix);
	if (length > cut && strcmp(word + length - cut, suffix) == 0)
		word[length - cut] = '\0';
	const char *stem = strspn(word, ".") == strlen(word) ? "run" : word;
	snprintf(name, PAPER_NAME_MAX, "%.48s", stem);
	for (int i = 2; name_taken(paper, name); i++)
		snprintf(name, PAPER_NAME_MAX, "%.48s-%d", stem, i);
}

/*
 * Appends the run of SOURCE, called NAME, for which EXPERIMENT is to be played first unless it is
 * "".
 */
static enum status run_append(struct paper *paper, enum paper_kind kind, const char *source,
			      const char *name, const char *experiment, struct why *why)
{
	for (size_t i = 0; i < paper->run_count; i++)
		if (strcmp(paper->runs[i].source, source) == 0)
			return why_set(why, STATUS_INPUT, "%s: is named twice", source);
	if (paper->run_count == PAPER_RUNS_MAX)
		return why_set(why, STATUS_INPUT, "more than %d runs", PAPER_RUNS_MAX);
	struct paper_run *run = reallocarray(paper->runs, paper->run_count + 1, sizeof *run);
	if (!run)
		return why_set(why, STATUS_SYSTEM, "%s: out of memory", source);
	paper->runs = run;
	run += paper->run_count;
	memset(run, 0, sizeof *run);
	run->kind = kind;
	snprintf(run->name, sizeof run->name, "%s", name);
	paper_title(run, name);
	enum status status = path_format(run->source, why, "%s", source);
	status = status ? status : path_format(run->experiment, why, "%s", experiment);
	paper->run_count += !status;
	return status;
}

void paper_title(struct paper_run *run, const char *title)
{
	size_t length = strnlen(title, PAPER_TITLE_MAX - 1);
	while (length > 0 && title[length] && ((unsigned char)title[length] & 0xc0) == 0x80)
		length--;
	snprintf(run->title, sizeof run->title, "%.*s", (int)length, title);
}

static enum status table_add(struct paper *paper, const char *path, struct why *why)
{
	char name[PAPER_NAME_MAX];
	run_name(paper, path, ".tsv", name);
	return run_append(paper, PAPER_SINGLE, path, name, "", why);
}

static int is_table(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');
	return dot && strcmp(dot, ".tsv") == 0;
}

/* What is missing of the folder PATH, which has no log that a bundle could be of. */
static enum status folder_refuse(const char *path, struct why *why)
{
	static const struct rowlog_kind *const kinds[] = {&gamelog_kind, &sweep_log_kind,
							  &gap_log_kind};
	struct parts parts;
	size_t found = 0;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		enum status status = parts_find(kinds[i], path, &parts, why);
		if (status)
			return status;
		found += parts.n;
		parts_free(&parts);
	}
	if (found)
		return why_set(why, STATUS_INPUT,
			       "%s: has shares of a run only; the same command without --shard "
			       "merges them and makes tables",
			       path);
	return why_set(why, STATUS_INPUT,
		       "%s: holds no run: no games.tsv, gap.tsv or searches.tsv, and no table of "
		       "nxn train --curve or nxn tune",
		       path);
}

/* Appends the tables of train and tune in the folder PATH. */
static enum status tables_add(struct paper *paper, const char *path, struct why *why)
{
	char file[FOLDER_PATH_MAX];
	struct dirent **entries;
	size_t before = paper->run_count;
	enum status status = STATUS_OK;
	const struct figure *figure;
	int count = scandir(path, &entries, is_table, alphasort);
	if (count < 0)
		return why_errno(why, "%s: cannot be read", path);
	for (int i = 0; i < count; i++) {
		status =
		    status ? status : path_format(file, why, "%s/%s", path, entries[i]->d_name);
		status = status ? status : figure_single(file, &figure, why);
		if (!status && figure)
			status = table_add(paper, file, why);
		free(entries[i]);
	}
	free(entries);
	if (!status && paper->run_count == before)
		status = folder_refuse(path, why);
	return status;
}

static enum status folder_add(struct paper *paper, const char *path, struct why *why)
{
	static const struct {
		const char *log;
		enum paper_kind kind;
	} kinds[] = {
	    {"searches.tsv", PAPER_SWEEP}, {"gap.tsv", PAPER_GAP}, {"games.tsv", PAPER_GAMES}};
	char name[PAPER_NAME_MAX];
	bool bundle;
	enum status status = paper_bundle_find(path, &bundle, why);
	if (status)
		return status;
	if (bundle)
		return why_set(why, STATUS_INPUT,
			       "%s: is a bundle of nxn paper; name the runs that it is of", path);
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (!has_file(path, kinds[i].log))
			continue;
		if (!has_file(path, "tables"))
			return why_set(why, STATUS_INPUT,
				       "%s: has a log, but no tables: it was not run to its end; "
				       "the same command goes on with it",
				       path);
		run_name(paper, path, "", name);
		return run_append(paper, kinds[i].kind, path, name, "", why);
	}
	return tables_add(paper, path, why);
}

/* The experiment ARGUMENT, to be played into the bundle's folder. */
static enum status experiment_take(struct paper *paper, const char *argument, struct why *why)
{
	struct experiment experiment;
	char file[FOLDER_PATH_MAX], source[FOLDER_PATH_MAX], name[PAPER_NAME_MAX];
	enum status status = builtin_find(argument, file, why);
	status = status ? status : experiment_read(&experiment, file, why);
	if (status)
		return status;
	const enum paper_kind kind = experiment.sweep ? PAPER_SWEEP : PAPER_GAMES;
	run_name(paper, experiment.name, "", name);
	experiment_fini(&experiment);
	status = path_format(source, why, "%s/runs/%s", paper->directory, name);
	return status ? status : run_append(paper, kind, source, name, file, why);
}

enum status paper_add(struct paper *paper, const char *argument, struct why *why)
{
	struct stat there;
	const struct figure *figure = NULL;
	bool exists = stat(argument, &there) == 0;
	if (exists && S_ISDIR(there.st_mode))
		return folder_add(paper, argument, why);
	enum status status = exists ? figure_single(argument, &figure, why) : STATUS_OK;
	if (status)
		return status;
	if (figure)
		return table_add(paper, argument, why);
	const char *dot = strrchr(argument, '.');
	if (exists && dot && strcmp(dot, ".tsv") == 0)
		return why_set(
		    why, STATUS_INPUT,
		    "%s: is no table of nxn train --curve or nxn tune; of a run, name the folder",
		    argument);
	return experiment_take(paper, argument, why);
}

void paper_fini(struct paper *paper)
{
	for (size_t i = 0; i < paper->run_count; i++) {
		struct paper_run *run = &paper->runs[i];
		for (char **line = run->provenance; *line; line++)
			free(*line);
		for (size_t k = 0; k < run->figure_count; k++)
			free(run->figures[k].dark);
	}
	free(paper->runs);
	for (char **line = paper->provenance; *line; line++)
		free(*line);
	list_free(&paper->files);
}
