/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Point estimates, and the intervals that need no resampling.
 *
 * Moments are taken about the median of the sample. No mean is further from it than one standard
 * deviation, so a single pass over x - median loses no digits that a second pass would save, even
 * for data far from zero (the NIST sets NumAcc2 to NumAcc4 are in the tests).
 */
#include "analysis/stats/stats.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>

const char stats_method[] =
    "95% intervals: Student's t on the logarithm below 15 games (medians: order "
    "statistics, of 6 games or more), BCa "
    "bootstrap up to 500 (percentile "
    "bootstrap where BCa is undefined), large-sample theory above; rates: "
    "Wilson; median tile: order statistics; moves, paired "
    "difference: Student's t; ms per move: delta method";

static_assert(STATS_BOOTSTRAP_MIN == 15 && STATS_BOOTSTRAP_MAX == 500, "stats_method says so");

/* 97.5% of the standard normal distribution lie below. */
static const double z975 = 1.959963984540054;

void stats_sort(double *x, size_t n)
{
	gsl_sort(x, 1, n);
}

static double mean_of(const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i] - x[n / 2];
	return x[n / 2] + sum / (double)n;
}

static double median_of(const double *x, size_t n)
{
	return x[(n - 1) / 2] + (x[n / 2] - x[(n - 1) / 2]) / 2;
}

static double sd_of(const double *x, size_t n)
{
	double sum = 0, squares = 0;

	if (n < 2)
		return NAN;
	for (size_t i = 0; i < n; i++) {
		double d = x[i] - x[n / 2];
		sum += d;
		squares += d * d;
	}
	double variance = (squares - sum * sum / (double)n) / (double)(n - 1);
	return sqrt(fmax(variance, 0));
}

/*
 * Observation i covers the ranks 4i .. 4i + 4 out of 4n, and counts as far as it lies within the
 * middle half, n .. 3n.
 */
static double iqm_of(const double *x, size_t n)
{
	size_t first = n / 4, last = (3 * n - 1) / 4;

	if (first == last)
		return x[first];
	double origin = x[n / 2];
	double sum = (double)(4 * (first + 1) - n) * (x[first] - origin) +
		     (double)(3 * n - 4 * last) * (x[last] - origin);
	for (size_t i = first + 1; i < last; i++)
		sum += 4 * (x[i] - origin);
	return origin + sum / (double)(2 * n);
}

static struct interval symmetric(double value, double error, double freedom)
{
	double reach = gsl_cdf_tdist_Pinv(0.975, freedom) * error;

	return (struct interval){value, value - reach, value + reach};
}

static struct interval mean_large(const double *x, size_t n)
{
	return symmetric(mean_of(x, n), sd_of(x, n) / sqrt((double)n), (double)(n - 1));
}

/*
 * Between the k-th smallest and the k-th largest, k the largest for which a median below or above
 * has probability of at most 2.5% each, whatever the distribution. Of fewer than six the smallest and the
 * largest are too near: no bounds.
 */
static struct interval order_interval(double value, const double *x, size_t n)
{
	size_t k = 0, above = n / 2 + 1;

	while (above - k > 1) {
		size_t middle = k + (above - k) / 2;
		if (gsl_cdf_binomial_P((unsigned)(middle - 1), 0.5, (unsigned)n) <= 0.025)
			k = middle;
		else
			above = middle;
	}
	if (k == 0 && x[0] < x[n - 1])
		return (struct interval){value, NAN, NAN};
	k = k ? k : 1;
	return (struct interval){value, x[k - 1], x[n - k]};
}

static struct interval median_large(const double *x, size_t n)
{
	return order_interval(median_of(x, n), x, n);
}

/* var(s^2) = (m4 - s^4) / n, carried to log s, where it is nearer to normal. */
static struct interval sd_large(const double *x, size_t n)
{
	double mean = mean_of(x, n), sd = sd_of(x, n), fourth = 0;

	for (size_t i = 0; i < n; i++)
		fourth += pow(x[i] - mean, 4);
	double kurtosis = fourth / (double)n / pow(sd, 4);
	double factor = exp(z975 * sqrt(fmax(kurtosis - 1, 0) / (double)n) / 2);
	return (struct interval){sd, sd / factor, sd * factor};
}

static struct interval iqm_large(const double *x, size_t n)
{
	size_t cut = n / 4;
	double sum = 0, squares = 0;

	for (size_t i = 0; i < n; i++) {
		double d = fmin(fmax(x[i], x[cut]), x[n - 1 - cut]) - x[n / 2];
		sum += d;
		squares += d * d;
	}
	double winsorised = sqrt(fmax(squares - sum * sum / (double)n, 0) / (double)(n - 1));
	const double kept = cut ? 0.5 : 1;
	return symmetric(iqm_of(x, n), winsorised / (kept * sqrt((double)n)),
			 (double)(n - 2 * cut - 1));
}

