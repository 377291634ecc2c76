/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a sweep is made of, read strictly from words, and what is made of it; see sweep.h and
 * sweep_run.h. What it recommends is a table with a row a board and budget, then a
 * command a cell.
 *
 * Invariant: of cells with games and a time, sweep_best() is on the front, whatever the budget.
 */
#include "base/number.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "src/measure/sweep.h"

#include "analysis/tables/summary.h"
#include "analysis/tables/table.h"
#include "src/cli/options.h"
#include "src/report/report.h"
#include "src/measure/launch.h"
#include "src/games/logs.h"
#include "src/measure/sweep_run.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

enum { DEPTH_MAX = 1000, DEFAULT_POSITIONS = 100 };

/* With fewer numbers no order statistics hold a median with a probability of 95%. */
enum { ROUNDS_BOUNDED = 6 };

static enum status value_add(struct sweep_values *values, const char *what, double value,
			     const char *text, struct why *why)
{
	for (int i = 0; i < values->n; i++)
		if (values->value[i] == value)
			return why_set(why, STATUS_INPUT, "%s: %s is there twice", what, text);
	if (values->n == SWEEP_VALUES_MAX)
		return why_set(why, STATUS_INPUT, "%s: more than %d", what, SWEEP_VALUES_MAX);
	values->value[values->n] = value;
	snprintf(values->text[values->n++], SWEEP_TEXT_MAX, "%s", text);
	return STATUS_OK;
}

enum status sweep_add_depths(void *values, const char *what, const char *text, struct why *why)
{
	char first[SWEEP_TEXT_MAX], number[SWEEP_TEXT_MAX];
	uint64_t from, to;
	size_t length = strcspn(text, "-");
	const char *last = text[length] ? text + length + 1 : text;
	snprintf(first, sizeof first, "%.*s", (int)length, text);
	enum status status = number_parse(what, first, 1, DEPTH_MAX, &from, why);
	if (!status)
		status = number_parse(what, last, 1, DEPTH_MAX, &to, why);
	if (status)
		return status;
	if (to < from)
		return why_set(why, STATUS_INPUT,
			       "%s: '%.40s' has its end before its start; expected one depth, or "
			       "two as in 1-9",
			       what, text);
	for (; !status && from <= to; from++) {
		snprintf(number, sizeof number, "%d", (int)from);
		status = value_add(values, what, (double)from, number, why);
	}
	return status;
}

enum status sweep_add_cutoff(void *values, const char *what, const char *text, struct why *why)
{
	double cutoff;
	if (!real_parse(text, &cutoff) || !(cutoff >= 0 && cutoff <= 1) ||
	    strlen(text) >= SWEEP_TEXT_MAX)
		return why_set(why, STATUS_INPUT,
			       "%s: '%.40s' is not a probability from 0 to 1, such as 1e-4", what,
			       text);
	return value_add(values, what, cutoff, text, why);
}

enum status sweep_time(void *seconds, const char *what, const char *text, struct why *why)
{
	static const struct field time = {.kind = FIELD_DURATION};
	return field_read(&time, what, seconds, text, why);
}

enum status sweep_add_budget(void *values, const char *what, const char *text, struct why *why)
{
	double seconds;
	enum status status = sweep_time(&seconds, what, text, why);
	if (!status && strlen(text) >= SWEEP_TEXT_MAX)
		return why_set(why, STATUS_INPUT, "%s: '%.40s...' is too long", what, text);
	return status ? status : value_add(values, what, seconds, text, why);
}

enum status sweep_set_positions(void *field, const char *what, const char *text, struct why *why)
{
	struct sweep *sweep = field;
	uint64_t number = 0;
	if (*text && strspn(text, "0123456789") == strlen(text)) {
		enum status status = number_parse(what, text, 1, SWEEP_POSITIONS_MAX, &number, why);
		if (status)
			return status;
		sweep->positions = number;
		sweep->file[0] = '\0';
		return STATUS_OK;
	}
	if (!*text || strlen(text) >= sizeof sweep->file)
		return why_set(why, STATUS_INPUT, "%s: expected a number of positions or a file",
			       what);
	snprintf(sweep->file, sizeof sweep->file, "%s", text);
	sweep->positions = 0;
	return STATUS_OK;
}

