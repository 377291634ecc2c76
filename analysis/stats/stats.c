/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Point estimates and their intervals. Nothing is drawn at random: intervals are functions of the
 * observations.
 *
 * Moments are taken about the median of the sample. The mean differs from the median by at most one
 * standard deviation, so a single pass over x - median loses no digits that a second pass would
 * save, even for data far from zero (the NIST sets NumAcc2 to NumAcc4 are in the tests).
 *
 * The bootstrap distribution of a mean, and of a ratio of two means, is that of a sum of
 * independent draws from the sample, whose cumulant generating function is known. So its quantiles
 * come from a saddlepoint approximation instead of resamples (Davison and Hinkley, Saddlepoint
 * approximations in resampling methods, Biometrika 75, 1988; here in the form r* of
 * Barndorff-Nielsen, Biometrika 73, 1986). Their relative error is a few thousandths; with 2,000
 * resamples the error is some twentieths of a standard error, and differs in every run.
 *
 * Bias correction and acceleration after Efron and Tibshirani, An introduction to the bootstrap,
 * chapter 14, with the influence values in closed form; quantiles of Student's t in place of the
 * normal ones, since the variance of a resample is too small by a factor of (n - 1) / n
 * (Hesterberg, What teachers should know about the bootstrap, The American Statistician 69, 2015,
 * section 4.1).
 */
#include "analysis/stats/stats.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdbool.h>

const char stats_method[] =
    "95% intervals: means by Student's t on the logarithm below 15 games, BCa bootstrap by "
    "saddlepoint approximation up to 500, Student's t above; medians: order statistics; rates: "
    "Wilson; moves, paired difference: Student's t; ms per move: delta method; none where all "
    "games are alike";

static_assert(STATS_BOOTSTRAP_MIN == 15 && STATS_BOOTSTRAP_MAX == 500, "stats_method says so");

/* 97.5% of the standard normal distribution lie below. */
static const double z975 = 1.959963984540054;

double stats_games_factor(struct interval ratio)
{
	/* 90% of the standard normal distribution lie below. */
	const double z90 = 1.2815515655446004;
	const double half = log(ratio.high / ratio.low) / 2;
	const double width = half * (z975 + z90) / z975 / fabs(log(ratio.value));
	return width * width;
}

bool stats_accepts(double x)
{
	return x == 0 || (fabs(x) >= 1e-50 && fabs(x) <= 1e50);
}

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

double stats_median(double *x, size_t n)
{
	stats_sort(x, n);
	return median_of(x, n);
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

static struct interval unbounded(double value)
{
	return (struct interval){value, NAN, NAN};
}

/* VALUE with the interval of Student's t; no bounds if ERROR is 0, as for equal observations. */
static struct interval symmetric(double value, double error, double freedom)
{
	double reach = gsl_cdf_tdist_Pinv(0.975, freedom) * error;

	return error > 0 ? (struct interval){value, value - reach, value + reach}
			 : unbounded(value);
}

/*
 * From the k-th smallest to the k-th largest, where k is the largest for which a median below, or
 * above, has a probability of at most 2.5%, whatever the distribution. Below six observations there
 * is no such k, so no bounds.
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
	return k ? (struct interval){value, x[k - 1], x[n - k]} : unbounded(value);
}

static struct interval median_interval(const double *x, size_t n)
{
	return order_interval(median_of(x, n), x, n);
}

/*
 * var(s^2) = (m4 - s^4 (n - 3) / (n - 1)) / n (Mood, Graybill, Boes, Introduction to the theory of
 * statistics, 1974, chapter VI), which is above 0 unless all are equal; by the delta method on log
 * s, which is closer to normal.
 */
static struct interval sd_interval(const double *x, size_t n)
{
	double mean = mean_of(x, n), sd = sd_of(x, n), fourth = 0;

	if (!(sd > 0))
		return unbounded(sd);
	for (size_t i = 0; i < n; i++)
		fourth += pow(x[i] - mean, 4);
	double kurtosis = fourth / (double)n / pow(sd, 4);
	double excess = kurtosis - ((double)n - 3) / (double)(n - 1);
	double error = sqrt(fmax(excess, 0) / (double)n) / 2;
	double factor = exp(gsl_cdf_tdist_Pinv(0.975, (double)(n - 1)) * error);
	return (struct interval){sd, sd / factor, sd * factor};
}

/* The symmetric interval T on the logarithm; T itself unless all observations X are positive. */
static struct interval logarithmic(const double *x, struct interval t)
{
	if (!(x[0] > 0))
		return t;
	const double factor = exp((t.high - t.value) / t.value);
	return (struct interval){t.value, t.value / factor, t.value * factor};
}

/* If the middle half is all equal, the winsorised deviation is 0, so there are no bounds. */
static struct interval iqm_interval(const double *x, size_t n)
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
	return logarithmic(x, symmetric(iqm_of(x, n), winsorised / (kept * sqrt((double)n)),
					(double)(n - 2 * cut - 1)));
}

