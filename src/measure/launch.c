/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plays an experiment and reports on it; see launch.h. */
#include "src/measure/launch.h"

#include "agents/agent.h"
#include "base/file.h"
#include "base/stop.h"
#include "base/text.h"
#include "src/cli/provenance.h"
#include "src/games/ranks.h"
#include "src/games/traces.h"
#include "src/measure/precise.h"
#include "src/report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DONE_TEXT = 160 };

void launch_resume_print(const struct invocation *call, const char *text)
{
	fflush(stdout);
	fprintf(stderr, "%s: stopped%s%s; to resume:\n%s\n", call->name, *text ? " " : "", text,
		call->resume);
}

static void results_print(const struct launch_task *task)
{
	const char *directory = task->options->directory;
	if (task->read_only)
		printf("\n%s may only be read: tables and figures in it are left as they are.\n",
		       directory);
	else if (task->options->no_figures)
		printf("\n%s%s%s%s, tables in %s/tables.\n", task->results, directory,
		       *task->log_file ? "/" : "", task->log_file, directory);
	else
		printf("\nPage %s/index.html; beside it %s%stables/ and figures/.\n", directory,
		       task->log_file, *task->log_file ? ", " : "");
}

/* Writes "12 of 80 searches and 3 of 5 games"; "" if nothing was counted. */
static void done_text(const struct launch_task *task, char text[DONE_TEXT])
{
	const struct work_done *s = &task->searches, *g = &task->games;
	size_t used = 0;
	*text = '\0';
	if (s->total)
		used = (size_t)snprintf(text, DONE_TEXT, "%" PRIu64 " of %" PRIu64 " searches",
					s->done, s->total);
	if (g->total)
		snprintf(text + used, DONE_TEXT - used, "%s%" PRIu64 " of %s%" PRIu64 " games%s",
			 used ? " and " : "", g->done, task->next ? "the " : "", g->total,
			 task->next ? task->next : "");
}

/* Prints how far TASK got and how to resume it. */
static void task_resume_print(const struct launch_task *task)
{
	char done[DONE_TEXT], text[DONE_TEXT + 64] = "";
	done_text(task, done);
	if (*done && !task->searches.done && !task->games.done)
		snprintf(text, sizeof text, "before the first %s ended (%s)",
			 task->searches.total ? "search" : "game", done);
	else if (*done || task->nothing)
		snprintf(text, sizeof text, "after %s", *done ? done : task->nothing);
	launch_resume_print(task->call, text);
}

enum status launch_begun(enum status made, const struct invocation *call)
{
	if (!made || !stop_requested())
		return made;
	launch_resume_print(call, "before the first game began");
	return STATUS_STOPPED;
}

void unfinished_note(struct launch_task *task)
{
	char done[DONE_TEXT];
	done_text(task, done);
	provenance_add(&task->provenance, NOTE_UNFINISHED "%s%s", done, task->missing);
}

/* Prints that SHARE is done, with results in DIRECTORY, and what to do next. */
static void share_done_print(const struct share *share, const char *directory)
{
	text_printf(stdout,
		    "Share %" PRIu64 " of %" PRIu64
		    " is done. When all are and their files are in one folder, the same command "
		    "without --shard merges them and makes tables and figures; `nxn report %s' "
		    "prints what there is.",
		    share->index, share->count, directory);
}

/*
 * Draws the figures and the page of the tables of TASK, or removes old ones; sets *PAGE if there is
 * a page.
 */
static enum status task_draw(const struct launch_task *task, bool stopped, bool *page,
			     struct why *why)
{
	const struct launch_options *options = task->options;
	const char *directory = options->directory;
	struct why ignored;
	enum status status = STATUS_OK;
	if (!options->no_figures)
		status = report_figures(directory, task->title, task->call->provenance,
					stopped ? &ignored : why);
	/* After Ctrl-C, which may have stopped gnuplot too, skip the figures if drawing fails. */
	*page = !options->no_figures && !status;
	if (options->no_figures || (stopped && status))
		report_figures_remove(directory);
	return stopped ? STATUS_OK : status;
}

/* The rest of launch_run(), in a locked folder. */
static enum status task_run(struct launch_task *task, struct why *why)
{
	const struct share *share = &task->options->share;
	const bool part = *share->part;
	enum status status = task->work(task, why);
	bool stopped = status == STATUS_STOPPED;
	if (!status && part) {
		share_done_print(share, task->options->directory);
		return STATUS_OK;
	}
	const bool some = task->searches.done + task->games.done > 0;
	if (task->report && (!status || (stopped && !part && some)))
		status = task->report(task, stopped, why);
	bool page = false;
	if (!status && task->title && !task->read_only)
		status = task_draw(task, stopped, &page, why);
	if (!status && (stopped ? page : task->title != NULL))
		results_print(task);
	/* Ctrl-C on a terminal ends gnuplot, too. */
	if (stopped || (status && stop_requested())) {
		task_resume_print(task);
		return stopped && status ? status : STATUS_STOPPED;
	}
	return status;
}

