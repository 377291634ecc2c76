/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A duel is played, or planned; see duel.h. Each look is an experiment of its own with so many
 * games, played into the same folder: what earlier looks have played is in the log.
 */
#include "src/run/duel.h"

#include "analysis/stats/sequential.h"
#include "analysis/tables/table.h"
#include "base/stop.h"
#include "src/report/report.h"
#include "src/run/logs.h"
#include "src/run/tournament.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static_assert((int)DUEL_BATCH_MIN == (int)SEQUENTIAL_DIFFERING_MIN,
	      "a look tells nothing below it");

enum { NOTE_MAX = 128 };

struct duel {
	struct launch_task task;
	const struct duel_options *options;
	const struct invocation *call;
	struct experiment experiment; /* both players */
	struct sequential test;
	struct look look[BOUNDARY_LOOKS_MAX];
	size_t looks; /* taken */
};

/* ---- Games and looks. */

/* Makes the players. As experiment_add(). */
static enum status duel_init(struct duel *duel, const struct duel_options *options,
			     const struct invocation *call, struct why *why)
{
	struct game game;
	struct schedule schedule = {.games = options->most};
	struct game_options rule = options->game;
	if (!rule.shape && !rule.start)
		rule.shape = "4x4";
	*duel =
	    (struct duel){.options = options, .call = call, .experiment = {.seed = options->seed}};
	enum status status = game_init(&game, &rule, why);
	for (int i = 0; !status && i < options->agents; i++)
		status = experiment_add(&duel->experiment, &game, options->agent[i], NULL,
					&schedule, why);
	if (status)
		experiment_fini(&duel->experiment);
	return status;
}

/* Sorts the scores of games 0 .. GAMES-1 of both players in SELECTION into SCORES[player][game]. */
static enum status scores_sort(const struct gamelog *selection, uint64_t games, double *scores,
			       const char *directory, struct why *why)
{
	if (selection->count != 2 * games)
		return why_set(why, STATUS_SYSTEM,
			       "%s/games.tsv: holds %zu of the %" PRIu64 " games that were played",
			       directory, selection->count, 2 * games);
	for (size_t i = 0; i < selection->count; i++) {
		const struct gamelog_row *row = &selection->rows[i];
		scores[row->player->number * games + row->game] = (double)row->score;
	}
	return STATUS_OK;
}

/*
 * Plays what is missing of the first GAMES games of both; NOTE goes into the progress line. *A and
 * *B are their scores, the caller's, in one piece: free(*A). As tournament_play().
 */
static enum status duel_games(struct duel *duel, uint64_t games, const char *note, double **a,
			      double **b, struct why *why)
{
	const struct launch_options *launch = &duel->options->launch;
	struct provenance provenance;
	const struct tournament_options tournament = {
	    .directory = launch->directory,
	    .provenance = &provenance,
	    .threads = launch->pace.threads,
	    .times = !launch->no_times,
	    .progress = launch->pace.progress,
	    .note = note,
	};
	for (size_t i = 0; i < duel->experiment.count; i++)
		duel->experiment.entries[i]->schedule.games = games;
	struct gamelog log, selection;
	enum status status =
	    experiment_provenance(&duel->experiment, duel->call->provenance, &provenance, why);
	if (status)
		return status;
	status = tournament_play(&duel->experiment, &tournament, &duel->task.games, &log, why);
	provenance_fini(&provenance);
	if (status == STATUS_STOPPED)
		gamelog_fini(&log);
	if (status)
		return status;
	double *scores = calloc(2 * games, sizeof *scores);
	status = scores ? selection_init(&selection, &log, &duel->experiment, why)
			: why_errno(why, "%" PRIu64 " games", games);
	gamelog_fini(&log);
	if (!status) {
		status = scores_sort(&selection, games, scores, launch->directory, why);
		gamelog_fini(&selection);
	}
	if (status) {
		free(scores);
		return status;
	}
	*a = scores;
	*b = scores + games;
	return STATUS_OK;
}

/* What the last look says, for the progress line. */
static void note_make(const struct duel *duel, char note[NOTE_MAX])
{
	snprintf(note, NOTE_MAX, "first look at %" PRIu64, duel->test.games[0]);
	if (duel->looks == 0)
		return;
	const struct look *look = &duel->look[duel->looks - 1];
	char ratio[GRID_TEXT_MAX];
	interval_text(look->ratio, 3, ratio);
	snprintf(note, NOTE_MAX, "ratio %.80s at %zu, of at most %" PRIu64, ratio,
		 look->pairs.games, duel->options->most);
}

/* Plays up to look K and takes it. */
static enum status look_take(struct duel *duel, size_t k, struct why *why)
{
	char note[NOTE_MAX];
	double *a = NULL, *b = NULL;
	uint64_t games = duel->test.games[k];
	note_make(duel, note);
	enum status status = duel_games(duel, games, note, &a, &b, why);
	if (status)
		return status;
	struct pairs pairs = pairs_estimate(a, b, games);
	free(a);
	duel->look[duel->looks++] = sequential_look(&duel->test, k, &pairs, duel->options->bound);
	return STATUS_OK;
}

