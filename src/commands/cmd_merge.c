/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn merge: one log out of parts, or out of several folders. */
#include "analysis/logs/gamelog.h"
#include "src/commands/command.h"
#include "src/cli/options.h"
#include "src/run/logs.h"

#include <stdio.h>
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
    OPTION("out", 'o', "DIR", OPTION_NAME, FIELD(out),
	   "Merge the logs of all folders into those of DIR, and leave them as they are"),
    {0},
};

static const char doc[] =
    "Merges the parts of logs that processes with --shard, or a killed nxn-mpi, have left in each "
    "DIR into one log each (games.tsv, searches.tsv, gap.tsv), and removes the parts. With --out "
    "it merges whole folders, such as those of machines without a shared disk.\v"
    "A record that occurs twice counts once; records that contradict each other are an error. To "
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

/* Merges the parts of FOLDER in their place. */
static enum status folder_merge(const char *folder, struct why *why)
{
	struct parts parts;
	enum status status = STATUS_OK;
	size_t found = 0;
	for (int i = 0; !status && i < KINDS; i++) {
		status = parts_find(kinds[i], folder, &parts, why);
		if (status)
			break;
		found += parts.n;
		status = log_merge(kinds[i], folder, &parts, true, why);
		parts_free(&parts);
	}
	if (!status && !found)
		printf("%s: nothing to merge\n", folder);
	return status;
}

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
		for (size_t j = 0; !status && j < found.n; j++)
			status = parts_add(parts, found.path[j], why);
		parts_free(&found);
	}
	return status;
}

/*
 * Refuses the folder of --out among those that are merged: its log cannot be read and written at
 * once.
 */
static enum status out_check(const struct merge_options *options, struct why *why)
{
	struct stat out, folder;
	if (stat(options->out, &out) != 0)
		return STATUS_OK; /* it is made */
	for (size_t i = 0; i < options->folders.n; i++)
		if (stat(options->folders.item[i], &folder) == 0 && folder.st_dev == out.st_dev &&
		    folder.st_ino == out.st_ino)
			return why_set(
			    why, STATUS_INPUT,
			    "%s: is --out itself, into which other folders are merged; to "
			    "merge its own parts: nxn merge %s",
			    options->folders.item[i], options->folders.item[i]);
	return STATUS_OK;
}

/* Merges all folders into the one of --out. */
static enum status folders_merge(const struct merge_options *options, struct why *why)
{
	enum status status = out_check(options, why);
	status = status ? status : folder_make(options->out, why);
	size_t found = 0;
	for (int i = 0; !status && i < KINDS; i++) {
		struct parts parts = {0};
		status = logs_find(options, kinds[i], &parts, why);
		if (!status)
			status = log_merge(kinds[i], options->out, &parts, false, why);
		found += parts.n;
		parts_free(&parts);
	}
	if (!status && !found)
		status = why_set(why, STATUS_INPUT,
				 "%s: holds no log: no games.tsv, searches.tsv or gap.tsv",
				 options->folders.item[0]);
	return status;
}

static enum status merge_run(void *input, const struct invocation *call, struct why *why)
{
	const struct merge_options *options = input;
	enum status status = STATUS_OK;
	(void)call;
	if (options->out)
		return folders_merge(options, why);
	for (size_t i = 0; !status && i < options->folders.n; i++)
		status = folder_merge(options->folders.item[i], why);
	return status;
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
