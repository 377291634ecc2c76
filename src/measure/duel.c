/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nxn duel: two players play the same games until it is clear who scores more, or that their scores
 * are practically equal (analysis/stats/stats.h). With --power it plans instead how many games that
 * takes.
 *
 * Games are those of nxn compare: game i of both players is stream i of the seed, in DIR/games.tsv.
 * Interim analyses (looks) are made after fixed numbers of games, and a look after n games uses
 * games 0 .. n-1 only, so the verdict does not depend on interruptions or threads. Each look is an
 * experiment with its number of games in the same folder, whose log has the games of earlier looks.
 */
#include "src/measure/duel.h"

#include "analysis/tables/table.h"
#include "base/stop.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "src/measure/scores.h"
#include "src/measure/tournament.h"
#include "src/report/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct duel {
	struct launch_task task;
	char title[2 * RESULT_NAME_MAX + 32]; /* of the page */
	const struct duel_options *options;
	struct experiment experiment; /* both players; empty if nxn does not play the games */
	const char *a, *b;	      /* their names */
	struct sequential test;
	struct look look[BOUNDARY_LOOKS_MAX];
	size_t looks; /* number of looks taken */
	bool stopped; /* before its end */
};

/* ---- Games and looks. */

/* Adds the players to the experiment. Errors as experiment_add(). */
static enum status duel_init(struct duel *duel, const struct duel_options *options, struct why *why)
{
	struct game game;
	struct schedule schedule = {.games = options->most};
	struct game_options rule = options->game;
	if (!rule.shape && !rule.start)
		rule.shape = "4x4";
	*duel = (struct duel){.options = options, .experiment = {.seed = options->seed}};
	enum status status = game_init(&game, &rule, why);
	if (!status && options->agents == 2 && strcmp(options->agent[0], options->agent[1]) == 0)
		status =
		    why_set(why, STATUS_INPUT, "%s against itself: expected two different agents",
			    options->agent[0]);
	for (int i = 0; !status && i < options->agents; i++)
		status = experiment_add(&duel->experiment, &game, options->agent[i], NULL,
					&schedule, why);
	if (!status)
		status = experiment_untrained(&duel->experiment, options->untrained, why);
	if (!status && options->agents == 2 &&
	    entries_play_alike(duel->experiment.entries[0], duel->experiment.entries[1]))
		status = why_set(why, STATUS_INPUT,
				 "%s and %s differ in tt or threads alone, which change no move: "
				 "expected two different players",
				 options->agent[0], options->agent[1]);
	if (status) {
		experiment_fini(&duel->experiment);
	} else if (options->agents == 2) {
		duel->a = duel->experiment.entries[0]->label;
		duel->b = duel->experiment.entries[1]->label;
		snprintf(duel->title, sizeof duel->title, "%s against %s on %s", duel->a, duel->b,
			 game.name);
	}
	return status;
}

/*
 * Plays the missing games of the first GAMES of both players; NOTE is for the progress line. Sets
 * *SCORES, which the caller frees, to those of A and then those of B. Errors as tournament_play().
 */
static enum status duel_games(struct duel *duel, uint64_t games, const char *note, double **scores,
			      struct why *why)
{
	struct gamelog log;
	struct tournament_options tournament = launch_tournament(&duel->task);
	tournament.note = note;
	for (size_t i = 0; i < duel->experiment.count; i++)
		duel->experiment.entries[i]->schedule.games = games;
	enum status status = launch_provenance(&duel->task, why);
	if (status)
		return status;
	gamelog_init(&log);
	status = tournament_play(&duel->experiment, &tournament, &duel->task.games, &log, why);
	const struct gamelog_row **rows = xcalloc(games, sizeof *rows);
	double *all = xcalloc(2 * games, sizeof *all);
	for (size_t i = 0; !status && i < 2; i++) {
		status = entry_rows(duel->experiment.entries[i], &log, rows, why);
		for (uint64_t k = 0; !status && k < games; k++)
			all[i * games + k] = (double)rows[k]->score;
	}
	gamelog_fini(&log);
	free(rows);
	if (status)
		free(all);
	else
		*scores = all;
	return status;
}

/* Writes the result of the last look, for the progress line. */
static void note_make(const struct duel *duel, char note[PROGRESS_NOTE_MAX])
{
	snprintf(note, PROGRESS_NOTE_MAX, "first look at %" PRIu64, duel->test.games[0]);
	if (duel->looks == 0)
		return;
	const struct look *look = &duel->look[duel->looks - 1];
	char ratio[GRID_TEXT_MAX];
	ratio_text(look->ratio, 3, ratio);
	snprintf(note, PROGRESS_NOTE_MAX, "ratio %.80s at %zu, of at most %" PRIu64, ratio,
		 look->pairs.games, duel->options->most);
}

