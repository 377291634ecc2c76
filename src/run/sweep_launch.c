/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A sweep from beginning to end: positions, searches, games, report; see sweep_launch.h. Games are
 * those of a tournament, so that `nxn stats` and `nxn plot` read them as well.
 */
#include "src/run/sweep_launch.h"

#include "src/cli/command_exit.h"
#include "src/run/ranks.h"
#include "base/stop.h"
#include "src/run/sweep_leave.h"
#include "src/run/sweep_measure.h"
#include "src/run/sweep_report.h"
#include "src/run/sweep_search.h"
#include "src/run/tournament.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* How far a sweep came. */
struct sweep_count {
	struct measure_count searches;
	struct tournament_count games;
};

static bool sweep_has_positions(const struct sweep *sweep)
{
	return sweep->positions || *sweep->file;
}

/* What is no log is to be told before positions are sampled and left beside it. */
static enum status log_check(const struct sweep_run *run, const struct share *share,
			     struct why *why)
{
	char path[FOLDER_PATH_MAX];
	struct rowlog log = {0};
	enum status status = share_log_path(share, &sweep_log_kind, run->directory, path, why);
	if (status || access(path, F_OK) != 0)
		return status;
	status = rowlog_read(&log, &sweep_log_kind, path, why);
	rowlog_fini(&log);
	return status;
}

static enum status positions_make(const struct sweep_run *run, const struct launch_options *options,
				  struct why *why)
{
	const struct sweep *sweep = run->sweep;
	enum status status = STATUS_OK;
	if (*sweep->file)
		return positions_read(run->sets, run->games, run->boards, sweep->file, why);
	for (size_t b = 0; !status && b < run->boards; b++)
		status = positions_sample(&run->sets[b], run->games[b], sweep->positions,
					  run->experiment->seed, options->pace.threads, why);
	return status || ranks_rank() > 0 ? status
					  : positions_leave(run, !*options->share.part, why);
}

static enum status searches_do(const struct sweep_run *run, const struct launch_options *options,
			       struct measure_count *count, struct why *why)
{
	struct provenance provenance;
	enum status status = experiment_provenance(run->experiment, run->command, &provenance, why);
	if (status)
		return status;
	const struct measure_options measure = {
	    .directory = run->directory,
	    .share = options->share,
	    .provenance = provenance_lines(&provenance),
	    .workers = run->workers,
	    .progress = options->pace.progress,
	};
	status = sweep_measure(run->experiment, run->sweep, run->sets, &measure, count, why);
	provenance_fini(&provenance);
	return status;
}

/* Whether entry I is measured here, and its mean time a move within the limit for games. */
static bool entry_plays(const struct sweep_run *run, const struct share *share,
			const struct rowlog *log, size_t i)
{
	double spent;
	const struct sweep *sweep = run->sweep;
	const struct entry *entry = run->experiment->entries[i];
	if (!share_owns(share, i) || !isfinite(sweep->play_limit))
		return share_owns(share, i);
	const size_t n = sweep_searches(log, sweep_config(entry, run->workers), &entry->game,
					&run->sets[i / sweep_board_cells(sweep)], sweep->cell_limit,
					NULL, &spent);
	return n && spent / (double)n <= sweep->play_limit;
}

/* Leaves in PLAYED the entries that play. */
static enum status entries_choose(const struct sweep_run *run, const struct share *share,
				  struct experiment *played, struct why *why)
{
	struct rowlog log = {0};
	enum status status = STATUS_OK;
	if (isfinite(run->sweep->play_limit))
		status = sweep_searches_read(&log, run->directory, why);
	played->count = 0;
	for (size_t i = 0; !status && i < run->experiment->count; i++)
		if (entry_plays(run, share, &log, i))
			played->entries[played->count++] = run->experiment->entries[i];
	rowlog_fini(&log);
	return status;
}

/* Plays the games; a share is that of whole cells, whose times it knows. */
static enum status games_play(const struct sweep_run *run, const struct launch_options *options,
			      struct tournament_count *count, struct why *why)
{
	struct experiment played = *run->experiment;
	const struct tournament_options tournament = {
	    .directory = run->directory,
	    .command = run->command,
	    .threads = run->workers,
	    .share = options->share,
	    .own = true,
	    .times = !options->no_times,
	    .progress = options->pace.progress,
	};
	played.entries = calloc(played.count, sizeof(struct entry *));
	if (!played.entries)
		return why_errno(why, "%zu cells", played.count);
	enum status status = entries_choose(run, &options->share, &played, why);
	if (!status && played.count)
		status = tournament_play(&played, &tournament, count, why);
	free(played.entries);
	return status;
}

