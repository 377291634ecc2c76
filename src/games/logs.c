/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shares of the work and their logs; see logs.h. */
#include "src/games/logs.h"

#include "src/cli/options.h"
#include "src/games/ranks.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Sets the share for a task of a Slurm job array, for a task of srun, or for both: the tasks that
 * srun starts within a task of an array divide its share. */
static enum status share_slurm(struct share *share, struct why *why)
{
	const bool array = getenv("SLURM_ARRAY_TASK_COUNT"), srun = getenv("SLURM_STEP_NUM_TASKS");
	uint64_t count = 1, id = 0, first = 0, step = 1, tasks = 1, task = 0;
	const struct {
		const char *name;
		uint64_t *number;
		bool needed;
	} variables[] = {
	    {"SLURM_ARRAY_TASK_COUNT", &count, !srun}, {"SLURM_ARRAY_TASK_ID", &id, array},
	    {"SLURM_ARRAY_TASK_MIN", &first, array},   {"SLURM_ARRAY_TASK_STEP", &step, false},
	    {"SLURM_STEP_NUM_TASKS", &tasks, false},   {"SLURM_PROCID", &task, srun},
	};
	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
		const char *name = variables[i].name, *text = getenv(name);
		if (!text && variables[i].needed)
			return why_set(why, STATUS_INPUT,
				       "--shard: slurm: there is no %s: this is neither a task of "
				       "an array job nor a task of srun",
				       name);
		enum status status =
		    text ? number_parse(name, text, 0, UINT32_MAX, variables[i].number, why)
			 : STATUS_OK;
		if (status)
			return status;
	}
	const uint64_t place = step && id >= first ? (id - first) / step : count;
	if (place >= count || (id - first) % step)
		return why_set(why, STATUS_INPUT,
			       "--shard: slurm: task %" PRIu64 " of an array of %" PRIu64
			       " from %" PRIu64 " in steps of %" PRIu64
			       ": expected an array such as 1-8",
			       id, count, first, step);
	if (task >= tasks || count * tasks > SHARES_MAX)
		return why_set(why, STATUS_INPUT,
			       "--shard: slurm: task %" PRIu64 " of %" PRIu64
			       " of srun, in an array of %" PRIu64
			       ": expected at most %d shares in all",
			       task, tasks, count, SHARES_MAX);
	*share = (struct share){.index = place * tasks + task + 1, .count = count * tasks};
	return STATUS_OK;
}

static enum status share_parse(struct share *share, const char *text, struct why *why)
{
	char first[16];
	struct share parsed = {0};
	const size_t length = strcspn(text, "/");
	snprintf(first, sizeof first, "%.*s", length < sizeof first ? (int)length : 0, text);
	if (!text[length] ||
	    number_parse("--shard", text + length + 1, 1, SHARES_MAX, &parsed.count, why) ||
	    number_parse("--shard", first, 1, parsed.count, &parsed.index, why))
		return why_set(why, STATUS_INPUT,
			       "--shard: '%s' is not a share such as 3/8, the third of eight, nor "
			       "slurm",
			       text);
	*share = parsed;
	return STATUS_OK;
}

static void share_part_of_rank(struct share *share, int rank)
{
	if (rank > 0)
		snprintf(share->part, sizeof share->part, "rank-%d", rank);
}

void share_of_rank(void *field)
{
	share_part_of_rank(field, ranks_rank());
}

enum status share_read(void *member, const char *what, const char *text, struct why *why)
{
	struct share *share = member;
	if (ranks_size() > 1)
		return why_set(why, STATUS_INPUT, "%s: %d ranks share the work by themselves", what,
			       ranks_size());
	enum status status =
	    strcmp(text, "slurm") == 0 ? share_slurm(share, why) : share_parse(share, text, why);
	if (!status && share->count > 1)
		snprintf(share->part, sizeof share->part, "%" PRIu64 "-of-%" PRIu64, share->index,
			 share->count);
	return status;
}

