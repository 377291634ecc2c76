/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of players and how far they are from the optimum; see gap_tables.h. */
#include "analysis/tables/gap_tables.h"

#include <inttypes.h>
#include <string.h>

const char gap_method[] = "95% intervals: Student's t; of means of results from 15 to 500 games "
			  "BCa bootstrap (percentile "
			  "bootstrap where BCa is undefined), below 15 Student's t on the "
			  "logarithm, of shares of games Wilson; per move: delta method over "
			  "games";

static void head_write(FILE *file, const struct gap_cells *g, const char *const *provenance,
		       const char *units)
{
	table_comments(file, provenance);
	fprintf(file, "# optimum on %s: %.12g %s\n# %s\n# units: %s\n", g->board, g->optimum,
		g->unit, gap_method, units);
}

/* ---- For gnuplot. */

/* A player and its place. */
struct ranked {
	int rank;
	struct gap_cell cell;
	double optimum;
};

#define RANKED(title, kind, member) TABLE_COLUMN(struct ranked, title, kind, member)

static const struct table_column player_columns[] = {
    RANKED("rank", INT, rank),
    RANKED("agent", CHARS, cell.label),
    RANKED("trained", NUMBER, cell.trained),
    RANKED("games", COUNT, cell.games),
    RANKED("exact", FLAG, cell.exact),
    RANKED("fraction", SHARES, cell.fraction),
    RANKED("value", INTERVAL, cell.value),
    RANKED("result", INTERVAL, cell.result),
    RANKED("lost", INTERVAL, cell.lost),
    RANKED("optimal", SHARES, cell.optimal),
    RANKED("moves", REAL, cell.moves),
    RANKED("beta", REAL, cell.beta),
    RANKED("gain", REAL, cell.gain),
    RANKED("doubt", REAL, cell.uncertainty),
    RANKED("optimum", REAL, optimum),
    {0},
};

static void players_write(FILE *file, const void *data, const char *const *provenance)
{
	const struct gap_cells *g = data;
	struct ranked row = {.optimum = g->optimum};
	head_write(file, g, provenance,
		   "fraction: of the optimum; value, result: as the optimum; lost: that a move; "
		   "optimal: share of moves; moves: a game");
	table_head(file, player_columns);
	for (size_t i = 0; i < g->count; i++) {
		if (!g->cells[i].last)
			continue;
		row.rank++;
		row.cell = g->cells[i];
		table_row(file, player_columns, &row);
	}
}

/* The moves of a player with 2^exponent as the largest tile. */
struct phase {
	uint64_t tile;
	int exponent;
	struct gap_phase_cell cell;
};

#define PHASE(title, kind, member) TABLE_COLUMN(struct phase, title, kind, member)

static const struct table_column phase_columns[] = {
    PHASE("tile", NUMBER, tile),
    PHASE("exponent", INT, exponent),
    PHASE("moves", REAL, cell.moves),
    PHASE("games", COUNT, cell.games),
    PHASE("lost", INTERVAL, cell.lost),
    PHASE("optimal", SHARES, cell.optimal),
    {0},
};

static void phases_write(FILE *file, const void *data, const char *const *provenance)
{
	int blocks = 0;
	const struct gap_cells *g = data;
	head_write(file, g, provenance,
		   "tile: the largest before a move; moves: a game; games: that had such "
		   "moves, 0 where exact; lost: as the optimum, a move; optimal: share "
		   "of moves");
	for (size_t i = 0; i < g->count; i++) {
		if (!g->cells[i].last)
			continue;
		table_block(file, &blocks, phase_columns, "%s", g->cells[i].label);
		for (int k = 0; k < GAP_PHASES; k++)
			if (g->cells[i].phase[k].moves > 0)
				table_row(
				    file, phase_columns,
				    &(struct phase){UINT64_C(1) << k, k, g->cells[i].phase[k]});
	}
}

#define CELL(title, kind, member) TABLE_COLUMN(struct gap_cell, title, kind, member)
#define CELL_FIXED(title, kind, member, places)                                                    \
	TABLE_FIXED(struct gap_cell, title, kind, member, places)

static const struct table_column learning_columns[] = {
    CELL("trained", NUMBER, trained),	CELL("games", COUNT, games),
    CELL("distance", SHARES, distance), CELL("optimal", SHARES, optimal),
    CELL("value", INTERVAL, value),	{0},
};

static void learning_write(FILE *file, const void *data, const char *const *provenance)
{
	int blocks = 0;
	bool begun = false;
	const struct gap_cells *g = data;
	head_write(file, g, provenance,
		   "trained: training games; distance: 1 - share of the optimum; optimal: "
		   "share of moves; value: as the optimum");
	for (size_t i = 0; i < g->count; i++) {
		const struct gap_cell *c = &g->cells[i];
		if (!c->learner)
			continue;
		if (!begun)
			table_block(file, &blocks, learning_columns, "%s", c->label);
		table_row(file, learning_columns, c);
		begun = !c->last;
	}
}

const struct table gap_tables[] = {
    {"gap", players_write},
    {"gap-phase", phases_write},
    {"gap-learning", learning_write},
    {NULL, NULL},
};

/* ---- For people. */

static bool cell_exact(const void *row)
{
	return ((const struct gap_cell *)row)->exact;
}

