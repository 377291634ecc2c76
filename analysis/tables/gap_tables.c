/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Estimates of how far players are from the optimum, and their tables; see tables.h.
 *
 * Means of games are those of analysis/stats/stats.h; means of moves are ratios of sums over games,
 * since the moves of a game are not independent.
 */
#include "analysis/tables/tables.h"

#include "base/text.h"
#include "base/xalloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Estimates. */

/* With fewer games a coefficient estimated from them would make their mean look too certain. */
enum { BETA_GAMES = 30 };

static const struct interval unknown = {NAN, NAN, NAN};

static struct interval interval_point(double x)
{
	return (struct interval){x, x, x};
}

static double per(double sum, double n)
{
	return n > 0 ? sum / n : NAN;
}

/*
 * Cuts the interval of a mean share at 0 and 1, but not the estimate, which can be beyond them
 * since luck is subtracted from the results; the interval contains the estimate.
 */
static struct interval share_bounded(struct interval share)
{
	const double least = share.value < 0 ? share.value : 0,
		     most = share.value > 1 ? share.value : 1;
	share.low = share.low < least ? least : share.low;
	share.high = share.high > most ? most : share.high;
	return share;
}

static void value_set(struct gap_cell *cell, struct interval value)
{
	const struct interval share = share_bounded((struct interval){
	    value.value / cell->optimum, value.low / cell->optimum, value.high / cell->optimum});
	cell->value = value;
	cell->fraction = share;
	cell->distance = (struct interval){1 - share.value, 1 - share.high, 1 - share.low};
}

/* Expected values need no estimates. */
static void exact_fill(struct gap_cell *cell, const struct gap_row *row)
{
	const struct gap_phase total = gap_row_total(row);
	cell->exact = true;
	cell->result = interval_point(row->result);
	value_set(cell, cell->result);
	cell->moves = total.moves;
	cell->lost = interval_point(per(total.lost, total.moves));
	cell->optimal = interval_point(per(total.optimal, total.moves));
	for (int k = 0; k < GAP_PHASES; k++) {
		const struct gap_phase *p = &row->phase[k];
		cell->phase[k] = (struct gap_phase_cell){
		    .moves = p->moves,
		    .lost = interval_point(per(p->lost, p->moves)),
		    .optimal = interval_point(per(p->optimal, p->moves)),
		};
	}
}

/* Room for N games. */
struct columns {
	double *lost, *optimal, *moves, *result, *luck, *value;
};

static struct columns columns_new(size_t n)
{
	double *room = xcalloc(6 * n, sizeof *room);
	return (struct columns){room,	      room + n,	    room + 2 * n,
				room + 3 * n, room + 4 * n, room + 5 * n};
}

/* Sets C to the games with a move in PHASE, or in any if it is negative; returns their number. */
static size_t columns_fill(struct columns *c, const struct gap_row *const *rows, size_t n,
			   int phase)
{
	size_t kept = 0;
	for (size_t i = 0; i < n; i++) {
		const struct gap_phase p =
		    phase < 0 ? gap_row_total(rows[i]) : rows[i]->phase[phase];
		if (!(p.moves > 0))
			continue;
		c->lost[kept] = p.lost;
		c->optimal[kept] = p.optimal;
		c->moves[kept++] = p.moves;
	}
	return kept;
}

static double sum_of(const double *x, size_t n)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return sum;
}

/* With the divisor n - 1; NAN for one game. */
static double covariance_of(const double *x, const double *y, size_t n)
{
	const double x_mean = sum_of(x, n) / (double)n, y_mean = sum_of(y, n) / (double)n;
	double sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += (x[i] - x_mean) * (y[i] - y_mean);
	return n > 1 ? sum / (double)(n - 1) : NAN;
}

/* The share of moves that are optimal; its upper bound is at most 1. */
static struct interval optimal_share(const struct columns *c, size_t n)
{
	struct interval share = stats_per_unit(c->optimal, c->moves, n);
	share.high = share.high > 1 ? 1 : share.high;
	return share;
}

