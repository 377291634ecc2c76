/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many games an effect takes; see duel.h. */
#include "src/run/duel.h"

#include "analysis/tables/format.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Effects that the plan tells about, in units of the one that is asked for. */
static const double multiples[] = {0, 0.5, 1, 1.5, 2, 4};

enum { MULTIPLES = sizeof multiples / sizeof *multiples };

struct plan {
	const struct duel_options *options;
	struct interval spread;
	double fixed;
	struct sequential test;
};

/* The spread of pairs in the pilot, with its usual interval. */
static enum status spread_find(struct duel *duel, struct interval *spread, struct why *why)
{
	double *a = NULL, *b = NULL;
	const struct duel_options *o = duel->options;
	const struct statistic *sd = &stat_sd;
	const struct bootstrap bootstrap = {.seed = 1};
	enum status status = duel_games(duel, o->pilot, "pilot", &a, &b, why);
	if (status)
		return status;
	struct pairs p = pairs_estimate(a, b, o->pilot);
	size_t differing = p.games - p.tied;
	for (size_t i = 0; i < p.games; i++)
		a[i] = a[i] / p.a - b[i] / p.b;
	stats_sort(a, p.games);
	status = stats_estimate(a, p.games, &sd, 1, &bootstrap, spread, NULL, why);
	free(a);
	if (status)
		return status;
	if (!isfinite(p.log_ratio) || differing < SEQUENTIAL_DIFFERING_MIN)
		return why_set(why, STATUS_INPUT,
			       "the scores differ in %zu of %" PRIu64 " games of the pilot: too "
			       "few to plan by; more --pilot games, or --sd, may help",
			       differing, o->pilot);
	printf("A = %s, B = %s, on %s, seed %" PRIu64 ", %" PRIu64 " games: mean scores %.0f and "
	       "%.0f, correlation %.2f\n",
	       duel->experiment.entries[0]->label, duel->experiment.entries[1]->label,
	       duel->experiment.entries[0]->game.name, o->seed, o->pilot, p.a, p.b, p.correlation);
	return STATUS_OK;
}

static bool effect_text(const void *context, size_t row, int column, char text[GRID_TEXT_MAX])
{
	const struct plan *plan = context;
	if (row >= MULTIPLES)
		return false;
	double effect = plan->options->effect * multiples[row];
	struct forecast f =
	    sequential_forecast(&plan->test, effect, plan->spread.value, plan->options->bound);
	const double percent[] = {100 * effect, 100 * (effect > 0 ? f.right : f.right + f.wrong),
				  100 * (effect > 0 ? f.wrong : 0), 100 * f.equal};
	if (column < 4)
		snprintf(text, GRID_TEXT_MAX, column ? "%.1f%%" : "%.3g%%", percent[column]);
	else if (column == 4)
		snprintf(text, GRID_TEXT_MAX, "%.0f", ceil(f.games));
	else
		snprintf(text, GRID_TEXT_MAX, "%.0f%%", 100 * (1 - f.games / plan->fixed));
	if ((column == 2 && effect == 0) || (column == 3 && plan->options->bound == 0))
		snprintf(text, GRID_TEXT_MAX, "-");
	return true;
}

static void plan_print(const struct plan *plan)
{
	static const char *const header[] = {"effect",	     "found", "wrong way",
					     "within bound", "games", "saved"};
	const struct duel_options *o = plan->options;
	double most = (double)plan->test.games[plan->test.looks - 1];
	printf("Spread of a pair: %.3g%% of the mean score", 100 * plan->spread.value);
	if (isfinite(plan->spread.low))
		printf(" [%.3g%%, %.3g%%]", 100 * plan->spread.low, 100 * plan->spread.high);
	printf("\n\nTo find an effect of %.3g%% in %.3g%% of duels, with %.3g%% of false "
	       "verdicts between equals:\n"
	       "  one look     %.0f games\n"
	       "  nxn duel     at most %.0f games (--max-games), and on average\n\n",
	       100 * o->effect, 100 * (1 - o->beta), 100 * o->alpha, plan->fixed, most);
	grid_print(stdout, &(struct grid){header, 6, 0, effect_text, plan});
	printf("\nEach of both players plays so many games. An effect of %.3g%% is a ratio of mean "
	       "scores of %.6g.\n",
	       100 * o->effect, 1 + o->effect);
}

enum status duel_plan(struct duel *duel, struct why *why)
{
	const struct duel_options *o = duel->options;
	struct plan plan = {.options = o, .spread = {o->sd, NAN, NAN}};
	enum status status = o->sd > 0 ? STATUS_OK : spread_find(duel, &plan.spread, why);
	if (status)
		return status;
	plan.fixed = fixed_games(o->effect, plan.spread.value, o->alpha, o->beta);
	uint64_t most =
	    sequential_games(o->batch, o->effect, plan.spread.value, o->alpha, o->beta, COUNT_MAX);
	if (most == 0)
		return why_set(why, STATUS_INPUT,
			       "an effect of %.3g%% takes more than %d games at a spread of %.3g%%",
			       100 * o->effect, COUNT_MAX, 100 * plan.spread.value);
	sequential_init(&plan.test, o->batch, most, o->alpha);
	plan_print(&plan);
	return STATUS_OK;
}
