/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is made of games held against the optimum; see gap.h. The estimates are in analysis/stats/gap.h. */
#include "src/run/gap.h"

#include "analysis/tables/gap_tables.h"
#include "src/report/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Intervals must not change from one look at a log to the next. */
static const struct bootstrap report_bootstrap = {.seed = 1, .resamples = STATS_RESAMPLES};

/* Standard errors between two estimates of one number that are worth a word. */
#define UNCERTAINTY_MAX 4.0

/* Estimates the cell of STAGE from its rows in LOG; ROWS is room for them. */
static enum status cell_make(struct gap_cell *cell, const struct gap_stage *stage,
			     const struct rowlog *log, const struct gap_row **rows, struct why *why)
{
	size_t n = 0;
	const struct gap_player *player = stage->player;
	const struct gap_options *o = player->gap->options;
	const struct optimum_head *optimum = optimum_head(player->gap->optimum);
	*cell = (struct gap_cell){.trained = stage->trained,
				  .learner = player->trains,
				  .chance = optimum->goal == GOAL_TARGET};
	cell->last = stage == &player->stage[player->stages - 1];
	snprintf(cell->label, sizeof cell->label, "%s", player->entry->label);
	if (stage->exact)
		n += (rows[n] = gap_log_find(log, stage->config, o->seed, GAP_EXACT)) != NULL;
	for (uint64_t i = 0; !stage->exact && i < o->games; i++)
		n += (rows[n] = gap_log_find(log, stage->config, o->seed, i)) != NULL;
	return gap_cell_estimate(cell, rows, n, optimum->value, &report_bootstrap, why);
}

/* Makes all cells, sorted; their number is COUNT. */
static enum status cells_make(const struct gap *gap, struct gap_cell *cells, size_t *count,
			      struct why *why)
{
	struct rowlog log = {0};
	const struct gap_row **rows = calloc(gap->options->games + 1, sizeof *rows);
	if (!rows)
		return why_errno(why, "%" PRIu64 " games", gap->options->games);
	enum status status = rowlog_read(&log, &gap_log_kind, gap->path, why);
	if (status) {
		rowlog_fini(&log);
		free(rows);
		return status;
	}
	*count = 0;
	for (size_t i = 0; !status && i < gap->experiment.count; i++)
		for (size_t j = 0; !status && j < gap->players[i].stages; j++)
			status = cell_make(&cells[(*count)++], &gap->players[i].stage[j], &log,
					   rows, why);
	rowlog_fini(&log);
	free(rows);
	return status ? status : gap_cells_sort(cells, *count, why);
}

static enum status table_write(const struct gap_table *table, const struct gap_cells *cells,
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

static enum status tables_write(const struct gap *gap, const struct gap_cells *cells,
				const char *command, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	struct provenance provenance;
	const char *directory = gap->options->directory;
	enum status status = path_format(path, why, "%s/tables", directory);
	if (!status)
		status = folder_make(path, why);
	if (!status)
		status = experiment_provenance(&gap->experiment, command, &provenance, why);
	if (status)
		return status;
	for (const struct gap_table *table = gap_tables; !status && table->name; table++)
		status = table_write(table, cells, directory, provenance_lines(&provenance), why);
	provenance_fini(&provenance);
	return status;
}

/* Says what the table cannot. */
static void notes_print(const struct gap *gap, const struct gap_cells *cells)
{
	for (size_t i = 0; i < cells->count; i++)
		if (fabs(cells->cells[i].uncertainty) > UNCERTAINTY_MAX)
			printf(
			    "Note: %s had luck %.1f standard errors from none; is the table that "
			    "of this game?\n",
			    cells->cells[i].label, cells->cells[i].uncertainty);
	for (size_t i = 0; i < gap->experiment.count; i++)
		if (agent_clocked(gap->experiment.entries[i]->agent)) {
			printf("Note: %s.\n", report_clocked);
			break;
		}
}

static enum status report_make_of(const struct gap *gap, const struct gap_cells *cells,
				  const char *command, bool stopped, struct why *why)
{
	const struct gap_options *o = gap->options;
	gap_print(stdout, cells);
	notes_print(gap, cells);
	fflush(stdout);
	if (stopped)
		return STATUS_OK;
	enum status status = tables_write(gap, cells, command, why);
	if (!status && !o->no_figures)
		status = report_figures(o->directory, why);
	if (!status)
		printf("\nGames in %s, tables in %s/tables%s%s%s.\n", gap->path, o->directory,
		       o->no_figures ? "" : ", figures in ", o->no_figures ? "" : o->directory,
		       o->no_figures ? "" : "/figures");
	return status;
}

/* Of results: four digits behind the point for a probability, a tenth of a point for thousands. */
static int decimals_for(double optimum)
{
	return optimum <= 1 ? 4 : optimum < 1000 ? 2 : 1;
}

enum status gap_report(const struct gap *gap, const char *command, bool stopped, struct why *why)
{
	char unit[64];
	size_t count = 0;
	const double optimum = optimum_head(gap->optimum)->value;
	struct gap_cell *cells = calloc(gap->experiment.count * GAP_POINTS_MAX + 1, sizeof *cells);
	if (!cells)
		return why_errno(why, "%zu players", gap->experiment.count);
	enum status status = cells_make(gap, cells, &count, why);
	truth_unit(gap, unit);
	const struct gap_cells all = {.board = gap->game.name,
				      .unit = unit,
				      .optimum = optimum,
				      .decimals = decimals_for(optimum),
				      .cells = cells,
				      .count = count};
	if (!status)
		status = report_make_of(gap, &all, command, stopped, why);
	free(cells);
	return status;
}