static void games_text(const void *row, char text[GRID_TEXT_MAX])
{
	const struct gap_cell *c = row;
	snprintf(text, GRID_TEXT_MAX, c->exact ? "exact" : "%zu", c->games);
}

static void trained_text(const void *row, char text[GRID_TEXT_MAX])
{
	const struct gap_cell *c = row;
	snprintf(text, GRID_TEXT_MAX, c->trained ? "%" PRIu64 : "-", c->trained);
}

/* Cell ROW of those that are the last of their players; NULL behind the end. */
static const void *last_at(void *context, size_t row)
{
	const struct gap_cells *g = context;
	for (size_t i = 0; i < g->count; i++)
		if (g->cells[i].last && row-- == 0)
			return &g->cells[i];
	return NULL;
}

/* The same of those of learners. */
static const void *learner_at(void *context, size_t row)
{
	const struct gap_cells *g = context;
	for (size_t i = 0; i < g->count; i++)
		if (g->cells[i].learner && row-- == 0)
			return &g->cells[i];
	return NULL;
}

static void players_print(FILE *file, const struct gap_cells *g)
{
	const struct table_column columns[] = {
	    CELL("agent", CHARS, label),
	    {.name = "trained", .text = trained_text},
	    {.name = "games", .text = games_text},
	    CELL_FIXED("% of optimum [95%]", SHARES, fraction, 2),
	    CELL_FIXED("less luck [95%]", INTERVAL, value, g->decimals),
	    CELL_FIXED("mean [95%]", INTERVAL, result, g->decimals),
	    CELL_FIXED("beta", REAL, beta, 2),
	    CELL_FIXED("gain", REAL, gain, 1),
	    CELL_FIXED("lost a move", INTERVAL, lost, g->decimals + 2),
	    CELL_FIXED("% optimal moves", SHARES, optimal, 1),
	    {0},
	};
	table_view_print(file, &(struct table_view){columns, 1, last_at, (void *)g, cell_exact});
}

static void learners_print(FILE *file, const struct gap_cells *g)
{
	static const struct table_column columns[] = {
	    CELL("learner", CHARS, label),
	    CELL("trained", NUMBER, trained),
	    {.name = "games", .text = games_text},
	    CELL_FIXED("% of optimum [95%]", SHARES, fraction, 2),
	    CELL_FIXED("% from it [95%]", SHARES, distance, 2),
	    CELL_FIXED("% optimal moves", SHARES, optimal, 1),
	    {0},
	};
	table_view_print(file, &(struct table_view){columns, 1, learner_at, (void *)g, cell_exact});
}

/*
 * What moves lose by the largest tile before them, or the SHARE that is optimal: a column a tile,
 * COUNT of them from FIRST.
 */
static void phases_print(FILE *file, const struct gap_cells *g, int first, int count, bool share)
{
	char name[GRID_COLUMNS_MAX][24];
	struct table_column columns[GRID_COLUMNS_MAX + 1] = {CELL("agent", CHARS, label)};
	for (int i = 0; i < count; i++) {
		const size_t phase = offsetof(struct gap_cell, phase) +
				     (size_t)(first + i) * sizeof(struct gap_phase_cell);
		snprintf(name[i], sizeof name[i], "%" PRIu64, UINT64_C(1) << (first + i));
		columns[i + 1] = (struct table_column){
		    .name = name[i],
		    .value = share ? TABLE_SHARE : TABLE_REAL,
		    .offset = phase + (share ? offsetof(struct gap_phase_cell, optimal.value)
					     : offsetof(struct gap_phase_cell, lost.value)),
		    .decimals = 1 + (share ? 1 : g->decimals + 2),
		};
	}
	table_view_print(file,
			 &(struct table_view){
			     .columns = columns, .left = 1, .row = last_at, .context = (void *)g});
}

/* The tiles of the columns: from the smallest to the largest before any move of a player. */
static int tiles_count(const struct gap_cells *g, int *first)
{
	int last = -1;
	*first = GAP_PHASES;
	for (size_t i = 0; i < g->count; i++)
		for (int k = 0; k < GAP_PHASES; k++)
			if (g->cells[i].last && g->cells[i].phase[k].moves > 0) {
				*first = k < *first ? k : *first;
				last = k > last ? k : last;
			}
	const int most = GRID_COLUMNS_MAX - 1;
	/*
	 * The smallest tiles are the first that there is no room for: next to nothing is lost
	 * there.
	 */
	if (last - *first >= most)
		*first = last - most + 1;
	return last < *first ? 0 : last - *first + 1;
}

void gap_print(FILE *file, const struct gap_cells *g)
{
	int first;
	const int tiles = tiles_count(g, &first);
	fprintf(file, "Optimum on %s: %.12g %s.\n\n", g->board, g->optimum, g->unit);
	players_print(file, g);
	if (tiles) {
		fprintf(file, "\nLost a move, by the largest tile before it:\n\n");
		phases_print(file, g, first, tiles, false);
		fprintf(file, "\nOptimal moves in %%, likewise:\n\n");
		phases_print(file, g, first, tiles, true);
	}
	if (learner_at((void *)g, 0)) {
		fprintf(file, "\nLearners by training games:\n\n");
		learners_print(file, g);
	}
	fprintf(file, "\n%s.\n", gap_method);
}
