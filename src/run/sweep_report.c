/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is made of a sweep; see sweep_report.h. The estimates are those of analysis/stats/sweep.h. */
#include "src/run/sweep_report.h"

#include "analysis/stats/summary.h"
#include "analysis/tables/sweep_tables.h"
#include "src/report/report.h"
#include "src/run/selection.h"
#include "src/run/sweep_advice.h"
#include "src/run/sweep_measure.h"
#include "src/run/sweep_search.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Intervals must not change from one look at a log to the next. */
static const struct bootstrap report_bootstrap = {.seed = 1, .resamples = STATS_RESAMPLES};

/* Estimates the times of CELLS from the log of the searches. */
static enum status times_estimate(const struct sweep_run *run, struct sweep_cell *cells,
				  struct why *why)
{
	size_t most = 0, per_board = sweep_board_cells(run->sweep);
	struct rowlog log;
	for (size_t b = 0; b < run->boards; b++)
		most = run->sets[b].n > most ? run->sets[b].n : most;
	const struct sweep_row **rows = calloc(most + 1, sizeof *rows);
	if (!rows)
		return why_errno(why, "%zu searches", most);
	enum status status = sweep_searches_read(&log, run->directory, why);
	if (status) {
		free(rows);
		return status;
	}
	for (size_t i = 0; !status && i < run->experiment->count; i++) {
		const struct entry *entry = run->experiment->entries[i];
		const struct positions *set = &run->sets[i / per_board];
		size_t n = sweep_searches(&log, sweep_config(entry, run->workers), &entry->game,
					  set, run->sweep->cell_limit, rows, NULL);
		cells[i].asked = set->n;
		status = sweep_cell_estimate(&cells[i], rows, n, &report_bootstrap, why);
	}
	rowlog_fini(&log);
	free(rows);
	return status;
}

/* Gives CELLS the scores of the games in SELECTION, if there are any. */
static enum status scores_fill(const struct sweep_run *run, struct sweep_cell *cells,
			       const struct gamelog *selection, struct why *why)
{
	struct summary summary;
	if (selection->count == 0)
		return STATUS_OK;
	enum status status = summary_init(&summary, selection, &report_bootstrap, why);
	if (status)
		return status;
	for (size_t i = 0; i < run->experiment->count; i++) {
		const struct entry *entry = run->experiment->entries[i];
		const struct cell *cell = summary_final(&summary, entry->game.name, entry->label);
		if (!cell)
			continue;
		cells[i].games = cell->games;
		cells[i].score = cell->mean;
		cells[i].played = cell->ms_per_move;
	}
	summary_fini(&summary);
	return STATUS_OK;
}

static enum status scores_estimate(const struct sweep_run *run, struct sweep_cell *cells,
				   struct why *why)
{
	char path[FOLDER_PATH_MAX];
	struct gamelog log, selection;
	enum status status = path_format(path, why, "%s/games.tsv", run->directory);
	if (status || access(path, F_OK) != 0)
		return status;
	gamelog_init(&log);
	status = gamelog_read(&log, path, why);
	if (!status)
		status = selection_init(&selection, &log, run->experiment, why);
	gamelog_fini(&log);
	if (status)
		return status;
	status = scores_fill(run, cells, &selection, why);
	gamelog_fini(&selection);
	return status;
}

static enum status cells_estimate(const struct sweep_run *run, struct sweep_cell *cells,
				  struct why *why)
{
	enum status status = STATUS_OK;
	for (size_t i = 0; i < run->experiment->count; i++) {
		const struct entry *entry = run->experiment->entries[i];
		int d = sweep_depth_of(run->sweep, i), c = sweep_cutoff_of(run->sweep, i);
		cells[i] = sweep_cell_make(
		    entry->game.name, entry->agent, run->sweep->cutoffs.text[c],
		    (int)run->sweep->depths.value[d], entry_config(entry, entry_trained(entry)));
	}
	if (run->sets[0].n)
		status = times_estimate(run, cells, why);
	if (!status && run->sweep->games)
		status = scores_estimate(run, cells, why);
	sweep_judge(cells, run->experiment->count);
	return status;
}