enum status sweep_set_agent(void *field, const char *what, const char *text, struct why *why)
{
	struct sweep *sweep = field;
	static const char *const own[] = {"depth", "cutoff"};
	for (int i = 0; i < 2; i++)
		if (agent_sets(text, own[i]))
			return why_set(why, STATUS_INPUT,
				       "%s: '%.80s' sets %s, which the cells differ in; it belongs "
				       "into the list of %ss",
				       what, text, own[i], own[i]);
	if (strlen(text) >= sizeof sweep->agent)
		return why_set(why, STATUS_INPUT, "%s: longer than %zu bytes", what,
			       sizeof sweep->agent - 1);
	snprintf(sweep->agent, sizeof sweep->agent, "%s", text);
	return STATUS_OK;
}

enum status sweep_complete(struct sweep *sweep, struct why *why)
{
	static const char *const cutoffs[] = {"1e-2", "1e-3", "1e-4", "1e-5", "1e-6"};
	enum status status = STATUS_OK;
	if (!sweep->depths.n)
		status = sweep_add_depths(&sweep->depths, "depths", "1-9", why);
	for (size_t i = 0, none = !sweep->cutoffs.n; !status && none && i < 5; i++)
		status = sweep_add_cutoff(&sweep->cutoffs, "cutoffs", cutoffs[i], why);
	if (!sweep->positions && !*sweep->file && !sweep->games)
		sweep->positions = DEFAULT_POSITIONS;
	if (!status && isfinite(sweep->play_limit) &&
	    (!sweep->games || (!sweep->positions && !*sweep->file)))
		status = why_set(why, STATUS_INPUT,
				 "a limit for games (play-limit) needs games and positions");
	return status;
}

/* Which depth and cutoff cell I of all has. */
static int sweep_depth_of(const struct sweep *sweep, size_t i)
{
	return (int)(i % (size_t)sweep->depths.n);
}

static int sweep_cutoff_of(const struct sweep *sweep, size_t i)
{
	return (int)(i / (size_t)sweep->depths.n % (size_t)sweep->cutoffs.n);
}

/* The agent of cell I, with its depth and cutoff as they were written. */
static void sweep_spec(const struct sweep *sweep, size_t i, char spec[SWEEP_SPEC_MAX])
{
	snprintf(spec, SWEEP_SPEC_MAX, "%s%cdepth=%s,cutoff=%s", sweep->agent,
		 strchr(sweep->agent, ':') ? ',' : ':',
		 sweep->depths.text[sweep_depth_of(sweep, i)],
		 sweep->cutoffs.text[sweep_cutoff_of(sweep, i)]);
}

enum status sweep_add_cells(const struct sweep *sweep, struct experiment *experiment,
			    const struct game *game, struct why *why)
{
	char spec[SWEEP_SPEC_MAX];
	const struct schedule schedule = {.games = sweep->games};
	enum status status = STATUS_OK;
	for (size_t i = 0; !status && i < sweep_board_cells(sweep); i++) {
		sweep_spec(sweep, i, spec);
		status = experiment_add(experiment, game, spec, NULL, &schedule, why);
	}
	return status;
}

/* The cell of ENTRY, for people. */
static void cell_show(const struct experiment_entry *entry, uint64_t games)
{
	char text[2 * SPEC_MAX + 64];
	snprintf(text, sizeof text, "%" PRIu64 " games; %.*s:%s", games,
		 (int)strcspn(entry->agent, ":"), entry->agent, entry->parameters);
	printf("%-4s ", entry->game.name);
	text_fill(stdout, 5, text);
}