enum status share_log_path(const struct share *share, const struct rowlog_kind *kind,
			   const char *directory, char path[FOLDER_PATH_MAX], struct why *why)
{
	return path_format(path, why, "%s/%s%s%s.tsv", directory, kind->stem,
			   *share->part ? "." : "", share->part);
}

bool share_read_only(const struct share *share, const struct rowlog_kind *kind,
		     const char *directory)
{
	char path[FOLDER_PATH_MAX];
	if (share_log_path(share, kind, directory, path, NULL) || access(path, W_OK) == 0)
		return false;
	if (errno == ENOENT && access(directory, W_OK) == 0)
		return false;
	return errno == EROFS || errno == EACCES;
}

/*
 * Merges all parts into the log if its share writes the log itself, and if TELLS says so on
 * standard error; else refuses parts of a division into another number of shares. Errors as
 * parts_merge().
 */
static enum status share_merge(const struct shared_log *log, bool tells, struct why *why)
{
	struct parts parts;
	struct parts_count count = {0};
	const struct rowlog_kind *kind = log->kind;
	enum status status = parts_find(kind, log->directory, &parts, why);
	if (status)
		return status;
	status = *log->share->part ? parts_check(kind, &parts, log->share->count, why)
				   : parts_merge(kind, log->directory, &parts, &count, why);
	parts_free(&parts);
	if (!status && tells && count.files)
		fprintf(stderr, "nxn: %s/%s.tsv: merged %zu record%s of %zu part%s\n",
			log->directory, kind->stem, count.records, count.records == 1 ? "" : "s",
			count.files, count.files == 1 ? "" : "s");
	return status;
}

/*
 * Reads into GAMES, or if that is NULL into ROWS, the log of KIND in DIRECTORY and all its parts,
 * except the file PATH, which was already read; all of them if PATH is "".
 */
static enum status folder_read(const struct rowlog_kind *kind, const char *directory,
			       const char *path, struct gamelog *games, struct rowlog *rows,
			       struct why *why)
{
	struct parts files = {0};
	enum status status = parts_all(kind, directory, &files, why);
	for (size_t i = 0; !status && i < files.n; i++)
		if (strcmp(files.path[i], path) != 0)
			status = games ? gamelog_read(games, files.path[i], why)
				       : rowlog_read(rows, kind, files.path[i], why);
	parts_free(&files);
	return status;
}

static enum status log_close(struct shared_log *log, struct why *why)
{
	enum status status = log->read_only ? STATUS_OK : append_close(&log->writer.file, why);
	rowlog_fini(&log->rows);
	return status;
}

/* Opens the log or part PATH that this rank writes, and reads it. */
static enum status writer_open(struct shared_log *log, const char *path, struct why *why)
{
	enum status status = share_merge(log, true, why);
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
		torn_warn(path, log->writer.file.cut);
	return STATUS_OK;
}

/*
 * Opens the log unless it is read-only, and reads it with all parts. *COUNT is the number of rows.
 */
static enum status log_open(struct shared_log *log, size_t *count, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	struct why ignored;
	enum status status = share_log_path(log->share, log->kind, log->directory, path, why);
	if (status)
		return status;
	log->read_only = share_read_only(log->share, log->kind, log->directory);
	status = log->read_only ? STATUS_OK : writer_open(log, path, why);
	if (status)
		return status;
	/* The file that is open has been read. */
	status = folder_read(log->kind, log->directory, log->read_only ? "" : path, log->games,
			     &log->rows, why);
	*count = log->games ? log->games->count : log->rows.count;
	if (status)
		(void)!log_close(log, &ignored);
	return status;
}

/*
 * Checks that rank 0 sees the parts that all other ranks opened. Otherwise the ranks use different
 * folders; if both were empty, no other check would fail, and the games of one would be lost.
 */
