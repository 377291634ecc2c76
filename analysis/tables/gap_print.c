/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Players and how far they are from the optimum, as tables for people; see gap_tables.h. */
#include "analysis/tables/gap_tables.h"

#include "analysis/tables/format.h"

#include <inttypes.h>
#include <math.h>

/* An exact number stands without an interval, one that is not there as "-". */
static void estimate_text(const struct gap_cell *c, struct interval x, int decimals,
			  char text[GRID_TEXT_MAX])
{
	if (c->exact)
		number_text(x.value, decimals, text);
	else
		interval_text(x, decimals, text);
}

static void share_text(const struct gap_cell *c, struct interval x, int decimals,
		       char text[GRID_TEXT_MAX])
{
	estimate_text(c, (struct interval){100 * x.value, 100 * x.low, 100 * x.high}, decimals,
		      text);
}

static void games_text(const struct gap_cell *c, char text[GRID_TEXT_MAX])
{
	snprintf(text, GRID_TEXT_MAX, c->exact ? "exact" : "%zu", c->games);
}

/* Cell ROW of those that are the last of their players; NULL behind the end. */
static const struct gap_cell *last_at(const struct gap_cells *g, size_t row)
{
	for (size_t i = 0; i < g->count; i++)
		if (g->cells[i].last && row-- == 0)
			return &g->cells[i];
	return NULL;
}

/* The same of those of learners. */
static const struct gap_cell *learner_at(const struct gap_cells *g, size_t row)
{
	for (size_t i = 0; i < g->count; i++)
		if (g->cells[i].learner && row-- == 0)
			return &g->cells[i];
	return NULL;
}

enum { AGENT, TRAINED, GAMES, FRACTION, VALUE, RESULT, BETA, GAIN, LOST, OPTIMAL, PLAYER_COLUMNS };

static const char *const player_columns[PLAYER_COLUMNS] = {
    "agent",	  "trained", "games", "% of optimum [95%]", "less luck [95%]",
    "mean [95%]", "beta",    "gain",  "lost a move",	    "% optimal moves",
};

static bool player_text(const void *context, size_t row, int column, char text[GRID_TEXT_MAX])
{
	const struct gap_cells *g = context;
	const struct gap_cell *c = last_at(g, row);
	if (!c)
		return false;
	switch (column) {
	case AGENT:
		snprintf(text, GRID_TEXT_MAX, "%s", c->label);
		break;
	case TRAINED:
		snprintf(text, GRID_TEXT_MAX, c->trained ? "%" PRIu64 : "-", c->trained);
		break;
	case GAMES:
		games_text(c, text);
		break;
	case FRACTION:
		share_text(c, c->fraction, 2, text);
		break;
	case VALUE:
		estimate_text(c, c->value, g->decimals, text);
		break;
	case RESULT:
		estimate_text(c, c->result, g->decimals, text);
		break;
	case BETA:
		number_text(c->beta, 2, text);
		break;
	case GAIN:
		number_text(c->gain, 1, text);
		break;
	case LOST:
		estimate_text(c, c->lost, g->decimals + 2, text);
		break;
	default:
		share_text(c, c->optimal, 1, text);
	}
	return true;
}

enum {
	POINT_TRAINED = 1,
	POINT_GAMES,
	POINT_FRACTION,
	POINT_DISTANCE,
	POINT_OPTIMAL,
	POINT_COLUMNS
};

static const char *const point_columns[POINT_COLUMNS] = {
    "learner", "trained", "games", "% of optimum [95%]", "% from it [95%]", "% optimal moves",
};

static bool point_text(const void *context, size_t row, int column, char text[GRID_TEXT_MAX])
{
	const struct gap_cells *g = context;
	const struct gap_cell *c = learner_at(g, row);
	if (!c)
		return false;
	switch (column) {
	case AGENT:
		snprintf(text, GRID_TEXT_MAX, "%s", c->label);
		break;
	case POINT_TRAINED:
		snprintf(text, GRID_TEXT_MAX, "%" PRIu64, c->trained);
		break;
	case POINT_GAMES:
		games_text(c, text);
		break;
	case POINT_FRACTION:
		share_text(c, c->fraction, 2, text);
		break;
	case POINT_DISTANCE:
		share_text(c, c->distance, 2, text);
		break;
	default:
		share_text(c, c->optimal, 1, text);
	}
	return true;
}

/* The tiles of the columns: from the smallest to the largest before any move of a player. */
struct tiles {
	const struct gap_cells *gap;
	int first, count;
	bool share; /* of optimal moves, and not what is lost */
};

static struct tiles tiles_of(const struct gap_cells *g)
{
	int first = GAP_PHASES, last = -1;
	for (size_t i = 0; i < g->count; i++)
		for (int k = 0; k < GAP_PHASES; k++)
			if (g->cells[i].last && g->cells[i].phase[k].moves > 0) {
				first = k < first ? k : first;
				last = k > last ? k : last;
			}
	const int most = GRID_COLUMNS_MAX - 1;
	/* The smallest tiles are the first that there is no room for: next to nothing is lost there. */
	if (last - first >= most)
		first = last - most + 1;
	return (struct tiles){g, first, last < first ? 0 : last - first + 1, false};
}

static bool phase_text(const void *context, size_t row, int column, char text[GRID_TEXT_MAX])
{
	const struct tiles *t = context;
	const struct gap_cell *c = last_at(t->gap, row);
	if (!c)
		return false;
	if (column == 0) {
		snprintf(text, GRID_TEXT_MAX, "%s", c->label);
		return true;
	}
	const struct gap_phase_cell *p = &c->phase[t->first + column - 1];
	if (t->share)
		number_text(100 * p->optimal.value, 1, text);
	else
		number_text(p->lost.value, t->gap->decimals + 2, text);
	return true;
}

static void phases_print(FILE *file, const struct tiles *t)
{
	char name[GRID_COLUMNS_MAX][24];
	const char *header[GRID_COLUMNS_MAX] = {"agent"};
	for (int i = 0; i < t->count; i++) {
		snprintf(name[i], sizeof name[i], "%" PRIu64, UINT64_C(1) << (t->first + i));
		header[i + 1] = name[i];
	}
	grid_print(file, &(struct grid){header, t->count + 1, 1, phase_text, t});
}

void gap_print(FILE *file, const struct gap_cells *g)
{
	fprintf(file, "Optimum on %s: %.12g %s.\n\n", g->board, g->optimum, g->unit);
	grid_print(file, &(struct grid){player_columns, PLAYER_COLUMNS, 1, player_text, g});
	struct tiles tiles = tiles_of(g);
	if (tiles.count) {
		fprintf(file, "\nLost a move, by the largest tile before it:\n\n");
		phases_print(file, &tiles);
		fprintf(file, "\nOptimal moves in %%, likewise:\n\n");
		tiles.share = true;
		phases_print(file, &tiles);
	}
	if (learner_at(g, 0)) {
		fprintf(file, "\nLearners by training games:\n\n");
		grid_print(file, &(struct grid){point_columns, POINT_COLUMNS, 1, point_text, g});
	}
	fprintf(file, "\n%s.\n", gap_method);
}