void sweep_list(const struct experiment *experiment, const struct sweep *sweep)
{
	if (experiment->title)
		printf("# %s\n", experiment->title);
	const bool shown = isatty(STDOUT_FILENO);
	if (!shown)
		printf("board\tdepth\tcutoff\tagent\tgames\tparameters\n");
	for (size_t i = 0; i < experiment->count; i++) {
		if (shown) {
			cell_show(experiment->entries[i], sweep->games);
			continue;
		}
		printf("%s\t%s\t%s\t%s\t%" PRIu64 "\t%s\n", experiment->entries[i]->game.name,
		       sweep->depths.text[sweep_depth_of(sweep, i)],
		       sweep->cutoffs.text[sweep_cutoff_of(sweep, i)],
		       experiment->entries[i]->agent, sweep->games,
		       experiment->entries[i]->parameters);
	}
	printf("# %zu cells, ", experiment->count);
	if (*sweep->file)
		printf("each on the positions of %s", sweep->file);
	else
		printf("each on %" PRIu64 " positions", sweep->positions);
	printf(" in %" PRIu64 " rounds, with seed %" PRIu64 "\n", sweep->rounds, experiment->seed);
}

/* ---- Cells: estimates, the Pareto front, the best one; their tables. */

static const struct interval nothing_known = {NAN, NAN, NAN};

/* A cell that knows what it is and nothing else; the texts stay the caller's. */
static struct sweep_cell sweep_cell_make(const char *board, const char *agent, const char *cutoff,
					 int depth)
{
	return (struct sweep_cell){
	    .board = board,
	    .agent = agent,
	    .cutoff = cutoff,
	    .depth = depth,
	    .mean = nothing_known,
	    .median = nothing_known,
	    .nodes = nothing_known,
	    .hit_rate = NAN,
	    .reached = NAN,
	    .score = nothing_known,
	    .played = nothing_known,
	    .cost = nothing_known,
	};
}

/*
 * Whether A and B have searched the same trees. One of them may have ended earlier, at a limit of
 * time, though not much.
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

/* Whether A and B differ in nothing but their names. */
static bool cells_same(const struct sweep_cell *a, const struct cell_searches *a_searches,
		       const struct sweep_cell *b, const struct cell_searches *b_searches)
{
	return strcmp(a->board, b->board) == 0 && a->games == b->games &&
	       a->games_hash == b->games_hash && (a_searches->n || a->games) &&
	       searches_same(a_searches, b_searches);
}

/* Cells that are one. */
struct cell_group {
	struct sweep_cell **cell;	       /* [count] */
	const struct cell_searches **searches; /* [count] */
	size_t count;
	size_t rounds, n; /* that all of them have */
	double *x, *y;	  /* room for numbers of a round, and of all rounds */
};

/* The mean time of the positions in ROUND: the median of the cells. */
static double round_time(const struct cell_group *g, size_t round)
{
	for (size_t c = 0; c < g->count; c++) {
		const struct cell_searches *s = g->searches[c];
		g->x[c] = 0;
		for (size_t i = 0; i < g->n; i++)
			g->x[c] += 1e3 * s->row[round * s->n + i]->seconds / (double)g->n;
	}
	return stats_median(g->x, g->count);
}

/* The median time of position I, of all cells and rounds. */
static double position_time(const struct cell_group *g, size_t i)
{
	for (size_t c = 0; c < g->count; c++)
		for (size_t r = 0; r < g->rounds; r++)
			g->x[c * g->rounds + r] =
			    1e3 * g->searches[c]->row[r * g->searches[c]->n + i]->seconds;
	return stats_median(g->x, g->count * g->rounds);
}

static void searches_estimate(struct sweep_cell *cell, const struct cell_group *g)
{
	const struct sweep_row *const *row = g->searches[0]->row;
	double probes = 0, hits = 0, reached = 0;
	for (size_t r = 0; r < g->rounds; r++)
		g->y[r] = round_time(g, r);
	stats_sort(g->y, g->rounds);
	cell->mean = stats_interval(&stat_median, g->y, g->rounds);
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

/* The time a move in games: the median of the cells, with bounds that hold those of all. */
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
	}
}

