/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Point estimates, and the intervals that need no resampling.
 *
 * Moments are taken about the median of the sample. No mean is further from it than one standard
 * deviation, so a single pass over x - median loses no digits that a second pass would save, even
 * for data far from zero (the NIST sets NumAcc2 to NumAcc4 are in the tests).
 *
 * The bootstrap: intervals from what a statistic does on samples drawn from the sample.
 *
 * BCa after Efron and Tibshirani, An introduction to the bootstrap, chapter 14: the bias correction
 * z0 counts replicates below the estimate (those equal to it by half, which matters for small or
 * tied samples), the acceleration comes from the jackknife, for a ratio of means from the
 * influence values of both samples in closed form.
 *
 * A sample is sorted once; a resample is drawn as counts over the sorted sample and therefore comes
 * out sorted too, at O(n) a resample. Statistics of one sample share their resamples.
 */
#include "analysis/stats/stats.h"

#include "boards/rng.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- Without resampling. */

const char stats_method[] =
    "95% intervals: Student's t on the logarithm below 15 games (medians: order statistics, of 6 "
    "games or more), BCa bootstrap up to 500 (percentile bootstrap where BCa is undefined), "
    "large-sample theory above; rates: Wilson; median tile: order statistics; moves, paired "
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
 * has probability of at most 2.5% each, whatever the distribution. Of fewer than six the smallest
 * and the largest are too near: no bounds.
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

/* ---- The bootstrap. */

enum { COPIES = 3 };

static unsigned resamples_of(const struct bootstrap *bootstrap)
{
	return bootstrap->resamples ? bootstrap->resamples : STATS_RESAMPLES;
}

/* The standard normal deviate of the estimate among its replicates; infinite at their edge. */
static double bias_correction(double value, const double *replicates, unsigned n)
{
	double below = 0, rounding = 1e-12 * fabs(value);

	for (unsigned i = 0; i < n; i++) {
		if (fabs(replicates[i] - value) <= rounding)
			below += 0.5;
		else if (replicates[i] < value)
			below += 1;
	}
	return gsl_cdf_ugaussian_Pinv(below / n);
}

/* Where BCa looks for the bound that the percentile bootstrap takes at probability P. */
static double bca_probability(double p, double z0, double acceleration)
{
	double z = z0 + gsl_cdf_ugaussian_Pinv(p);
	double shrink = 1 - acceleration * z;

	return shrink > 0 ? gsl_cdf_ugaussian_P(z0 + z / shrink) : NAN;
}

/* The P-quantile, by selection, which takes a tenth of the time of sorting. Reorders X. */
static double quantile(double *x, unsigned n, double p)
{
	double rank = p * (n - 1);
	size_t below = (size_t)rank, above = below + 1 < n ? below + 1 : below;
	double low = gsl_stats_select(x, 1, n, below);

	return low + (rank - (double)below) * (gsl_stats_select(x, 1, n, above) - low);
}

/* BCa, or percentile where that is undefined. Reorders REPLICATES. */
static struct interval bca(double value, double *replicates, unsigned n, double acceleration)
{
	double z0 = bias_correction(value, replicates, n);
	double low = bca_probability(0.025, z0, acceleration);
	double high = bca_probability(0.975, z0, acceleration);

	if (!isfinite(z0) || !isfinite(low) || !isfinite(high)) {
		low = 0.025;
		high = 0.975;
	}
	return (struct interval){
	    .value = value,
	    .low = quantile(replicates, n, low),
	    .high = quantile(replicates, n, high),
	};
}

/*
 * Acceleration by the jackknife; WORK has n doubles, REST n - 1. NAN if leaving one out is all one.
 */