static void moves_estimate(struct gap_cell *cell, struct columns *c,
			   const struct gap_row *const *rows, size_t n)
{
	size_t kept = columns_fill(c, rows, n, -1);
	cell->moves = sum_of(c->moves, kept) / (double)n;
	cell->lost = kept ? stats_per_unit(c->lost, c->moves, kept) : unknown;
	cell->optimal = kept ? optimal_share(c, kept) : unknown;
	for (int k = 0; k < GAP_PHASES; k++) {
		struct gap_phase_cell *p = &cell->phase[k];
		p->games = columns_fill(c, rows, n, k);
		p->moves = sum_of(c->moves, p->games) / (double)n;
		if (p->games) {
			p->lost = stats_per_unit(c->lost, c->moves, p->games);
			p->optimal = optimal_share(c, p->games);
		}
	}
}

/* The mean of X divided by its standard error; NAN if that is 0. */
static double uncertainty_of(const double *x, size_t n)
{
	const double error = sqrt(covariance_of(x, x, n) / (double)n);
	return n > 1 && error > 0 ? sum_of(x, n) / (double)n / error : NAN;
}

/*
 * The multiple of the luck that, subtracted from the results, leaves the least variance. Without an
 * estimate, 1: with fewer than BETA_GAMES games, and if all results are equal, as for a tile that
 * was never reached. Equal results have no spread, but the losses do.
 */
static double beta_of(const struct columns *c, size_t n)
{
	const double variance = covariance_of(c->luck, c->luck, n);
	const bool estimated =
	    n >= BETA_GAMES && variance > 0 && covariance_of(c->result, c->result, n) > 0;
	return estimated ? covariance_of(c->result, c->luck, n) / variance : 1;
}

/*
 * The mean of RESULT, which may be sorted. Results that are 1 or 0 get the interval of a share,
 * which has bounds even if no game reached the tile.
 */
static struct interval result_estimate(const struct gap_cell *cell, double *result, size_t n)
{
	if (cell->chance)
		return stats_rate((size_t)sum_of(result, n), n);
	stats_sort(result, n);
	return stats_interval(&stat_mean, result, n);
}

/*
 * Whether all games reached the tile, or none did, and the interval of that share is narrower than
 * that of the value, as it is for a player far from the optimum.
 */
static bool share_is_narrower(const struct gap_cell *cell, const double *result, size_t n)
{
	const double hits = sum_of(result, n);
	const struct interval share = stats_rate((size_t)hits, n);
	const bool same = hits == 0 || hits == (double)n;
	return cell->chance && same &&
	       !(cell->value.high - cell->value.low <= share.high - share.low);
}

static void games_estimate(struct gap_cell *cell, struct columns *c,
			   const struct gap_row *const *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		c->result[i] = rows[i]->result;
		c->luck[i] = rows[i]->result + gap_row_total(rows[i]).lost - cell->optimum;
	}
	cell->uncertainty = uncertainty_of(c->luck, n);
	cell->beta = beta_of(c, n);
	for (size_t i = 0; i < n; i++)
		c->value[i] = c->result[i] - cell->beta * c->luck[i];
	value_set(cell, stats_mean(c->value, n));
	if (share_is_narrower(cell, c->result, n)) {
		cell->beta = 0;
		value_set(cell, stats_rate((size_t)sum_of(c->result, n), n));
		memcpy(c->value, c->result, n * sizeof *c->value);
	}
	const double before = covariance_of(c->result, c->result, n);
	const double after = covariance_of(c->value, c->value, n);
	/* A smaller variance is rounding error: all games have the same value. */
	cell->gain = after > 1e-12 * before ? before / after : NAN;
	cell->result = result_estimate(cell, c->result, n);
}

static void cell_clear(struct gap_cell *cell)
{
	cell->exact = false;
	cell->games = 0;
	cell->result = cell->value = cell->fraction = cell->distance = unknown;
	cell->lost = cell->optimal = unknown;
	cell->moves = cell->beta = cell->gain = cell->uncertainty = NAN;
	for (int k = 0; k < GAP_PHASES; k++)
		cell->phase[k] = (struct gap_phase_cell){.lost = unknown, .optimal = unknown};
}

