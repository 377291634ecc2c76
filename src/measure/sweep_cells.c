/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cells of a sweep; see sweep_cells.h.
 *
 * Invariant: sweep_best() of cells with games and a time is on the front, for every budget.
 */
#include "src/measure/sweep_cells.h"

#include "base/text.h"
#include "base/xalloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* With fewer numbers no two order statistics enclose a median with a probability of 95%. */
enum { ROUNDS_BOUNDED = 6 };

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

/*
 * Whether A and B have searched the same trees. One of them may have ended at a limit of time, but
 * not before half of the positions of the other.
 */
static bool searches_same(const struct cell_searches *a, const struct cell_searches *b)
{
	if (2 * a->n < b->n || 2 * b->n < a->n)
		return false;
	for (size_t i = 0; i < a->n && i < b->n; i++)
		if (a->row[i]->nodes != b->row[i]->nodes ||
		    a->row[i]->probes != b->row[i]->probes || a->row[i]->hits != b->row[i]->hits)
			return false;
	return true;
}

/* Whether A and B have results, and these are identical. */
static bool cells_same(const struct sweep_cell *a, const struct sweep_cell *b)
{
	return strcmp(a->board, b->board) == 0 && a->games == b->games &&
	       a->games_hash == b->games_hash && (a->searches.n || a->games) &&
	       searches_same(&a->searches, &b->searches);
}

/* Identical cells. */
struct cell_group {
	struct sweep_cell **cell; /* [count] */
	size_t count;
	size_t rounds, n; /* common to all cells */
	double *x, *y;	  /* buffers for samples: [(rounds + 1) * count], [rounds + n] */
};

/* The mean time of the positions in ROUND, as the median over cells. */
static double round_time(const struct cell_group *g, size_t round)
{
	for (size_t c = 0; c < g->count; c++) {
		const struct cell_searches *s = &g->cell[c]->searches;
		g->x[c] = 0;
		for (size_t i = 0; i < g->n; i++)
			g->x[c] += 1e3 * s->row[round * s->n + i]->seconds / (double)g->n;
	}
	return stats_median(g->x, g->count);
}

/* The median time of position I over all cells and rounds. */
static double position_time(const struct cell_group *g, size_t i)
{
	for (size_t c = 0; c < g->count; c++) {
		const struct cell_searches *s = &g->cell[c]->searches;
		for (size_t r = 0; r < g->rounds; r++)
			g->x[c * g->rounds + r] = 1e3 * s->row[r * s->n + i]->seconds;
	}
	return stats_median(g->x, g->count * g->rounds);
}

static void searches_estimate(struct sweep_cell *cell, const struct cell_group *g)
{
	const struct sweep_row *const *row = cell->searches.row;
	double probes = 0, hits = 0, reached = 0;
	for (size_t r = 0; r < g->rounds; r++)
		g->y[r] = round_time(g, r);
	stats_sort(g->y, g->rounds);
	cell->mean = stats_interval(&stat_median, g->y, g->rounds);
	/* Load lasts for several rounds, so they are not independent: take their whole range. */
	if (!isnan(cell->mean.low)) {
		cell->mean.low = g->y[0];
		cell->mean.high = g->y[g->rounds - 1];
	}
	for (size_t i = 0; i < g->n; i++)
		g->y[i] = position_time(g, i);
	stats_sort(g->y, g->n);
	cell->median = stats_interval(&stat_median, g->y, g->n);
	for (size_t i = 0; i < g->n; i++) {
		g->y[i] = (double)row[i]->nodes;
		probes += (double)row[i]->probes;
		hits += (double)row[i]->hits;
		reached += (double)row[i]->depth;
	}
	cell->nodes = stats_mean(g->y, g->n);
	cell->hit_rate = probes > 0 ? hits / probes : NAN;
	cell->reached = reached / (double)g->n;
}