static double jackknife(const struct statistic *statistic, const double *x, size_t n, double *work,
			double *rest)
{
	double mean = 0, squares = 0, cubes = 0;

	memcpy(rest, x + 1, (n - 1) * sizeof *x);
	for (size_t i = 0; i < n; i++) {
		work[i] = statistic->value(rest, n - 1);
		mean += work[i] / (double)n;
		if (i + 1 < n)
			rest[i] = x[i];
	}
	for (size_t i = 0; i < n; i++) {
		double d = mean - work[i];
		squares += d * d;
		cubes += d * d * d;
	}
	return cubes / (6 * pow(squares, 1.5));
}

/*
 * Draws n of X with replacement, ascending. TIMES is room for n counts, OUT for n + COPIES doubles:
 * an observation is drawn 0 to COPIES times so often that it costs less to write COPIES of it and
 * overwrite what is too much than to have the processor guess.
 */
static void resample(struct rng *rng, const double *x, size_t n, unsigned *times, double *out)
{
	memset(times, 0, n * sizeof *times);
	for (size_t i = 0; i < n; i++)
		times[rng_below(rng, (uint32_t)n)]++;
	for (size_t i = 0; i < n; i++) {
		for (unsigned k = 0; k < COPIES; k++)
			out[k] = x[i];
		for (unsigned k = COPIES; k < times[i]; k++)
			out[k] = x[i];
		out += times[i];
	}
}

/* What stats_estimate() works with; one allocation, in this order. */
struct workshop {
	double *replicates;    /* [count][resamples] */
	double *sample, *rest; /* [n + COPIES], [n] */
	unsigned *times;       /* [n] */
};

static bool workshop_init(struct workshop *w, size_t n, size_t count, unsigned resamples)
{
	size_t doubles = count * resamples + 2 * n + COPIES;

	w->replicates = malloc(doubles * sizeof(double) + n * sizeof(unsigned));
	if (!w->replicates)
		return false;
	w->sample = w->replicates + count * resamples;
	w->rest = w->sample + n + COPIES;
	w->times = (unsigned *)(w->rest + n);
	return true;
}

/* Intervals that need no resampling, if that goes for STATISTIC on this sample. */
static bool settle(const struct statistic *statistic, const double *x, size_t n,
		   struct interval *out)
{
	if (n == 0) {
		*out = (struct interval){NAN, NAN, NAN};
	} else if (n == 1) {
		*out = (struct interval){statistic->value(x, n), NAN, NAN};
	} else if (x[0] == x[n - 1]) {
		double value = statistic->value(x, n);
		*out = (struct interval){value, value, value};
	} else if (n < STATS_BOOTSTRAP_MIN && statistic->few) {
		*out = statistic->few(x, n);
	} else if (n > STATS_BOOTSTRAP_MAX && statistic->large) {
		*out = statistic->large(x, n);
	} else {
		return false;
	}
	return true;
}

/* Fills w->replicates. */
static void replicate(const struct workshop *w, const double *x, size_t n,
		      const struct statistic *const *stats, size_t count,
		      const struct bootstrap *bootstrap, unsigned resamples)
{
	struct rng rng;

	rng_init(&rng, bootstrap->seed, RNG_RESAMPLE, bootstrap->sample);
	for (unsigned i = 0; i < resamples; i++) {
		resample(&rng, x, n, w->times, w->sample);
		for (size_t k = 0; k < count; k++)
			w->replicates[k * resamples + i] = stats[k]->value(w->sample, n);
	}
}

enum status stats_estimate(const double *x, size_t n, const struct statistic *const *stats,
			   size_t count, const struct bootstrap *bootstrap, struct interval *out,
			   double *first, struct why *why)
{
	unsigned resamples = resamples_of(bootstrap);
	struct workshop w = {0};
	struct interval unused;
	size_t open = 0;

	for (size_t k = 0; k < count; k++)
		open += !settle(stats[k], x, n, &unused);
	if (open > 0) {
		if (!workshop_init(&w, n, count, resamples))
			return why_set(why, STATUS_SYSTEM, "out of memory for %u resamples",
				       resamples);
		replicate(&w, x, n, stats, count, bootstrap, resamples);
	}
	double value = n > 0 ? stats[0]->value(x, n) : NAN;
	for (unsigned i = 0; first && i < resamples; i++)
		first[i] = open > 0 ? w.replicates[i] : value;
	for (size_t k = 0; k < count; k++)
		if (!settle(stats[k], x, n, &out[k]))
			out[k] = bca(stats[k]->value(x, n), w.replicates + k * resamples, resamples,
				     jackknife(stats[k], x, n, w.sample, w.rest));
	free(w.replicates);
	return STATUS_OK;
}

