/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a sweep recommends: a table with a row a board and budget, then a command a cell; see
 * sweep_advice.h.
 */
#include "src/run/sweep_advice.h"

#include "analysis/tables/format.h"
#include "src/run/shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BOARD, BUDGET, DEPTH, CUTOFF, TIME, NODES, SCORE, COLUMNS };

static const char *const columns[COLUMNS] = {
    "board", "within", "depth", "cutoff", "ms/move [95%]", "nodes", "mean score [95%]",
};

struct advice {
	const struct sweep_run *run;
	const struct sweep_cells *cells;
};

static const struct game *advice_game(const struct sweep_run *run, size_t row)
{
	return run->games[row / (size_t)run->sweep->budgets.n];
}

static int advice_budget(const struct sweep_run *run, size_t row)
{
	return (int)(row % (size_t)run->sweep->budgets.n);
}

/* The best cell for row ROW of the table, or NULL. */
static const struct sweep_cell *advice_cell(const struct advice *advice, size_t row)
{
	const struct sweep_run *run = advice->run;
	return sweep_best(advice->cells->cells, advice->cells->count, advice_game(run, row)->name,
			  1e3 * run->sweep->budgets.value[advice_budget(run, row)]);
}

static size_t advice_rows(const struct sweep_run *run)
{
	return (size_t)run->sweep->budgets.n * run->boards;
}

/* What a row tells of its best cell. */
static void cell_text(const struct sweep_cell *cell, int column, char text[GRID_TEXT_MAX])
{
	switch (column) {
	case DEPTH:
		snprintf(text, GRID_TEXT_MAX, "%d", cell->depth);
		break;
	case CUTOFF:
		snprintf(text, GRID_TEXT_MAX, "%s", cell->cutoff);
		break;
	case TIME:
		interval_text(cell->cost, decimals_of(cell->cost.value), text);
		break;
	case NODES:
		number_text(cell->nodes.value, 0, text);
		break;
	default:
		interval_text(cell->score, decimals_of(cell->score.value), text);
	}
}

static bool advice_text(const void *context, size_t row, int column, char text[GRID_TEXT_MAX])
{
	const struct advice *advice = context;
	const struct sweep_run *run = advice->run;
	if (row >= advice_rows(run))
		return false;
	const struct sweep_cell *cell = advice_cell(advice, row);
	if (column == BUDGET)
		snprintf(text, GRID_TEXT_MAX, "%s",
			 run->sweep->budgets.text[advice_budget(run, row)]);
	else if (column == BOARD)
		snprintf(text, GRID_TEXT_MAX, "%s", advice_game(run, row)->name);
	else if (cell)
		cell_text(cell, column, text);
	else
		snprintf(text, GRID_TEXT_MAX, "-");
	return true;
}

/* Prints the command that plays SPEC by the rules of GAME. */
static enum status command_print(char *spec, const struct game *game, struct why *why)
{
	char board[sizeof game->name], spawn[SPAWN_TEXT_MAX], tiles[16], *command;
	char *words[9] = {"nxn compare", "--boards", board, "--agents", spec};
	int n = 5;
	snprintf(board, sizeof board, "%s", game->name);
	spawn_format(&game->spawn, spawn);
	snprintf(tiles, sizeof tiles, "%d", game->start_tiles);
	if (strcmp(spawn, "2:0.9,4:0.1") != 0) {
		words[n++] = "--spawn";
		words[n++] = spawn;
	}
	if (game->start_tiles != 2) {
		words[n++] = "--start-tiles";
		words[n++] = tiles;
	}
	enum status status = shell_join("nxn", n, words, &command, why);
	if (status)
		return status;
	printf("  %s\n", command);
	free(command);
	return STATUS_OK;
}

enum status sweep_advise(const struct sweep_run *run, const struct sweep_cells *cells,
			 struct why *why)
{
	struct advice advice = {run, cells};
	enum status status = STATUS_OK;
	if (!run->sweep->budgets.n)
		return STATUS_OK;
	printf("\nRecommended, by %s:\n\n",
	       run->sweep->games ? "mean score, or by nodes on boards without games" : "nodes");
	grid_print(stdout, &(struct grid){columns, run->sweep->games ? COLUMNS : SCORE, 2,
					  advice_text, &advice});
	putchar('\n');
	const struct sweep_cell *before = NULL;
	for (size_t row = 0; !status && row < advice_rows(run); row++) {
		char spec[SWEEP_SPEC_MAX];
		const struct sweep_cell *cell = advice_cell(&advice, row);
		if (!cell || cell == before)
			continue;
		sweep_spec(run->sweep, (size_t)(cell - cells->cells), spec);
		status = command_print(spec, advice_game(run, row), why);
		before = cell;
	}
	return status;
}
