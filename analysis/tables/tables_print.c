/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table for people, in parts: scores; tiles and time; learners that tell the chances of their
 * moves, if there are any; the best of each board against the others.
 *
 * The tiles whose reach rates are shown are chosen for each board: those that tell most about its
 * players.
 */
#include "analysis/tables/format.h"
#include "analysis/tables/grid.h"
#include "analysis/tables/tables.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { REACH_COLUMNS = 3, EXPONENT_2048 = 11 };

/* Final cells, all of them or one board's. */
struct selection {
	const struct summary *summary;
	const char *board;	  /* NULL for all */
	int reach[REACH_COLUMNS]; /* exponents */
};

static const struct cell *selection_cell(const struct selection *selection, size_t row)
{
	const struct summary *s = selection->summary;

	for (size_t i = 0; i < s->cell_count; i++) {
		const struct cell *c = &s->cells[i];
		if (c->final && (!selection->board || !strcmp(c->board, selection->board)) &&
		    row-- == 0)
			return c;
	}
	return NULL;
}

static bool score_text(const void *context, size_t row, int column, char text[GRID_TEXT_MAX])
{
	const struct cell *c = selection_cell(context, row);

	if (!c)
		return false;
	switch (column) {
	case 0:
		snprintf(text, GRID_TEXT_MAX, "%s", c->board);
		break;
	case 1:
		snprintf(text, GRID_TEXT_MAX, "%s", c->label);
		break;
	case 2:
		snprintf(text, GRID_TEXT_MAX, "%zu", c->games);
		break;
	case 3:
		interval_text(c->mean, decimals_of(c->mean.value), text);
		break;
	case 4:
		interval_text(c->median, decimals_of(c->median.value), text);
		break;
	case 5:
		interval_text(c->iqm, decimals_of(c->iqm.value), text);
		break;
	default:
		snprintf(text, GRID_TEXT_MAX, "%.0f", c->max);
	}
	return true;
}

static void scores_print(FILE *file, const struct summary *s)
{
	static const char *const header[] = {"board",  "agent", "games", "mean score [95%]",
					     "median", "IQM",	"max"};
	struct selection all = {.summary = s};

	grid_print(file, &(struct grid){header, 7, 2, score_text, &all});
}

static bool tile_text(const void *context, size_t row, int column, char text[GRID_TEXT_MAX])
{
	const struct selection *selection = context;
	const struct cell *c = selection_cell(selection, row);

	if (!c)
		return false;
	switch (column) {
	case 0:
		snprintf(text, GRID_TEXT_MAX, "%s", c->board);
		break;
	case 1:
		snprintf(text, GRID_TEXT_MAX, "%s", c->label);
		break;
	case 2:
		interval_text(c->median_tile, 0, text);
		break;
	case 3:
		interval_text(c->ms_per_move, decimals_of(c->ms_per_move.value), text);
		break;
	default:
		percent_text(c->tiles[selection->reach[column - 4]].reach, text);
	}
	return true;
}

/*
 * How much the reach of a tile tells: p(1 - p) for the mean p of a board's players, which is 0
 * where all of them always or never reach it. 2048 comes first.
 */
static double tile_interest(const struct selection *selection, int exponent)
{
	const struct cell *c;
	double p = 0;
	size_t count = 0;

	for (; (c = selection_cell(selection, count)); count++)
		p += c->tiles[exponent].reach.value;
	p /= (double)count;
	return p > 0 && p < 1 && exponent == EXPONENT_2048 ? 1 : p * (1 - p);
}

/* The tiles most worth showing, ascending; the number of them. */
static int tiles_choose(struct selection *selection)
{
	int count = 0;
	bool chosen[TILE_EXPONENTS] = {false};

	for (int pick = 0; pick < REACH_COLUMNS; pick++) {
		int best = 0;
		for (int e = 1; e < TILE_EXPONENTS; e++)
			if (!chosen[e] && (chosen[best] || tile_interest(selection, e) >
							       tile_interest(selection, best)))
				best = e;
		if (tile_interest(selection, best) > 0)
			chosen[best] = true;
	}
	for (int e = 0; e < TILE_EXPONENTS; e++)
		if (chosen[e])
			selection->reach[count++] = e;
	return count;
}