/* Makes G the cell I and those after it that are the same and have no estimate yet. */
static void group_find(struct cell_group *g, struct sweep_cell *cells,
		       const struct cell_searches *searches, size_t count, size_t i)
{
	g->count = 0;
	g->rounds = searches[i].rounds;
	g->n = searches[i].n;
	for (size_t j = i; j < count; j++) {
		const struct cell_searches *s = &searches[j];
		if (cells[j].same || (j > i && !cells_same(&cells[i], &searches[i], &cells[j], s)))
			continue;
		g->cell[g->count] = &cells[j];
		g->searches[g->count++] = s;
		g->rounds = s->rounds < g->rounds ? s->rounds : g->rounds;
		g->n = s->n < g->n ? s->n : g->n;
	}
}

void sweep_cells_estimate(struct sweep_cell *cells, const struct cell_searches *searches,
			  size_t count)
{
	size_t room = count;
	for (size_t i = 0; i < count; i++) {
		const size_t times = searches[i].rounds * count;
		room = searches[i].n > room ? searches[i].n : room;
		room = times > room ? times : room;
	}
	struct cell_group g = {.cell = xcalloc(count, sizeof *g.cell),
			       .searches = xcalloc(count, sizeof *g.searches),
			       .x = xcalloc(room, sizeof *g.x),
			       .y = xcalloc(room, sizeof *g.y)};
	for (size_t i = 0; i < count; i++)
		if (!cells[i].same) {
			group_find(&g, cells, searches, count, i);
			group_estimate(&g);
		}
	free(g.cell);
	free(g.searches);
	free(g.x);
	free(g.y);
}

/* Whether A makes B superfluous. */
static bool dominates(const struct sweep_cell *a, const struct sweep_cell *b)
{
	double a_cost = a->cost.value, b_cost = b->cost.value;
	double a_score = a->score.value, b_score = b->score.value;
	return strcmp(a->board, b->board) == 0 && a_cost <= b_cost && a_score >= b_score &&
	       (a_cost < b_cost || a_score > b_score);
}

/*
 * Gives the cells their cost, and marks those that are on the Pareto front of their board, by point
 * estimates: no other cell has as much score in as little time, and more of one. Cells without
 * games or without a time are on none.
 */
static void sweep_judge(struct sweep_cell *cells, size_t count)
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

/*
 * The best cell on BOARD whose cost is at most BUDGET milliseconds, or NULL: the one with the
 * highest score, or, if no cell of the board has games, the one with the most nodes; of equals the
 * cheaper. After sweep_judge().
 */
static const struct sweep_cell *sweep_best(const struct sweep_cell *cells, size_t count,
					   const char *board, double budget)
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

/* Whether cell I has another board or cutoff than the one before it. */
static bool curve_begins(const struct sweep_cells *s, size_t i)
{
	return i == 0 || strcmp(s->cells[i].board, s->cells[i - 1].board) != 0 ||
	       strcmp(s->cells[i].cutoff, s->cells[i - 1].cutoff) != 0;
}

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

/* The curve that begins with cell I. */
static void board_rows(const struct table_out *out, const struct sweep_cells *s, size_t i)
{
	do
		table_put(out, &s->cells[i]);
	while (++i < s->count && !curve_begins(s, i));
}

static void boards_rows(const struct table_out *out, const void *data)
{
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
				board_rows(out, s, j);
	}
}

static bool judged(const struct sweep_cell *c)
{
	return !isnan(c->score.value) && !isnan(c->cost.value);
}

/* A cell as a point of a series. */
struct pareto_row {
	const char *board, *agent;
	char series[GRID_TEXT_MAX];
	struct interval ms, score;
	int depth;
};

#define POINT(title, kind, member) TABLE_COLUMN(struct pareto_row, title, kind, member)

static const struct table_column pareto_columns[] = {
    POINT("board", TEXT, board),
    POINT("series", CHARS, series),
    POINT("ms", INTERVAL, ms),
    POINT("score", INTERVAL, score),
    POINT("depth", INT, depth),
    POINT("agent", TEXT, agent),
    {0},
};

