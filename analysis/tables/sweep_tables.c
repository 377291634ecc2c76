/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cells of a sweep: estimates from searches, the Pareto front of score against time, the best
 * cell for a time, and the tables; see tables.h.
 *
 * Invariant: of cells with games and a time, sweep_best() is on the front, whatever the budget.
 */
#include "analysis/tables/tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Estimates. */

static const struct interval unknown = {NAN, NAN, NAN};

struct sweep_cell sweep_cell_make(const char *board, const char *agent, const char *cutoff,
				  int depth)
{
	return (struct sweep_cell){
	    .board = board,
	    .agent = agent,
	    .cutoff = cutoff,
	    .depth = depth,
	    .mean = unknown,
	    .median = unknown,
	    .nodes = unknown,
	    .hit_rate = NAN,
	    .reached = NAN,
	    .score = unknown,
	    .played = unknown,
	    .cost = unknown,
	};
}

/* Of the trees. WORK has room for N. */
static void tree_estimate(struct sweep_cell *cell, const struct sweep_row *const *rows, size_t n,
			  double *work)
{
	double probes = 0, hits = 0, reached = 0;
	for (size_t i = 0; i < n; i++) {
		work[i] = (double)rows[i]->nodes;
		probes += (double)rows[i]->probes;
		hits += (double)rows[i]->hits;
		reached += (double)rows[i]->depth;
	}
	cell->nodes = stats_mean(work, n);
	cell->hit_rate = probes > 0 ? hits / probes : NAN;
	cell->reached = reached / (double)n;
}

enum status sweep_cell_estimate(struct sweep_cell *cell, const struct sweep_row *const *rows,
				size_t n, struct why *why)
{
	cell->searched = n;
	if (n == 0)
		return STATUS_OK;
	double *work = malloc(n * sizeof *work);
	if (!work)
		return why_errno(why, "%zu searches", n);
	tree_estimate(cell, rows, n, work);
	for (size_t i = 0; i < n; i++)
		work[i] = 1e3 * rows[i]->seconds;
	stats_sort(work, n);
	cell->mean = stats_interval(&stat_mean, work, n);
	cell->median = stats_interval(&stat_median, work, n);
	free(work);
	return STATUS_OK;
}

/* Whether A makes B superfluous. */
static bool dominates(const struct sweep_cell *a, const struct sweep_cell *b)
{
	double a_cost = a->cost.value, b_cost = b->cost.value;
	double a_score = a->score.value, b_score = b->score.value;
	return strcmp(a->board, b->board) == 0 && a_cost <= b_cost && a_score >= b_score &&
	       (a_cost < b_cost || a_score > b_score);
}

void sweep_judge(struct sweep_cell *cells, size_t count)
{
	for (size_t i = 0; i < count; i++)
		cells[i].cost = cells[i].searched ? cells[i].mean : cells[i].played;
	for (size_t i = 0; i < count; i++) {
		struct sweep_cell *cell = &cells[i];
		cell->front = !isnan(cell->cost.value) && !isnan(cell->score.value);
		for (size_t j = 0; j < count && cell->front; j++)
			cell->front = !dominates(&cells[j], cell);
	}
}

/* What makes one cell better than another; NAN where it says nothing. */
static double merit(const struct sweep_cell *cell, bool games)
{
	return games ? cell->score.value : cell->nodes.value;
}

static bool games_played(const struct sweep_cell *cells, size_t count, const char *board)
{
	for (size_t i = 0; i < count; i++)
		if (cells[i].games && strcmp(cells[i].board, board) == 0)
			return true;
	return false;
}

const struct sweep_cell *sweep_best(const struct sweep_cell *cells, size_t count, const char *board,
				    double budget)
{
	const struct sweep_cell *best = NULL;
	bool games = games_played(cells, count, board);
	for (size_t i = 0; i < count; i++) {
		const struct sweep_cell *cell = &cells[i];
		double value = merit(cell, games);
		if (strcmp(cell->board, board) != 0 || isnan(value) ||
		    !(cell->cost.value <= budget))
			continue;
		if (!best || value > merit(best, games) ||
		    (value == merit(best, games) && cell->cost.value < best->cost.value))
			best = cell;
	}
	return best;
}

/* ---- Words. */

static const char sweep_method[] =
    "95% intervals: means over positions or games by Student's t on the logarithm below 15, BCa "
    "bootstrap by saddlepoint approximation up to 500, Student's t above; medians: order "
    "statistics; nodes: Student's t; ms a move of games: delta method; none where all are alike";

#define CELL(title, kind, member) TABLE_COLUMN(struct sweep_cell, title, kind, member)
#define CELL_FIXED(title, kind, member, places)                                                    \
	TABLE_FIXED(struct sweep_cell, title, kind, member, places)

static void head_write(FILE *file, const void *data)
{
	(void)data;
	fprintf(file, "# %s\n", sweep_method);
}

/* ---- For gnuplot. */

