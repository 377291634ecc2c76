/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cells of a sweep from their searches, the Pareto front of score against time, and the best cell
 * for a time; see sweep.h.
 *
 * Invariant: of cells with games and a time, sweep_best() is on the front, whatever the budget.
 */
#include "analysis/stats/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct interval unknown = {NAN, NAN, NAN};

struct sweep_cell sweep_cell_make(const char *board, const char *agent, const char *cutoff,
				  int depth, uint64_t config)
{
	return (struct sweep_cell){
	    .board = board,
	    .agent = agent,
	    .cutoff = cutoff,
	    .depth = depth,
	    .config = config,
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

/* What can be said without resampling. WORK has room for N. */
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
				size_t n, const struct bootstrap *shared, struct why *why)
{
	static const struct statistic *const stats[] = {&stat_mean, &stat_median};
	struct bootstrap bootstrap = *shared;
	struct interval out[2];
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
	bootstrap.sample = cell->config;
	enum status status = stats_estimate(work, n, stats, 2, &bootstrap, out, NULL, why);
	free(work);
	if (status)
		return status;
	cell->mean = out[0];
	cell->median = out[1];
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