static enum status parts_wait(const struct shared_log *log, struct why *why)
{
	enum status status = STATUS_OK;
	for (int i = 1; !status && i < ranks_size(); i++) {
		char path[FOLDER_PATH_MAX];
		struct share share = {0};
		share_part_of_rank(&share, i);
		status = share_log_path(&share, log->kind, log->directory, path, why);
		if (!status)
			file_wait(path);
		if (!status && access(path, F_OK) != 0)
			status = why_set(why, STATUS_INPUT,
					 "%s: is not where rank %d has opened it: it must be one "
					 "folder for all",
					 path, i);
	}
	return status;
}

/* Rank 0 goes first: the others read what it has merged, and open parts of the log. */
enum status shared_log_open(struct shared_log *log, struct why *why)
{
	const bool first = ranks_rank() == 0;
	size_t count = 0;
	enum status mine = first ? log_open(log, &count, why) : STATUS_OK;
	enum status status = ranks_agree("experiment", log->provenance->config, mine, why);
	if (!status && !first)
		status = mine = log_open(log, &count, why);
	const bool open = !mine && (first || !status);
	status = ranks_agree(log->kind->stem, count, status, why);
	if (!status && first)
		status = parts_wait(log, why);
	status = ranks_agree("parts", 0, status, why);
	struct why ignored;
	if (status && open)
		(void)!log_close(log, &ignored);
	return status;
}

/* Refuses a read-only log if COUNT shows that some WHAT are missing. */
static enum status read_only_check(const struct shared_log *log, const struct progress_count *count,
				   const char *what, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	if (!log->read_only || count->before >= count->total)
		return STATUS_OK;
	enum status status = share_log_path(log->share, log->kind, log->directory, path, why);
	return status
		   ? status
		   : why_set(why, STATUS_SYSTEM,
			     "%s: may only be read, and %" PRIu64 " of %" PRIu64 " %s are missing",
			     path, count->total - count->before, count->total, what);
}

enum status shared_log_work(const struct shared_log *log, struct pool *pool,
			    struct progress *progress, const struct progress_count *count,
			    const char *what, bool forced, enum status status, struct why *why)
{
	status = status ? status : read_only_check(log, count, what, why);
	status = ranks_agree(what, 0, status, why);
	if (status) {
		pool_free(pool);
		return status;
	}
	if (!(progress->started > 0))
		progress_start(progress, forced);
	status = pool_run(pool, progress, why);
	progress_clear(progress);
	return status;
}

enum status shared_log_append(struct shared_log *log, struct pool *pool, const void *row,
			      struct why *why)
{
	if (!pool_log_begin(pool))
		return STATUS_STOPPED;
	return pool_log_end(pool, rowlog_append(&log->writer, row, why), why);
}

enum status shared_log_close(struct shared_log *log, enum status status, struct why *why)
{
	struct why ignored;
	const bool worked = !status || status == STATUS_STOPPED;
	const enum status closed = log_close(log, worked ? why : &ignored);
	status = worked && closed ? closed : status;
	status = ranks_agree("work", 0, status, why);
	if (ranks_size() == 1 || (status && status != STATUS_STOPPED))
		return status;
	enum status merged = share_merge(log, false, why);
	return ranks_agree("merged", 0, merged ? merged : status, why);
}

enum status logs_read_folder(struct gamelog *log, const char *directory, struct why *why)
{
	struct stat folder;
	if (stat(directory, &folder) != 0 || !S_ISDIR(folder.st_mode))
		return STATUS_OK;
	return folder_read(&gamelog_kind, directory, "", log, NULL, why);
}

enum status rows_read_folder(struct rowlog *rows, const struct rowlog_kind *kind,
			     const char *directory, struct why *why)
{
	return folder_read(kind, directory, "", NULL, rows, why);
}

enum status logs_there(const char *directory, bool *there, struct why *why)
{
	enum status status = STATUS_OK;
	*there = false;
	for (size_t i = 0; !status && log_kinds[i]; i++) {
		struct parts parts = {0};
		status = parts_all(log_kinds[i], directory, &parts, why);
		*there = *there || parts.n;
		parts_free(&parts);
	}
	return status;
}
