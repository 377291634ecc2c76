/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Game logs as arguments, and the games of a folder's log that belong to an experiment; see logs.h.
 *
 * A folder's log may hold games of other experiments. And its order is that in which games ended,
 * which depends on threads: sorting makes tables that do not.
 */
#include "src/run/logs.h"

#include "src/run/share.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

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

/* ---- The games of an experiment. */

/* A row of the log that was asked for. */
struct selected_row {
	size_t entry; /* number in the experiment */
	const struct gamelog_row *row;
};

static int choice_compare(const void *left, const void *right)
{
	const struct selected_row *a = left, *b = right;
	uint64_t a_trained = a->row->player->trained, b_trained = b->row->player->trained;
	if (a->entry != b->entry)
		return a->entry < b->entry ? -1 : 1;
	if (a_trained != b_trained)
		return a_trained < b_trained ? -1 : 1;
	return (a->row->game > b->row->game) - (a->row->game < b->row->game);
}

/* Whether ENTRY plays games after TRAINED training games. */
static bool stage_exists(const struct entry *entry, uint64_t trained)
{
	uint64_t train = entry->schedule.train;
	if (trained == entry_trained(entry))
		return true;
	for (uint64_t k = 1; entry->ends && k <= entry->schedule.repeat; k++)
		if (trained > 0 && trained == entry_stage(entry, k))
			return true;
	return train && trained > 0 && trained < entry_trained(entry) && trained % train == 0;
}

/* The entry that PLAYER plays for, or experiment->count. */
static size_t entry_of(const struct experiment *experiment, const struct gamelog_player *player)
{
	size_t i = 0;
	for (; i < experiment->count; i++) {
		const struct entry *entry = experiment->entries[i];
		if (strcmp(entry->game.name, player->board) == 0 &&
		    strcmp(entry->agent, player->agent) == 0 &&
		    stage_exists(entry, player->trained) &&
		    entry_config(entry, player->trained) == player->config)
			break;
	}
	return i;
}

/* Lists the rows asked for in CHOICES, which has room for all; returns how many. */
static size_t choose(const struct experiment *experiment, const struct gamelog *log,
		     const size_t *entry_of_player, struct selected_row *choices)
{
	size_t n = 0;
	for (size_t i = 0; i < log->count; i++) {
		const struct gamelog_row *row = &log->rows[i];
		size_t entry = entry_of_player[row->player->number];
		if (entry < experiment->count && row->seed == experiment->seed &&
		    row->game < entry_games(experiment->entries[entry], row->player->trained))
			choices[n++] = (struct selected_row){entry, row};
	}
	qsort(choices, n, sizeof *choices, choice_compare);
	return n;
}

/* Adds CHOICES of LOG to the empty SELECTION, after the experiment's labels in their order. */
static enum status selection_fill(struct gamelog *selection, const struct gamelog *log,
				  const struct experiment *experiment,
				  const struct selected_row *choices, size_t n, struct why *why)
{
	enum status status = STATUS_OK;
	for (size_t i = 0; !status && i < experiment->count; i++)
		status = gamelog_announce(selection, experiment->entries[i]->label, why);
	for (size_t i = 0; !status && i < log->training_count; i++)
		status = gamelog_note_training(selection, log->trainings[i].config,
					       log->trainings[i].seconds, why);
	for (size_t i = 0; !status && i < n; i++) {
		struct gamelog_player player = *choices[i].row->player;
		player.label = experiment->entries[choices[i].entry]->label;
		status = gamelog_add(selection, &player, choices[i].row, why);
	}
	return status;
}

enum status selection_init(struct gamelog *selection, const struct gamelog *log,
			   const struct experiment *experiment, struct why *why)
{
	struct gamelog s;
	enum status status;
	size_t *entries = calloc(log->player_count + 1, sizeof *entries);
	struct selected_row *choices = calloc(log->count + 1, sizeof *choices);
	gamelog_init(&s);
	if (!entries || !choices) {
		status = why_set(why, STATUS_SYSTEM, "out of memory for %zu games", log->count);
		goto end;
	}
	for (size_t i = 0; i < log->player_count; i++)
		entries[i] = entry_of(experiment, log->players[i]);
	size_t n = choose(experiment, log, entries, choices);
	status = selection_fill(&s, log, experiment, choices, n, why);
end:
	free(choices);
	free(entries);
	if (status)
		gamelog_fini(&s);
	else
		*selection = s;
	return status;
}