/* Plays the games of look K and analyses them. */
static enum status look_take(struct duel *duel, size_t k, struct why *why)
{
	char note[PROGRESS_NOTE_MAX];
	double *scores;
	uint64_t games = duel->test.games[k];
	note_make(duel, note);
	enum status status = duel_games(duel, games, note, &scores, why);
	if (status)
		return status;
	struct pairs pairs = pairs_estimate(scores, scores + games, games);
	free(scores);
	duel->look[duel->looks++] = sequential_look(&duel->test, k, &pairs, duel->options->bound);
	return STATUS_OK;
}

/* Takes looks until there is a verdict or no look is left. Errors as duel_games(). */
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
	/* Before the first look there is nothing to show. */
	duel->task.title = duel->looks ? duel->title : NULL;
	return status;
}

/* ---- A plan: how many games an effect takes. */

/* Effects in the plan's table, as multiples of the requested one. */
static const double multiples[] = {0, 0.5, 1, 1.5, 2, 4};

enum { MULTIPLES = sizeof multiples / sizeof *multiples };

/* Duels between players that differ by EFFECT; NAN for what does not apply. */
struct effect_row {
	double effect;
	double found, wrong, within; /* shares of duels with the right, wrong, equal verdict */
	double games, saved;	     /* mean number; share saved of the games of a single look */
};

struct plan {
	const struct duel_options *options;
	struct interval spread;
	double fixed;
	struct sequential test;
	struct effect_row row[MULTIPLES];
};

/* Plays the pilot and sets *SPREAD to the spread of its pairs, with its 95% interval. */
static enum status spread_find(struct duel *duel, struct interval *spread, struct why *why)
{
	double *scores;
	const struct duel_options *o = duel->options;
	enum status status = duel_games(duel, o->pilot, "pilot", &scores, why);
	if (status)
		return status;
	struct pairs p = pairs_estimate(scores, scores + o->pilot, o->pilot);
	size_t differing = p.games - p.tied;
	for (size_t i = 0; i < p.games; i++)
		scores[i] = scores[i] / p.a - scores[p.games + i] / p.b;
	stats_sort(scores, p.games);
	*spread = stats_interval(&stat_sd, scores, p.games);
	free(scores);
	if (!isfinite(p.log_ratio))
		return why_set(why, STATUS_INPUT,
			       "the mean scores of the pilot are %g and %g: where one is not "
			       "positive, no share of it is an effect to plan by",
			       p.a, p.b);
	if (differing < SEQUENTIAL_DIFFERING_MIN)
		return why_set(why, STATUS_INPUT,
			       "the scores differ in %zu of %" PRIu64 " games of the pilot: too "
			       "few to plan by; more --pilot games, or --sd, may help",
			       differing, o->pilot);
	text_printf(stdout,
		    "A = %s, B = %s, on %s, seed %" PRIu64 ", %" PRIu64
		    " games: mean scores %.0f and "
		    "%.0f, correlation %.2f",
		    duel->a, duel->b, duel->experiment.entries[0]->game.name, o->seed, o->pilot,
		    p.a, p.b, p.correlation);
	return STATUS_OK;
}

static void effect_fill(const struct plan *plan, double effect, struct effect_row *row)
{
	const double bound = plan->options->bound;
	const struct forecast f =
	    sequential_forecast(&plan->test, effect, plan->spread.value, bound);
	*row = (struct effect_row){
	    .effect = effect,
	    .found = effect > 0 ? f.right : f.right + f.wrong,
	    .wrong = effect > 0 ? f.wrong : NAN,
	    .within = bound > 0 ? f.equal : NAN,
	    .games = f.games,
	    .saved = 1 - f.games / plan->fixed,
	};
}

/* Writes SHARE as "2%". */
static void level_text(double share, char text[GRID_TEXT_MAX])
{
	snprintf(text, GRID_TEXT_MAX, "%.3g%%", 100 * share);
}

static void effect_text(const void *row, char text[GRID_TEXT_MAX])
{
	level_text(((const struct effect_row *)row)->effect, text);
}

static void games_text(const void *row, char text[GRID_TEXT_MAX])
{
	number_text(ceil(((const struct effect_row *)row)->games), 0, text);
}

