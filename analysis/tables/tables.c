/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables for gnuplot. Every block is columns of one kind of row, so that a plot script can
 * refer to them by name (set key autotitle columnhead; using "games":"mean").
 */
#include "analysis/tables/tables.h"

#include "analysis/tables/format.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { QUANTILES_MAX = 2000, EXPONENT_2048 = 11 };

static void provenance_write(FILE *file, const struct summary *s, const char *const *provenance,
			     const char *units)
{
	for (; provenance && *provenance; provenance++)
		fprintf(file, "# %s\n", *provenance);
	fprintf(file, "# %s\n", stats_method);
	fprintf(file, "# resamples %u, resampling seed %" PRIu64 "\n", s->bootstrap.resamples,
		s->bootstrap.seed);
	fprintf(file, "# units: %s\n", units);
}

/* What the rows of cells begin with: board, cells, label, agent, trained, games, mean. */
static void cell_write(FILE *file, const struct cell *c)
{
	text_write(file, c->board, "");
	fprintf(file, "\t%d\t", c->size);
	text_write(file, c->label, "");
	putc('\t', file);
	text_write(file, c->agent, "");
	fprintf(file, "\t%" PRIu64 "\t%zu", c->trained, c->games);
	interval_write(file, c->mean);
}

static void summary_write(FILE *file, const struct summary *s, const char *const *provenance)
{
	provenance_write(
	    file, s, provenance,
	    "scores in points, moves a game, ms_per_move in milliseconds, trained in games; sum of "
	    "the tiles in the end; doubt: mean distance to certainty of a move, 0 to 1.5");
	HEADER(file, "board", "cells", "label", "agent", "trained", "games", "mean", "mean_low",
	       "mean_high", "median", "median_low", "median_high", "iqm", "iqm_low", "iqm_high",
	       "sd", "sd_low", "sd_high", "min", "max", "median_tile", "median_tile_low",
	       "median_tile_high", "moves", "moves_low", "moves_high", "ms_per_move",
	       "ms_per_move_low", "ms_per_move_high", "sum", "sum_low", "sum_high", "doubt",
	       "doubt_low", "doubt_high");
	for (size_t i = 0; i < s->cell_count; i++) {
		const struct cell *c = &s->cells[i];
		cell_write(file, c);
		interval_write(file, c->median);
		interval_write(file, c->iqm);
		interval_write(file, c->sd);
		number_write(file, c->min);
		number_write(file, c->max);
		interval_write(file, c->median_tile);
		interval_write(file, c->moves);
		interval_write(file, c->ms_per_move);
		interval_write(file, c->sum);
		interval_write(file, c->uncertainty);
		putc('\n', file);
	}
}

/* Whether cell I is the first of its board; cells of a board are together. */
static bool board_begins(const struct summary *s, size_t i)
{
	return i == 0 || strcmp(s->cells[i].board, s->cells[i - 1].board) != 0;
}

static bool tile_seen(const struct summary *s, const char *board, int exponent)
{
	for (size_t i = 0; i < s->cell_count; i++) {
		const struct cell *c = &s->cells[i];
		if (c->final && c->tiles[exponent].games > 0 && !strcmp(c->board, board))
			return true;
	}
	return false;
}

/* One block of tiles or reach. */
static void rates_block(FILE *file, const struct summary *s, const char *board, bool reach)
{
	int first = 0, last = TILE_EXPONENTS - 1;

	while (!tile_seen(s, board, first))
		first++;
	while (!tile_seen(s, board, last))
		last--;
	fputs("\"tile\"", file);
	for (size_t k = 0; k < s->label_count; k++)
		for (int part = 0; part < 3 && summary_final(s, board, s->labels[k]); part++) {
			putc('\t', file);
			text_write(file, s->labels[k],
				   (const char *const[]){"", " low", " high"}[part]);
		}
	for (int e = first; e <= last; e++) {
		fprintf(file, "\n%" PRIu64, UINT64_C(1) << e);
		for (size_t k = 0; k < s->label_count; k++) {
			const struct cell *c = summary_final(s, board, s->labels[k]);
			if (c)
				interval_write(file, reach ? c->tiles[e].reach : c->tiles[e].share);
		}
	}
	putc('\n', file);
}

