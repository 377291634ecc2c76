/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Players and how far they are from the optimum, as tables for gnuplot; see gap_tables.h. */
#include "analysis/tables/gap_tables.h"

#include "analysis/tables/format.h"

#include <inttypes.h>

const char gap_method[] = "95% intervals: Student's t; of means of results from 15 to 500 games "
			  "BCa bootstrap (percentile "
			  "bootstrap where BCa is undefined), below 15 Student's t on the "
			  "logarithm, of shares of games Wilson; per move: delta method over "
			  "games";

static void provenance_write(FILE *file, const struct gap_cells *g, const char *const *provenance,
			     const char *units)
{
	for (; provenance && *provenance; provenance++)
		fprintf(file, "# %s\n", *provenance);
	fprintf(file, "# optimum on %s: %.12g %s\n# %s\n# units: %s\n", g->board, g->optimum,
		g->unit, gap_method, units);
}

static void player_write(FILE *file, const struct gap_cells *g, const struct gap_cell *c, int rank)
{
	fprintf(file, "%d\t", rank);
	text_write(file, c->label, "");
	fprintf(file, "\t%" PRIu64 "\t%zu\t%d", c->trained, c->games, c->exact);
	interval_write(file, c->fraction);
	interval_write(file, c->value);
	interval_write(file, c->result);
	interval_write(file, c->lost);
	interval_write(file, c->optimal);
	number_write(file, c->moves);
	number_write(file, c->beta);
	number_write(file, c->gain);
	number_write(file, c->uncertainty);
	number_write(file, g->optimum);
	putc('\n', file);
}

static void players_write(FILE *file, const struct gap_cells *g, const char *const *provenance)
{
	int rank = 0;
	provenance_write(
	    file, g, provenance,
	    "fraction: of the optimum; value, result: as the optimum; lost: that a move; "
	    "optimal: share of moves; moves: a game");
	HEADER(file, "rank", "agent", "trained", "games", "exact", "fraction", "fraction_low",
	       "fraction_high", "value", "value_low", "value_high", "result", "result_low",
	       "result_high", "lost", "lost_low", "lost_high", "optimal", "optimal_low",
	       "optimal_high", "moves", "beta", "gain", "doubt", "optimum");
	for (size_t i = 0; i < g->count; i++)
		if (g->cells[i].last)
			player_write(file, g, &g->cells[i], ++rank);
}

static void phase_write(FILE *file, const struct gap_phase_cell *p, int exponent)
{
	fprintf(file, "%" PRIu64 "\t%d", UINT64_C(1) << exponent, exponent);
	number_write(file, p->moves);
	fprintf(file, "\t%zu", p->games);
	interval_write(file, p->lost);
	interval_write(file, p->optimal);
	putc('\n', file);
}

static void phases_write(FILE *file, const struct gap_cells *g, const char *const *provenance)
{
	int blocks = 0;
	provenance_write(file, g, provenance,
			 "tile: the largest before a move; moves: a game; games: that had such "
			 "moves, 0 where exact; lost: as the optimum, a move; optimal: share "
			 "of moves");
	for (size_t i = 0; i < g->count; i++) {
		if (!g->cells[i].last)
			continue;
		int block = block_begin(file, &blocks);
		fprintf(file, "# block %d: %s\n", block, g->cells[i].label);
		HEADER(file, "tile", "exponent", "moves", "games", "lost", "lost_low", "lost_high",
		       "optimal", "optimal_low", "optimal_high");
		for (int k = 0; k < GAP_PHASES; k++)
			if (g->cells[i].phase[k].moves > 0)
				phase_write(file, &g->cells[i].phase[k], k);
	}
}

static void point_write(FILE *file, const struct gap_cell *c)
{
	fprintf(file, "%" PRIu64 "\t%zu", c->trained, c->games);
	interval_write(file, c->distance);
	interval_write(file, c->optimal);
	interval_write(file, c->value);
	putc('\n', file);
}

static void learning_write(FILE *file, const struct gap_cells *g, const char *const *provenance)
{
	int blocks = 0;
	bool begun = false;
	provenance_write(file, g, provenance,
			 "trained: training games; distance: 1 - share of the optimum; optimal: "
			 "share of moves; value: as the optimum");
	for (size_t i = 0; i < g->count; i++) {
		const struct gap_cell *c = &g->cells[i];
		if (!c->learner)
			continue;
		if (!begun) {
			int block = block_begin(file, &blocks);
			fprintf(file, "# block %d: %s\n", block, c->label);
			HEADER(file, "trained", "games", "distance", "distance_low",
			       "distance_high", "optimal", "optimal_low", "optimal_high", "value",
			       "value_low", "value_high");
		}
		point_write(file, c);
		begun = !c->last;
	}
}

const struct gap_table gap_tables[] = {
    {"gap", players_write},
    {"gap-phase", phases_write},
    {"gap-learning", learning_write},
    {NULL, NULL},
};
