/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cells of a sweep as tables for gnuplot; see sweep_tables.h. */
#include "analysis/tables/sweep_tables.h"

#include "analysis/tables/format.h"

#include <math.h>
#include <string.h>

const char sweep_method[] = "95% intervals: over positions or games, below 15 Student's t on the "
			    "logarithm, up to 500 BCa bootstrap (percentile bootstrap where BCa "
			    "is undefined), large-sample theory above; nodes: Student's t; ms a "
			    "move of games: delta method";

static void provenance_write(FILE *file, const char *const *provenance, const char *units)
{
	for (; provenance && *provenance; provenance++)
		fprintf(file, "# %s\n", *provenance);
	fprintf(file, "# %s\n# units: %s\n", sweep_method, units);
}

/* Whether cell I has another board or cutoff than the one before it. */
static bool curve_begins(const struct sweep_cells *s, size_t i)
{
	return i == 0 || strcmp(s->cells[i].board, s->cells[i - 1].board) != 0 ||
	       strcmp(s->cells[i].cutoff, s->cells[i - 1].cutoff) != 0;
}

static void sweep_row_write(FILE *file, const struct sweep_cell *c)
{
	fprintf(file, "%d", c->depth);
	interval_write(file, c->cost);
	interval_write(file, c->median);
	interval_write(file, c->nodes);
	number_write(file, c->hit_rate);
	number_write(file, c->reached);
	fprintf(file, "\t%zu\t%zu\t%zu", c->searched, c->asked, c->games);
	interval_write(file, c->score);
	interval_write(file, c->played);
	fprintf(file, "\t%d\t", c->front);
	text_write(file, c->agent, "");
	putc('\n', file);
}

static void sweep_write(FILE *file, const struct sweep_cells *s, const char *const *provenance)
{
	int blocks = 0;
	provenance_write(file, provenance,
			 "ms, median, played: milliseconds a move; nodes: positions a move; "
			 "hit_rate: hits of the table a probe; score: points; reached: own moves");
	for (size_t i = 0; i < s->count; i++) {
		const struct sweep_cell *c = &s->cells[i];
		if (curve_begins(s, i)) {
			int block = block_begin(file, &blocks);
			fprintf(file, "# block %d: %s cutoff=%s\n", block, c->board, c->cutoff);
			HEADER(file, "depth", "ms", "ms_low", "ms_high", "median", "median_low",
			       "median_high", "nodes", "nodes_low", "nodes_high", "hit_rate",
			       "reached", "searched", "asked", "games", "score", "score_low",
			       "score_high", "played", "played_low", "played_high", "front",
			       "agent");
		}
		sweep_row_write(file, c);
	}
}

/* The curve that begins with cell I, under a name with its cutoff first. */
static void board_block(FILE *file, const struct sweep_cells *s, size_t i, int *blocks)
{
	int block = block_begin(file, blocks);
	fprintf(file, "# block %d: cutoff=%s %s\n", block, s->cells[i].cutoff, s->cells[i].board);
	HEADER(file, "depth", "ms", "ms_low", "ms_high");
	do {
		fprintf(file, "%d", s->cells[i].depth);
		interval_write(file, s->cells[i].cost);
		putc('\n', file);
	} while (++i < s->count && !curve_begins(s, i));
}

static void boards_write(FILE *file, const struct sweep_cells *s, const char *const *provenance)
{
	int blocks = 0;
	provenance_write(file, provenance, "ms: milliseconds a move");
	if (s->count == 0 || strcmp(s->cells[0].board, s->cells[s->count - 1].board) == 0)
		return;
	/* Every board has the cutoffs of the first one. */
	for (size_t i = 0; strcmp(s->cells[i].board, s->cells[0].board) == 0; i++) {
		if (!curve_begins(s, i))
			continue;
		for (size_t j = i; j < s->count; j++)
			if (curve_begins(s, j) &&
			    strcmp(s->cells[i].cutoff, s->cells[j].cutoff) == 0)
				board_block(file, s, j, &blocks);
	}
}

static bool judged(const struct sweep_cell *c)
{
	return !isnan(c->score.value) && !isnan(c->cost.value);
}

static void pareto_row(FILE *file, const struct sweep_cell *c)
{
	fprintf(file, "%.10g", c->cost.value);
	number_write(file, c->cost.low);
	number_write(file, c->cost.high);
	interval_write(file, c->score);
	fprintf(file, "\t%d\t", c->depth);
	text_write(file, c->agent, "");
	putc('\n', file);
}

static void pareto_begin(FILE *file, const char *board, const char *what, const char *cutoff,
			 int *blocks)
{
	int block = block_begin(file, blocks);
	fprintf(file, "# block %d: %s %s%s\n", block, board, what, cutoff);
	HEADER(file, "ms", "ms_low", "ms_high", "score", "score_low", "score_high", "depth",
	       "agent");
}

/* The next cell of the front of BOARD after CELL, or its first if CELL is NULL; NULL at the end. */
static const struct sweep_cell *front_next(const struct sweep_cells *s, const char *board,
					   const struct sweep_cell *cell)
{
	const struct sweep_cell *next = NULL;
	for (size_t i = 0; i < s->count; i++) {
		const struct sweep_cell *c = &s->cells[i];
		if (!c->front || strcmp(c->board, board) != 0)
			continue;
		/* Cells of equal cost on a front have equal scores; they come in their order. */
		bool after = !cell || c->cost.value > cell->cost.value ||
			     (c->cost.value == cell->cost.value && c > cell);
		if (after && (!next || c->cost.value < next->cost.value))
			next = c;
	}
	return next;
}

static void front_block(FILE *file, const struct sweep_cells *s, const char *board, int *blocks)
{
	const struct sweep_cell *c = front_next(s, board, NULL);
	if (!c)
		return;
	pareto_begin(file, board, "Pareto front", "", blocks);
	for (; c; c = front_next(s, board, c))
		pareto_row(file, c);
}

static void pareto_write(FILE *file, const struct sweep_cells *s, const char *const *provenance)
{
	int blocks = 0;
	bool begun = false;
	provenance_write(file, provenance, "ms: milliseconds a move; score: points");
	for (size_t i = 0; i < s->count; i++) {
		const struct sweep_cell *c = &s->cells[i];
		begun = begun && !curve_begins(s, i);
		if (judged(c)) {
			if (!begun)
				pareto_begin(file, c->board, "cutoff=", c->cutoff, &blocks);
			begun = true;
			pareto_row(file, c);
		}
		if (i + 1 == s->count || strcmp(c->board, s->cells[i + 1].board) != 0)
			front_block(file, s, c->board, &blocks);
	}
}

const struct sweep_table sweep_tables[] = {
    {"sweep", sweep_write}, {"boards", boards_write}, {"pareto", pareto_write}, {NULL, NULL}};