#define EFFECT(title, member) TABLE_COLUMN(struct effect_row, title, REAL, member)
#define EFFECT_SHARE(title, member, places)                                                        \
	TABLE_FIXED(struct effect_row, title, SHARE, member, places)

static const struct table_column effect_columns[] = {
    EFFECT("effect", effect),
    EFFECT("found", found),
    EFFECT("wrong", wrong),
    EFFECT("within", within),
    EFFECT("games", games),
    EFFECT("saved", saved),
    {0},
};

static void plan_rows(const struct table_out *out, const void *data)
{
	for (size_t i = 0; i < MULTIPLES; i++)
		table_put(out, &((const struct plan *)data)->row[i]);
}

static void plan_head(FILE *file, const void *data)
{
	const struct plan *plan = data;
	fprintf(file,
		"# spread of a pair: %.10g; games of one look: %.0f, of the duel at most: %" PRIu64
		"\n",
		plan->spread.value, ceil(plan->fixed), plan->test.games[plan->test.looks - 1]);
}

static void plan_print(FILE *file, const void *data, bool full)
{
	const struct plan *plan = data;
	const struct table_column within = EFFECT_SHARE("within bound", within, 1),
				  games = {.name = "games", .text = games_text},
				  saved = EFFECT_SHARE("saved", saved, 0);
	const bool bounded = plan->options->bound > 0;
	const struct table_column columns[] = {
	    {.name = "effect", .text = effect_text},
	    EFFECT_SHARE("found", found, 1),
	    EFFECT_SHARE("wrong way", wrong, 1),
	    bounded ? within : games,
	    bounded ? games : saved,
	    bounded ? saved : (struct table_column){0},
	    {0},
	};
	const struct duel_options *o = plan->options;
	(void)full;
	double most = (double)plan->test.games[plan->test.looks - 1];
	fprintf(file, "Spread of a pair: %.3g%% of the mean score", 100 * plan->spread.value);
	if (isfinite(plan->spread.low))
		fprintf(file, " [%.3g%%, %.3g%%]", 100 * plan->spread.low, 100 * plan->spread.high);
	fputs("\n\n", file);
	text_printf(file,
		    "To find an effect of %.3g%% in %.3g%% of duels, with %.3g%% of false verdicts "
		    "between equals:",
		    100 * o->effect, 100 * (1 - o->beta), 100 * o->alpha);
	fprintf(file,
		"  one look     %.0f games\n"
		"  nxn duel     at most %.0f games (--max-games), on average these:\n\n",
		plan->fixed, most);
	table_view_print(file,
			 &(struct table_view){.columns = columns, .rows = plan_rows, .data = plan});
	putc('\n', file);
	text_printf(
	    file,
	    "Games are those of each player. found: duels that name the better player; wrong "
	    "way: that name the other; saved: games, against one look. An effect of %.3g%% "
	    "is a ratio of mean scores of %.6g.",
	    100 * o->effect, 1 + o->effect);
}

static const struct tables plan_tables = {
    .print = plan_print,
    .head = plan_head,
    .table = {TABLE(
	"plan",
	"effect: ratio of mean scores less 1; found, wrong, within: shares of duels; saved: "
	"share of the games of one look",
	effect_columns, plan_rows)},
};

/*
 * Prints how many games the effect takes, from the given spread or that of a pilot. Errors as
 * duel_games().
 */
static enum status duel_plan(void *context, struct why *why)
{
	struct duel *duel = context;
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
	for (size_t i = 0; i < MULTIPLES; i++)
		effect_fill(&plan, o->effect * multiples[i], &plan.row[i]);
	tables_print(&duel->task.call->printer, &plan_tables, "plan", &plan, false,
		     provenance_lines(&duel->task.provenance));
	return STATUS_OK;
}

/* ---- The result of a duel: for people and for gnuplot. */

static const char *const verdicts[] = {"", "A", "B", "equal"};

#define LOOK(title, kind, member) TABLE_COLUMN(struct look, title, kind, member)
#define LOOK_FIXED(title, kind, member, places)                                                    \
	TABLE_FIXED(struct look, title, kind, member, places)

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

static void look_rows(const struct table_out *out, const void *data)
{
	const struct duel *duel = data;
	for (size_t k = 0; k < duel->looks; k++)
		table_put(out, &duel->look[k]);
}

static void head_write(FILE *out, const void *data)
{
	const struct duel *duel = data;
	fprintf(out,
		"# A: %s; B: %s; intervals hold at all looks together with probability %.10g\n",
		duel->a, duel->b, 1 - duel->options->alpha);
	if (!duel->options->scores) /* the name of the block in figures */
		fprintf(out, "# block 1: %s %s / %s\n", duel->experiment.entries[0]->game.name,
			duel->a, duel->b);
}

