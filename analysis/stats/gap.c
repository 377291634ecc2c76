/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Estimates of how far players are from the optimum; see gap.h.
 *
 * Means of games are those of analysis/stats/stats.h; means of moves are ratios of sums over games,
 * since the moves of a game are no independent sample.
 */
#include "analysis/stats/gap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static void value_set(struct gap_cell *cell, struct interval value, double optimum)
{
	const double low = value.low / optimum, high = value.high / optimum;
	cell->value = value;
	cell->fraction = (struct interval){value.value / optimum, low, high};
	cell->distance = (struct interval){1 - value.value / optimum, 1 - high, 1 - low};
}

/* Expected values need no estimates. */
static void exact_fill(struct gap_cell *cell, const struct gap_row *row, double optimum)
{
	const struct gap_phase total = gap_row_total(row);
	cell->exact = true;
	cell->games = 0;
	cell->result = interval_point(row->result);
	value_set(cell, cell->result, optimum);
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

static enum status columns_init(struct columns *c, size_t n, struct why *why)
{
	double *room = calloc(6 * n, sizeof *room);
	if (!room)
		return why_errno(why, "%zu games", n);
	*c = (struct columns){room,	    room + n,	  room + 2 * n,
			      room + 3 * n, room + 4 * n, room + 5 * n};
	return STATUS_OK;
}

/* The games with a move in PHASE, or in any if it is negative; their number. */
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

/* Their covariance (n - 1); NAN of one. */
static double product_of(const double *x, const double *y, size_t n)
{
	const double x_mean = sum_of(x, n) / (double)n, y_mean = sum_of(y, n) / (double)n;
	double sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += (x[i] - x_mean) * (y[i] - y_mean);
	return n > 1 ? sum / (double)(n - 1) : NAN;
}

/* The share of moves that are optimal: all of them at most. */
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

/* The mean of X in its standard errors. */
static double uncertainty_of(const double *x, size_t n)
{
	const double error = sqrt(product_of(x, x, n) / (double)n);
	return n > 1 && error > 0 ? sum_of(x, n) / (double)n / error : NAN;
}

/*
 * How much of the luck is taken off the results: what leaves them with the least variance. Where
 * all results are the same, as of a target that was never reached, they tell nothing of what it is,
 * and nothing of how far they are to be trusted; what was lost does.
 */
static double beta_of(const struct columns *c, size_t n)
{
	const double variance = product_of(c->luck, c->luck, n);
	const bool told =
	    n >= BETA_GAMES && variance > 0 && product_of(c->result, c->result, n) > 0;
	return told ? product_of(c->result, c->luck, n) / variance : 1;
}

/*
 * The mean of the results, which it may sort. A share has the interval of a share: where a tile was
 * never reached, others would say that it never is.
 */
static enum status result_estimate(struct gap_cell *cell, double *result, size_t n,
				   const struct bootstrap *bootstrap, struct why *why)
{
	const struct statistic *const mean = &stat_mean;
	if (cell->chance) {
		cell->result = stats_rate((size_t)sum_of(result, n), n);
		return STATUS_OK;
	}
	stats_sort(result, n);
	return stats_estimate(result, n, &mean, 1, bootstrap, &cell->result, NULL, why);
}

/*
 * Whether that all games reached the tile, or none did, tells more than what was lost in them, as
 * it does of a player far from the optimum: there the losses would make up for what was never seen.
 */
static bool share_tells_more(const struct gap_cell *cell, const double *result, size_t n)
{
	const double hits = sum_of(result, n);
	const struct interval share = stats_rate((size_t)hits, n);
	const bool same = hits == 0 || hits == (double)n;
	return cell->chance && same &&
	       !(cell->value.high - cell->value.low <= share.high - share.low);
}

static enum status games_estimate(struct gap_cell *cell, struct columns *c,
				  const struct gap_row *const *rows, size_t n, double optimum,
				  const struct bootstrap *bootstrap, struct why *why)
{
	for (size_t i = 0; i < n; i++) {
		c->result[i] = rows[i]->result;
		c->luck[i] = rows[i]->result + gap_row_total(rows[i]).lost - optimum;
	}
	cell->uncertainty = uncertainty_of(c->luck, n);
	cell->beta = beta_of(c, n);
	for (size_t i = 0; i < n; i++)
		c->value[i] = c->result[i] - cell->beta * c->luck[i];
	value_set(cell, stats_mean(c->value, n), optimum);
	if (share_tells_more(cell, c->result, n)) {
		cell->beta = 0;
		value_set(cell, stats_rate((size_t)sum_of(c->result, n), n), optimum);
		memcpy(c->value, c->result, n * sizeof *c->value);
	}
	const double before = product_of(c->result, c->result, n);
	const double after = product_of(c->value, c->value, n);
	/* Less than that is rounding: nothing was lost in any game, or all gave the same. */
	cell->gain = after > 1e-12 * before ? before / after : NAN;
	return result_estimate(cell, c->result, n, bootstrap, why);
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

enum status gap_cell_estimate(struct gap_cell *cell, const struct gap_row *const *rows, size_t n,
			      double optimum, const struct bootstrap *bootstrap, struct why *why)
{
	struct columns c = {0};
	cell_clear(cell);
	if (n == 0)
		return STATUS_OK;
	if (rows[0]->game == GAP_EXACT) {
		exact_fill(cell, rows[0], optimum);
		return STATUS_OK;
	}
	enum status status = columns_init(&c, n, why);
	if (status)
		return status;
	cell->games = n;
	status = games_estimate(cell, &c, rows, n, optimum, bootstrap, why);
	if (!status)
		moves_estimate(cell, &c, rows, n);
	free(c.lost);
	return status;
}

/* A cell with the rank of its player. */
struct ranked {
	double fraction;
	struct gap_cell cell;
};

/* Cells without a number come last: NAN is below every fraction. */
static int ranked_order(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	const bool x_known = !isnan(x->fraction), y_known = !isnan(y->fraction);
	if (x_known != y_known)
		return x_known ? -1 : 1;
	if (x_known && x->fraction != y->fraction)
		return x->fraction > y->fraction ? -1 : 1;
	const int name = strcmp(x->cell.label, y->cell.label);
	if (name)
		return name;
	return (x->cell.trained > y->cell.trained) - (x->cell.trained < y->cell.trained);
}

/* The fraction of the last cell of the player LABEL. */
static double last_fraction(const struct gap_cell *cells, size_t count, const char *label)
{
	for (size_t i = 0; i < count; i++)
		if (cells[i].last && strcmp(cells[i].label, label) == 0)
			return cells[i].fraction.value;
	return NAN;
}

enum status gap_cells_sort(struct gap_cell *cells, size_t count, struct why *why)
{
	if (count == 0)
		return STATUS_OK;
	struct ranked *ranked = calloc(count, sizeof *ranked);
	if (!ranked)
		return why_errno(why, "%zu players", count);
	for (size_t i = 0; i < count; i++)
		ranked[i] = (struct ranked){last_fraction(cells, count, cells[i].label), cells[i]};
	qsort(ranked, count, sizeof *ranked, ranked_order);
	for (size_t i = 0; i < count; i++)
		cells[i] = ranked[i].cell;
	free(ranked);
	return STATUS_OK;
}
