/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers out of games of a tuning; see tune_report.h. */
#include "src/run/tune_report.h"

#include "analysis/tables/format.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

double tune_objective(const struct tune_options *options, const struct tune_result *games, size_t n)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++)
		switch (options->aim) {
		case TUNE_SCORE:
			sum += (double)games[i].score;
			break;
		case TUNE_LOG:
			sum += log1p((double)games[i].score);
			break;
		case TUNE_TILE:
			sum += games[i].max_exponent >= options->exponent;
			break;
		}
	return sum / (double)n;
}

/* N scores in ascending order, and room for the means of their resamples. */
struct scores {
	double *x, *means;
	struct sample sample;
	struct interval mean;
};

static enum status scores_init(struct scores *scores, const struct tune_result *games, size_t n,
			       uint64_t number, struct why *why)
{
	const struct statistic *const mean = &stat_mean;
	const struct bootstrap bootstrap = {.sample = number};
	*scores = (struct scores){.x = malloc(n * sizeof(double)),
				  .means = malloc(STATS_RESAMPLES * sizeof(double))};
	if (!scores->x || !scores->means)
		return why_errno(why, "%zu games", n);
	for (size_t i = 0; i < n; i++)
		scores->x[i] = (double)games[i].score;
	stats_sort(scores->x, n);
	scores->sample =
	    (struct sample){scores->x, n, n <= STATS_BOOTSTRAP_MAX ? scores->means : NULL};
	return stats_estimate(scores->x, n, &mean, 1, &bootstrap, &scores->mean, scores->means,
			      why);
}

static void scores_fini(struct scores *scores)
{
	free(scores->x);
	free(scores->means);
}

static enum status pairs_compare(const struct tune_result *tuned, const struct tune_result *start,
				 size_t n, struct paired *paired, struct why *why)
{
	double *x = malloc(2 * n * sizeof *x);
	if (!x)
		return why_errno(why, "%zu games", n);
	for (size_t i = 0; i < n; i++) {
		x[i] = (double)tuned[i].score;
		x[n + i] = (double)start[i].score;
	}
	*paired = stats_paired(x, x + n, n);
	free(x);
	return STATUS_OK;
}

enum status tune_compare(const struct tune_result *tuned, const struct tune_result *start, size_t n,
			 struct tune_versus *versus, struct why *why)
{
	struct scores a = {0}, b = {0};
	struct tune_versus v;
	enum status status = scores_init(&a, tuned, n, 0, why);
	if (!status)
		status = scores_init(&b, start, n, 1, why);
	if (!status)
		status = stats_ratio(&a.sample, &b.sample, STATS_RESAMPLES, &v.ratio, why);
	if (!status)
		status = pairs_compare(tuned, start, n, &v.paired, why);
	if (!status) {
		v.tuned = a.mean;
		v.start = b.mean;
		*versus = v;
	}
	scores_fini(&a);
	scores_fini(&b);
	return status;
}

static void mean_print(const char *name, struct interval mean, const char *agent)
{
	char text[GRID_TEXT_MAX];
	interval_text(mean, decimals_of(mean.value), text);
	printf("%-9s %-32s  %s\n", name, text, agent);
}

/* The command that plays the same games. */
static void again_print(const struct tune_options *options, const char *start, const char *tuned,
			uint64_t seed)
{
	const struct game_options *game = &options->game;
	printf("\nnxn compare");
	if (game->shape)
		printf(" -b %s", game->shape);
	printf(" -s %" PRIu64 " -g %zu", seed, options->held_out);
	if (game->spawn)
		printf(" --spawn %s", game->spawn);
	if (game->start_tiles)
		printf(" --start-tiles %d", game->start_tiles);
	if (game->start)
		printf(" --start %s", game->start);
	printf(" -a '%s;%s'\n", start, tuned);
}

void tune_report(const struct tune_options *options, const char *start, const char *tuned,
		 uint64_t seed, const struct tune_versus *versus)
{
	char text[GRID_TEXT_MAX];
	printf("%zu held-out games, seed %" PRIu64 ":\n\n", options->held_out, seed);
	printf("%-9s %-32s  %s\n", "", "mean score [95%]", "agent");
	mean_print("start", versus->start, start);
	mean_print("tuned", versus->tuned, tuned);
	interval_text(versus->ratio, decimals_of(versus->ratio.value), text);
	printf("%-9s %s\n", "ratio", text);
	const struct interval difference = versus->paired.difference;
	interval_text(difference, decimals_of(difference.value), text);
	printf("%-9s %s\n", "paired", text);
	percent_text(versus->paired.won, text);
	printf("%-9s %s\n", "% won", text);
	again_print(options, start, tuned, seed);
}
