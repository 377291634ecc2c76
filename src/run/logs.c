/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shares of a command's work, game logs as arguments, and the games that belong to an experiment;
 * see logs.h.
 *
 * A folder's log may hold games of other experiments. And its order is that in which games ended,
 * which depends on threads: sorting makes tables that do not.
 */
#include "src/run/logs.h"

#include "src/cli/options.h"
#include "src/run/ranks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* A whole number in the environment; FALLBACK, unless that is 0, where there is none. */
static uint64_t environment_number(struct argp_state *state, const char *name, uint64_t fallback)
{
	const char *text = getenv(name);
	if (!text && !fallback)
		option_error(state, "--shard: slurm: there is no %s: this is no job of an array",
			     name);
	return text ? option_number(state, name, text, 0, UINT32_MAX) : fallback;
}

/* The share of a task of a Slurm job array. */
static struct share share_slurm(struct argp_state *state)
{
	const uint64_t count = environment_number(state, "SLURM_ARRAY_TASK_COUNT", 0);
	const uint64_t id = environment_number(state, "SLURM_ARRAY_TASK_ID", 0);
	const uint64_t first = environment_number(state, "SLURM_ARRAY_TASK_MIN", 0);
	const uint64_t step = environment_number(state, "SLURM_ARRAY_TASK_STEP", 1);
	const uint64_t place = step && id >= first ? (id - first) / step : count;
	if (place >= count || count > SHARES_MAX || (id - first) % step)
		option_error(state,
			     "--shard: slurm: task %" PRIu64 " of an array of %" PRIu64
			     " from %" PRIu64 " in steps of %" PRIu64
			     ": expected an array such as 1-8",
			     id, count, first, step);
	return (struct share){.index = place + 1, .count = count};
}

static struct share share_parse(struct argp_state *state, const char *text)
{
	struct why why;
	char first[16];
	struct share share;
	const size_t length = strcspn(text, "/");
	snprintf(first, sizeof first, "%.*s", length < sizeof first ? (int)length : 0, text);
	if (!text[length] ||
	    number_parse("--shard", text + length + 1, 1, SHARES_MAX, &share.count, &why) ||
	    number_parse("--shard", first, 1, share.count, &share.index, &why))
		option_error(state,
			     "--shard: '%s' is not a share such as 3/8, the third of eight, nor "
			     "slurm",
			     text);
	return share;
}

void share_of_rank(void *field)
{
	struct share *share = field;
	if (ranks_rank() > 0)
		snprintf(share->part, sizeof share->part, "rank-%d", ranks_rank());
}

void share_take(struct argp_state *state, const char *what, char *text, void *field)
{
	struct share *share = field;
	if (ranks_size() > 1)
		option_error(state, "%s: %d ranks share the work by themselves", what,
			     ranks_size());
	*share = strcmp(text, "slurm") == 0 ? share_slurm(state) : share_parse(state, text);
	share->part[0] = '\0';
	if (share->count > 1)
		snprintf(share->part, sizeof share->part, "%" PRIu64 "-of-%" PRIu64, share->index,
			 share->count);
}

enum status share_log_path(const struct share *share, const struct rowlog_kind *kind,
			   const char *directory, char path[FOLDER_PATH_MAX], struct why *why)
{
	return path_format(path, why, "%s/%s%s%s.tsv", directory, kind->stem,
			   *share->part ? "." : "", share->part);
}

/*
 * If SHARE is written to the log of KIND itself, merges all parts into it. As parts_merge().
 */
static enum status share_merge(const struct share *share, const struct rowlog_kind *kind,
			       const char *directory, struct parts_count *count, struct why *why)
{
	struct parts parts;
	if (*share->part)
		return STATUS_OK;
	enum status status = parts_find(kind, directory, &parts, why);
	if (status)
		return status;
	status = parts_merge(kind, directory, &parts, true, count, why);
	parts_free(&parts);
	return status;
}

/* The same before work, which standard error tells. */
static enum status share_gather(const struct share *share, const struct rowlog_kind *kind,
				const char *directory, struct why *why)
{
	struct parts_count count = {0};
	enum status status = share_merge(share, kind, directory, &count, why);
	if (!status && count.files)
		fprintf(stderr, "nxn: %s/%s.tsv: merged %zu record%s of %zu part%s\n", directory,
			kind->stem, count.records, count.records == 1 ? "" : "s", count.files,
			count.files == 1 ? "" : "s");
	return status;
}

