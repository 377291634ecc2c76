/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Game logs as arguments; see logs.h. */
#include "src/run/logs.h"

#include "src/run/share.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct why why;
	switch (key) {
	case ARGP_KEY_ARG:
		option_check(state, list_add(state->input, arg, strlen(arg), &why), &why);
		return 0;
	case ARGP_KEY_NO_ARGS:
		option_error(
		    state,
		    "the game log is missing: a folder that compare, run or duel has left, or its "
		    "games.tsv");
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp options_logs = {.parser = parse, .args_doc = "LOG..."};

static enum status log_file_read(struct gamelog *log, const char *path, struct why *why)
{
	const size_t torn = log->torn;
	enum status status = gamelog_read(log, path, why);
	if (log->torn > torn)
		fprintf(stderr, "nxn: %s: the torn last line was left out\n", path);
	return status;
}

enum status logs_read_folder(struct gamelog *log, const char *directory, struct why *why)
{
	struct parts files;
	enum status status = share_logs(&gamelog_kind, directory, &files, why);
	if (status)
		return status;
	for (size_t i = 0; !status && i < files.n; i++)
		status = gamelog_read(log, files.path[i], why);
	parts_free(&files);
	return status;
}

/* The games of a folder, which must have some, or a file. */
static enum status log_read(struct gamelog *log, const char *argument, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	struct stat there;
	struct parts files;
	if (stat(argument, &there) != 0 || !S_ISDIR(there.st_mode))
		return log_file_read(log, argument, why);
	enum status status = share_logs(&gamelog_kind, argument, &files, why);
	if (status)
		return status;
	for (size_t i = 0; !status && i < files.n; i++)
		status = log_file_read(log, files.path[i], why);
	/* To say what is missing. */
	if (!files.n && !(status = path_format(path, why, "%s/games.tsv", argument)))
		status = log_file_read(log, path, why);
	parts_free(&files);
	return status;
}

enum status logs_read(struct gamelog *log, const struct text_list *paths, struct why *why)
{
	struct gamelog read;
	enum status status = STATUS_OK;
	gamelog_init(&read);
	for (size_t i = 0; !status && i < paths->n; i++)
		status = log_read(&read, paths->item[i], why);
	if (!status && read.count == 0)
		status = why_set(why, STATUS_INPUT, "%s: holds no games", paths->item[0]);
	if (status)
		gamelog_fini(&read);
	else
		*log = read;
	return status;
}

enum status logs_provenance(const struct gamelog *log, const char *command,
			    struct provenance *provenance, struct why *why)
{
	char seed[24];
	uint64_t hash = 0;
	snprintf(seed, sizeof seed, "%" PRIu64, log->rows[0].seed);
	/* A sum, because players come in no order of their own. */
	for (size_t i = 0; i < log->player_count; i++)
		hash += XXH3_64bits(&log->players[i]->config, sizeof hash);
	for (size_t i = 1; i < log->count; i++)
		if (log->rows[i].seed != log->rows[0].seed)
			snprintf(seed, sizeof seed, "several");
	return provenance_init(provenance, command, hash, seed, why);
}
