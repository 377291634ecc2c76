/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn merge: one log out of parts, or out of several folders. */
#include "analysis/logs/gamelog.h"
#include "base/file.h"
#include "src/commands/command.h"
#include "src/cli/options.h"
#include "src/games/logs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct rowlog_kind *const kinds[] = {&gamelog_kind, &sweep_log_kind, &gap_log_kind};

enum { KINDS = sizeof kinds / sizeof *kinds };

struct merge_options {
	struct text_list folders;
	const char *out; /* NULL: each in its place */
};

#define FIELD(M) offsetof(struct merge_options, M)

static const struct command_option options_table[] = {
    OPTION("out", 'o', "DIR", FIELD_NAME, FIELD(out),
	   "Merge the logs of all folders into those of DIR, and leave them as they are"),
    OPTIONS_END,
};

static const char doc[] =
    "Merges the parts of logs that processes with --shard, or a killed nxn-mpi, have left in each "
    "DIR into one log each (games.tsv, searches.tsv, gap.tsv), and removes the parts. With --out "
    "it merges whole folders, such as those of machines without a shared disk.\v"
    "A record that occurs twice counts once; records that contradict each other are an error. If a "
    "share is missing, nothing is merged, and the exit status is 1. To "
    "make tables and figures, run the command of the shards without --shard, which also merges the "
    "parts that are left. Models are not merged.\n"
    "\n"
    "EXAMPLES\n"
    "  nxn compare -b 3x3 -a random,corners -g 20 -o out/two --shard 1/2\n"
    "  nxn compare -b 3x3 -a random,corners -g 20 -o out/two --shard 2/2\n"
    "  nxn merge out/two\n"
    "  nxn compare -b 3x3 -a greedy -g 20 -o out/other --no-figures\n"
    "  nxn merge out/two out/other -o out/all";

/* Merges PARTS of KIND into DIRECTORY, and tells. */
static enum status log_merge(const struct rowlog_kind *kind, const char *directory,
			     const struct parts *parts, bool remove, struct why *why)
{
	struct parts_count count = {0};
	enum status status = parts_merge(kind, directory, parts, remove, &count, why);
	if (!status && count.files)
		printf("%s/%s.tsv: %zu records of %zu file%s; %zu were there already\n", directory,
		       kind->stem, count.records, count.files, count.files == 1 ? "" : "s",
		       count.known);
	return status;
}

/*
 * Looks at all that would be merged. Parts of which some are missing are refused, unless the log
 * has all their records: a merge was ended while it removed parts.
 */
static enum status log_verify(const struct rowlog_kind *kind, const char *directory,
			      const struct parts *parts, struct why *why)
{
	struct parts_count count = {0};
	struct why missing;
	const enum status complete = parts_complete(kind, parts, &missing);
	enum status status = STATUS_OK;
	if (complete != STATUS_INPUT)
		status = parts_verify(kind, directory, parts, &count, why);
	if (status || !complete || (complete == STATUS_SYSTEM && !count.records && count.known))
		return status;
	*why = missing;
	return complete;
}

/* ---- Parts in their place. */

/* A folder whose parts are merged, and the parts of each kind. */
struct merge_folder {
	const char *path;
	struct lock lock;
	struct parts parts[KINDS];
};

/* Finds the parts in FOLDER: their number in *COUNT. */
static enum status folder_find(struct merge_folder *folder, size_t *count, struct why *why)
{
	enum status status = STATUS_OK;
	*count = 0;
	for (int i = 0; !status && i < KINDS; i++) {
		parts_free(&folder->parts[i]);
		status = parts_find(kinds[i], folder->path, &folder->parts[i], why);
		*count += folder->parts[i].n;
	}
	return status;
}

/* Locks FOLDER if it has parts, and looks at them. */
static enum status folder_verify(struct merge_folder *folder, struct why *why)
{
	size_t count;
	enum status status = folder_find(folder, &count, why);
	if (status || !count)
		return status;
	status = folder_lock(&folder->lock, folder->path, false, why);
	status = status ? status : folder_find(folder, &count, why);
	for (int i = 0; !status && i < KINDS; i++)
		status = log_verify(kinds[i], folder->path, &folder->parts[i], why);
	return status;
}

static enum status folder_merge(struct merge_folder *folder, struct why *why)
{
	enum status status = STATUS_OK;
	size_t found = 0;
	for (int i = 0; !status && i < KINDS; i++) {
		status = log_merge(kinds[i], folder->path, &folder->parts[i], true, why);
		found += folder->parts[i].n;
	}
	if (!status && !found)
		printf("%s: nothing to merge\n", folder->path);
	return status;
}