static void tiles_print(FILE *file, const struct summary *s, const char *board)
{
	struct selection selection = {.summary = s, .board = board};
	char name[REACH_COLUMNS][32];
	const char *header[4 + REACH_COLUMNS] = {"board", "agent", "median tile [95%]", "ms/move"};
	int count = tiles_choose(&selection);

	for (int i = 0; i < count; i++) {
		snprintf(name[i], sizeof name[i], "%% with %llu", 1ULL << selection.reach[i]);
		header[4 + i] = name[i];
	}
	grid_print(file, &(struct grid){header, 4 + count, 2, tile_text, &selection});
}

/* The final cell in ROW of those who learned and tell the chances of their moves, or NULL. */
static const struct cell *learner_cell(const struct summary *s, size_t row)
{
	for (size_t i = 0; i < s->cell_count; i++) {
		const struct cell *c = &s->cells[i];
		if (c->final && c->trained > 0 && !isnan(c->uncertainty.value) && row-- == 0)
			return c;
	}
	return NULL;
}

static bool learner_text(const void *context, size_t row, int column, char text[GRID_TEXT_MAX])
{
	const struct cell *c = learner_cell(context, row);

	if (!c)
		return false;
	switch (column) {
	case 0:
		snprintf(text, GRID_TEXT_MAX, "%s", c->board);
		break;
	case 1:
		snprintf(text, GRID_TEXT_MAX, "%s", c->label);
		break;
	case 2:
		snprintf(text, GRID_TEXT_MAX, "%" PRIu64, c->trained);
		break;
	case 3:
		interval_text(c->sum, decimals_of(c->sum.value), text);
		break;
	default:
		interval_text(c->uncertainty, decimals_of(c->uncertainty.value), text);
	}
	return true;
}

static void learners_print(FILE *file, const struct summary *s)
{
	static const char *const header[] = {"board", "agent", "trained", "final sum [95%]",
					     "distance to certainty"};

	grid_print(file, &(struct grid){header, 5, 2, learner_text, s});
}

/* The comparison in ROW of those with the best of their board, seen from the best. */
static bool best_versus(const struct summary *s, size_t row, struct versus *out)
{
	for (size_t i = 0; i < s->versus_count; i++) {
		const struct versus *v = &s->versus[i];
		if ((v->a->best || v->b->best) && row-- == 0) {
			*out = v->a->best ? *v : versus_flip(v);
			return true;
		}
	}
	return false;
}

static bool versus_text(const void *context, size_t row, int column, char text[GRID_TEXT_MAX])
{
	struct versus v;

	if (!best_versus(context, row, &v))
		return false;
	switch (column) {
	case 0:
		snprintf(text, GRID_TEXT_MAX, "%s", v.a->board);
		break;
	case 1:
		snprintf(text, GRID_TEXT_MAX, "%s / %s", v.a->label, v.b->label);
		break;
	case 2:
		interval_text(v.ratio, decimals_of(v.ratio.value), text);
		break;
	case 3:
		snprintf(text, GRID_TEXT_MAX, "%zu", v.paired.games);
		break;
	case 4:
		interval_text(v.paired.difference, decimals_of(v.paired.difference.value), text);
		break;
	default:
		percent_text(v.paired.won, text);
	}
	return true;
}

static void versus_print(FILE *file, const struct summary *s)
{
	static const char *const header[] = {"board",	     "mean score of",	"ratio [95%]",
					     "paired games", "mean difference", "% won"};

	grid_print(file, &(struct grid){header, 6, 2, versus_text, s});
}

void table_print(FILE *file, const struct summary *s)
{
	scores_print(file, s);
	for (size_t i = 0; i < s->cell_count; i++) {
		if (i > 0 && strcmp(s->cells[i].board, s->cells[i - 1].board) == 0)
			continue;
		putc('\n', file);
		tiles_print(file, s, s->cells[i].board);
	}
	if (learner_cell(s, 0)) {
		putc('\n', file);
		learners_print(file, s);
	}
	if (s->versus_count > 0) {
		putc('\n', file);
		versus_print(file, s);
	}
	fprintf(file, "\n%s.\n", stats_method);
}