/* Plays and looks until there is a verdict or no look is left. As duel_games(). */
static enum status duel_play(void *context, struct why *why)
{
	struct duel *duel = context;
	const struct duel_options *o = duel->options;
	enum status status = STATUS_OK;
	sequential_init(&duel->test, o->batch, o->most, o->alpha);
	for (size_t k = 0; !status && k < duel->test.looks; k++) {
		status = look_take(duel, k, why);
		if (!status && duel->look[k].verdict != VERDICT_OPEN)
			break;
	}
	return status;
}

/* ---- A plan: how many games an effect takes. */

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

/*
 * Prints how many games the effect takes, from the spread that is given or that a pilot has found.
 * As duel_games().
 */
static enum status duel_plan(struct duel *duel, struct why *why)
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

/* ---- What a duel came to: for people and for gnuplot. */

static const char *const verdicts[] = {"", "A", "B", "equal"};

/* Two digits of an interval's width, and of a number that has none. */
static int decimals_within(struct interval x)
{
	double width = isfinite(x.high - x.low) && x.high > x.low ? x.high - x.low : x.value;
	return decimals_of(10 * width) > 0 ? decimals_of(10 * width) : 0;
}

static void interval_show(struct interval x, char text[GRID_TEXT_MAX])
{
	interval_text(x, decimals_within(x), text);
}

#define LOOK(title, kind, member) TABLE_COLUMN(struct look, title, kind, member)
#define LOOK_FIXED(title, kind, member, places)                                                    \
	TABLE_FIXED(struct look, title, kind, member, places)

static const void *look_at(void *context, size_t row)
{
	const struct duel *duel = context;
	return row < duel->looks ? &duel->look[row] : NULL;
}

static void looks_print(const struct duel *duel, const char *level)
{
	char ratio[64], ahead[64];
	const struct table_column columns[] = {
	    LOOK("games", COUNT, pairs.games),
	    LOOK("mean of A", REAL, pairs.a),
	    LOOK("mean of B", REAL, pairs.b),
	    LOOK_FIXED(ratio, INTERVAL, ratio, 3),
	    LOOK_FIXED(ahead, SHARES, wins, 1),
	    LOOK_FIXED("limit", REAL, limit, 2),
	    {0},
	};
	snprintf(ratio, sizeof ratio, "ratio [%s]", level);
	snprintf(ahead, sizeof ahead, "%% ahead [%s]", level);
	table_view_print(stdout, &(struct table_view){
				     .columns = columns, .row = look_at, .context = (void *)duel});
}

/* "2%" */
static void share_text(double share, char text[GRID_TEXT_MAX])
{
	snprintf(text, GRID_TEXT_MAX, "%.3g%%", 100 * share);
}

static void verdict_print(const struct duel *duel, const struct look *look)
{
	char bound[GRID_TEXT_MAX], alpha[GRID_TEXT_MAX], half[GRID_TEXT_MAX];
	const struct pairs *p = &look->pairs;
	share_text(duel->options->bound, bound);
	share_text(duel->options->alpha, alpha);
	share_text(duel->options->alpha / 2, half); /* one end of the interval is in the way */
	switch (look->verdict) {
	case VERDICT_A:
	case VERDICT_B:
		printf("%c scores more: %s, after %zu games.\n"
		       "Of duels between players with equal mean scores at most %s end with such a "
		       "verdict.\n",
		       look->verdict == VERDICT_A ? 'A' : 'B',
		       duel->experiment.entries[look->verdict == VERDICT_B]->label, p->games,
		       alpha);
		break;
	case VERDICT_EQUAL:
		printf("A and B are equal within %s, after %zu games.\n"
		       "Of duels between players whose mean scores differ by more than that at "
		       "most %s end with such a verdict.\n",
		       bound, p->games, half);
		break;
	case VERDICT_OPEN:
		printf("Undecided after %zu games, the last.\n", p->games);
		if (p->games - p->tied < SEQUENTIAL_DIFFERING_MIN)
			printf("In %zu of them the scores differ: too few to tell, below %d.\n",
			       p->games - p->tied, SEQUENTIAL_DIFFERING_MIN);
	}
}

static void effect_print(const struct look *look, const char *level)
{
	char text[GRID_TEXT_MAX];
	const struct pairs *p = &look->pairs;
	interval_show(look->ratio, text);
	printf("  ratio of mean scores A/B  %s\n", text);
	interval_show(look->difference, text);
	printf("  paired difference A - B   %s points", text);
	if (p->deviation > 0)
		printf(": %.3f of its standard deviation", p->difference / p->deviation);
	percent_text(look->wins, text);
	printf("\n  A ahead in                %s %% of the games, ties counted half (%zu)\n", text,
	       p->tied);
	number_text(p->correlation, 2, text);
	printf("  correlation of scores     %s\n", text);
	printf("  Intervals: %s, valid wherever one stops.\n", level);
}

