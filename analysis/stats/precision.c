/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Playing until a mean is known precisely enough.
 *
 * The interval of a player is checked after fixed numbers of games, PRECISION_LEAST and then a
 * fifth more each time, and the player stops at the first look where the 95% interval lies within
 * so many percent of the mean. The decision at a look depends only on the games before it, not on
 * the order in which the games of several players are played.
 *
 * A rule that stops when the interval happens to be narrow stops too early too often. Chow and
 * Robbins (On the asymptotic theory of fixed-width sequential confidence intervals for the mean,
 * Annals of Mathematical Statistics 36, 1965) show that this vanishes as the precision grows; for
 * real scores, which have a deviation of about half of their mean, 93% to 95% of the intervals
 * contain the mean with PRECISION_LEAST games as the least. With 20 or 40 instead, for scores of
 * few values, such as those of searches on 2x2, 81% and 92% do. tests/long/precision.sh prints how
 * often the interval contains the mean; docs/experiments.md has the table.
 */
#include "analysis/stats/stats.h"

#include <math.h>

size_t stats_look(size_t n, size_t most)
{
	size_t look = PRECISION_LEAST;
	while (look <= n)
		look += look / 5;
	return look < most ? look : most;
}

double stats_imprecision(double *x, size_t n)
{
	stats_sort(x, n);
	const struct interval mean = stats_interval(&stat_mean, x, n);
	if (n > 1 && !(x[0] < x[n - 1]))
		return 0;
	const double share = fmax(mean.high - mean.value, mean.value - mean.low) / mean.value;
	return share >= 0 ? share : INFINITY;
}
