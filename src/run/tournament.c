/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plays an experiment into a folder; see tournament.h. What the threads do is in entrant.c. */
#include "src/run/tournament.h"

#include "base/atomic_file.h"
#include "src/cli/provenance.h"
#include "src/run/entrant.h"
#include "src/run/logs.h"
#include "src/run/ranks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROGRESS_MILLISECONDS = 250 };

/* Opens the log, which keeps other processes out of the folder, reads it and announces players. */
static enum status log_take(struct tournament *t, const struct experiment *experiment,
			    const struct tournament_options *options, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	struct provenance provenance;
	const char *directory = options->directory;
	enum status status = share_gather(&options->share, &gamelog_kind, directory, why);
	if (!status)
		status = share_log_path(&options->share, &gamelog_kind, directory, path, why);
	if (status)
		return status;
	status = experiment_provenance(experiment, options->command, &provenance, why);
	if (status)
		return status;
	status =
	    rowlog_open(&t->log, &gamelog_kind, path, provenance_lines(&provenance), NULL, why);
	provenance_fini(&provenance);
	if (status)
		return status;
	if (t->log.file.cut)
		fprintf(stderr, "nxn: %s: cut off a torn last line of %zu bytes\n", path,
			t->log.file.cut);
	status = logs_read_folder(&t->played, directory, why);
	for (size_t i = 0; !status && i < experiment->count; i++)
		status =
		    gamelog_append_player(&t->log, &t->played, experiment->entries[i]->label, why);
	if (status) {
		struct why ignored;
		enum status closed = rowlog_close(&t->log, &ignored);
		(void)closed;
	}
	return status;
}

/* Rank 0 first: the others read what it has merged, and open parts of the log. */
static enum status logs_take(struct tournament *t, const struct experiment *experiment,
			     const struct tournament_options *options, struct why *why)
{
	const bool first = ranks_rank() == 0;
	enum status status = STATUS_OK;
	if (first)
		status = log_take(t, experiment, options, why);
	bool open = first && !status;
	status = ranks_agree("game log", 0, status, why);
	if (!status && !first) {
		status = log_take(t, experiment, options, why);
		open = !status;
	}
	status = ranks_agree("game logs", t->played.count, status, why);
	if (status && open) {
		struct why ignored;
		enum status closed = rowlog_close(&t->log, &ignored);
		(void)closed;
	}
	return status;
}

/* The same back: closes this rank's log; then rank 0 merges all. STATUS is of what was done. */
static enum status logs_leave(struct tournament *t, const struct tournament_options *options,
			      enum status status, struct why *why)
{
	struct why close_why;
	enum status closed = rowlog_close(&t->log, &close_why);
	if (closed && (!status || status == STATUS_STOPPED)) {
		status = closed;
		*why = close_why;
	}
	status = ranks_agree("games played", 0, status, why);
	if (ranks_size() == 1 || (status && status != STATUS_STOPPED))
		return status;
	enum status merged =
	    share_merge(&options->share, &gamelog_kind, options->directory, NULL, why);
	return ranks_agree("games merged", 0, merged ? merged : status, why);
}

/* Makes the output folder and, if anybody trains, the one of models; if games are traced, theirs. */
static enum status folders_make(struct tournament *t, const struct experiment *experiment,
				const char *directory, struct why *why)
{
	bool trains = false;
	for (size_t i = 0; i < experiment->count; i++)
		trains = trains || schedule_trains(&experiment->entries[i]->schedule);
	enum status status = path_format(t->models, why, "%s/models", directory);
	status = status ? status : path_format(t->traces, why, "%s/traces", directory);
	status = status ? status : folder_make(trains ? t->models : directory, why);
	return status || !t->traced ? status : folder_make(t->traces, why);
}

/* Lets the threads work to the end, or to Ctrl-C. */
static void pool_watch(struct tournament *t)
{
	/* Once at least, however short the work is: what is known is worth a look. */
	progress_show(&t->progress);
	while (!pool_wait(t->pool, PROGRESS_MILLISECONDS)) {
		if (tournament_ending(t))
			pool_stop(t->pool);
		progress_show(&t->progress);
	}
	progress_clear(&t->progress);
}

/* Plays ENTRANTS, made and not yet entered, in T. */
static enum status entrants_play(struct tournament *t, struct entrant *entrants, size_t count,
				 bool progress, struct why *why)
{
	enum status status = pool_new_shared(t->threads, &t->pool, why);
	status = ranks_agree("players", count, status, why);
	if (status) {
		pool_free(t->pool);
		return status;
	}
	/* Training first: it cannot be shared among threads, so it must not be left to the end. */
	for (int training = 1; training >= 0; training--)
		for (size_t i = 0; i < count; i++)
			if (schedule_trains(&entrants[i].entry->schedule) == training)
				entrant_enter(&entrants[i]);
	progress_start(&t->progress, progress);
	pool_count(t->pool, &t->progress);
	status = pool_start(t->pool, why);
	if (status)
		tournament_fail(t, status, why);
	pool_watch(t);
	const bool stopped = pool_stopped(t->pool);
	pool_free(t->pool);
	*why = t->why;
	if (t->status || ranks_rank() > 0)
		return t->status ? t->status : stopped ? STATUS_STOPPED : STATUS_OK;
	const struct progress_count *games = &t->progress.games;
	return games->before + games->done < games->total ? STATUS_STOPPED : STATUS_OK;
}

/* Makes the entrants of EXPERIMENT and plays them. */
static enum status experiment_play(struct tournament *t, const struct experiment *experiment,
				   bool progress, struct why *why)
{
	struct entrant *entrants = calloc(experiment->count, sizeof *entrants);
	enum status status =
	    entrants ? STATUS_OK : why_errno(why, "%zu entries", experiment->count);
	size_t made = 0;
	uint64_t number[2] = {0};
	for (; !status && made < experiment->count; made += !status) {
		struct entry *entry = experiment->entries[made];
		status = entrant_init(&entrants[made], t, entry,
				      number[schedule_trains(&entry->schedule)]++, why);
	}
	status = ranks_agree("entries", made, status, why);
	if (!status)
		status = entrants_play(t, entrants, made, progress, why);
	/* Reports need to know where blocks ended that another rank has trained. */
	for (size_t i = 0; !status && t->ranks > 1 && i < made; i++)
		if (entrants[i].entry->ends)
			status = entrant_recall(&entrants[i], why);
	while (made > 0)
		entrant_fini(&entrants[--made]);
	free(entrants);
	return status;
}

enum status tournament_play(const struct experiment *experiment,
			    const struct tournament_options *options,
			    struct tournament_count *count, struct why *why)
{
	struct tournament t = {
	    .seed = experiment->seed,
	    .threads = options->threads,
	    .ranks = ranks_size(),
	    .share = options->own ? (struct share){0} : options->share,
	    .times = options->times,
	    .traced = experiment->traces,
	    .lock = PTHREAD_MUTEX_INITIALIZER,
	};
	gamelog_init(&t.played);
	if (options->note)
		snprintf(t.progress.note, sizeof t.progress.note, "%s", options->note);
	enum status status = folders_make(&t, experiment, options->directory, why);
	status = ranks_agree("folder", 0, status, why);
	if (!status)
		status = logs_take(&t, experiment, options, why);
	if (status)
		goto end;
	if (!*options->share.part)
		leftovers_sweep(t.models);
	status = experiment_play(&t, experiment, options->progress, why);
	count->total = t.progress.games.total;
	count->done = t.progress.games.before + t.progress.games.done;
	status = logs_leave(&t, options, status, why);
end:
	gamelog_fini(&t.played);
	return status;
}