/* What a test with one look would have taken. */
static void saved_print(const struct duel *duel, const struct look *look)
{
	double effect, fixed, games = (double)look->pairs.games;
	const struct duel_options *o = duel->options;
	if (!(look->pairs.spread > 0) || isnan(look->ratio.low))
		return;
	sequential_reach(&duel->test, look->pairs.spread, o->beta, &effect, &fixed);
	printf("  With at most %" PRIu64 " games, an effect of %.2g%% is found in %.3g%% of duels; "
	       "a test with one look\n  that finds it as often takes %.0f games: %.0f%% %s.\n",
	       o->most, 100 * effect, 100 * (1 - o->beta), ceil(fixed),
	       100 * fabs(1 - games / fixed), games <= fixed ? "were saved" : "more were played");
}

/*
 * Prints the looks that were taken and the verdict, or that there is none yet because it STOPPED.
 */
static void duel_print(const struct duel *duel, bool stopped)
{
	char level[32];
	const struct entry *a = duel->experiment.entries[0], *b = duel->experiment.entries[1];
	snprintf(level, sizeof level, "%.4g%%", 100 * (1 - duel->options->alpha));
	if (duel->looks == 0)
		return;
	printf("A = %s, B = %s, on %s, seed %" PRIu64 "\n\n", a->label, b->label, a->game.name,
	       duel->experiment.seed);
	looks_print(duel, level);
	if (stopped)
		return;
	const struct look *look = &duel->look[duel->looks - 1];
	putchar('\n');
	verdict_print(duel, look);
	effect_print(look, level);
	saved_print(duel, look);
	for (int i = 0; i < 2; i++)
		if (agent_clocked(duel->experiment.entries[i]->agent)) {
			printf("Note: %s.\n", report_clocked);
			break;
		}
}

static void verdict_text(const void *row, char text[GRID_TEXT_MAX])
{
	snprintf(text, GRID_TEXT_MAX, "%s", verdicts[((const struct look *)row)->verdict]);
}

static const struct table_column look_columns[] = {
    LOOK("games", COUNT, pairs.games),
    LOOK("a", REAL, pairs.a),
    LOOK("b", REAL, pairs.b),
    LOOK("ratio", INTERVAL, ratio),
    LOOK("difference", INTERVAL, difference),
    LOOK("ahead", SHARES, wins),
    LOOK("limit", REAL, limit),
    LOOK("spread", REAL, pairs.spread),
    LOOK("deviation", REAL, pairs.deviation),
    LOOK("correlation", REAL, pairs.correlation),
    LOOK("ties", COUNT, pairs.tied),
    {.name = "verdict", .text = verdict_text},
    {0},
};

static void duel_write(FILE *out, const void *data, const char *const *provenance)
{
	const struct duel *duel = data;
	const struct duel_options *o = duel->options;
	table_comments(out, provenance);
	fprintf(
	    out, "# A: %s; B: %s; intervals hold at all looks together with probability %.10g\n",
	    duel->experiment.entries[0]->agent, duel->experiment.entries[1]->agent, 1 - o->alpha);
	fprintf(out, "# block 1: %s %s / %s\n", duel->experiment.entries[0]->game.name,
		duel->experiment.entries[0]->label, duel->experiment.entries[1]->label);
	table_head(out, look_columns);
	for (size_t k = 0; k < duel->looks; k++)
		table_row(out, look_columns, &duel->look[k]);
}

static enum status duel_tables(const struct duel *duel, struct why *why)
{
	static const struct table tables[] = {{"duel", duel_write}, {NULL, NULL}};
	struct provenance provenance;
	enum status status =
	    experiment_provenance(&duel->experiment, duel->call->provenance, &provenance, why);
	if (status)
		return status;
	status = tables_write(duel->options->launch.directory, tables, duel,
			      provenance_lines(&provenance), why);
	provenance_fini(&provenance);
	return status;
}

static enum status duel_report(void *context, bool stopped, struct why *why)
{
	struct duel *duel = context;
	duel_print(duel, stopped);
	fflush(stdout);
	return stopped ? STATUS_OK : duel_tables(duel, why);
}

static enum status plan_work(void *context, struct why *why)
{
	return duel_plan(context, why);
}

/* The plan has been printed. */
static enum status plan_report(void *context, bool stopped, struct why *why)
{
	(void)context;
	(void)stopped;
	(void)why;
	return STATUS_OK;
}

enum status duel_launch(const struct duel_options *options, const struct invocation *call,
			struct why *why)
{
	struct duel duel;
	const bool plans = options->effect > 0;
	enum status status = duel_init(&duel, options, call, why);
	if (status)
		return status;
	duel.task = (struct launch_task){
	    .work = plans ? plan_work : duel_play,
	    .report = plans ? plan_report : duel_report,
	    .context = &duel,
	    .nothing = "0 of the 0 games up to the next look",
	    .next = " up to the next look",
	    .results = {plans ? NULL : "Game log ", "/games.tsv"},
	    .tables = {"looks in ", "/tables/duel.tsv"},
	    .figures = "figure",
	};
	status = launch_run(&duel.task, &options->launch, call, why);
	experiment_fini(&duel.experiment);
	return status;
}