/* Merges the parts of each of the COUNT folders PATHS, once all are found to be right. */
static enum status places_merge(const struct text_list *paths, struct why *why)
{
	struct merge_folder *folders = calloc(paths->n, sizeof *folders);
	enum status status = folders ? STATUS_OK : why_errno(why, "%zu folders", paths->n);
	for (size_t i = 0; !status && i < paths->n; i++) {
		folders[i].path = paths->item[i];
		status = folder_verify(&folders[i], why);
	}
	for (size_t i = 0; !status && i < paths->n; i++)
		status = folder_merge(&folders[i], why);
	for (size_t i = 0; folders && i < paths->n; i++) {
		lock_release(&folders[i].lock);
		for (int j = 0; j < KINDS; j++)
			parts_free(&folders[i].parts[j]);
	}
	free(folders);
	return status;
}

/* ---- Whole folders into another. */

/* Adds to PARTS the logs of KIND in all folders. */
static enum status logs_find(const struct merge_options *options, const struct rowlog_kind *kind,
			     struct parts *parts, struct why *why)
{
	enum status status = STATUS_OK;
	for (size_t i = 0; !status && i < options->folders.n; i++) {
		struct parts found;
		status = parts_all(kind, options->folders.item[i], &found, why);
		if (status)
			break;
		for (size_t j = 0; j < found.n; j++)
			parts_add(parts, found.path[j]);
		parts_free(&found);
	}
	return status;
}

static bool same_folder(const char *a, const char *b)
{
	struct stat x, y;
	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/*
 * Refuses the folder of --out among those that are merged: its log cannot be read and written at
 * once.
 */
static enum status out_check(const struct merge_options *options, struct why *why)
{
	for (size_t i = 0; i < options->folders.n; i++)
		if (same_folder(options->folders.item[i], options->out))
			return why_set(
			    why, STATUS_INPUT,
			    "%s: is --out itself, into which other folders are merged; to "
			    "merge its own parts: nxn merge %s",
			    options->folders.item[i], options->folders.item[i]);
	return STATUS_OK;
}

/* Refuses a folder that is named twice, under whatever names. */
static enum status twice_check(const struct text_list *folders, struct why *why)
{
	for (size_t i = 1; i < folders->n; i++)
		for (size_t j = 0; j < i; j++)
			if (same_folder(folders->item[i], folders->item[j]))
				return why_set(why, STATUS_INPUT,
					       "%s: is named twice: it is the folder %s",
					       folders->item[i], folders->item[j]);
	return STATUS_OK;
}

/* Merges all folders into the one of --out, once all logs are found to be right. */
static enum status folders_merge(const struct merge_options *options, struct why *why)
{
	struct lock lock = {0};
	struct parts parts[KINDS] = {0};
	size_t found = 0;
	enum status status = out_check(options, why);
	for (int i = 0; !status && i < KINDS; i++) {
		status = logs_find(options, kinds[i], &parts[i], why);
		found += parts[i].n;
	}
	if (!status && !found)
		status = why_set(why, STATUS_INPUT,
				 "%s: holds no log: no games.tsv, searches.tsv or gap.tsv",
				 options->folders.item[0]);
	status = status ? status : folder_lock(&lock, options->out, false, why);
	for (int i = 0; !status && i < KINDS; i++)
		status = log_verify(kinds[i], options->out, &parts[i], why);
	for (int i = 0; !status && i < KINDS; i++)
		status = log_merge(kinds[i], options->out, &parts[i], false, why);
	for (int i = 0; i < KINDS; i++)
		parts_free(&parts[i]);
	lock_release(&lock);
	return status;
}

static enum status merge_run(void *input, const struct invocation *call, struct why *why)
{
	const struct merge_options *options = input;
	(void)call;
	const enum status status = twice_check(&options->folders, why);
	if (status)
		return status;
	return options->out ? folders_merge(options, why) : places_merge(&options->folders, why);
}

static const struct merge_options defaults;

const struct command cmd_merge = {
    .options = options_table,
    .arguments = "DIR...",
    .missing = "the folder is missing: one that --shard or nxn-mpi has left, or several",
    .argument = argument_add,
    .doc = doc,
    COMMAND_INPUT(defaults),
    .run = merge_run,
};