void gap_cell_estimate(struct gap_cell *cell, const struct gap_row *const *rows, size_t n,
		       double optimum)
{
	cell_clear(cell);
	cell->optimum = optimum;
	if (n == 0)
		return;
	if (rows[0]->game == GAP_EXACT) {
		exact_fill(cell, rows[0]);
		return;
	}
	struct columns c = columns_new(n);
	cell->games = n;
	games_estimate(cell, &c, rows, n);
	moves_estimate(cell, &c, rows, n);
	free(c.lost);
}

/* Players without a fraction come last. */
static int ranked_order(const void *a, const void *b)
{
	const struct gap_cell *x = a, *y = b;
	const bool x_known = !isnan(x->best), y_known = !isnan(y->best);
	if (x_known != y_known)
		return x_known ? -1 : 1;
	if (x_known && x->best != y->best)
		return x->best > y->best ? -1 : 1;
	const int name = strcmp(x->label, y->label);
	return name ? name : (x->trained > y->trained) - (x->trained < y->trained);
}

/* The fraction of the last cell of the player LABEL. */
static double last_fraction(const struct gap_cell *cells, size_t count, const char *label)
{
	for (size_t i = 0; i < count; i++)
		if (cells[i].last && strcmp(cells[i].label, label) == 0)
			return cells[i].fraction.value;
	return NAN;
}

void gap_cells_sort(struct gap_cell *cells, size_t count)
{
	for (size_t i = 0; i < count; i++)
		cells[i].best = last_fraction(cells, count, cells[i].label);
	if (count)
		qsort(cells, count, sizeof *cells, ranked_order);
	for (size_t i = 0, rank = 1; i < count; rank += cells[i++].last)
		cells[i].rank = (int)rank;
}

/* ---- The lines above a table. */

static const char gap_method[] =
    "95% intervals: Student's t; of means of results from 15 to 500 games BCa bootstrap by "
    "saddlepoint approximation, below 15 Student's t on the logarithm, of shares of games Wilson; "
    "per move: delta method over games; none where all games are alike";

static void head_write(FILE *file, const void *data)
{
	const struct gap_cells *g = data;
	fprintf(file, "# optimum on %s: %.12g %s\n# %s\n", g->board, g->optimum, g->unit,
		gap_method);
}

/* ---- For programs. */

#define CELL(title, kind, member) TABLE_COLUMN(struct gap_cell, title, kind, member)
#define CELL_FIXED(title, kind, member, places)                                                    \
	TABLE_FIXED(struct gap_cell, title, kind, member, places)

/* The moves of a player with 2^exponent as the largest tile. */
struct phase_row {
	const char *agent;
	uint64_t tile;
	int exponent;
	struct gap_phase_cell cell;
};

static bool cell_exact(const void *row)
{
	return ((const struct gap_cell *)row)->exact;
}

static bool phase_exact(const void *row)
{
	return ((const struct phase_row *)row)->cell.games == 0;
}

static void games_text(const void *row, char text[GRID_TEXT_MAX])
{
	const struct gap_cell *c = row;
	snprintf(text, GRID_TEXT_MAX, c->exact ? "exact" : "%zu", c->games);
}

#define GAMES_COLUMN                                                                               \
	{                                                                                          \
		.name = "games", .value = TABLE_COUNT, .offset = offsetof(struct gap_cell, games), \
		.text = games_text                                                                 \
	}

static const struct table_column player_columns[] = {
    CELL("rank", INT, rank),	      CELL("agent", CHARS, label),
    CELL("trained", NUMBER, trained), GAMES_COLUMN,
    CELL("exact", FLAG, exact),	      CELL_FIXED("fraction", SHARES, fraction, 2),
    CELL("value", INTERVAL, value),   CELL("result", INTERVAL, result),
    CELL("lost", INTERVAL, lost),     CELL("optimal", SHARES, optimal),
    CELL("moves", REAL, moves),	      CELL("beta", REAL, beta),
    CELL("gain", REAL, gain),	      CELL("luck_z", REAL, uncertainty),
    CELL("optimum", REAL, optimum),   {0},
};

static void players_rows(const struct table_out *out, const void *data)
{
	const struct gap_cells *g = data;
	for (size_t i = 0; i < g->count; i++)
		if (g->cells[i].last)
			table_put(out, &g->cells[i]);
}

#define PHASE(title, kind, member) TABLE_COLUMN(struct phase_row, title, kind, member)