/* The time per move in games: the median over cells, with bounds that enclose all bounds. */
static struct interval played_join(const struct cell_group *g)
{
	struct interval all = g->cell[0]->played;
	for (size_t c = 0; c < g->count; c++) {
		g->x[c] = g->cell[c]->played.value;
		all.low = fmin(all.low, g->cell[c]->played.low);
		all.high = fmax(all.high, g->cell[c]->played.high);
	}
	all.value = g->cell[0]->games ? stats_median(g->x, g->count) : NAN;
	return all;
}

/* Gives all cells of a group the same estimate. */
static void group_estimate(const struct cell_group *g)
{
	struct sweep_cell all = *g->cell[0];
	all.searched = g->n;
	all.rounds = g->rounds;
	if (g->n)
		searches_estimate(&all, g);
	all.played = played_join(g);
	all.same = g->count;
	for (size_t c = 0; c < g->count; c++) {
		struct sweep_cell *cell = g->cell[c];
		const struct sweep_cell was = *cell;
		*cell = all;
		cell->agent = was.agent;
		cell->cutoff = was.cutoff;
		cell->depth = was.depth;
		cell->asked = was.asked;
		cell->searches = was.searches;
	}
}

/* Sets G to cell I and those after it that are identical and have no estimate yet. */
static void group_find(struct cell_group *g, struct sweep_cell *cells, size_t count, size_t i)
{
	g->count = 0;
	g->rounds = cells[i].searches.rounds;
	g->n = cells[i].searches.n;
	for (size_t j = i; j < count; j++) {
		const struct cell_searches *s = &cells[j].searches;
		if (cells[j].same || (j > i && !cells_same(&cells[i], &cells[j])))
			continue;
		g->cell[g->count++] = &cells[j];
		g->rounds = s->rounds < g->rounds ? s->rounds : g->rounds;
		g->n = s->n < g->n ? s->n : g->n;
	}
}

void sweep_cells_estimate(struct sweep_cell *cells, size_t count)
{
	struct cell_group g = {.cell = xcalloc(count, sizeof *g.cell)};
	for (size_t i = 0; i < count; i++) {
		if (cells[i].same)
			continue;
		group_find(&g, cells, count, i);
		g.x = xcalloc((g.rounds + 1) * g.count, sizeof *g.x);
		g.y = xcalloc(g.rounds + g.n, sizeof *g.y);
		group_estimate(&g);
		free(g.x);
		free(g.y);
	}
	free(g.cell);
}

/* Whether A is at least as good as B in cost and score, and better in one of them. */
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

/* What cells are compared by: score or nodes; NAN if unknown. */
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
    "time per move: median over rounds of the mean over positions, 95% interval between order "
    "statistics of at least 6 rounds; cells that searched and played the same are one cell; "
    "median: "
    "over positions, order statistics; nodes: over positions, Student's t; scores: over games, by "
    "Student's t on the logarithm below 15, BCa bootstrap by saddlepoint approximation up to 500, "
    "Student's t above; ms per move of games: delta method; no interval where all are alike";

#define CELL(title, kind, member) TABLE_COLUMN(struct sweep_cell, title, kind, member)
#define CELL_FIXED(title, kind, member, places)                                                    \
	TABLE_FIXED(struct sweep_cell, title, kind, member, places)

static void head_write(FILE *file, const void *data)
{
	(void)data;
	fprintf(file, "# %s\n", sweep_method);
}

/* ---- For programs. */

static const struct table_column sweep_columns[] = {
    CELL("board", TEXT, board),
    CELL("cutoff", TEXT, cutoff),
    CELL("depth", INT, depth),
    CELL("ms", INTERVAL, cost),
    CELL("median", INTERVAL, median),
    CELL("nodes", INTERVAL, nodes),
    CELL("hit_rate", SHARE, hit_rate),
    CELL("reached", REAL, reached),
    CELL("searched", COUNT, searched),
    CELL("asked", COUNT, asked),
    CELL("games", COUNT, games),
    CELL("score", INTERVAL, score),
    CELL("played", INTERVAL, played),
    CELL("front", FLAG, front),
    CELL("rounds", COUNT, rounds),
    CELL("agent", TEXT, agent),
    {0},
};