/* ---- The bootstrap. */

/* The mean of N draws from X, less MEAN, times SCALE. */
struct draws {
	const double *x;
	size_t n;
	double mean, scale;
};

/* A cumulant generating function and its derivatives. */
struct cumulants {
	double k, d1, d2, d3;
};

/* Adds the cumulants of DRAWS at S. */
static void cumulants_add(struct cumulants *c, const struct draws *draws, double s)
{
	const double n = (double)draws->n, scale = draws->scale / n;
	const double first = s * scale * (draws->x[0] - draws->mean),
		     last = s * scale * (draws->x[draws->n - 1] - draws->mean);
	const double top = fmax(first, last); /* so that no exponential overflows */
	double sum = 0, m1 = 0, m2 = 0, m3 = 0;

	for (size_t i = 0; i < draws->n; i++) {
		const double u = scale * (draws->x[i] - draws->mean), e = exp(s * u - top);
		sum += e;
		m1 += e * u;
		m2 += e * u * u;
		m3 += e * u * u * u;
	}
	m1 /= sum;
	m2 /= sum;
	m3 /= sum;
	c->k += n * (log(sum / n) + top);
	c->d1 += n * m1;
	c->d2 += n * (m2 - m1 * m1);
	c->d3 += n * (m3 - 3 * m1 * m2 + 2 * m1 * m1 * m1);
}

static struct cumulants cumulants_at(const struct draws *draws, double s)
{
	struct cumulants c = {0};
	cumulants_add(&c, draws, s);
	return c;
}

/* r*: the normal deviate whose lower tail is that of the sum below C.d1, at the saddlepoint S. */
static double deviate(const struct cumulants *c, double s)
{
	const double v = s * sqrt(c->d2);
	if (fabs(v) < 1e-3)
		return v + c->d3 / (6 * pow(c->d2, 1.5));
	const double w = copysign(sqrt(fmax(2 * (s * c->d1 - c->k), 0)), s);
	return w + log(v / w) / w;
}

/*
 * The deviate of the lower or upper bound (SIGN -1 or 1) by BCa, for an estimate from N
 * observations whose own deviate is Z0. The acceleration, a sixth of the skewness of the influence
 * values, equals Z0: the cumulants of a mean are sums over its influence values.
 */
static double bca_deviate(double z0, double n, int sign)
{
	const double z = z0 + sign * gsl_cdf_tdist_Pinv(0.975, n - 1) * sqrt(n / (n - 1));
	const double shrink = 1 - z0 * z;
	return shrink > 0 ? z0 + z / shrink : z;
}

enum { STEPS_MAX = 40 };

/*
 * Solves F = Z for an increasing deviate F by regula falsi (Illinois), from X in the direction of
 * STEP. NAN if F decreases or becomes infinite before it reaches Z.
 */
static double crossing(double (*f)(const void *context, double x), const void *context, double z,
		       double x, double step)
{
	double from = f(context, x) - z, beyond = x + step, to = f(context, beyond) - z;
	if (isnan(to))
		return NAN;
	for (int i = 0; to * step < 0; i++) {
		const double before = to;
		x = beyond;
		from = to;
		step *= 1.5;
		beyond += step;
		to = f(context, beyond) - z;
		if (i == STEPS_MAX || !isfinite(to) || (to - before) * step <= 0)
			return NAN;
	}
	for (int i = 0; i < STEPS_MAX && fabs(to) > 1e-9; i++) {
		const double next = (x * to - beyond * from) / (to - from);
		const double there = f(context, next) - z;
		if (there * to < 0) {
			x = beyond;
			from = to;
		} else {
			from /= 2;
		}
		beyond = next;
		to = there;
	}
	return beyond;
}