enum status launch_provenance(struct launch_task *task, struct why *why)
{
	provenance_fini(&task->provenance);
	return experiment_provenance(task->experiment, task->call->provenance, &task->provenance,
				     why);
}

enum status launch_run(struct launch_task *task, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	struct lock lock = {0};
	bool there = false;
	const struct launch_options *options = task->options;
	enum status status = task->experiment ? launch_provenance(task, why) : STATUS_OK;
	task->read_only =
	    !task->log || share_read_only(&options->share, task->log, options->directory);
	stop_catch();
	stop_after(options->pace.budget);
	/* Rank 0 locks the folder for all ranks. */
	if (!status && ranks_rank() == 0 && !task->read_only)
		status = folder_lock(&lock, options->directory, *options->share.part, why);
	if (!status && lock.path[0])
		status = logs_there(options->directory, &there, why);
	if (!status && lock.path[0] && !there)
		status = results_refuse(options->directory, why);
	if (!status && task->log)
		status = share_log_path(&options->share, task->log, options->directory, path, why);
	if (!status && task->log)
		status = link_refuse(path, "a file of this folder itself", why);
	status = ranks_agree("lock", 0, status, why);
	status = status ? status : task_run(task, why);
	lock_release(&lock);
	provenance_fini(&task->provenance);
	return status;
}

enum status launch_tables(const struct launch_task *task, const struct tables *tables,
			  const void *data, struct why *why)
{
	const struct table_printer *printer = &task->call->printer;
	const char *const *lines = provenance_lines(&task->provenance);
	tables_print(printer, tables, tables->table->name, data, task->options->full, lines);
	fflush(printer->file);
	return task->read_only ? STATUS_OK
			       : tables_write(task->options->directory, tables, data, lines, why);
}

void clocked_note(const struct experiment *experiment)
{
	for (size_t i = 0; i < experiment->count; i++)
		if (agent_clocked(experiment->entries[i]->agent)) {
			text_printf(stdout, "Note: %s.", report_clocked);
			break;
		}
}

enum status compare_command_print(const struct game *game, const char *agents, bool untrained,
				  uint64_t seed, uint64_t games, struct why *why)
{
	char board[BOARD_TEXT_MAX], tiles[24], seeds[24], count[24], *command;
	const bool spawns = strcmp(game->spawn.text, SPAWN_DEFAULT) != 0,
		   starts = !game->has_start && game->start_tiles != START_TILES_DEFAULT;
	snprintf(board, sizeof board, "%s", game->name);
	if (game->has_start)
		board_format(game, &game->start, board);
	snprintf(tiles, sizeof tiles, "%d", game->start_tiles);
	snprintf(seeds, sizeof seeds, "%" PRIu64, seed);
	snprintf(count, sizeof count, "%" PRIu64, games);
	/* A pair without a value is left out. */
	const char *const pairs[][2] = {{game->has_start ? "--start" : "--boards", board},
					{"--agents", agents},
					{"--spawn", spawns ? game->spawn.text : NULL},
					{"--start-tiles", starts ? tiles : NULL},
					{"--seed", games ? seeds : NULL},
					{"--games", games ? count : NULL}};
	char *words[14] = {"nxn compare"};
	int n = 1;
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		for (int k = 0; pairs[i][1] && k < 2; k++)
			words[n++] = (char *)pairs[i][k];
	if (untrained)
		words[n++] = "--untrained";
	enum status status = shell_join("", "nxn", n, words, &command, why);
	if (status)
		return status;
	printf("  %s\n", command);
	free(command);
	return STATUS_OK;
}

enum status launch_log_check(const struct launch_task *task, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	struct rowlog log = {0};
	const struct launch_options *options = task->options;
	enum status status =
	    share_log_path(&options->share, task->log, options->directory, path, why);
	if (status || access(path, F_OK) != 0)
		return status;
	status = rowlog_read(&log, task->log, path, why);
	rowlog_fini(&log);
	return status;
}

/* An experiment as a task. */
struct play {
	struct launch_task task;
	struct gamelog log; /* all games of the folder's log */
};

static enum status play_work(void *context, struct why *why)
{
	struct play *play = context;
	const struct experiment *experiment = play->task.experiment;
	struct tournament_options tournament = launch_tournament(&play->task);
	tournament.named = true;
	return (experiment->precision > 0 ? precise_play : tournament_play)(
	    experiment, &tournament, &play->task.games, &play->log, why);
}

static bool has_game(const struct gamelog *log, const struct experiment_entry *entry)
{
	for (size_t i = 0; i < log->player_count; i++)
		if (strcmp(log->players[i]->board, entry->game.name) == 0 &&
		    strcmp(log->players[i]->label, entry->label) == 0)
			return true;
	return false;
}

/* Names the players of EXPERIMENT without a game in LOG, at most three of them. */
static void missing_text(const struct experiment *experiment, const struct gamelog *log,
			 char text[MISSING_TEXT])
{
	enum { NAMED = 3 };
	size_t used = 0, count = 0;
	*text = '\0';
	for (size_t i = 0; i < experiment->count; i++) {
		const struct experiment_entry *entry = experiment->entries[i];
		if (!has_game(log, entry) && count++ < NAMED)
			used += (size_t)snprintf(text + used, MISSING_TEXT - used, "%s%s on %s",
						 used ? ", " : ". Not yet played: ", entry->label,
						 entry->game.name);
	}
	if (count > NAMED)
		snprintf(text + used, MISSING_TEXT - used, ", and %zu more", count - NAMED);
}

