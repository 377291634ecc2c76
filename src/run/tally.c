/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a block of training games comes to; see tally.h.
 *
 * Means and squared deviations are kept by Welford's recurrence (Technometrics 4, 1962), which,
 * unlike sums of squares, loses no digits over millions of games. Check value: scores 2, 4, 9 have
 * mean 5 and squares 26.
 */
#include "src/run/tally.h"

#include "analysis/tables/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void mean_add(struct tally_mean *mean, double x)
{
	double off = x - mean->mean;
	mean->n++;
	mean->mean += off / (double)mean->n;
	mean->squares += off * (x - mean->mean);
}

void tally_add(struct tally *tally, const struct outcome *outcome)
{
	tally->moves += outcome->moves;
	if (outcome->partial) {
		tally->partial++;
		return;
	}
	tally->games++;
	mean_add(&tally->score, (double)outcome->score);
	mean_add(&tally->sum, (double)board_sum(&outcome->last));
	if (!isnan(outcome->uncertainty))
		mean_add(&tally->uncertainty, outcome->uncertainty);
	if (outcome->score > tally->max)
		tally->max = outcome->score;
	tally->ended[outcome->max_exponent]++;
}

static uint64_t reached(const struct tally *tally, int exponent)
{
	uint64_t games = 0;
	for (int k = exponent; k < TALLY_EXPONENTS; k++)
		games += tally->ended[k];
	return games;
}

/* The mean of a block of so many GAMES. */
static struct interval mean_of(const struct tally_mean *mean, uint64_t games)
{
	if (mean->n < games)
		return (struct interval){NAN, NAN, NAN};
	return stats_mean_of(mean->mean, mean->squares, mean->n);
}

struct interval tally_score(const struct tally *tally)
{
	return mean_of(&tally->score, tally->games);
}

struct interval tally_sum(const struct tally *tally)
{
	return mean_of(&tally->sum, tally->games);
}

struct interval tally_uncertainty(const struct tally *tally)
{
	return mean_of(&tally->uncertainty, tally->games);
}

struct interval tally_reach(const struct tally *tally, int exponent)
{
	return stats_rate(reached(tally, exponent), tally->games);
}

double tally_ended(const struct tally *tally, int exponent)
{
	return tally->games ? (double)tally->ended[exponent] / (double)tally->games : NAN;
}

void tally_brief(const struct tally *tally, char brief[TALLY_BRIEF_MAX])
{
	char text[GRID_TEXT_MAX];
	interval_text(tally_score(tally), 0, text);
	int top = TALLY_EXPONENTS - 1, length = snprintf(brief, TALLY_BRIEF_MAX, "mean %s", text);
	while (top > 0 && 2 * reached(tally, top) < tally->games)
		top--;
	/* From the tile that half of the games reach; what lies below says little. */
	for (int k = top; k < top + 3 && k < TALLY_EXPONENTS && reached(tally, k) > 0; k++) {
		percent_text(tally_reach(tally, k), text);
		length += snprintf(brief + length, (size_t)(TALLY_BRIEF_MAX - length),
				   ", %" PRIu64 " %s%%", UINT64_C(1) << k, text);
	}
}

void tally_report(const struct tally *tally, FILE *out)
{
	char reach[GRID_TEXT_MAX], mean[GRID_TEXT_MAX];
	interval_text(tally_score(tally), 0, mean);
	fprintf(out, "mean score %s, largest %" PRIu64 "\n", mean, tally->max);
	fprintf(out, "%10s  %20s  %8s\n", "tile", "% reach [95%]", "% ended");
	for (int k = 0; k < TALLY_EXPONENTS - 1; k++) {
		/* Rows that say nothing: tiles that all games pass, and that none reaches. */
		if (reached(tally, k) == 0 || reached(tally, k + 1) == tally->games)
			continue;
		percent_text(tally_reach(tally, k), reach);
		fprintf(out, "%10" PRIu64 "  %20s  %8.1f\n", UINT64_C(1) << k, reach,
			100 * tally_ended(tally, k));
	}
	if (tally->partial)
		fprintf(out, "(and %" PRIu64 " games that did not start where games start)\n",
			tally->partial);
}

void tally_print(const struct tally *tally, FILE *out)
{
	int top = TALLY_EXPONENTS - 1;
	while (top > 0 && !tally->ended[top])
		top--;
	fprintf(out,
		"games %" PRIu64 " partial %" PRIu64 " moves %" PRIu64 " mean %a squares %a "
		"max %" PRIu64 " sum %" PRIu64 " %a %a doubt %" PRIu64 " %a %a ended",
		tally->games, tally->partial, tally->moves, tally->score.mean, tally->score.squares,
		tally->max, tally->sum.n, tally->sum.mean, tally->sum.squares, tally->uncertainty.n,
		tally->uncertainty.mean, tally->uncertainty.squares);
	for (int k = 0; k <= top; k++)
		fprintf(out, " %" PRIu64, tally->ended[k]);
}

/* Reads all up to the games by their largest tile; the length of that, or 0. */
static int head_scan(struct tally *t, const char *text)
{
	int length = 0;
	sscanf(text,
	       "games %" SCNu64 " partial %" SCNu64 " moves %" SCNu64 " mean %la squares %la "
	       "max %" SCNu64 " sum %" SCNu64 " %la %la doubt %" SCNu64 " %la %la ended%n",
	       &t->games, &t->partial, &t->moves, &t->score.mean, &t->score.squares, &t->max,
	       &t->sum.n, &t->sum.mean, &t->sum.squares, &t->uncertainty.n, &t->uncertainty.mean,
	       &t->uncertainty.squares, &length);
	t->score.n = t->games;
	return length;
}

bool tally_scan(struct tally *tally, const char *text)
{
	struct tally t = {0};
	int at = head_scan(&t, text);
	uint64_t games = 0;
	if (at == 0 || t.sum.n > t.games || t.uncertainty.n > t.games)
		return false;
	bool number = true;
	text += at;
	for (int k = 0; k < TALLY_EXPONENTS && number; k++) {
		char *end;
		t.ended[k] = strtoull(text, &end, 10);
		games += t.ended[k];
		number = end != text;
		text = end;
	}
	if (text[strspn(text, "\n")] || games != t.games)
		return false;
	*tally = t;
	return true;
}