void sweep_source(const struct sweep_run *run, char *text, size_t size)
{
	if (!run->sets[0].n)
		snprintf(text, size, "none; times are those of games");
	else if (*run->sweep->file)
		snprintf(text, size, "those of %s", run->sweep->file);
	else
		snprintf(text, size, "%zu of each board, one a game of %s with seed %" PRIu64,
			 run->sets[0].n, positions_player, run->experiment->seed);
}

/* Of a sweep that is over: which cells were not measured in full. */
static void limits_print(const struct sweep_run *run, const struct sweep_cell *cells)
{
	size_t cut = 0, unplayed = 0;
	for (size_t i = 0; i < run->experiment->count; i++) {
		cut += cells[i].searched > 0 && cells[i].searched < cells[i].asked;
		unplayed += run->sweep->games > 0 && cells[i].games == 0;
	}
	if (cut)
		printf("%zu cell%s ended at the limit of %g s with the first positions of the "
		       "set.\n",
		       cut, cut > 1 ? "s" : "", run->sweep->cell_limit);
	if (unplayed)
		printf("%zu cell%s played no games.\n", unplayed, unplayed > 1 ? "s" : "");
}

/* Says what the table cannot. */
static void notes_print(const struct sweep_run *run)
{
	char source[FOLDER_PATH_MAX + 64];
	sweep_source(run, source, sizeof source);
	printf("Positions: %s.\n", source);
	if (agent_clocked(run->experiment->entries[0]->agent))
		printf("Note: %s.\n", report_clocked);
}

static enum status table_write(const struct sweep_table *table, const struct sweep_cells *cells,
			       const char *directory, const char *const *lines, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	FILE *out;
	enum status status = table_create(directory, table->name, path, &out, why);
	if (status)
		return status;
	table->write(out, cells, lines);
	return table_finish(out, path, why);
}

/* The experiment's provenance and how times were taken. */
static enum status tables_write(const struct sweep_run *run, const struct sweep_cells *cells,
				struct why *why)
{
	char path[FOLDER_PATH_MAX], source[FOLDER_PATH_MAX + 64], positions[sizeof source + 16];
	char clock[256];
	const char *lines[PROVENANCE_LINES + 4] = {NULL};
	struct provenance provenance;
	enum status status = path_format(path, why, "%s/tables", run->directory);
	if (!status)
		status = folder_make(path, why);
	if (!status)
		status = experiment_provenance(run->experiment, run->command, &provenance, why);
	if (status)
		return status;
	size_t count = 0;
	for (; provenance.line[count]; count++)
		lines[count] = provenance.line[count];
	sweep_source(run, source, sizeof source);
	snprintf(positions, sizeof positions, "positions: %s", source);
	snprintf(clock, sizeof clock, "times: %s; %d cells at a time",
		 search_clock(run->experiment->entries[0]), run->workers);
	lines[count++] = positions;
	lines[count++] = clock;
	if (agent_clocked(run->experiment->entries[0]->agent))
		lines[count] = report_clocked;
	for (const struct sweep_table *table = sweep_tables; !status && table->name; table++)
		status = table_write(table, cells, run->directory, lines, why);
	provenance_fini(&provenance);
	return status;
}

enum status sweep_report(const struct sweep_run *run, bool screen_only, bool figures,
			 struct why *why)
{
	struct sweep_cells all = {.count = run->experiment->count};
	struct sweep_cell *cells = calloc(all.count, sizeof *cells);
	if (!cells)
		return why_errno(why, "%zu cells", all.count);
	all.cells = cells;
	enum status status = cells_estimate(run, cells, why);
	if (!status) {
		sweep_print(stdout, &all);
		notes_print(run);
	}
	if (!status && !screen_only) {
		limits_print(run, cells);
		status = sweep_advise(run, &all, why);
	}
	fflush(stdout);
	if (!status && !screen_only)
		status = tables_write(run, &all, why);
	if (!status && !screen_only && figures)
		status = report_figures(run->directory, why);
	free(cells);
	return status;
}