enum status share_logs(const struct rowlog_kind *kind, const char *directory, struct parts *parts,
		       struct why *why)
{
	char path[FOLDER_PATH_MAX];
	struct parts found = {0};
	enum status status = path_format(path, why, "%s/%s.tsv", directory, kind->stem);
	if (!status)
		status = parts_find(kind, directory, &found, why);
	if (!status && access(path, F_OK) == 0)
		status = parts_add(&found, path, why);
	if (status)
		parts_free(&found);
	else
		*parts = found;
	return status;
}

/* Reads all that there is but the file PATH, which is open and has been read. */
static enum status others_read(struct shared_log *log, const char *path, struct why *why)
{
	struct parts files = {0};
	enum status status = share_logs(log->kind, log->directory, &files, why);
	for (size_t i = 0; !status && i < files.n; i++)
		if (strcmp(files.path[i], path) != 0)
			status = log->games
				     ? gamelog_read(log->games, files.path[i], why)
				     : rowlog_read(&log->rows, log->kind, files.path[i], why);
	parts_free(&files);
	return status;
}

/* Closes what log_open() has opened. */
static enum status log_close(struct shared_log *log, struct why *why)
{
	enum status status = rowlog_close(&log->writer, why);
	rowlog_fini(&log->rows);
	return status;
}

/* Opens the log or part that this rank writes, and reads all there is; COUNT records. */
static enum status log_open(struct shared_log *log, size_t *count, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	struct why ignored;
	enum status status = share_gather(log->share, log->kind, log->directory, why);
	if (!status)
		status = share_log_path(log->share, log->kind, log->directory, path, why);
	if (status)
		return status;
	const char *const *lines = provenance_lines(log->provenance);
	status = log->games ? gamelog_open(&log->writer, path, lines, log->games, why)
			    : rowlog_open(&log->writer, log->kind, path, lines, &log->rows, why);
	if (status) {
		rowlog_fini(&log->rows);
		return status;
	}
	if (log->writer.file.cut)
		fprintf(stderr, "nxn: %s: cut off a torn last line of %zu bytes\n", path,
			log->writer.file.cut);
	status = others_read(log, path, why);
	*count = log->games ? log->games->count : log->rows.count;
	if (status)
		(void)!log_close(log, &ignored);
	return status;
}

/* Rank 0 first: the others read what it has merged, and open parts of the log. */
enum status shared_log_take(struct shared_log *log, struct why *why)
{
	const bool first = ranks_rank() == 0;
	size_t count = 0;
	enum status mine = first ? log_open(log, &count, why) : STATUS_OK;
	enum status status = ranks_agree("log", 0, mine, why);
	if (!status && !first)
		status = mine = log_open(log, &count, why);
	const bool open = !mine && (first || !status);
	status = ranks_agree(log->kind->stem, count, status, why);
	struct why ignored;
	if (status && open)
		(void)!log_close(log, &ignored);
	return status;
}

enum status shared_log_append(struct shared_log *log, struct pool *pool, const void *row,
			      struct why *why)
{
	if (!pool_log_begin(pool))
		return STATUS_STOPPED;
	return pool_log_end(pool, rowlog_append(&log->writer, row, why), why);
}

enum status shared_log_leave(struct shared_log *log, enum status status, struct why *why)
{
	struct why close_why;
	enum status closed = log_close(log, &close_why);
	if (closed && (!status || status == STATUS_STOPPED)) {
		status = closed;
		*why = close_why;
	}
	status = ranks_agree("work", 0, status, why);
	if (ranks_size() == 1 || (status && status != STATUS_STOPPED))
		return status;
	enum status merged = share_merge(log->share, log->kind, log->directory, NULL, why);
	return ranks_agree("merged", 0, merged ? merged : status, why);
}

/* ---- Game logs as arguments. */

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
	return provenance_init(provenance, command, hash, seed, NULL, why);
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
static bool stage_exists(const struct experiment_entry *entry, uint64_t trained)
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
		const struct experiment_entry *entry = experiment->entries[i];
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
