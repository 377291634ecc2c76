/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * precision_rates REPETITIONS PRECISION... : how often the interval of a mean holds the mean where
 * games stop when the mean is precise (analysis/stats/precision.c).
 *
 * Standard input has lines "PLAYER BOARD SCORE", tab-separated, those of a player on a board behind
 * each other: the world whose mean is the truth, and in which scores are drawn. Prints a row for
 * each player and precision, and fails where a player's share over all boards is below 93%, or one
 * board's by more than four standard errors.
 */
#include "analysis/stats/stats.h"
#include "boards/rng.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORLDS = 300, SCORES = 5000, MOST = 20000, NAME = 80 };

static struct world {
	char player[NAME], board[NAME];
	double score[SCORES], mean;
	size_t n;
} worlds[WORLDS];

static size_t worlds_read(void)
{
	char line[256], player[NAME], board[NAME];
	double score;
	size_t n = 0;

	while (fgets(line, sizeof line, stdin)) {
		if (sscanf(line, "%79[^\t]\t%79[^\t]\t%lf", player, board, &score) != 3)
			return 0;
		struct world *w = n ? &worlds[n - 1] : NULL;
		if (!w || strcmp(w->player, player) != 0 || strcmp(w->board, board) != 0) {
			if (n == WORLDS)
				return 0;
			w = &worlds[n++];
			strcpy(w->player, player);
			strcpy(w->board, board);
		}
		if (w->n == SCORES)
			return 0;
		w->score[w->n++] = score;
		w->mean += (score - w->mean) / (double)w->n;
	}
	return n;
}

/* Plays in W until the mean is within PRECISION; whether its interval holds the truth. */
static bool run_holds(const struct world *w, uint64_t seed, double precision, double *games)
{
	static double x[MOST];
	struct rng rng;
	size_t n = 0, look;

	rng_init(&rng, seed, RNG_TEST, 1);
	do {
		for (look = stats_look(n, MOST); n < look; n++)
			x[n] = w->score[(size_t)(rng_real(&rng) * (double)w->n)];
	} while (n < MOST && stats_imprecision(x, n) > precision);
	stats_sort(x, n);
	*games += (double)n;
	const struct interval mean = stats_interval(&stat_mean, x, n);
	return isnan(mean.low) ? mean.value == w->mean
			       : mean.low <= w->mean && w->mean <= mean.high;
}

int main(int argc, char **argv)
{
	const size_t count = worlds_read();
	const int repetitions = argc > 2 ? atoi(argv[1]) : 0;
	int bad = !count || repetitions < 1;

	for (size_t first = 0, end; !bad && first < count; first = end) {
		for (end = first; end < count && !strcmp(worlds[end].player, worlds[first].player);)
			end++;
		for (int p = 2; p < argc; p++) {
			double games = 0, share = 0, least = 2;
			const char *where = "";
			for (size_t i = first; i < end; i++) {
				int held = 0;
				for (int r = 0; r < repetitions; r++)
					held += run_holds(&worlds[i], (uint64_t)(r + 1),
							  atof(argv[p]), &games);
				const double own = (double)held / repetitions;
				share += own / (double)(end - first);
				where = own < least ? worlds[i].board : where;
				least = fmin(least, own);
			}
			const bool failed =
			    share < 0.93 || least < 0.93 - 4 * sqrt(0.93 * 0.07 / repetitions);
			printf("| %s | %zu | %g%% | %.1f%% | %.1f%% on %s | %.0f |%s\n",
			       worlds[first].player, end - first, 100 * atof(argv[p]), 100 * share,
			       100 * least, where, games / (double)(end - first) / repetitions,
			       failed ? " FAILED" : "");
			bad |= failed;
		}
	}
	return bad;
}