/* A symmetric interval T carried to the logarithm, if the observations X have one. */
static struct interval logarithmic(const double *x, struct interval t)
{
	if (!(x[0] > 0))
		return t;
	const double factor = exp((t.high - t.value) / t.value);
	return (struct interval){t.value, t.value / factor, t.value * factor};
}

static struct interval mean_few(const double *x, size_t n)
{
	return logarithmic(x, mean_large(x, n));
}

/* Where the middle half is all alike and the rest is not, its deviation tells nothing. */
static struct interval iqm_few(const double *x, size_t n)
{
	const struct interval t = iqm_large(x, n);
	if (t.low == t.high && x[0] < x[n - 1])
		return (struct interval){t.value, NAN, NAN};
	return logarithmic(x, t);
}

const struct statistic stat_mean = {mean_of, mean_few, mean_large};
const struct statistic stat_median = {median_of, median_large, median_large};
const struct statistic stat_sd = {sd_of, NULL, sd_large};
const struct statistic stat_iqm = {iqm_of, iqm_few, iqm_large};

struct interval stats_mean(const double *x, size_t n)
{
	if (n < 2)
		return (struct interval){n ? x[0] : NAN, NAN, NAN};
	return mean_large(x, n);
}

struct interval stats_mean_of(double mean, double squares, size_t n)
{
	if (n < 2)
		return (struct interval){n ? mean : NAN, NAN, NAN};
	double error = sqrt(squares / (double)(n - 1) / (double)n);
	return symmetric(mean, error, (double)(n - 1));
}

struct interval stats_low_median(const double *x, size_t n)
{
	if (n == 0)
		return (struct interval){NAN, NAN, NAN};
	if (n == 1)
		return (struct interval){x[0], NAN, NAN};
	return order_interval(x[(n - 1) / 2], x, n);
}

struct interval stats_rate(size_t hits, size_t n)
{
	if (n == 0)
		return (struct interval){NAN, NAN, NAN};
	double p = (double)hits / (double)n, w = z975 * z975 / (double)n;
	double centre = p + w / 2, reach = sqrt(w * (p * (1 - p) + w / 4));

	return (struct interval){
	    .value = p,
	    .low = hits == 0 ? 0 : (centre - reach) / (1 + w),
	    .high = hits == n ? 1 : (centre + reach) / (1 + w),
	};
}

struct interval stats_per_unit(const double *a, const double *b, size_t n)
{
	double a_sum = 0, b_sum = 0, squares = 0;

	for (size_t i = 0; i < n; i++) {
		a_sum += a[i];
		b_sum += b[i];
	}
	double ratio = a_sum / b_sum;
	if (n < 2)
		return (struct interval){ratio, NAN, NAN};
	if (ratio <= 0)
		return (struct interval){ratio, ratio, ratio};
	for (size_t i = 0; i < n; i++)
		squares += pow(a[i] - ratio * b[i], 2);
	double error = sqrt(squares * (double)n / (double)(n - 1)) / a_sum; /* of log ratio */
	double factor = exp(gsl_cdf_tdist_Pinv(0.975, (double)(n - 1)) * error);
	return (struct interval){ratio, ratio / factor, ratio * factor};
}

struct paired stats_paired(const double *a, const double *b, size_t n)
{
	struct paired out = {.games = n, .difference = {NAN, NAN, NAN}};
	size_t won = 0, tied = 0;
	double sum = 0, squares = 0;

	for (size_t i = 0; i < n; i++) {
		sum += a[i] - b[i];
		won += a[i] > b[i];
		tied += a[i] == b[i];
	}
	double mean = sum / (double)n;
	for (size_t i = 0; i < n; i++)
		squares += pow(a[i] - b[i] - mean, 2);
	if (n > 1)
		out.difference =
		    symmetric(mean, sqrt(squares / (double)(n - 1) / (double)n), (double)(n - 1));
	else if (n == 1)
		out.difference.value = mean;
	out.won = stats_rate(won, n);
	out.tied = stats_rate(tied, n);
	out.lost = stats_rate(n - won - tied, n);
	return out;
}

double stats_chi_squared(const uint64_t *count, const double *p, size_t n)
{
	double all = 0, squared = 0;

	for (size_t i = 0; i < n; i++)
		all += (double)count[i];
	for (size_t i = 0; i < n; i++)
		squared += pow((double)count[i] - all * p[i], 2) / (all * p[i]);
	return gsl_cdf_chisq_Q(squared, (double)(n - 1));
}