/*
 * Adds what the observations of one sample contribute to the acceleration: SCALE times their
 * distance from the mean is the influence of each on the estimate.
 */
static void add_influence(const double *x, size_t n, double mean, double scale, double *squares,
			  double *cubes)
{
	for (size_t i = 0; i < n; i++) {
		double d = scale * (x[i] - mean) / (double)n;
		*squares += d * d;
		*cubes += d * d * d;
	}
}

/* Delta method on log(a / b), with the degrees of freedom of Welch, Biometrika 34, 1947. */
static struct interval ratio_large(double ratio, double a_error, size_t a_n, double b_error,
				   size_t b_n)
{
	double variance = a_error * a_error + b_error * b_error;
	double freedom =
	    variance * variance /
	    (pow(a_error, 4) / (double)(a_n - 1) + pow(b_error, 4) / (double)(b_n - 1));
	double factor = exp(gsl_cdf_tdist_Pinv(0.975, freedom) * sqrt(variance));

	return (struct interval){ratio, ratio / factor, ratio * factor};
}

static bool ratio_bootstrap(const struct sample *a, const struct sample *b, double a_mean,
			    double b_mean, unsigned resamples, struct interval *out)
{
	double *replicates = malloc(resamples * sizeof *replicates);
	double squares = 0, cubes = 0;

	if (!replicates)
		return false;
	for (unsigned i = 0; i < resamples; i++)
		replicates[i] = b->means[i] > 0 ? a->means[i] / b->means[i] : INFINITY;
	add_influence(a->x, a->n, a_mean, 1 / b_mean, &squares, &cubes);
	add_influence(b->x, b->n, b_mean, -a_mean / (b_mean * b_mean), &squares, &cubes);
	*out = bca(a_mean / b_mean, replicates, resamples, cubes / (6 * pow(squares, 1.5)));
	free(replicates);
	return true;
}

/* The standard error of the mean in units of it. */
static double relative_error(const struct sample *s, double mean)
{
	return stat_sd.value(s->x, s->n) / sqrt((double)s->n) / mean;
}

static bool is_bootstrapped(size_t n)
{
	return n >= STATS_BOOTSTRAP_MIN && n <= STATS_BOOTSTRAP_MAX;
}

enum status stats_ratio(const struct sample *a, const struct sample *b, unsigned resamples,
			struct interval *out, struct why *why)
{
	if (a->n == 0 || b->n == 0) {
		*out = (struct interval){NAN, NAN, NAN};
		return STATUS_OK;
	}
	double a_mean = stat_mean.value(a->x, a->n), b_mean = stat_mean.value(b->x, b->n);
	double ratio = a_mean / b_mean;

	if (a->n == 1 || b->n == 1 || !(a_mean > 0) || !(b_mean > 0))
		*out = (struct interval){ratio, NAN, NAN};
	else if (a->x[0] == a->x[a->n - 1] && b->x[0] == b->x[b->n - 1])
		*out = (struct interval){ratio, ratio, ratio};
	else if (!is_bootstrapped(a->n) || !is_bootstrapped(b->n))
		*out = ratio_large(ratio, relative_error(a, a_mean), a->n,
				   relative_error(b, b_mean), b->n);
	else if (!ratio_bootstrap(a, b, a_mean, b_mean, resamples, out))
		return why_set(why, STATUS_SYSTEM, "out of memory for a ratio");
	return STATUS_OK;
}