static enum status sweep_do(const struct sweep_run *run, const struct launch_options *options,
			    struct sweep_count *count, struct why *why)
{
	enum status status = folder_make(run->directory, why);
	if (!status && sweep_has_positions(run->sweep))
		status = log_check(run, &options->share, why);
	if (!status && sweep_has_positions(run->sweep))
		status = positions_make(run, options, why);
	status = ranks_agree("positions", run->boards, status, why);
	if (!status && sweep_has_positions(run->sweep))
		status = searches_do(run, options, &count->searches, why);
	if (!status && run->sweep->games)
		status = games_play(run, options, &count->games, why);
	return status;
}

static void resume_print(const struct launch_command *command, const struct sweep_count *count)
{
	fflush(stdout);
	fprintf(stderr, "%s: stopped after", command->name);
	if (count->searches.total)
		fprintf(stderr, " %" PRIu64 " of %" PRIu64 " searches", count->searches.done,
			count->searches.total);
	if (count->games.total)
		fprintf(stderr, "%s %" PRIu64 " of %" PRIu64 " games",
			count->searches.total ? " and" : "", count->games.done, count->games.total);
	fprintf(stderr, "%s; to go on:\n%s\n",
		count->searches.total || count->games.total ? "" : " no search", command->resume);
}

/* Does RUN and reports on it. */
static int run_launch(struct sweep_run *run, const struct launch_options *options,
		      const struct launch_command *command)
{
	struct why why, report_why;
	struct sweep_count count = {0};
	enum status status = sweep_do(run, options, &count, &why), reported = STATUS_OK;
	bool stopped = status == STATUS_STOPPED;
	if (!status && *options->share.part) {
		share_done_print(&options->share, run->directory);
		return 0;
	}
	if (!status ||
	    (stopped && !*options->share.part && count.searches.done + count.games.done > 0))
		reported = sweep_report(run, stopped, !options->no_figures, &report_why);
	/* Ctrl-C on a terminal ends gnuplot, too. */
	if (stopped || (reported && stop_requested())) {
		resume_print(command, &count);
		return command_exit(command->name, STATUS_STOPPED, &why);
	}
	if (!status && !reported)
		printf("\nSearches and games in %s, tables in %s/tables%s%s%s.\n", run->directory,
		       run->directory, options->no_figures ? "" : ", figures in ",
		       options->no_figures ? "" : run->directory,
		       options->no_figures ? "" : "/figures");
	return status ? command_exit(command->name, status, &why)
		      : command_exit(command->name, reported, &report_why);
}

int sweep_launch(const struct experiment *experiment, const struct sweep *sweep,
		 const struct launch_options *options, const struct launch_command *command)
{
	struct why why;
	size_t boards = experiment->count / sweep_board_cells(sweep);
	struct sweep_run run = {
	    .experiment = experiment,
	    .sweep = sweep,
	    .directory = options->directory,
	    .command = command->provenance,
	    .workers = sweep_workers(experiment, options->pace.threads),
	    .boards = boards,
	    .games = calloc(boards, sizeof(struct game *)),
	    .sets = calloc(boards, sizeof(struct positions)),
	};
	int result;
	stop_catch();
	stop_after(options->pace.budget);
	if (experiment->title)
		printf("%s\n\n", experiment->title);
	enum status status = STATUS_OK;
	if (!run.games || !run.sets)
		status = why_set(&why, STATUS_SYSTEM, "out of memory for %zu boards", boards);
	for (size_t b = 0; !status && b < boards; b++)
		run.games[b] = &experiment->entries[b * sweep_board_cells(sweep)]->game;
	result =
	    status ? command_exit(command->name, status, &why) : run_launch(&run, options, command);
	for (size_t b = 0; run.sets && b < boards; b++)
		positions_fini(&run.sets[b]);
	free(run.games);
	free(run.sets);
	return result;
}

void sweep_list(const struct experiment *experiment, const struct sweep *sweep)
{
	if (experiment->title)
		printf("# %s\n", experiment->title);
	printf("board\tdepth\tcutoff\tagent\tgames\n");
	for (size_t i = 0; i < experiment->count; i++)
		printf("%s\t%s\t%s\t%s\t%" PRIu64 "\n", experiment->entries[i]->game.name,
		       sweep->depths.text[sweep_depth_of(sweep, i)],
		       sweep->cutoffs.text[sweep_cutoff_of(sweep, i)],
		       experiment->entries[i]->agent, sweep->games);
	printf("# %zu cells, ", experiment->count);
	if (*sweep->file)
		printf("each on the positions of %s", sweep->file);
	else
		printf("each on %" PRIu64 " positions", sweep->positions);
	printf(", with seed %" PRIu64 "\n", experiment->seed);
}
