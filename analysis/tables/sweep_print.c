/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cells of a sweep as a table for people; see sweep_tables.h. */
#include "analysis/tables/sweep_tables.h"

#include "analysis/tables/format.h"

#include <math.h>

enum { BOARD, CUTOFF, DEPTH, SEARCHED, MEDIAN, MEAN, NODES, HITS, SEARCH_COLUMNS };
enum { GAMES = SEARCH_COLUMNS, PLAYED, SCORE, FRONT, ALL_COLUMNS };

static const char *const columns[ALL_COLUMNS] = {
    "board", "cutoff", "depth", "positions", "median ms",	 "ms/move [95%]",
    "nodes", "hits %", "games", "ms there",  "mean score [95%]", "front",
};

static bool cell_text(const void *context, size_t row, int column, char text[GRID_TEXT_MAX])
{
	const struct sweep_cells *s = context;
	if (row >= s->count)
		return false;
	const struct sweep_cell *c = &s->cells[row];
	switch (column) {
	case BOARD:
		snprintf(text, GRID_TEXT_MAX, "%s", c->board);
		break;
	case CUTOFF:
		snprintf(text, GRID_TEXT_MAX, "%s", c->cutoff);
		break;
	case DEPTH:
		snprintf(text, GRID_TEXT_MAX, "%d", c->depth);
		break;
	case SEARCHED:
		snprintf(text, GRID_TEXT_MAX, c->searched < c->asked ? "%zu of %zu" : "%zu",
			 c->searched, c->asked);
		break;
	case MEDIAN:
		number_text(c->median.value, decimals_of(c->median.value), text);
		break;
	case MEAN:
		interval_text(c->cost, decimals_of(c->cost.value), text);
		break;
	case NODES:
		number_text(c->nodes.value, 0, text);
		break;
	case HITS:
		number_text(100 * c->hit_rate, 1, text);
		break;
	case GAMES:
		snprintf(text, GRID_TEXT_MAX, "%zu", c->games);
		break;
	case PLAYED:
		number_text(c->played.value, decimals_of(c->played.value), text);
		break;
	case SCORE:
		interval_text(c->score, decimals_of(c->score.value), text);
		break;
	default:
		snprintf(text, GRID_TEXT_MAX, "%s", c->front ? "*" : "");
	}
	return true;
}

void sweep_print(FILE *file, const struct sweep_cells *s)
{
	bool games = false;
	for (size_t i = 0; i < s->count; i++)
		games = games || s->cells[i].games > 0;
	grid_print(file,
		   &(struct grid){columns, games ? ALL_COLUMNS : SEARCH_COLUMNS, 2, cell_text, s});
	fprintf(file, "\n%s.\n", sweep_method);
}