/*
 * Prints how many games of the log SELECTION lacks, or has beyond those requested. Tables for
 * programs get only the second note, on standard error: their rows include games of other commands.
 */
static void others_print(const struct play *play, const struct gamelog *selection)
{
	const size_t left = play->log.count - selection->count;
	const size_t others =
	    selection->count > play->task.games.done ? selection->count - play->task.games.done : 0;
	FILE *file = play->task.call->printer.file;
	const char *directory = play->task.options->directory;
	char note[FOLDER_PATH_MAX + 256];
	snprintf(note, sizeof note,
		 "%zu of these games %s in %s before, of players, boards, seeds or numbers that "
		 "this command does not ask for; --only leaves them out.",
		 others, others == 1 ? "was" : "were", directory);
	if (play->task.call->printer.format != FORMAT_TEXT) {
		if (!left && others)
			fprintf(stderr, "%s: %s\n", play->task.call->name, note);
		return;
	}
	if (left)
		text_printf(file,
			    "The log has %zu more game%s: of other players, seeds or numbers than "
			    "this command's. nxn report %s shows all.",
			    left, left == 1 ? "" : "s", directory);
	else if (others)
		text_printf(file, "%s", note);
	fflush(file);
}

/* Reports on the games of the experiment. */
static enum status play_report(void *context, bool stopped, struct why *why)
{
	struct play *play = context;
	struct provenance *provenance = &play->task.provenance;
	const struct experiment *experiment = play->task.experiment;
	const struct launch_options *options = play->task.options;
	const struct table_printer printer = play->task.call->printer;
	const bool writes = !play->task.read_only;
	const struct report_options report = {.printer = printer,
					      .table = "results",
					      .directory = writes ? options->directory : NULL,
					      .against = options->against,
					      .by_board = options->by_board,
					      .full = options->full};
	struct gamelog selection;
	enum status status =
	    selection_init(&selection, &play->log, experiment, !options->only, why);
	if (status)
		return status;
	if (stopped) {
		missing_text(experiment, &selection, play->task.missing);
		unfinished_note(&play->task);
	}
	if (!options->only)
		report_commands_note(provenance, &play->log);
	if (experiment->traces && writes && !stopped)
		status =
		    traces_write(experiment, options->directory, provenance_lines(provenance), why);
	status = status ? status : report_make(&selection, &report, provenance, why);
	if (!status && experiment->precision > 0 && printer.format == FORMAT_TEXT)
		precise_print(printer.file, experiment, &play->log);
	if (!status)
		others_print(play, &selection);
	gamelog_fini(&selection);
	return status;
}

void alike_note(const struct experiment *experiment)
{
	for (size_t i = 0; ranks_rank() == 0 && i < experiment->count; i++)
		for (size_t j = 0; j < i; j++)
			if (entries_play_alike(experiment->entries[j], experiment->entries[i]))
				fprintf(stderr,
					"nxn: %s and %s on %s differ in tt or threads alone, which "
					"change no move: they play the same games\n",
					experiment->entries[j]->label,
					experiment->entries[i]->label,
					experiment->entries[i]->game.name);
}

/* Refuses, before any game, a reference player that is neither in the experiment nor in the log. */
static enum status against_find(const struct experiment *experiment,
				const struct launch_options *options, struct why *why)
{
	const char *against = options->against;
	struct gamelog log;
	bool found = !against;
	for (size_t i = 0; i < experiment->count; i++)
		found = found || strcmp(experiment->entries[i]->label, against) == 0;
	if (found)
		return STATUS_OK;
	gamelog_init(&log);
	enum status status =
	    options->only ? STATUS_OK : logs_read_folder(&log, options->directory, why);
	for (size_t i = 0; !status && i < log.label_count; i++)
		found = found || strcmp(log.labels[i], against) == 0;
	if (!status && !found)
		status = why_set(why, STATUS_INPUT, "--against: no player is called '%s'", against);
	gamelog_fini(&log);
	return status;
}

enum status launch(const struct experiment *experiment, const struct launch_options *options,
		   const struct invocation *call, struct why *why)
{
	struct play play = {.task = {.experiment = experiment,
				     .options = options,
				     .call = call,
				     .work = play_work,
				     .report = play_report,
				     .log = &gamelog_kind,
				     .nothing = "0 of 0 games",
				     .title = "Players compared",
				     .results = "Game log ",
				     .log_file = "games.tsv"}};
	enum status status = against_find(experiment, options, why);
	if (status)
		return status;
	if (experiment->title)
		printf("%s\n\n", experiment->title);
	alike_note(experiment);
	gamelog_init(&play.log);
	status = launch_run(&play.task, why);
	gamelog_fini(&play.log);
	return status;
}