static const struct table_column phase_columns[] = {
    PHASE("agent", TEXT, agent),
    PHASE("tile", NUMBER, tile),
    PHASE("exponent", INT, exponent),
    PHASE("moves", REAL, cell.moves),
    PHASE("games", COUNT, cell.games),
    PHASE("lost", INTERVAL, cell.lost),
    PHASE("optimal", SHARES, cell.optimal),
    {0},
};

static void phases_rows(const struct table_out *out, const void *data)
{
	const struct gap_cells *g = data;
	for (size_t i = 0; i < g->count; i++) {
		const struct gap_cell *c = &g->cells[i];
		for (int k = 0; c->last && k < GAP_PHASES; k++)
			if (c->phase[k].moves > 0)
				table_put(out, &(struct phase_row){c->label, UINT64_C(1) << k, k,
								   c->phase[k]});
	}
}

static const struct table_column learning_columns[] = {
    CELL("agent", CHARS, label),
    CELL("trained", NUMBER, trained),
    GAMES_COLUMN,
    CELL_FIXED("distance", SHARES, distance, 2),
    CELL("optimal", SHARES, optimal),
    CELL("value", INTERVAL, value),
    {0},
};

static void learning_rows(const struct table_out *out, const void *data)
{
	const struct gap_cells *g = data;
	for (size_t i = 0; i < g->count; i++)
		if (g->cells[i].learner)
			table_put(out, &g->cells[i]);
}

/* ---- For people. */

/* A short list of the players, and a sentence about the best. */
static void brief_print(FILE *file, const struct gap_cells *g)
{
	const struct table_column columns[] = {
	    CELL("player", CHARS, label),
	    CELL_FIXED("of optimum [95%]", SHARES, fraction, 2),
	    CELL_FIXED("lost per move", REAL, lost.value, g->decimals + 2),
	    CELL_FIXED("optimal moves", SHARE, optimal.value, 1),
	    {.name = "games", .text = games_text},
	    {0},
	};
	const struct gap_cell *best = NULL;
	bool exact = false;
	char text[GRID_TEXT_MAX];
	table_view_print(file, &(struct table_view){columns, 1, players_rows, g, cell_exact, true});
	putc('\n', file);
	for (size_t i = g->count; i-- > 0;) {
		best = g->cells[i].last ? &g->cells[i] : best;
		exact = exact || (g->cells[i].last && g->cells[i].exact);
	}
	if (best && !isnan(best->fraction.value)) {
		share_text(best->fraction.value, 2, text);
		text_printf(file, "%s has the highest share of the optimum: %s.", best->label,
			    text);
	}
	text_printf(file,
		    "Lost per move: how much worse a move is than the best one, in expected %s, on "
		    "average. [low, high]: 95%% intervals.%s",
		    g->count && g->cells->chance ? "probability" : "points",
		    exact ? " exact: worked out for all possible games; none are played." : "");
}

static void gap_print(FILE *file, const void *data, bool full)
{
	static const char *const names[] = {"gap", "gap-phase", "gap-learning", NULL};
	const struct gap_cells *g = data;
	fprintf(file, "Optimum on %s: %.*g %s.\n\n", g->board, full ? 12 : 6, g->optimum, g->unit);
	if (!full) {
		brief_print(file, g);
		return;
	}
	tables_text(file, &gap_tables, names, g);
	putc('\n', file);
	text_printf(file, "%s.", gap_method);
}

const struct tables gap_tables = {
    .print = gap_print,
    .head = head_write,
    .table =
	{
	    {"gap",
	     "fraction: of the optimum; value, result: as the optimum; lost: that per move; "
	     "optimal: share of moves; moves: per game; luck_z: mean luck in its standard errors",
	     player_columns, players_rows, cell_exact},
	    {"gap-phase",
	     "tile: the largest before a move; moves: per game; games: that had such moves, 0 "
	     "where exact; lost: as the optimum, per move; optimal: share of moves",
	     phase_columns, phases_rows, phase_exact},
	    {"gap-learning",
	     "trained: training games; distance: 1 - share of the optimum; optimal: share of "
	     "moves; value: as the optimum",
	     learning_columns, learning_rows, cell_exact},
	},
};