static void sweep_rows(const struct table_out *out, const void *data)
{
	const struct sweep_cells *s = data;
	for (size_t i = 0; i < s->count; i++)
		table_put(out, &s->cells[i]);
}

static const struct table_column board_columns[] = {
    CELL("cutoff", TEXT, cutoff),
    CELL("board", TEXT, board),
    CELL("depth", INT, depth),
    CELL("ms", INTERVAL, cost),
    {0},
};

static void boards_rows(const struct table_out *out, const void *data)
{
	const struct sweep_cells *s = data;
	const struct sweep_cell *c = s->cells;
	if (s->count == 0 || strcmp(c[0].board, c[s->count - 1].board) == 0)
		return;
	/* Every board has the cutoffs of the first one. */
	for (size_t i = 0; strcmp(c[i].board, c[0].board) == 0; i++)
		for (size_t j = 0;
		     j < s->count && (!i || strcmp(c[i].cutoff, c[i - 1].cutoff) != 0); j++)
			if (strcmp(c[j].cutoff, c[i].cutoff) == 0)
				table_put(out, &c[j]);
}

/* A cell as a point of a series. */
struct pareto_row {
	struct sweep_cell cell;
	char series[GRID_TEXT_MAX];
};

#define POINT(title, kind, member) TABLE_COLUMN(struct pareto_row, title, kind, member)

static const struct table_column pareto_columns[] = {
    POINT("board", TEXT, cell.board),
    POINT("series", CHARS, series),
    POINT("ms", INTERVAL, cell.cost),
    POINT("score", INTERVAL, cell.score),
    POINT("depth", INT, cell.depth),
    POINT("agent", TEXT, cell.agent),
    {0},
};

static void pareto_put(const struct table_out *out, const struct sweep_cell *c, bool front)
{
	struct pareto_row row = {.cell = *c};
	snprintf(row.series, sizeof row.series, front ? "Pareto front" : "cutoff=%s", c->cutoff);
	table_put(out, &row);
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
		/* Cells of equal cost on a front have equal scores, and keep their order. */
		bool after = !cell || c->cost.value > cell->cost.value ||
			     (c->cost.value == cell->cost.value && c > cell);
		if (after && (!next || c->cost.value < next->cost.value))
			next = c;
	}
	return next;
}

static void pareto_rows(const struct table_out *out, const void *data)
{
	const struct sweep_cells *s = data;
	for (size_t i = 0; i < s->count; i++) {
		const struct sweep_cell *c = &s->cells[i];
		if (!isnan(c->score.value) && !isnan(c->cost.value))
			pareto_put(out, c, false);
		if (i + 1 < s->count && strcmp(c->board, s->cells[i + 1].board) == 0)
			continue;
		for (const struct sweep_cell *f = front_next(s, c->board, NULL); f;
		     f = front_next(s, c->board, f))
			pareto_put(out, f, true);
	}
}

/* ---- For people. */

static void searched_text(const void *row, char text[GRID_TEXT_MAX])
{
	const struct sweep_cell *c = row;
	snprintf(text, GRID_TEXT_MAX, c->searched < c->asked ? "%zu of %zu" : "%zu", c->searched,
		 c->asked);
}

/* Cells of a board, or of all. */
struct board_cells {
	const struct sweep_cells *all;
	const char *board; /* NULL: of all */
};

/* Rows of the cells with results; a stopped sweep also has others. */
static void cells_rows(const struct table_out *out, const void *data)
{
	const struct board_cells *of = data;
	for (size_t i = 0; i < of->all->count; i++) {
		const struct sweep_cell *c = &of->all->cells[i];
		if ((c->searched || c->games) && (!of->board || strcmp(c->board, of->board) == 0))
			table_put(out, c);
	}
}

