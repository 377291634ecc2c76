/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Estimates with 95% intervals. Nothing else in the project does statistics.
 *
 * Means from STATS_BOOTSTRAP_MIN to STATS_BOOTSTRAP_MAX observations: the bias-corrected and
 * accelerated bootstrap (BCa; Efron, Better bootstrap confidence intervals, JASA 82, 1987), by a
 * saddlepoint approximation in place of resamples, with quantiles of Student's t. Above: Student's
 * t, which by then says the same at a hundredth of the cost. Below: Student's t on the logarithm,
 * by the delta method, or plain where not all observations are positive. Rates: Wilson's score
 * interval (JASA 22, 1927). Medians: between order statistics, whatever the distribution. Standard
 * deviations: the delta method on the logarithm with the fourth moment. The mean of the middle
 * half: Student's t with the winsorised deviation (Tukey and McLaughlin, Sankhya A 25, 1963), on
 * the logarithm.
 *
 * Of 100 intervals of a mean these hold it (3,000 samples each):
 *
 *   observations           10   15   20   50  200
 *   exponential            93   94   93   95   95
 *   uniform                95   97   96   95   95
 *   u^(1/5), skewed left   93   95   95   96   95
 *   lognormal, sigma 1     89   89   90   92   93
 *
 * One value in 32 that is half of the mean is not seen by 20 observations in half of the samples:
 * 47, and 77 of 50. No method knows what was not observed.
 *
 * Everywhere: no observations give NANs, and there are no bounds (NAN) for one observation, nor
 * where all are alike. Intervals depend on the multiset of observations alone.
 */
#ifndef NXN_STATS_H
#define NXN_STATS_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

enum { STATS_BOOTSTRAP_MIN = 15, STATS_BOOTSTRAP_MAX = 500 };

/* One line for the provenance of tables: how their intervals were made. */
extern const char stats_method[];

struct interval {
	double value, low, high;
};

/* A number computed from a sample, x[0] <= ... <= x[n - 1]. */
struct statistic {
	double (*value)(const double *x, size_t n);		/* n > 0 */
	struct interval (*interval)(const double *x, size_t n); /* n > 1 */
};

/*
 * Mean; median (the middle one, or the mean of the middle two); standard deviation (n - 1); mean of
 * the middle half, where observations on its edge count in part.
 */
extern const struct statistic stat_mean, stat_median, stat_sd, stat_iqm;

/* STATISTIC of N finite numbers in ascending order (stats_sort). */
struct interval stats_interval(const struct statistic *statistic, const double *x, size_t n);

/* The mean of X, in any order, with Student's t whatever N is. */
struct interval stats_mean(const double *x, size_t n);

/* The same of N observations with this MEAN, whose SQUARES of deviations from it have this sum. */
struct interval stats_mean_of(double mean, double squares, size_t n);

/* Ascending. */
void stats_sort(double *x, size_t n);

/*
 * The mean of A over that of B, independent samples in ascending order. Bootstrap as above where
 * both have a number of observations for it; else the delta method on the logarithm. No bounds for
 * a mean that is not positive, a sample of one, or two that are each all alike.
 */
struct interval stats_ratio(const double *a, size_t a_n, const double *b, size_t b_n);

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
 * (exact binomial, at least 95%; no bounds below 6 observations). A value that was observed, so fit
 * for tiles.
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