static double mean_deviate(const void *context, double s)
{
	const struct cumulants c = cumulants_at(context, s);
	return deviate(&c, s);
}

/* The mean whose deviate is Z, on the side of DRAWS->mean that SIGN says. */
static double mean_bound(const struct draws *draws, double sd, double z, int sign)
{
	const double step = 1.5 * sign * sqrt((double)draws->n) / sd;
	const double s = crossing(mean_deviate, draws, z, 0, step);
	/* The approximation ignores the mass at the extreme observation. */
	return isnan(s) ? draws->x[sign > 0 ? draws->n - 1 : 0]
			: draws->mean + cumulants_at(draws, s).d1;
}

static struct interval mean_bootstrap(const double *x, size_t n)
{
	const double mean = mean_of(x, n);
	const struct draws draws = {x, n, mean, 1};
	const struct cumulants c = cumulants_at(&draws, 0);
	const double z0 = deviate(&c, 0), sd = sd_of(x, n);
	return (struct interval){mean, mean_bound(&draws, sd, bca_deviate(z0, (double)n, -1), -1),
				 mean_bound(&draws, sd, bca_deviate(z0, (double)n, 1), 1)};
}

static bool is_bootstrapped(size_t n)
{
	return n >= STATS_BOOTSTRAP_MIN && n <= STATS_BOOTSTRAP_MAX;
}

static struct interval mean_interval(const double *x, size_t n)
{
	if (x[0] == x[n - 1])
		return unbounded(x[0]);
	if (is_bootstrapped(n))
		return mean_bootstrap(x, n);
	const struct interval t = stats_mean(x, n);
	return n < STATS_BOOTSTRAP_MIN ? logarithmic(x, t) : t;
}

const struct statistic stat_mean = {mean_of, mean_interval};
const struct statistic stat_median = {median_of, median_interval};
const struct statistic stat_sd = {sd_of, sd_interval};
const struct statistic stat_iqm = {iqm_of, iqm_interval};

struct interval stats_interval(const struct statistic *statistic, const double *x, size_t n)
{
	return n > 1 ? statistic->interval(x, n) : unbounded(n ? statistic->value(x, n) : NAN);
}

/*
 * ---- Ratios of means. In a resample, the mean of A is at most R times that of B if the mean of A
 * less R times the mean of B is at most 0; this is again a sum of draws.
 */

struct ratio {
	struct draws a, b;
};

/* The deviate of the ratio exp(LOG_R) in its bootstrap distribution. */
static double ratio_deviate(const void *context, double log_r)
{
	const struct ratio *ratio = context;
	const double r = exp(log_r);
	const struct draws *a = &ratio->a, b = {ratio->b.x, ratio->b.n, ratio->b.mean, -r};
	/* Draws are centred at their means, so their sum has to reach this. */
	const double wanted = r * b.mean - a->mean;
	struct cumulants c = cumulants_at(a, 0);
	cumulants_add(&c, &b, 0);
	const double step = 1.5 / sqrt(c.d2);
	double s = 0;
	/* Newton's method on K'(s), which rises. */
	for (int i = 0; i < STEPS_MAX; i++) {
		if (fabs(wanted - c.d1) <= 1e-10 * a->mean)
			return deviate(&c, s);
		s += fmax(fmin((wanted - c.d1) / c.d2, step), -step);
		c = cumulants_at(a, s);
		cumulants_add(&c, &b, s);
	}
	return copysign(INFINITY, wanted); /* no resample reaches it */
}

struct interval stats_mean(const double *x, size_t n)
{
	return n > 1 ? symmetric(mean_of(x, n), sd_of(x, n) / sqrt((double)n), (double)(n - 1))
		     : unbounded(n ? x[0] : NAN);
}

struct interval stats_mean_of(double mean, double squares, size_t n)
{
	if (n < 2)
		return unbounded(n ? mean : NAN);
	double error = sqrt(squares / (double)(n - 1) / (double)n);
	return symmetric(mean, error, (double)(n - 1));
}

struct interval stats_low_median(const double *x, size_t n)
{
	return n ? order_interval(x[(n - 1) / 2], x, n) : unbounded(NAN);
}

