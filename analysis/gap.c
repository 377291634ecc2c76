/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Estimates of how far players are from the optimum; see gap.h.
 *
 * Means of games are those of analysis/stats.h; means of moves are ratios of sums over games, since
 * the moves of a game are no independent sample.
 */
#include "analysis/gap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct interval unknown = {NAN, NAN, NAN};

static struct interval interval_point(double x)
{
	return (struct interval){x, x, x};
}

/* a - X, a - X over b: the ends change places. */
static struct interval interval_from(double a, struct interval x, double b)
{
	return (struct interval){(a - x.value) / b, (a - x.high) / b, (a - x.low) / b};
}

static double per(double sum, double n)
{
	return n > 0 ? sum / n : NAN;
}

/* What follows from the value. */
static void value_set(struct gap_cell *cell, struct interval lost, double optimum)
{
	cell->value = interval_from(optimum, lost, 1);
	cell->fraction = interval_from(optimum, lost, optimum);
	cell->distance =
	    (struct interval){lost.value / optimum, lost.low / optimum, lost.high / optimum};
}

/* Expected values need no estimates. */
static void exact_fill(struct gap_cell *cell, const struct gap_row *row, double optimum)
{
	const struct gap_phase total = gap_row_total(row);
	cell->exact = true;
	cell->games = 0;
	cell->result = interval_point(row->result);
	value_set(cell, interval_point(total.lost), optimum);
	/* Both are exact; the result was not made out of differences. */
	cell->value = cell->result;
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
	double *lost, *optimal, *moves, *result, *difference;
};

static enum status columns_init(struct columns *c, size_t n, struct why *why)
{
	double *room = calloc(5 * n, sizeof *room);
	if (!room)
		return why_errno(why, "%zu games", n);
	*c = (struct columns){room, room + n, room + 2 * n, room + 3 * n, room + 4 * n};
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

static void moves_estimate(struct gap_cell *cell, struct columns *c,
			   const struct gap_row *const *rows, size_t n)
{
	size_t kept = columns_fill(c, rows, n, -1);
	cell->moves = sum_of(c->moves, kept) / (double)n;
	cell->lost = kept ? stats_per_unit(c->lost, c->moves, kept) : unknown;
	cell->optimal = kept ? stats_per_unit(c->optimal, c->moves, kept) : unknown;
	for (int k = 0; k < GAP_PHASES; k++) {
		struct gap_phase_cell *p = &cell->phase[k];
		p->games = columns_fill(c, rows, n, k);
		p->moves = sum_of(c->moves, p->games) / (double)n;
		if (p->games) {
			p->lost = stats_per_unit(c->lost, c->moves, p->games);
			p->optimal = stats_per_unit(c->optimal, c->moves, p->games);
		}
	}
}

/* The mean of X, which gets sorted, with its interval, and the standard deviation. */
static enum status mean_estimate(double *x, size_t n, const struct bootstrap *bootstrap,
				 struct interval *mean, double *sd, struct why *why)
{
	const struct statistic *const wanted[] = {&stat_mean, &stat_sd};
	struct interval out[2];
	stats_sort(x, n);
	enum status status = stats_estimate(x, n, wanted, 2, bootstrap, out, NULL, why);
	if (!status) {
		*mean = out[0];
		*sd = out[1].value;
	}
	return status;
}

/* The mean of X in its standard errors. */
static double doubt_of(const double *x, size_t n)
{
	const double mean = sum_of(x, n) / (double)n;
	double squares = 0;
	for (size_t i = 0; i < n; i++)
		squares += (x[i] - mean) * (x[i] - mean);
	const double error = sqrt(squares / ((double)n * ((double)n - 1)));
	return n > 1 && error > 0 ? mean / error : NAN;
}

static enum status games_estimate(struct gap_cell *cell, struct columns *c,
				  const struct gap_row *const *rows, size_t n, double optimum,
				  const struct bootstrap *bootstrap, struct why *why)
{
	struct interval lost;
	double result_sd, lost_sd;
	for (size_t i = 0; i < n; i++) {
		c->lost[i] = gap_row_total(rows[i]).lost;
		c->result[i] = rows[i]->result;
		c->difference[i] = c->result[i] + c->lost[i] - optimum;
	}
	enum status status = mean_estimate(c->result, n, bootstrap, &cell->result, &result_sd, why);
	if (!status)
		status = mean_estimate(c->lost, n, bootstrap, &lost, &lost_sd, why);
	if (status)
		return status;
	value_set(cell, lost, optimum);
	cell->gain = lost_sd > 0 ? result_sd * result_sd / (lost_sd * lost_sd) : NAN;
	cell->doubt = doubt_of(c->difference, n);
	return STATUS_OK;
}

static void cell_clear(struct gap_cell *cell)
{
	cell->exact = false;
	cell->games = 0;
	cell->result = cell->value = cell->fraction = cell->distance = unknown;
	cell->lost = cell->optimal = unknown;
	cell->moves = cell->gain = cell->doubt = NAN;
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
