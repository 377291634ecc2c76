/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a duel came to: for people and for gnuplot; see duel.h. */
#include "src/run/duel.h"

#include "analysis/tables/format.h"
#include "base/file.h"
#include "src/report/report.h"

#include <inttypes.h>
#include <math.h>

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

static bool look_text(const void *context, size_t row, int column, char text[GRID_TEXT_MAX])
{
	const struct duel *duel = context;
	if (row >= duel->looks)
		return false;
	const struct look *look = &duel->look[row];
	switch (column) {
	case 0:
		snprintf(text, GRID_TEXT_MAX, "%zu", look->pairs.games);
		break;
	case 1:
		number_text(look->pairs.a, decimals_of(look->pairs.a), text);
		break;
	case 2:
		number_text(look->pairs.b, decimals_of(look->pairs.b), text);
		break;
	case 3:
		interval_text(look->ratio, 3, text);
		break;
	case 4:
		percent_text(look->wins, text);
		break;
	default:
		number_text(look->limit, 2, text);
	}
	return true;
}

static void looks_print(const struct duel *duel, const char *level)
{
	char ratio[64], ahead[64];
	const char *header[] = {"games", "mean of A", "mean of B", ratio, ahead, "limit"};
	snprintf(ratio, sizeof ratio, "ratio [%s]", level);
	snprintf(ahead, sizeof ahead, "%% ahead [%s]", level);
	grid_print(stdout, &(struct grid){header, 6, 0, look_text, duel});
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

void duel_print(const struct duel *duel, bool stopped)
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

static void look_write(FILE *out, const struct look *look)
{
	const struct pairs *p = &look->pairs;
	fprintf(out, "%zu", p->games);
	number_write(out, p->a);
	number_write(out, p->b);
	interval_write(out, look->ratio);
	interval_write(out, look->difference);
	interval_write(out, look->wins);
	number_write(out, look->limit);
	number_write(out, p->spread);
	number_write(out, p->deviation);
	number_write(out, p->correlation);
	fprintf(out, "\t%zu\t", p->tied);
	text_write(out, verdicts[look->verdict], "");
	putc('\n', out);
}

static void table_write(FILE *out, const struct duel *duel, const char *const *lines)
{
	const struct duel_options *o = duel->options;
	for (; *lines; lines++)
		fprintf(out, "# %s\n", *lines);
	fprintf(
	    out, "# A: %s; B: %s; intervals hold at all looks together with probability %.10g\n",
	    duel->experiment.entries[0]->agent, duel->experiment.entries[1]->agent, 1 - o->alpha);
	fprintf(out, "# block 1: %s %s / %s\n", duel->experiment.entries[0]->game.name,
		duel->experiment.entries[0]->label, duel->experiment.entries[1]->label);
	HEADER(out, "games", "a", "b", "ratio", "ratio_low", "ratio_high", "difference",
	       "difference_low", "difference_high", "ahead", "ahead_low", "ahead_high", "limit",
	       "spread", "deviation", "correlation", "ties", "verdict");
	for (size_t k = 0; k < duel->looks; k++)
		look_write(out, &duel->look[k]);
}

enum status duel_tables(const struct duel *duel, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	FILE *out;
	struct provenance provenance;
	const char *directory = duel->options->launch.directory;
	enum status status = path_format(path, why, "%s/tables", directory);
	if (!status)
		status = folder_make(path, why);
	if (!status)
		status = experiment_provenance(&duel->experiment, duel->command->provenance,
					       &provenance, why);
	if (status)
		return status;
	status = table_create(directory, "duel", path, &out, why);
	if (!status) {
		table_write(out, duel, provenance_lines(&provenance));
		status = table_finish(out, path, why);
	}
	provenance_fini(&provenance);
	if (!status && !duel->options->launch.no_figures)
		status = report_figures(directory, why);
	return status;
}