struct interval stats_share(double share, double n, double z)
{
	const double w = z * z / n;
	const double centre = share + w / 2, reach = sqrt(w * (share * (1 - share) + w / 4));
	return (struct interval){share, share > 0 ? (centre - reach) / (1 + w) : 0,
				 share < 1 ? (centre + reach) / (1 + w) : 1};
}

struct interval stats_rate(size_t hits, size_t n)
{
	return n ? stats_share((double)hits / (double)n, (double)n, z975) : unbounded(NAN);
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
		return unbounded(ratio);
	for (size_t i = 0; i < n; i++)
		squares += pow(a[i] - ratio * b[i], 2);
	double error = sqrt(squares * (double)n / (double)(n - 1)) / a_sum; /* of log ratio */
	if (!(ratio > 0) || !(error > 0))
		return unbounded(ratio);
	double factor = exp(gsl_cdf_tdist_Pinv(0.975, (double)(n - 1)) * error);
	return (struct interval){ratio, ratio / factor, ratio * factor};
}

struct paired stats_paired(const double *a, const double *b, size_t n)
{
	struct paired out = {.games = n};
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
	out.difference = stats_mean_of(mean, squares, n);
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

/* ERROR is the standard error of the log ratio, by the delta method. */
static struct interval ratio_bootstrap(const struct ratio *ratio, double error)
{
	const struct draws *a = &ratio->a, *b = &ratio->b;
	const double value = a->mean / b->mean, n = (double)(a->n < b->n ? a->n : b->n);
	double bound[2];
	const double z0 = ratio_deviate(ratio, log(value));
	for (int i = 0; i < 2; i++) {
		const int sign = 2 * i - 1;
		const double z = bca_deviate(z0, n, sign);
		bound[i] = exp(crossing(ratio_deviate, ratio, z, log(value), 1.5 * sign * error));
	}
	return (struct interval){value, bound[0], bound[1]};
}

/* Whether the interval of the mean reaches 0 and the smallest score is below 0. */
static bool reaches_zero(const double *x, size_t n)
{
	return x[0] < 0 && mean_interval(x, n).low <= 0;
}

/* The standard error of the mean as a share of the mean. */
static double relative_error(const struct draws *draws)
{
	return sd_of(draws->x, draws->n) / sqrt((double)draws->n) / draws->mean;
}

struct interval stats_ratio(const double *a, size_t a_n, const double *b, size_t b_n)
{
	if (a_n == 0 || b_n == 0)
		return unbounded(NAN);
	const struct ratio ratio = {{a, a_n, mean_of(a, a_n), 1}, {b, b_n, mean_of(b, b_n), 1}};
	if (!(ratio.a.mean > 0) || !(ratio.b.mean > 0))
		return unbounded(NAN);
	const double value = ratio.a.mean / ratio.b.mean;
	if (a_n == 1 || b_n == 1 || (a[0] == a[a_n - 1] && b[0] == b[b_n - 1]))
		return unbounded(value);
	if (reaches_zero(a, a_n) || reaches_zero(b, b_n))
		return unbounded(value);
	const double a_error = relative_error(&ratio.a), b_error = relative_error(&ratio.b);
	if (is_bootstrapped(a_n) && is_bootstrapped(b_n)) {
		const struct interval out = ratio_bootstrap(&ratio, hypot(a_error, b_error));
		if (isfinite(out.low) && isfinite(out.high))
			return out;
	}
	return ratio_large(value, a_error, a_n, b_error, b_n);
}

struct interval stats_difference(const double *a, size_t a_n, const double *b, size_t b_n)
{
	if (a_n == 0 || b_n == 0)
		return unbounded(NAN);
	const double value = mean_of(a, a_n) - mean_of(b, b_n);
	if (a_n == 1 || b_n == 1)
		return unbounded(value);
	const double x = pow(sd_of(a, a_n), 2) / (double)a_n,
		     y = pow(sd_of(b, b_n), 2) / (double)b_n;
	const double freedom =
	    pow(x + y, 2) / (x * x / (double)(a_n - 1) + y * y / (double)(b_n - 1));
	return x + y > 0 ? symmetric(value, sqrt(x + y), freedom) : unbounded(value);
}