static void rates_write(FILE *file, const struct summary *s, bool reach)
{
	int blocks = 0;

	for (size_t i = 0; i < s->cell_count; i++) {
		if (!board_begins(s, i))
			continue;
		int block = block_begin(file, &blocks);
		fprintf(file, "# block %d: %s\n", block, s->cells[i].board);
		rates_block(file, s, s->cells[i].board, reach);
	}
}

static void tiles_write(FILE *file, const struct summary *s, const char *const *provenance)
{
	provenance_write(file, s, provenance,
			 "share of the games whose largest tile it is, 0 to 1");
	rates_write(file, s, false);
}

static void reach_write(FILE *file, const struct summary *s, const char *const *provenance)
{
	provenance_write(file, s, provenance, "share of the games that reached the tile, 0 to 1");
	rates_write(file, s, true);
}

static void scores_write(FILE *file, const struct summary *s, const char *const *provenance)
{
	int blocks = 0;

	provenance_write(file, s, provenance,
			 "score in points, share of the games with at most that score, 0 to 1");
	for (size_t i = 0; i < s->cell_count; i++) {
		const struct cell *c = &s->cells[i];
		if (!c->final)
			continue;
		size_t rows = c->games < QUANTILES_MAX ? c->games : QUANTILES_MAX;
		int block = block_begin(file, &blocks);
		fprintf(file, "# block %d: %s %s\n", block, c->board, c->label);
		HEADER(file, "score", "cumulative share");
		for (size_t k = 1; k <= rows; k++) {
			size_t rank = (k * c->games + rows - 1) / rows;
			fprintf(file, "%.10g", c->scores[rank - 1]);
			number_write(file, (double)rank / (double)c->games);
			putc('\n', file);
		}
	}
}

static bool same_player(const struct cell *a, const struct cell *b)
{
	return !strcmp(a->board, b->board) && !strcmp(a->label, b->label);
}

/* The cell of FINAL's curve that is the least trained above FROM, or NULL. */
static const struct cell *curve_next(const struct summary *s, const struct cell *final,
				     const struct cell *from)
{
	const struct cell *next = NULL;

	for (size_t i = 0; i < s->cell_count; i++) {
		const struct cell *c = &s->cells[i];
		if (same_player(c, final) && (!from || c->trained > from->trained) &&
		    (!next || c->trained < next->trained))
			next = c;
	}
	return next;
}

/*
 * The exponent of the tile that good players of a board of SIZE cells reach in some games and not in
 * all: 2048 on 4x4, 16384 on 5x5, 131072 on 6x6, 512 on 3x3.
 */
static int goal_exponent(int size)
{
	return EXPONENT_2048 + (size - 16) / 3;
}

static void curve_write(FILE *file, const struct summary *s, const char *const *provenance)
{
	int blocks = 0;

	provenance_write(
	    file, s, provenance,
	    "trained in games, scores in points, reach as a share of the games, 0 to 1, seconds of "
	    "training; sum of the tiles in the end; doubt: mean distance to certainty of a move, 0 "
	    "to 1.5");
	for (size_t i = 0; i < s->cell_count; i++) {
		const struct cell *final = &s->cells[i];
		if (!final->final || final->trained == 0)
			continue;
		int block = block_begin(file, &blocks);
		fprintf(file, "# block %d: %s %s\n", block, final->board, final->label);
		HEADER(file, "trained", "games", "mean", "mean_low", "mean_high", "median", "max",
		       "reach_2048", "reach_2048_low", "reach_2048_high", "seconds", "goal",
		       "reach_goal", "reach_goal_low", "reach_goal_high", "sum", "sum_low",
		       "sum_high", "doubt", "doubt_low", "doubt_high");
		const int goal = goal_exponent(final->size);
		for (const struct cell *c = curve_next(s, final, NULL); c;
		     c = curve_next(s, final, c)) {
			fprintf(file, "%" PRIu64 "\t%zu", c->trained, c->games);
			interval_write(file, c->mean);
			number_write(file, c->median.value);
			number_write(file, c->max);
			interval_write(file, c->tiles[EXPONENT_2048].reach);
			number_write(file, c->training);
			fprintf(file, "\t%" PRIu64, UINT64_C(1) << goal);
			interval_write(file, c->tiles[goal].reach);
			interval_write(file, c->sum);
			interval_write(file, c->uncertainty);
			putc('\n', file);
		}
	}
}