static void pareto_put(const struct table_out *out, const struct sweep_cell *c, bool front)
{
	struct pareto_row row = {.board = c->board,
				 .agent = c->agent,
				 .ms = c->cost,
				 .score = c->score,
				 .depth = c->depth};
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
		/* Cells of equal cost on a front have equal scores; they come in their order. */
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
		if (judged(c))
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

/* Those with results: a sweep that was stopped has others. */
static const void *cell_at(void *context, size_t row)
{
	const struct board_cells *of = context;
	for (size_t i = 0; i < of->all->count; i++) {
		const struct sweep_cell *c = &of->all->cells[i];
		if ((c->searched || c->games) && (!of->board || strcmp(c->board, of->board) == 0) &&
		    row-- == 0)
			return c;
	}
	return NULL;
}

static void median_text(const void *row, char text[GRID_TEXT_MAX])
{
	time_text(((const struct sweep_cell *)row)->median.value, text);
}

static void played_text(const void *row, char text[GRID_TEXT_MAX])
{
	time_text(((const struct sweep_cell *)row)->played.value, text);
}

static void board_print(FILE *file, const struct sweep_cells *s, const char *board, bool games)
{
	struct board_cells cells = {s, board};
	char header[32];
	if (!cell_at(&cells, 0))
		return;
	snprintf(header, sizeof header, "%s, cutoff", board);
	const struct table_column columns[] = {
	    CELL(header, TEXT, cutoff),
	    CELL("depth", INT, depth),
	    CELL("time per move [95%]", TIMES, cost),
	    CELL_FIXED("nodes", REAL, nodes.value, 0),
	    CELL(games ? "mean score [95%]" : NULL, INTERVAL, score),
	    CELL("best", FLAG, front),
	    {0},
	};
	table_view_print(file, &(struct table_view){.columns = columns,
						    .left = 2,
						    .row = cell_at,
						    .context = (void *)&cells,
						    .fits = true});
	putc('\n', file);
}

/* What the times are, of so many ROUNDS of searches, and of what the intervals are. */
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
	for (size_t i = 0; !full && i < s->count; i++)
		if (i == 0 || strcmp(s->cells[i].board, s->cells[i - 1].board) != 0)
			board_print(file, s, s->cells[i].board, games);
	const struct table_column columns[] = {
	    CELL("board", TEXT, board),
	    CELL("cutoff", TEXT, cutoff),
	    CELL("depth", INT, depth),
	    {.name = "positions", .text = searched_text},
	    {.name = "median", .text = median_text},
	    CELL("time per move [95%]", TIMES, cost),
	    CELL_FIXED("nodes", REAL, nodes.value, 0),
	    CELL_FIXED("% table hits", SHARE, hit_rate, 1),
	    CELL(games ? "games" : NULL, COUNT, games),
	    {.name = "in games", .text = played_text},
	    CELL("mean score [95%]", INTERVAL, score),
	    CELL("best", FLAG, front),
	    {0},
	};
	if (full) {
		struct board_cells cells = {s, NULL};
		table_view_print(
		    file, &(struct table_view){
			      .columns = columns, .left = 3, .row = cell_at, .context = &cells});
		putc('\n', file);
	}
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

/*
 * sweep    one row per board, cutoff and depth; ms is the cost of a move, of the positions
 *          searched, or of the games if there are none; searched positions of those asked for;
 *          played is ms per move in games
 * boards   the same by cutoff and board; without rows if there is only one board
 * pareto   one row per cell with games, of the series "cutoff=C"; then for each board the cells of
 *          its Pareto front again, by their cost, of the series "Pareto front"
 *
 * They are made of a struct sweep_cells.
 */
static const struct tables sweep_tables = {
    .print = sweep_print,
    .head = head_write,
    .table =
	{
	    {"sweep",
	     "ms, median, played: milliseconds per move; nodes: positions per move; hit_rate: "
	     "hits of the table per probe; score: points; reached: own moves",
	     sweep_columns, sweep_rows},
	    {"boards", "ms: milliseconds per move", board_columns, boards_rows},
	    {"pareto", "ms: milliseconds per move; score: points", pareto_columns, pareto_rows},
	},
};

/* ---- The report. */

/* Stands for the games of CELL and how they ended. */
static uint64_t games_hash(const struct cell *cell)
{
	uint64_t hash = 0;
	for (size_t i = 0; i < cell->games; i++) {
		const struct gamelog_row *row = cell->rows[i];
		const uint64_t game[] = {row->seed, row->game, row->score, row->moves};
		hash = XXH3_64bits_withSeed(game, sizeof game, hash);
	}
	return hash;
}

/* Gives CELLS the scores of the games in SELECTION, if there are any. */
static enum status scores_fill(struct sweep_run *run, struct sweep_cell *cells,
			       const struct gamelog *selection, struct why *why)
{
	struct summary summary;
	if (selection->count == 0)
		return STATUS_OK;
	enum status status = summary_init(&summary, selection, why);
	if (status)
		return status;
	for (size_t i = 0; i < run->experiment->count; i++) {
		const struct experiment_entry *entry = run->experiment->entries[i];
		const struct cell *cell = summary_final(&summary, entry->game.name, entry->label);
		if (!cell)
			continue;
		cells[i].games = cell->games;
		cells[i].games_hash = games_hash(cell);
		cells[i].score = cell->mean;
		cells[i].played = cell->ms_per_move;
	}
	status = report_counted_note(&run->provenance, summary.uncounted, why);
	summary_fini(&summary);
	return status;
}

static enum status scores_estimate(struct sweep_run *run, struct sweep_cell *cells, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	struct gamelog selection;
	enum status status = path_format(path, why, "%s/games.tsv", run->directory);
	/* Stopped before any game, or none is to be played now: those of earlier runs count. */
	if (!status && !run->played.count && access(path, F_OK) == 0)
		status = gamelog_read(&run->played, path, why);
	status = status ? status : selection_init(&selection, &run->played, run->experiment, false,
					     why);
	if (status)
		return status;
	status = scores_fill(run, cells, &selection, why);
	gamelog_fini(&selection);
	return status;
}

/* SPECS: room for the agents of CELLS, which tell depth and cutoff as they were written. */
static enum status cells_estimate(struct sweep_run *run, struct sweep_cell *cells,
				  char (*specs)[SWEEP_SPEC_MAX], struct why *why)
{
	enum status status = STATUS_OK;
	for (size_t i = 0; i < run->experiment->count; i++) {
		const struct experiment_entry *entry = run->experiment->entries[i];
		int d = sweep_depth_of(run->sweep, i), c = sweep_cutoff_of(run->sweep, i);
		sweep_spec(run->sweep, i, specs[i]);
		cells[i] = sweep_cell_make(entry->game.name, specs[i], run->sweep->cutoffs.text[c],
					   (int)run->sweep->depths.value[d]);
	}
	if (run->sweep->games)
		status = scores_estimate(run, cells, why);
	if (!status)
		status = sweep_times(run, cells, why);
	sweep_judge(cells, run->experiment->count);
	return status;
}

/* Where the positions come from, as text. */
static void sweep_source(const struct sweep_run *run, char *text, size_t size)
{
	if (!run->sets[0].n)
		snprintf(text, size, "none; times are those of games");
	else if (*run->sweep->file)
		snprintf(text, size, "those of %s", run->sweep->file);
	else
		positions_source(run->sets[0].n, run->experiment->seed, text, size);
}

/* Of a sweep that is over: which cells were not measured in full. */
static void limits_print(const struct sweep_run *run, const struct sweep_cell *cells)
{
	size_t cut = 0, unplayed = 0;
	char limit[GRID_TEXT_MAX];
	for (size_t i = 0; i < run->experiment->count; i++) {
		cut += cells[i].searched > 0 && cells[i].searched < cells[i].asked;
		unplayed += run->sweep->games > 0 && cells[i].games == 0;
	}
	if (cut)
		printf("%zu cell%s ended at the limit of %g s with the first positions of the "
		       "set.\n",
		       cut, cut > 1 ? "s" : "", run->sweep->cell_limit);
	if (unplayed && isfinite(run->sweep->play_limit)) {
		time_text(1e3 * run->sweep->play_limit, limit);
		printf("%zu cell%s played no games: the time per move is above the play-limit of "
		       "%s.\n",
		       unplayed, unplayed > 1 ? "s" : "", limit);
	} else if (unplayed) {
		printf("%zu cell%s played no games.\n", unplayed, unplayed > 1 ? "s" : "");
	}
}

/* Says what the table cannot. */
static void notes_print(const struct sweep_run *run)
{
	char source[FOLDER_PATH_MAX + 64];
	sweep_source(run, source, sizeof source);
	text_printf(stdout, "Positions: %s.", source);
	const char *value = strstr(run->experiment->entries[0]->settings, ",value=");
	if (value && !agent_sets(run->sweep->agent, "value"))
		text_printf(stdout,
			    "Evaluation function: %.*s, the default. For another one: "
			    "--agent expectimax:value=strong,leaf=after.",
			    (int)strcspn(value + 7, ",:"), value + 7);
	if (agent_clocked(run->experiment->entries[0]->agent))
		text_printf(stdout, "Note: %s.", report_clocked);
}

/* The lines at the head of its tables: the experiment's provenance and how times were taken. */
struct sweep_head {
	char positions[FOLDER_PATH_MAX + 80], clock[256];
	const char *lines[PROVENANCE_LINES + 5]; /* ends with NULL */
	size_t count;
};

static void sweep_head_make(const struct sweep_run *run, struct sweep_head *head)
{
	char source[FOLDER_PATH_MAX + 64];
	*head = (struct sweep_head){0};
	for (; run->provenance.line[head->count]; head->count++)
		head->lines[head->count] = run->provenance.line[head->count];
	sweep_source(run, source, sizeof source);
	snprintf(head->positions, sizeof head->positions, "positions: %s", source);
	snprintf(head->clock, sizeof head->clock, "times: %s; %d cells at a time", run->clock,
		 run->workers);
	head->lines[head->count++] = head->positions;
	head->lines[head->count++] = head->clock;
	if (agent_clocked(run->experiment->entries[0]->agent))
		head->lines[head->count++] = report_clocked;
}

/* ---- Recommendations. */

enum { BOARD, BUDGET, DEPTH, CUTOFF, TIME, MERIT, COLUMNS };

struct sweep_advice {
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
static const struct sweep_cell *advice_cell(const struct sweep_advice *advice, size_t row)
{
	const struct sweep_run *run = advice->run;
	return sweep_best(advice->cells->cells, advice->cells->count, advice_game(run, row)->name,
			  1e3 * run->sweep->budgets.value[advice_budget(run, row)]);
}

static size_t advice_rows(const struct sweep_run *run)
{
	return (size_t)run->sweep->budgets.n * run->boards;
}

/* What a row tells of its best cell; its merit is what sweep_best() goes by. */
static void cell_text(const struct sweep_cell *cell, int column, bool games,
		      char text[GRID_TEXT_MAX])
{
	switch (column) {
	case DEPTH:
		snprintf(text, GRID_TEXT_MAX, "%d", cell->depth);
		break;
	case CUTOFF:
		snprintf(text, GRID_TEXT_MAX, "%s", cell->cutoff);
		break;
	case TIME:
		times_text(cell->cost, text);
		break;
	default:
		if (games)
			interval_text(cell->score, decimals_of(cell->score.value), text);
		else
			number_text(cell->nodes.value, 0, text);
	}
}

static bool advice_text(const void *context, size_t row, int column, char text[GRID_TEXT_MAX])
{
	const struct sweep_advice *advice = context;
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
		cell_text(cell, column, run->sweep->games > 0, text);
	else
		snprintf(text, GRID_TEXT_MAX, "-");
	return true;
}

/* Prints the command that plays SPEC by the rules of GAME. */
static enum status command_print(const char *spec, const struct game *game, struct why *why)
{
	char board[sizeof game->name], spawn[SPAWN_TEXT_MAX], tiles[16], *command;
	char *words[9] = {"nxn compare", "--boards", board, "--agents", (char *)spec};
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
	enum status status = shell_join("", "nxn", n, words, &command, why);
	if (status)
		return status;
	printf("  %s\n", command);
	free(command);
	return STATUS_OK;
}

/*
 * Prints, for each budget of the sweep and each board, the best cell within it (sweep_best()), with
 * its intervals and a command that plays it; nothing without budgets. STATUS_SYSTEM when memory
 * runs out.
 */
static enum status sweep_advise(const struct sweep_run *run, const struct sweep_cells *cells,
				struct why *why)
{
	struct sweep_advice advice = {run, cells};
	enum status status = STATUS_OK;
	if (!run->sweep->budgets.n)
		return STATUS_OK;
	const bool games = run->sweep->games > 0;
	const char *const columns[COLUMNS] = {"board",
					      "budget",
					      "depth",
					      "cutoff",
					      "time per move [95%]",
					      games ? "mean score [95%]" : "nodes"};
	printf("\nRecommended, by %s:\n\n", games ? "mean score" : "nodes");
	grid_print(stdout, &(struct grid){columns, COLUMNS, 2, advice_text, &advice, true});
	putchar('\n');
	const struct sweep_cell *before = NULL;
	for (size_t row = 0; !status && row < advice_rows(run); row++) {
		const struct sweep_cell *cell = advice_cell(&advice, row);
		if (!cell || cell == before)
			continue;
		status = command_print(cell->agent, advice_game(run, row), why);
		before = cell;
	}
	return status;
}

/*
 * What the table says as a line at the head of tables, "recommended: 4x4 within 1ms: AGENT; ...", on
 * the heap; NULL if that is nothing.
 */
static char *advice_line(const struct sweep_run *run, const struct sweep_cells *cells)
{
	struct sweep_advice advice = {run, cells};
	char *text;
	size_t size, found = 0;
	FILE *out = xstream_open(&text, &size);
	for (size_t row = 0; row < advice_rows(run); row++) {
		const struct sweep_cell *cell = advice_cell(&advice, row);
		if (!cell)
			continue;
		fprintf(out, "%s%s within %s: %s", found++ ? "; " : "recommended: ", cell->board,
			run->sweep->budgets.text[advice_budget(run, row)], cell->agent);
	}
	xstream_close(out);
	if (found)
		return text;
	free(text);
	return NULL;
}

enum status sweep_report(struct sweep_run *run, bool stopped, bool writes, struct why *why)
{
	struct sweep_cells all = {.count = run->experiment->count};
	struct sweep_cell *cells = xcalloc(all.count, sizeof *cells);
	char(*specs)[SWEEP_SPEC_MAX] = xcalloc(all.count, sizeof *specs);
	all.cells = cells;
	struct sweep_head head;
	enum status status = cells_estimate(run, cells, specs, why);
	sweep_head_make(run, &head);
	if (stopped)
		all.unfinished = report_note(head.lines, "unfinished: ");
	all.uncounted = report_note(head.lines, report_counted);
	char *advice = NULL;
	if (!status && !stopped)
		advice = advice_line(run, &all);
	if (advice)
		head.lines[head.count] = advice;
	if (!status) {
		tables_print(&run->printer, &sweep_tables, "sweep", &all, run->full, head.lines);
		notes_print(run);
	}
	if (!status && !stopped) {
		limits_print(run, cells);
		status = sweep_advise(run, &all, why);
	}
	fflush(stdout);
	if (!status && writes)
		status = tables_write(run->directory, &sweep_tables, &all, head.lines, why);
	free(advice);
	free(specs);
	free(cells);
	return status;
}