static void looks_print(FILE *file, const struct duel *duel)
{
	char ratio[64], ahead[64];
	const double level = 100 * (1 - duel->options->alpha);
	const struct table_column columns[] = {
	    LOOK("games", COUNT, pairs.games),
	    LOOK("mean of A", REAL, pairs.a),
	    LOOK("mean of B", REAL, pairs.b),
	    LOOK_FIXED(ratio, INTERVAL, ratio, 3),
	    LOOK_FIXED(ahead, SHARES, wins, 1),
	    LOOK_FIXED("limit", REAL, limit, 2),
	    {0},
	};
	snprintf(ratio, sizeof ratio, "ratio [%.4g%%]", level);
	snprintf(ahead, sizeof ahead, "A ahead [%.4g%%]", level);
	table_view_print(file,
			 &(struct table_view){.columns = columns, .rows = look_rows, .data = duel});
}

static void verdict_print(FILE *file, const struct duel *duel, const struct look *look)
{
	char bound[GRID_TEXT_MAX], share[GRID_TEXT_MAX];
	const bool equal = look->verdict == VERDICT_EQUAL;
	const struct pairs *p = &look->pairs;
	level_text(duel->options->bound, bound);
	/* A false verdict of equality takes an error at one end of the interval only. */
	level_text(duel->options->alpha / (equal ? 2 : 1), share);
	if (look->verdict == VERDICT_OPEN) {
		fprintf(file, "Undecided after all %zu games.\n", p->games);
		if (p->games - p->tied < SEQUENTIAL_DIFFERING_MIN)
			fprintf(file, "The scores differ in %zu of them; a verdict needs %d.\n",
				p->games - p->tied, SEQUENTIAL_DIFFERING_MIN);
		return;
	}
	if (equal)
		text_printf(file, "A and B are equal within %s, after %zu games.", bound, p->games);
	else
		text_printf(file, "%s scores more: %s, after %zu games.", verdicts[look->verdict],
			    look->verdict == VERDICT_A ? duel->a : duel->b, p->games);
	text_printf(file, "Of duels between players %s at most %s end with such a verdict.",
		    equal ? "whose mean scores differ by more than that" : "with equal mean scores",
		    share);
}

/* Decimals for two digits of the interval's width, or of the value if there is no width. */
static int decimals_within(struct interval x)
{
	double width = isfinite(x.high - x.low) && x.high > x.low ? x.high - x.low : x.value;
	return decimals_of(10 * width) > 0 ? decimals_of(10 * width) : 0;
}

/* Prints a line with NAME and the formatted text. */
__attribute__((format(printf, 3, 4))) static void line_print(FILE *file, const char *name,
							     const char *format, ...)
{
	enum { INDENT = 28 };
	char text[2 * GRID_TEXT_MAX];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	fprintf(file, "  %-*s", INDENT - 2, name);
	text_fill(file, INDENT, text);
}

static void effect_print(FILE *file, const struct look *look)
{
	char text[GRID_TEXT_MAX];
	const struct pairs *p = &look->pairs;
	char other[GRID_TEXT_MAX];
	number_text(p->a, decimals_of(p->a), text);
	number_text(p->b, decimals_of(p->b), other);
	line_print(file, "mean scores", "%s and %s", text, other);
	ratio_text(look->ratio, decimals_within(look->ratio), text);
	line_print(file, "ratio of mean scores A/B", "%s", text);
	interval_text(look->difference, decimals_within(look->difference), text);
	if (p->deviation > 0)
		line_print(file, "paired difference A - B",
			   "%s points: %.3f of its standard deviation", text,
			   p->difference / p->deviation);
	else
		line_print(file, "paired difference A - B", "%s points", text);
	percent_text(look->wins, 1, text);
	line_print(file, "A scores more in", "%s of games; ties (%zu) count half", text, p->tied);
	number_text(p->correlation, 2, text);
	line_print(file, "correlation of scores", "%s", text);
}

/* Prints what a test with one look would have taken, if the user gave --max-games. */
static void saved_print(FILE *file, const struct duel *duel, const struct look *look)
{
	char text[256];
	double effect, fixed, games = (double)look->pairs.games;
	const struct duel_options *o = duel->options;
	if (!o->bounded || !(look->pairs.spread > 0) || isnan(look->ratio.low))
		return;
	sequential_reach(&duel->test, look->pairs.spread, o->beta, &effect, &fixed);
	fputs("  ", file);
	snprintf(text, sizeof text,
		 "With at most %" PRIu64 " games, an effect of %.2g%% is found in %.3g%% of duels; "
		 "a test with one look that finds it as often takes %.0f games: %.0f%% %s.",
		 o->most, 100 * effect, 100 * (1 - o->beta), ceil(fixed),
		 100 * fabs(1 - games / fixed), games <= fixed ? "were saved" : "more were played");
	text_fill(file, 2, text);
}

