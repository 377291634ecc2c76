/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `nxn gap` from beginning to end: the optimum, training, games, expected values, report; see gap.h. */
#include "src/run/gap.h"

#include "src/cli/command_exit.h"
#include "src/run/ranks.h"
#include "base/atomic_file.h"
#include "base/stop.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { PROGRESS_MILLISECONDS = 250 };

bool gap_ending(const struct gap *gap)
{
	return stop_requested() || atomic_load_explicit(&gap->failed, memory_order_relaxed) ||
	       (gap->pool && pool_stopped(gap->pool));
}

/* Locked. */
static void failure_keep(struct gap *gap, enum status status, const struct why *why)
{
	if (gap->status)
		return;
	gap->status = status;
	gap->why = *why;
	atomic_store(&gap->failed, true);
}

void gap_fail(struct gap *gap, enum status status, const struct why *why)
{
	pthread_mutex_lock(&gap->lock);
	failure_keep(gap, status, why);
	pthread_mutex_unlock(&gap->lock);
}

bool gap_owns(const struct gap_stage *stage, uint64_t index)
{
	const struct gap_player *player = stage->player;
	return share_owns(&player->gap->options->share,
			  player->trains ? player->number : player->number + index);
}

/* What was written of a line that failed must stay the last, for the next run to cut off. */
enum status gap_result(struct gap_stage *stage, const struct gap_row *row, struct why *why)
{
	struct gap *gap = stage->player->gap;
	enum status status = STATUS_STOPPED;
	pthread_mutex_lock(&gap->lock);
	if (!gap->status) {
		struct gap_row named = *row;
		named.board = gap->game.name;
		named.agent = stage->player->entry->agent;
		status = rowlog_append(&gap->log, &named, why);
		if (status)
			failure_keep(gap, status, why);
	}
	pthread_mutex_unlock(&gap->lock);
	if (!status)
		atomic_fetch_add(&gap->progress.games.done, 1);
	return status;
}

static void stage_count(struct gap *gap, const struct gap_stage *stage)
{
	const uint64_t seed = gap->options->seed;
	struct progress_count *games = &gap->progress.games;
	const uint64_t count = stage->exact ? 1 : gap->options->games;
	for (uint64_t i = 0; i < count; i++) {
		const uint64_t game = stage->exact ? GAP_EXACT : i;
		if (!gap_owns(stage, i))
			continue;
		games->total++;
		games->before += gap_log_find(&gap->played, stage->config, seed, game) != NULL;
	}
}

/* Training first: it cannot be shared among threads, so it must not be left to the end. */
static void jobs_add(struct gap *gap)
{
	for (size_t i = 0; i < gap->experiment.count; i++) {
		struct gap_player *player = &gap->players[i];
		pool_know(gap->pool, &player->training);
		for (size_t j = 0; j < player->stages; j++) {
			pool_know(gap->pool, &player->stage[j].games);
			stage_count(gap, &player->stage[j]);
		}
		if (player->trains && gap_owns(&player->stage[0], 0)) {
			gap->progress.training.total += gap->options->train;
			pool_add(gap->pool, &player->training);
		}
	}
	for (size_t i = 0; i < gap->experiment.count; i++)
		if (!gap->players[i].trains && !gap->players[i].stage[0].exact)
			pool_add(gap->pool, &gap->players[i].stage[0].games);
}

static void pool_watch(struct gap *gap, struct why *why)
{
	pool_count(gap->pool, &gap->progress);
	enum status status = pool_start(gap->pool, why);
	if (status)
		gap_fail(gap, status, why);
	while (!pool_wait(gap->pool, PROGRESS_MILLISECONDS)) {
		if (gap_ending(gap))
			pool_stop(gap->pool);
		progress_show(&gap->progress);
	}
}

enum status gap_pool_run(struct gap *gap, enum status status, struct why *why)
{
	if (!status)
		pool_watch(gap, why);
	const bool stopped = gap->pool && pool_stopped(gap->pool);
	pool_free(gap->pool);
	gap->pool = NULL;
	if (status)
		return status;
	if (gap->status)
		*why = gap->why;
	status = gap->status		       ? gap->status
		 : stopped || stop_requested() ? STATUS_STOPPED
					       : STATUS_OK;
	return ranks_agree("jobs", 0, status, why);
}

/* Trains and plays all that is missing. */
static enum status games_play(struct gap *gap, struct why *why)
{
	enum status status = pool_new_shared(gap->options->pace.threads, &gap->pool, why);
	status = ranks_agree("players", gap->experiment.count, status, why);
	if (!status)
		jobs_add(gap);
	progress_start(&gap->progress, gap->options->pace.progress);
	status = gap_pool_run(gap, status, why);
	if (!status)
		status = gap_exact_all(gap, why);
	progress_clear(&gap->progress);
	return status;
}

/* Opens the log that is written to, which keeps others from writing it. */
static enum status log_open(struct gap *gap, const struct provenance *provenance, struct why *why)
{
	struct rowlog own = {0};
	const struct gap_options *o = gap->options;
	enum status status = share_gather(&o->share, &gap_log_kind, o->directory, why);
	if (!status)
		status = rowlog_open(&gap->log, &gap_log_kind, gap->path,
				     provenance_lines(provenance), &own, why);
	rowlog_fini(&own);
	if (status)
		return status;
	if (gap->log.file.cut)
		fprintf(stderr, "nxn: %s: cut off a torn last line of %zu bytes\n", gap->path,
			gap->log.file.cut);
	return STATUS_OK;
}

