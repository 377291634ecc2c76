/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Estimates with 95% intervals. Nothing else in the project does statistics.
 *
 * Method. From STATS_BOOTSTRAP_MIN to STATS_BOOTSTRAP_MAX observations: the bias-corrected and
 * accelerated bootstrap (BCa; Efron, Better bootstrap confidence intervals, JASA 82, 1987), and the
 * percentile bootstrap where BCa is undefined (every resample on one side of the estimate, or no
 * acceleration). Above: large-sample theory, which by then says the same at a thousandth of the
 * cost (statistic.large). Rates: Wilson's score interval (JASA 22, 1927).
 *
 * Of fewer observations, bootstrap intervals are too narrow (Hesterberg, What teachers should know
 * about the bootstrap, The American Statistician 69, 2015): those of the mean of 2 exponential
 * variates hold 47 times in 100, of 5 81 times, of 10 88 times. Student's t on the logarithm, by
 * the delta method, holds 93 to 95 times for any number of them, and 85 to 95 times where one value
 * in 64 is half of the mean. So it is used there (statistic.few), or plain Student's t where not
 * all observations are positive. The bootstrap comes near slowly: of the mean of 15 exponential
 * variates it holds 90 times, of 40 92 times. For the standard deviation nothing does well: its
 * intervals hold 26 to 75 times in 100 below 20 such variates. Those of the mean of the middle half
 * hold 86 to 94 times of 4 to 14 scores of games. The median of fewer than 15 lies between order
 * statistics, which hold 95 times or more, and have no bounds below 6 observations.
 *
 * Everywhere: no observations give NANs, one observation gives its value with NAN bounds, equal
 * observations give the value itself as both bounds. Results depend on the multiset of observations
 * and the seed alone, not on the order of observations, nor on threads.
 */
#ifndef NXN_STATS_H
#define NXN_STATS_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

enum { STATS_RESAMPLES = 2000, STATS_BOOTSTRAP_MIN = 15, STATS_BOOTSTRAP_MAX = 500 };

/* One line for the provenance of tables: how their intervals were made. */
extern const char stats_method[];

struct interval {
	double value, low, high;
};

/* A number computed from a sample, x[0] <= ... <= x[n - 1], n > 0. */
struct statistic {
	double (*value)(const double *x, size_t n);
	/* Intervals of few observations, and by large-sample theory; NULL: bootstrapped. n > 1. */
	struct interval (*few)(const double *x, size_t n);
	struct interval (*large)(const double *x, size_t n);
};

/*
 * Mean; median (the middle one, or the mean of the middle two); standard deviation (n - 1); mean of
 * the middle half, where observations on its edge count in part.
 * Large samples: Student's t; order statistics; delta method with the fourth moment; Student's t
 * with the winsorised deviation (Tukey and McLaughlin, Sankhya A 25, 1963).
 */
extern const struct statistic stat_mean, stat_median, stat_sd, stat_iqm;

struct bootstrap {
	uint64_t seed, sample; /* of RNG_RESAMPLE: other samples are resampled independently */
	unsigned resamples;    /* 0 for STATS_RESAMPLES */
};

/*
 * Estimates COUNT statistics of one sample from shared resamples: out[k] belongs to stats[k].
 * X holds N finite numbers in ascending order (stats_sort). FIRST, unless it is NULL, gets what
 * stats[0] is on each resample, in the order they were drawn, or its value if none were needed.
 * STATUS_SYSTEM if memory runs out.
 */
MUST_USE enum status stats_estimate(const double *x, size_t n, const struct statistic *const *stats,
				    size_t count, const struct bootstrap *bootstrap,
				    struct interval *out, double *first, struct why *why);

/* The mean of X, in any order, with Student's t whatever N is. */
struct interval stats_mean(const double *x, size_t n);

/* The same of N observations with this MEAN, whose SQUARES of deviations from it have this sum. */
struct interval stats_mean_of(double mean, double squares, size_t n);

/* Ascending. */
void stats_sort(double *x, size_t n);

/* A sample as stats_estimate() takes it, and the means of its resamples as that returns them. */
struct sample {
	const double *x;
	size_t n;
	const double *means; /* [resamples]; NULL if n > STATS_BOOTSTRAP_MAX */
};

/*
 * Mean of A over mean of B, as independent samples of positive mean. Bootstrap as above (BCa for
 * two samples) with RESAMPLES, drawn independently of each other; delta method on the logarithm if
 * either is small or large. A mean that is not positive gives NAN bounds, and so does a sample of
 * one. STATUS_SYSTEM if memory runs out.
 */
MUST_USE enum status stats_ratio(const struct sample *a, const struct sample *b, unsigned resamples,
				 struct interval *out, struct why *why);

/* A against B where both played the same games. */
struct paired {
	size_t games;
	struct interval difference;	 /* mean of a[i] - b[i]; Student's t */
	struct interval won, tied, lost; /* shares of games with a[i] >, =, < b[i]; Wilson */
};

/* Compares a[i] with b[i], i < n, in any order. */
struct paired stats_paired(const double *a, const double *b, size_t n);

/* HITS of N, as a share, with Wilson's interval. */
struct interval stats_rate(size_t hits, size_t n);

/*
 * The lower median x[(n - 1) / 2] of an ascending sample with the interval between order statistics
 * (exact binomial, at least 95%; below 6 observations it is the range and covers less). A value
 * that was observed, so fit for tiles.
 */
struct interval stats_low_median(const double *x, size_t n);

/*
 * Pearson's chi-squared test: the probability that counts drawn with the probabilities P, which add
 * up to 1, differ from what is expected of them at least as much as COUNT; n > 1. NAN without
 * counts. Good where some five or more are expected of each.
 */
double stats_chi_squared(const uint64_t *count, const double *p, size_t n);

/*
 * Sum of A over sum of B (b[i] > 0), where a[i] and b[i] belong together: a mean per unit. Delta
 * method with Student's t.
 */
struct interval stats_per_unit(const double *a, const double *b, size_t n);

#endif