/*
 * Prints the verdict of the last look and its estimates; if the duel was stopped, the looks taken.
 */
static void duel_print(FILE *file, const void *data, bool full)
{
	const struct duel *duel = data;
	const bool scores = duel->options->scores;
	if (!duel->looks)
		return;
	const struct look *look = &duel->look[duel->looks - 1];
	if (scores)
		text_printf(file, "A = %s, B = %s", duel->a, duel->b);
	else
		text_printf(file, "A = %s, B = %s, on %s, seed %" PRIu64, duel->a, duel->b,
			    duel->experiment.entries[0]->game.name, duel->experiment.seed);
	putc('\n', file);
	if (full || duel->stopped)
		looks_print(file, duel);
	if (duel->stopped)
		return;
	fputs(full ? "\n" : "", file);
	verdict_print(file, duel, look);
	if (!look->by_ratio && isfinite(look->limit))
		text_printf(file,
			    "The difference of mean scores decides: a ratio needs two means that "
			    "are above 0 by more than their own errors.");
	effect_print(file, look);
	fprintf(file, "  Intervals: %.4g%%, %s.\n", 100 * (1 - duel->options->alpha),
		scores ? "of all games at once" : "valid wherever one stops");
	if (!scores)
		saved_print(file, duel, look);
}

static const struct tables look_tables = {.print = duel_print,
					  .head = head_write,
					  .table = {TABLE("duel", NULL, look_columns, look_rows)}};

static enum status duel_report(void *context, bool stopped, struct why *why)
{
	struct duel *duel = context;
	duel->stopped = stopped;
	if (stopped)
		unfinished_note(&duel->task);
	duel->task.read_only = duel->task.read_only || !duel->looks; /* no looks, no table */
	const enum status status = launch_tables(&duel->task, &look_tables, duel, why);
	if (!status && !stopped)
		clocked_note(&duel->experiment);
	return status;
}

/* ---- Games that nxn did not play: one look, at all games. */

static enum status scores_compare(const struct duel_options *options, const struct invocation *call,
				  const struct scores *a, const struct scores *b, struct why *why)
{
	struct duel duel = {.options = options, .a = a->path, .b = b->path, .looks = 1};
	if (a->n != b->n)
		return why_set(why, STATUS_INPUT,
			       "%s: %zu scores, but %s has %zu; expected those of the same games, "
			       "line by line; others are for nxn report --scores",
			       a->path, a->n, b->path, b->n);
	const struct pairs pairs = pairs_estimate(a->score, b->score, a->n);
	sequential_init(&duel.test, a->n, a->n, options->alpha);
	duel.look[0] = sequential_look(&duel.test, 0, &pairs, options->bound);
	return result_print(call, &look_tables, &duel, why);
}

static enum status scores_run(const struct duel_options *options, const struct invocation *call,
			      struct why *why)
{
	struct scores a = {0}, b = {0};
	enum status status = scores_read(&a, options->agent[0], options->column, why);
	status = status ? status : scores_read(&b, options->agent[1], options->column, why);
	status = status ? status : scores_compare(options, call, &a, &b, why);
	free(a.score);
	free(b.score);
	return status;
}

enum status duel(const struct duel_options *options, const struct invocation *call, struct why *why)
{
	struct duel d;
	const bool plans = options->effect > 0;
	if (options->scores)
		return scores_run(options, call, why);
	stop_catch();
	enum status status = launch_begun(duel_init(&d, options, why), call);
	if (status)
		return status;
	d.task = (struct launch_task){
	    .experiment = &d.experiment,
	    .options = &options->launch,
	    .call = call,
	    .work = plans ? duel_plan : duel_play,
	    .report = plans ? NULL : duel_report,
	    .log = plans && options->sd > 0 ? NULL : &gamelog_kind,
	    .nothing = "0 of the 0 games up to the next look",
	    .next = " up to the next look",
	    .title = plans ? NULL : d.title,
	    .results = "Game log ",
	    .log_file = "games.tsv",
	};
	status = launch_run(&d.task, why);
	experiment_fini(&d.experiment);
	return status;
}