/* Rank 0 first: the others read what it has merged. */
static enum status logs_open(struct gap *gap, const struct provenance *provenance, struct why *why)
{
	const bool first = ranks_rank() == 0;
	enum status status = first ? log_open(gap, provenance, why) : STATUS_OK;
	status = ranks_agree("gap log", 0, status, why);
	return status || first ? status : log_open(gap, provenance, why);
}

/* The same back: closes this rank's log; then rank 0 merges all. STATUS is of what was done. */
static enum status logs_leave(struct gap *gap, enum status status, struct why *why)
{
	struct why close_why;
	const struct gap_options *o = gap->options;
	enum status closed = rowlog_close(&gap->log, &close_why);
	if (closed && (!status || status == STATUS_STOPPED)) {
		*why = close_why;
		status = closed;
	}
	status = ranks_agree("gap played", 0, status, why);
	if (ranks_size() == 1 || (status && status != STATUS_STOPPED))
		return status;
	enum status merged = share_merge(&o->share, &gap_log_kind, o->directory, NULL, why);
	return ranks_agree("gap merged", 0, merged ? merged : status, why);
}

/* Reads the log and all its parts. */
static enum status log_read(struct gap *gap, struct why *why)
{
	struct parts files;
	enum status status = share_logs(&gap_log_kind, gap->options->directory, &files, why);
	if (status)
		return status;
	status = parts_read(&files, &gap_log_kind, &gap->played, why);
	parts_free(&files);
	return status;
}

/* Rank 0 opens the table, or solves the board; then the others open it. */
static enum status truth_share(struct gap *gap, struct why *why)
{
	const bool first = ranks_rank() == 0;
	enum status status = first ? truth_solve(gap, why) : STATUS_OK;
	status = ranks_agree("optimum", 0, status, why);
	return status || first ? status : truth_solve(gap, why);
}

/* All that is done with an open log. */
static enum status log_fill(struct gap *gap, struct why *why)
{
	if (!*gap->options->share.part)
		leftovers_sweep(gap->models);
	enum status status = log_read(gap, why);
	status = ranks_agree("gap logs", gap->played.count, status, why);
	if (!status)
		status = truth_share(gap, why);
	if (!status)
		status = gap_players_init(gap, why);
	for (size_t i = 0; !status && i < gap->experiment.count; i++)
		if (gap->players[i].trains)
			status = folder_make(gap->models, why);
	status = ranks_agree("gap players", gap->experiment.count, status, why);
	return status ? status : games_play(gap, why);
}

static enum status gap_work(struct gap *gap, const char *command, struct why *why)
{
	struct provenance provenance;
	enum status status = folder_make(gap->options->directory, why);
	if (!status)
		status = experiment_provenance(&gap->experiment, command, &provenance, why);
	if (status)
		return status;
	status = logs_open(gap, &provenance, why);
	if (!status)
		status = logs_leave(gap, log_fill(gap, why), why);
	provenance_fini(&provenance);
	return status;
}

/* What can be wrong before anything is done. */
static enum status gap_make(struct gap *gap, struct why *why)
{
	const struct gap_options *o = gap->options;
	enum status status = game_init(&gap->game, &o->game, why);
	if (!status && gap->game.max_exponent >= GAP_PHASES)
		status = why_set(why, STATUS_INPUT,
				 "%s: tiles of 2^%d and more cannot be held against an optimum",
				 gap->game.name, GAP_PHASES);
	if (!status)
		status = share_log_path(&o->share, &gap_log_kind, o->directory, gap->path, why);
	if (!status)
		status = path_format(gap->models, why, "%s/models", o->directory);
	if (!status)
		status = gap_entries_init(gap, why);
	if (!status)
		status = truth_open(gap, why);
	return status ? status : gap_exact_check(gap, why);
}

static void stopped_print(const struct gap *gap, const struct launch_command *command)
{
	const struct progress_count *games = &gap->progress.games;
	fflush(stdout);
	fprintf(stderr, "%s: stopped", command->name);
	if (games->total)
		fprintf(stderr, " after %" PRIu64 " of %" PRIu64 " games",
			games->before + games->done, games->total);
	fprintf(stderr, "; to go on:\n%s\n", command->resume);
}

int gap_launch(const struct gap_options *options, const struct launch_command *command)
{
	struct why why;
	struct gap *gap = calloc(1, sizeof *gap);
	enum status status = gap ? STATUS_OK : why_errno(&why, "a run");
	if (status)
		return command_exit(command->name, status, &why);
	gap->options = options;
	pthread_mutex_init(&gap->lock, NULL);
	stop_catch();
	stop_after(options->pace.budget);
	status = gap_make(gap, &why);
	if (!status)
		status = gap_work(gap, command->provenance, &why);
	const bool stopped = status == STATUS_STOPPED;
	const uint64_t done = gap->progress.games.before + gap->progress.games.done;
	const bool part = *options->share.part;
	if (part && !status)
		share_done_print(&options->share, options->directory);
	if (!part && (!status || (stopped && done > 0)))
		status = gap_report(gap, command->provenance, stopped, &why);
	/* Ctrl-C on a terminal ends gnuplot, too. */
	if (stopped || (status && stop_requested())) {
		stopped_print(gap, command);
		status = STATUS_STOPPED;
	}
	gap_players_fini(gap);
	rowlog_fini(&gap->played);
	optimum_close(gap->optimum);
	pthread_mutex_destroy(&gap->lock);
	free(gap);
	return command_exit(command->name, status, &why);
}
