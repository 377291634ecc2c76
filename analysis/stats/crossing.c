/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The score of a learner that was trained several times, how it compares with that of a player that
 * does not learn, and the training after which both score the same.
 *
 * The score is the geometric mean of the mean scores of the trainings, and the ratio is that of
 * this score to the mean score of the rival. The logarithms of the means of N trainings vary by
 * training and by game, so Student's t with N - 1 degrees of freedom covers both; the rival's mean
 * has its own interval (stats.h). The bounds of the ratio add the squares of the two distances on
 * the logarithm, as in trend.c. A bootstrap of three trainings does not work: where trainings
 * differ much, 81% of its intervals contain the ratio. Of the intervals here 96 to 98% do, whether
 * trainings or games differ more (tests/analysis/stats/test_crossing.c).
 *
 * The crossing is where the ratio, a straight line between points on logarithmic axes, rises to 1
 * for the last time. The crossings of its upper and of its lower bounds are the bounds of the
 * crossing. Check value: ratios 0.5 and 2 after 10 s and 1,000 s cross after 100 s.
 */
#include "analysis/stats/stats.h"

#include <math.h>

struct interval stats_quotient(struct interval a, struct interval b)
{
	const double below = hypot(log(a.value / a.low), log(b.high / b.value));
	const double above = hypot(log(a.high / a.value), log(b.value / b.low));
	const double ratio = a.value > 0 && b.value > 0 ? a.value / b.value : NAN;
	return (struct interval){ratio, ratio * exp(-below), ratio * exp(above)};
}

struct interval stats_trained_mean(const double *mean, size_t n)
{
	double log_mean = 0, squares = 0;
	for (size_t i = 0; i < n; i++)
		log_mean += log(mean[i]) / (double)n;
	for (size_t i = 0; i < n; i++)
		squares += pow(log(mean[i]) - log_mean, 2);
	if (n == 0 || !isfinite(log_mean))
		return (struct interval){NAN, NAN, NAN};
	const struct interval on_logs = stats_mean_of(log_mean, squares, n);
	return (struct interval){exp(on_logs.value), exp(on_logs.low), exp(on_logs.high)};
}

double stats_crossing(const double *training, const double *ratio, size_t n)
{
	size_t k = n;
	while (k > 0 && ratio[k - 1] >= 1)
		k--;
	if (n == 0 || (k > 0 && isnan(ratio[k - 1])))
		return NAN;
	if (k == 0 || k == n)
		return k ? INFINITY : 0;
	const double part = log(ratio[k - 1]) / log(ratio[k - 1] / ratio[k]);
	return training[k - 1] * pow(training[k] / training[k - 1], part);
}