/* Prints all columns of all boards, or the main columns of BOARD, named in the first header. */
static void cells_print(FILE *file, const struct sweep_cells *s, const char *board, bool games)
{
	const struct board_cells cells = {s, board};
	char header[32];
	const struct table_column full[] = {
	    CELL("board", TEXT, board),
	    CELL("cutoff", TEXT, cutoff),
	    CELL("depth", INT, depth),
	    {.name = "positions", .text = searched_text},
	    CELL("median", TIME, median.value),
	    CELL("time per move [95%]", TIMES, cost),
	    CELL_FIXED("nodes", REAL, nodes.value, 0),
	    CELL_FIXED("% table hits", SHARE, hit_rate, 1),
	    CELL(games ? "games" : NULL, COUNT, games),
	    CELL("in games", TIME, played.value),
	    CELL("mean score [95%]", INTERVAL, score),
	    CELL("best", FLAG, front),
	    {0},
	};
	const struct table_column brief[] = {
	    CELL(header, TEXT, cutoff),
	    CELL("depth", INT, depth),
	    CELL("time per move [95%]", TIMES, cost),
	    CELL_FIXED("nodes", REAL, nodes.value, 0),
	    CELL(games ? "mean score [95%]" : NULL, INTERVAL, score),
	    CELL("best", FLAG, front),
	    {0},
	};
	snprintf(header, sizeof header, "%s, cutoff", board ? board : "");
	if (table_view_print(file, &(struct table_view){.columns = board ? brief : full,
							.left = board ? 2 : 3,
							.rows = cells_rows,
							.data = &cells,
							.fits = board}))
		putc('\n', file);
}

/* Explains the times, from so many ROUNDS of searches, and the intervals. */
static void times_explain(FILE *file, size_t rounds, bool games)
{
	if (rounds)
		text_printf(
		    file, "Time per move: the median of %zu round%s, each over all positions. %s%s",
		    rounds, rounds == 1 ? "" : "s",
		    rounds < ROUNDS_BOUNDED
			? "No interval: that takes 6 rounds. "
			: "[low, high]: its 95% interval over the rounds, wider on a busy "
			  "machine. ",
		    games ? "Scores: 95% intervals over the games." : "");
	else
		text_printf(file, "[low, high]: 95%% intervals over the games; the load of the "
				  "machine is not in them.");
}

static void sweep_print(FILE *file, const void *data, bool full)
{
	const struct sweep_cells *s = data;
	bool games = false, same = false;
	size_t rounds = 0;
	for (size_t i = 0; i < s->count; i++) {
		games = games || s->cells[i].games > 0;
		same = same || s->cells[i].same > 1;
		rounds = s->cells[i].rounds > rounds ? s->cells[i].rounds : rounds;
	}
	if (s->unfinished)
		text_printf(file, "Unfinished: %s.", s->unfinished);
	if (s->uncounted)
		text_printf(file, "Counted: %s.", s->uncounted);
	if (s->unfinished || s->uncounted)
		putc('\n', file);
	if (full)
		cells_print(file, s, NULL, games);
	for (size_t i = 0; !full && i < s->count; i++)
		if (i == 0 || strcmp(s->cells[i].board, s->cells[i - 1].board) != 0)
			cells_print(file, s, s->cells[i].board, games);
	times_explain(file, rounds, games);
	text_printf(
	    file, "Nodes: positions searched per move. %s%s",
	    games ? "*: no other setting is both faster and better, by the estimates: "
		    "differences within the intervals may be chance. "
		  : "",
	    same ? "Settings that searched and played exactly the same are one cell: they share "
		   "its estimate and its mark."
		 : "");
	if (full) {
		putc('\n', file);
		text_printf(file, "%s.", sweep_method);
	}
}

const struct tables sweep_tables = {
    .print = sweep_print,
    .head = head_write,
    .table =
	{
	    TABLE("sweep",
		  "ms, median, played: milliseconds per move; nodes: positions per move; hit_rate: "
		  "hits of the table per probe; score: points; reached: own moves",
		  sweep_columns, sweep_rows),
	    TABLE("boards", "ms: milliseconds per move", board_columns, boards_rows),
	    TABLE("pareto", "ms: milliseconds per move; score: points", pareto_columns,
		  pareto_rows),
	},
};