/* Whether cell I has another board or cutoff than the one before it. */
static bool curve_begins(const struct sweep_cells *s, size_t i)
{
	return i == 0 || strcmp(s->cells[i].board, s->cells[i - 1].board) != 0 ||
	       strcmp(s->cells[i].cutoff, s->cells[i - 1].cutoff) != 0;
}

static const struct table_column sweep_columns[] = {
    CELL("depth", INT, depth),	       CELL("ms", INTERVAL, cost),
    CELL("median", INTERVAL, median),  CELL("nodes", INTERVAL, nodes),
    CELL("hit_rate", SHARE, hit_rate), CELL("reached", REAL, reached),
    CELL("searched", COUNT, searched), CELL("asked", COUNT, asked),
    CELL("games", COUNT, games),       CELL("score", INTERVAL, score),
    CELL("played", INTERVAL, played),  CELL("front", FLAG, front),
    CELL("agent", TEXT, agent),	       {0},
};

static void sweep_write(FILE *file, const void *data)
{
	int blocks = 0;
	const struct sweep_cells *s = data;
	for (size_t i = 0; i < s->count; i++) {
		const struct sweep_cell *c = &s->cells[i];
		if (curve_begins(s, i))
			table_block(file, &blocks, sweep_columns, "%s cutoff=%s", c->board,
				    c->cutoff);
		table_row(file, sweep_columns, c);
	}
}

static const struct table_column board_columns[] = {
    CELL("depth", INT, depth),
    CELL("ms", INTERVAL, cost),
    {0},
};

/* The curve that begins with cell I, under a name with its cutoff first. */
static void board_block(FILE *file, const struct sweep_cells *s, size_t i, int *blocks)
{
	table_block(file, blocks, board_columns, "cutoff=%s %s", s->cells[i].cutoff,
		    s->cells[i].board);
	do
		table_row(file, board_columns, &s->cells[i]);
	while (++i < s->count && !curve_begins(s, i));
}

static void boards_write(FILE *file, const void *data)
{
	int blocks = 0;
	const struct sweep_cells *s = data;
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

static const struct table_column pareto_columns[] = {
    CELL("ms", INTERVAL, cost),
    CELL("score", INTERVAL, score),
    CELL("depth", INT, depth),
    CELL("agent", TEXT, agent),
    {0},
};

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
	table_block(file, blocks, pareto_columns, "%s Pareto front", board);
	for (; c; c = front_next(s, board, c))
		table_row(file, pareto_columns, c);
}

static void pareto_write(FILE *file, const void *data)
{
	int blocks = 0;
	bool begun = false;
	const struct sweep_cells *s = data;
	for (size_t i = 0; i < s->count; i++) {
		const struct sweep_cell *c = &s->cells[i];
		begun = begun && !curve_begins(s, i);
		if (judged(c)) {
			if (!begun)
				table_block(file, &blocks, pareto_columns, "%s cutoff=%s", c->board,
					    c->cutoff);
			begun = true;
			table_row(file, pareto_columns, c);
		}
		if (i + 1 == s->count || strcmp(c->board, s->cells[i + 1].board) != 0)
			front_block(file, s, c->board, &blocks);
	}
}

/* ---- For people. */

static void searched_text(const void *row, char text[GRID_TEXT_MAX])
{
	const struct sweep_cell *c = row;
	snprintf(text, GRID_TEXT_MAX, c->searched < c->asked ? "%zu of %zu" : "%zu", c->searched,
		 c->asked);
}

static const void *cell_at(void *context, size_t row)
{
	const struct sweep_cells *s = context;
	return row < s->count ? &s->cells[row] : NULL;
}

static void sweep_print(FILE *file, const void *data)
{
	const struct sweep_cells *s = data;
	bool games = false;
	for (size_t i = 0; i < s->count; i++)
		games = games || s->cells[i].games > 0;
	const struct table_column columns[] = {
	    CELL("board", TEXT, board),
	    CELL("cutoff", TEXT, cutoff),
	    CELL("depth", INT, depth),
	    {.name = "positions", .text = searched_text},
	    CELL("median ms", REAL, median.value),
	    CELL("ms/move [95%]", INTERVAL, cost),
	    CELL_FIXED("nodes", REAL, nodes.value, 0),
	    CELL_FIXED("hits %", SHARE, hit_rate, 1),
	    CELL(games ? "games" : NULL, COUNT, games),
	    CELL("ms there", REAL, played.value),
	    CELL("mean score [95%]", INTERVAL, score),
	    CELL("front", FLAG, front),
	    {0},
	};
	table_view_print(file,
			 &(struct table_view){
			     .columns = columns, .left = 2, .row = cell_at, .context = (void *)s});
	fprintf(file, "\n%s.\n", sweep_method);
}

const struct tables sweep_tables = {
    .print = sweep_print,
    .head = head_write,
    .table =
	{
	    {"sweep",
	     "ms, median, played: milliseconds a move; nodes: positions a move; hit_rate: hits of "
	     "the table a probe; score: points; reached: own moves",
	     sweep_write},
	    {"boards", "ms: milliseconds a move", boards_write},
	    {"pareto", "ms: milliseconds a move; score: points", pareto_write},
	},
};