static void sizes_write(FILE *file, const struct summary *s, const char *const *provenance)
{
	int blocks = 0;

	provenance_write(file, s, provenance, "scores in points");
	for (size_t k = 0; k < s->label_count; k++) {
		int block = block_begin(file, &blocks);
		fprintf(file, "# block %d: %s\n", block, s->labels[k]);
		HEADER(file, "board", "cells", "mean", "mean_low", "mean_high", "games");
		for (size_t i = 0; i < s->cell_count; i++) {
			const struct cell *c = &s->cells[i];
			if (!c->final || strcmp(c->label, s->labels[k]) != 0)
				continue;
			text_write(file, c->board, "");
			fprintf(file, "\t%d", c->size);
			interval_write(file, c->mean);
			fprintf(file, "\t%zu\n", c->games);
		}
	}
}

static void ratio_row(FILE *file, const struct versus *v)
{
	text_write(file, v->a->board, "");
	fprintf(file, "\t%d", v->a->size);
	interval_write(file, v->ratio);
	interval_write(file, v->paired.difference);
	fprintf(file, "\t%zu\n", v->paired.games);
}

/* The block of labels A and B, if they met on any board. */
static void ratios_block(FILE *file, const struct summary *s, const char *a, const char *b,
			 int *blocks)
{
	bool begun = false;

	for (size_t i = 0; i < s->versus_count; i++) {
		const struct versus *v = &s->versus[i];
		if (strcmp(v->a->label, a) != 0 || strcmp(v->b->label, b) != 0)
			continue;
		if (!begun) {
			int block = block_begin(file, blocks);
			fprintf(file, "# block %d: %s / %s\n", block, a, b);
			HEADER(file, "board", "cells", "ratio", "ratio_low", "ratio_high",
			       "paired_difference", "paired_low", "paired_high", "paired_games");
			begun = true;
		}
		ratio_row(file, v);
	}
}

static void ratios_write(FILE *file, const struct summary *s, const char *const *provenance)
{
	int blocks = 0;

	provenance_write(
	    file, s, provenance,
	    "ratio of mean scores as of independent samples; mean difference in points "
	    "over the games both played");
	for (size_t a = 0; a < s->label_count; a++)
		for (size_t b = a + 1; b < s->label_count; b++)
			ratios_block(file, s, s->labels[a], s->labels[b], &blocks);
}

static void results_write(FILE *file, const struct summary *s, const char *const *provenance)
{
	provenance_write(
	    file, s, provenance,
	    "scores in points, trained in games, reach as a share of the games, 0 to 1, "
	    "ms_per_move in milliseconds");
	HEADER(file, "board", "cells", "label", "agent", "trained", "games", "mean", "mean_low",
	       "mean_high", "max", "median_tile", "median_tile_low", "median_tile_high",
	       "reach_2048", "reach_2048_low", "reach_2048_high", "goal", "reach_goal",
	       "reach_goal_low", "reach_goal_high", "ms_per_move", "ms_per_move_low",
	       "ms_per_move_high");
	for (size_t i = 0; i < s->cell_count; i++) {
		const struct cell *c = &s->cells[i];
		if (!c->final)
			continue;
		const int goal = goal_exponent(c->size);
		cell_write(file, c);
		number_write(file, c->max);
		interval_write(file, c->median_tile);
		interval_write(file, c->tiles[EXPONENT_2048].reach);
		fprintf(file, "\t%" PRIu64, UINT64_C(1) << goal);
		interval_write(file, c->tiles[goal].reach);
		interval_write(file, c->ms_per_move);
		putc('\n', file);
	}
}

const struct table tables[] = {
    {"results", results_write}, {"summary", summary_write}, {"tiles", tiles_write},
    {"reach", reach_write},	{"scores", scores_write},   {"curve", curve_write},
    {"sizes", sizes_write},	{"ratios", ratios_write},   {NULL, NULL},
};

const struct table *table_find(const char *name)
{
	for (const struct table *table = tables; table->name; table++)
		if (strcmp(table->name, name) == 0)
			return table;
	return NULL;
}
