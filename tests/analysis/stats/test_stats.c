/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Statistics against NIST's certified values, textbooks, an independent bootstrap (plain Python,
 * 200,000 resamples; it reproduces the book's 90% interval for spatial test A) and their own
 * promise: that 95% intervals cover in about 95% of samples.
 */
#include "analysis/stats/stats.h"
#include "boards/rng.h"
#include "tests/near.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static void assert_relative(double x, double wanted, double relative)
{
	assert_near(x, wanted, relative * fabs(wanted));
}

static void assert_nan(double x)
{
	assert_true(isnan(x));
}

/* NIST StRD, univariate: Michelson's velocities of light, less 299000 km/s. */
static const double michelson[100] = {
    850,  740, 900, 1070, 930, 850, 950, 980, 980, 880, 1000, 980, 930, 650, 760, 810, 1000,
    1000, 960, 960, 960,  940, 960, 940, 880, 800, 850, 880,  900, 840, 830, 790, 810, 880,
    880,  830, 800, 790,  760, 800, 880, 880, 880, 860, 720,  720, 620, 860, 970, 950, 880,
    910,  850, 870, 840,  840, 850, 840, 840, 840, 890, 810,  810, 820, 800, 770, 760, 740,
    750,  760, 910, 920,  890, 860, 880, 720, 840, 850, 850,  780, 890, 840, 780, 810, 760,
    810,  790, 810, 820,  850, 870, 870, 810, 740, 810, 940,  950, 800, 810, 870,
};

static void michelson_has_its_certified_mean_and_deviation(void **state)
{
	double x[100];

	(void)state;
	for (size_t i = 0; i < 100; i++)
		x[i] = 299 + michelson[i] / 1000;
	stats_sort(x, 100);
	assert_relative(stat_mean.value(x, 100), 299.852400000000, 1e-15);
	assert_relative(stat_sd.value(x, 100), 0.0790105478190518, 1e-12);
}

static void numerically_hard_sets_have_their_certified_values(void **state)
{
	/* NIST StRD NumAcc1 to 4: FIRST once, then LOW and HIGH in turn. */
	static const struct {
		double first, low, high, mean, sd, sd_digits;
		size_t n;
	} sets[] = {
	    {10000001, 10000003, 10000002, 10000002, 1, 1e-15, 3},
	    {1.2, 1.1, 1.3, 1.2, 0.1, 1e-13, 1001},
	    {1000000.2, 1000000.1, 1000000.3, 1000000.2, 0.1, 1e-8, 1001},
	    {10000000.2, 10000000.1, 10000000.3, 10000000.2, 0.1, 1e-7, 1001},
	};
	double x[1001];

	(void)state;
	for (size_t s = 0; s < LENGTH(sets); s++) {
		x[0] = sets[s].first;
		for (size_t i = 1; i < sets[s].n; i++)
			x[i] = i % 2 ? sets[s].low : sets[s].high;
		stats_sort(x, sets[s].n);
		assert_relative(stat_mean.value(x, sets[s].n), sets[s].mean, 1e-15);
		assert_relative(stat_sd.value(x, sets[s].n), sets[s].sd, sets[s].sd_digits);
	}
}

static void medians_and_middle_means_are_those_by_hand(void **state)
{
	static const struct {
		size_t n;
		double x[12], median, low_median, iqm;
	} cases[] = {
	    {1, {7}, 7, 7, 7},
	    {2, {1, 4}, 2.5, 1, 2.5},
	    {3, {0, 10, 50}, 10, 10, (0.25 * 0 + 10 + 0.25 * 50) / 1.5},
	    {4, {0, 10, 20, 90}, 15, 10, 15},
	    {5, {0, 1, 2, 3, 100}, 2, 2, (0.75 * 1 + 2 + 0.75 * 3) / 2.5},
	    {8, {0, 1, 2, 3, 4, 5, 6, 99}, 3.5, 3, 3.5},
	    /* the examples for 12 and 9 observations in Wikipedia, Interquartile mean */
	    {12, {1, 3, 4, 5, 6, 6, 7, 7, 8, 8, 9, 38}, 6.5, 6, 6.5},
	    {9, {1, 3, 5, 7, 9, 11, 13, 15, 17}, 9, 9, 9},
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		const double *x = cases[i].x;
		assert_relative(stat_median.value(x, cases[i].n), cases[i].median, 1e-15);
		assert_relative(stats_low_median(x, cases[i].n).value, cases[i].low_median, 0);
		assert_relative(stat_iqm.value(x, cases[i].n), cases[i].iqm, 1e-15);
	}
}

static void wilson_intervals_are_those_of_newcombe(void **state)
{
	/* Newcombe, Statistics in Medicine 17, 1998, table I, method 3. */
	static const struct {
		size_t hits, n;
		double low, high;
	} cases[] = {
	    {81, 263, 0.2553, 0.3662}, {15, 148, 0.0624, 0.1605}, {0, 20, 0, 0.1611},
	    {1, 29, 0.0061, 0.1718},   {20, 20, 1 - 0.1611, 1},
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		struct interval rate = stats_rate(cases[i].hits, cases[i].n);
		assert_relative(rate.value, (double)cases[i].hits / (double)cases[i].n, 1e-15);
		assert_true(fabs(rate.low - cases[i].low) <= 0.00005);
		assert_true(fabs(rate.high - cases[i].high) <= 0.00005);
	}
	assert_nan(stats_rate(0, 0).value);
	assert_nan(stats_rate(0, 0).low);
}

static void order_statistics_around_a_median_are_those_of_the_tables(void **state)
{
	/* Ranks for 95%, e.g. Conover, Practical nonparametric statistics, table A3. */
	static const size_t cases[][2] = {{6, 1}, {10, 2}, {20, 6}, {25, 8}, {50, 18}, {100, 40}};
	double x[100];

	(void)state;
	for (size_t i = 0; i < 100; i++)
		x[i] = (double)(i + 1);
	for (size_t i = 0; i < LENGTH(cases); i++) {
		size_t n = cases[i][0], rank = cases[i][1];
		struct interval out = stats_low_median(x, n);
		assert_relative(out.low, (double)rank, 0);
		assert_relative(out.high, (double)(n + 1 - rank), 0);
	}
	/* A median lies outside of five observations 2 times in 32. */
	assert_relative(stats_low_median(x, 5).value, 3, 0);
	assert_nan(stats_low_median(x, 5).low);
	assert_nan(stats_low_median(x, 5).high);
	assert_nan(stats_low_median(x, 1).low);
	assert_nan(stats_low_median(x, 0).value);
}

/* Spatial test A: Efron and Tibshirani, An introduction to the bootstrap, table 14.1. */
static const double spatial[26] = {48, 36, 20, 29, 42, 42, 20, 42, 22, 41, 45, 14, 6,
				   0,  33, 28, 34, 4,  32, 24, 47, 41, 24, 26, 30, 41};

static const double other[20] = {12,   7,   31,	  18,	25,   9,    14,	  40,	22,   11,
				 13.5, 8.5, 32.5, 19.5, 26.5, 10.5, 15.5, 41.5, 23.5, 12.5};

static void a_mean_agrees_with_an_independent_bootstrap(void **state)
{
	double x[26];

	(void)state;
	memcpy(x, spatial, sizeof x);
	stats_sort(x, 26);
	const struct interval out = stats_interval(&stat_mean, x, 26);
	assert_relative(out.value, 29.6538461538, 1e-11);
	assert_relative(out.low, 23.6923, 1e-3);
	assert_relative(out.high, 34.5385, 1e-3);
}

static void a_ratio_agrees_with_an_independent_bootstrap(void **state)
{
	double a[26], b[20];

	(void)state;
	memcpy(a, spatial, sizeof a);
	memcpy(b, other, sizeof b);
	stats_sort(a, 26);
	stats_sort(b, 20);
	const struct interval out = stats_ratio(a, 26, b, 20);
	const struct interval inverse = stats_ratio(b, 20, a, 26);
	assert_relative(out.value, 771.0 / 26 / 19.65, 1e-14);
	assert_relative(out.low, 1.08511, 1e-3);
	assert_relative(out.high, 2.03119, 1e-3);
	assert_relative(inverse.low, 1 / out.high, 1e-9);
	assert_relative(inverse.high, 1 / out.low, 1e-9);
}

/* Two values, of which the rarer is seen once: the bootstrap's quantile is a mass at the edge. */
static void the_edge_of_a_sample_is_a_bound_where_resamples_pile_up(void **state)
{
	double x[20];

	(void)state;
	for (size_t i = 0; i < 20; i++)
		x[i] = i < 19 ? 1 : 32;
	const struct interval out = stats_interval(&stat_mean, x, 20);
	/* (19/20)^20 = 0.36 of the resamples lack the 32. */
	assert_relative(out.low, 1, 1e-12);
	assert_true(out.high > 4 && out.high < 14);
}

static void nothing_one_and_equal_observations_degenerate_as_documented(void **state)
{
	static const struct statistic *const all[] = {&stat_mean, &stat_median, &stat_sd,
						      &stat_iqm};
	static const double five[5] = {3, 3, 3, 3, 3};
	struct interval out;

	(void)state;
	for (size_t i = 0; i < LENGTH(all); i++) {
		out = stats_interval(all[i], five, 0);
		assert_nan(out.value);
		assert_nan(out.low);
		out = stats_interval(all[i], five, 1);
		assert_nan(out.low);
		assert_nan(out.high);
		out = stats_interval(all[i], five, 5);
		assert_relative(out.value, all[i] == &stat_sd ? 0 : 3, 0);
		assert_nan(out.low);
		assert_nan(out.high);
	}
	assert_relative(stats_interval(&stat_mean, five, 1).value, 3, 0);
	assert_nan(stats_interval(&stat_sd, five, 1).value);
	out = stats_ratio(five, 1, five, 5);
	assert_relative(out.value, 1, 0);
	assert_nan(out.low);
	out = stats_ratio(five, 5, five, 4);
	assert_relative(out.value, 1, 0);
	assert_nan(out.high);
	assert_nan(stats_mean(five, 5).low);
	assert_nan(stats_low_median(five, 5).high);
	assert_nan(stats_per_unit(five, five, 5).low);
	/* Six that are alike: half of what there is lies beyond them 2 times in 64. */
	static const double six[6] = {3, 3, 3, 3, 3, 3};
	assert_relative(stats_low_median(six, 6).low, 3, 0);
	out = stats_ratio(five, 5, five, 0);
	assert_nan(out.value);
}

/*
 * Of 1 and 2: s^2 = 1/2 and m4 = 1/16, so its variance is (1/16 + 1/4) / 2. Of 4 4 4 8 8: s^2 = 4.8
 * and m4 = 17.2032, so it is (17.2032 - 23.04 / 2) / 5. t(4) is that of the tables.
 */
static void few_observations_leave_a_deviation_uncertain(void **state)
{
	static const double two[2] = {1, 2}, five[5] = {4, 4, 4, 8, 8};
	const double wide = exp(tan(0.475 * M_PI) * sqrt(5 / 32.));
	struct interval out = stats_interval(&stat_sd, two, 2);

	(void)state;
	assert_relative(out.low, M_SQRT1_2 / wide, 1e-9);
	assert_relative(out.high, M_SQRT1_2 * wide, 1e-9);
	out = stats_interval(&stat_sd, five, 5);
	assert_relative(out.high, sqrt(4.8) * exp(2.776445 * sqrt(1.13664) / 9.6), 1e-6);
}

/*
 * Of 10 and 20: mean 15 with an error of 5, and t(1), a Cauchy variate, is below tan(0.475 pi)
 * in 97.5 of 100 cases. Of -10 and 20 there is no logarithm: mean 5, error 15.
 */
static void few_observations_get_students_t(void **state)
{
	static const double two[2] = {10, 20}, mixed[2] = {-10, 20}, one_two[2] = {1, 2};
	static const double alike[4] = {72, 88, 88, 88};
	const double t = tan(0.475 * M_PI);
	struct interval out = stats_interval(&stat_mean, two, 2);

	(void)state;
	assert_relative(out.low, 15 * exp(-t / 3), 1e-9);
	assert_relative(out.high, 15 * exp(t / 3), 1e-9);
	out = stats_interval(&stat_mean, mixed, 2);
	assert_relative(out.low, 5 - 15 * t, 1e-9);
	assert_relative(out.high, 5 + 15 * t, 1e-9);
	out = stats_interval(&stat_median, two, 2);
	assert_true(out.value == 15 && isnan(out.low) && isnan(out.high));
	/* A middle half of one score does not tell how far it might lie elsewhere. */
	out = stats_interval(&stat_iqm, alike, 4);
	assert_true(out.value == 88 && isnan(out.low) && isnan(out.high));
	/*
	 * Both have errors of a third: variance 2/9, and 2 degrees of freedom, as Welch counts
	 * them.
	 */
	out = stats_ratio(two, 2, one_two, 2);
	assert_relative(out.low, 10 * exp(-4.302652729749 * sqrt(2) / 3), 1e-9);
	assert_relative(out.high, 10 * exp(4.302652729749 * sqrt(2) / 3), 1e-9);
}

static void a_mean_that_is_not_positive_gives_no_ratio(void **state)
{
	static const double zero[2] = {0, 0}, some[2] = {1, 3};
	struct interval out;

	(void)state;
	out = stats_ratio(zero, 2, some, 2);
	assert_nan(out.value);
	assert_nan(out.low);
	out = stats_ratio(some, 2, zero, 2);
	assert_nan(out.value);
	assert_nan(out.high);
}

static double exponential(struct rng *rng)
{
	return -log(1 - rng_real(rng));
}

/* How many of 200 intervals for samples of N exponential numbers hold TRUTH. */
static int covered(const struct statistic *statistic, size_t n, double truth)
{
	double *x = malloc(n * sizeof *x);
	int count = 0;

	assert_non_null(x);
	for (uint64_t sample = 0; sample < 200; sample++) {
		struct rng rng;
		rng_init(&rng, 2024, RNG_TEST, sample);
		for (size_t i = 0; i < n; i++)
			x[i] = exponential(&rng);
		stats_sort(x, n);
		struct interval out = stats_interval(statistic, x, n);
		count += out.low <= truth && truth <= out.high;
	}
	free(x);
	return count;
}

static void intervals_cover_the_truth_about_as_often_as_they_say(void **state)
{
	/* 95% of 200 is 190 with a deviation of 3.1; small skewed samples fall short a little. */
	/* twice the integral of -log(1 - u) over the middle half */
	static const double iqm = 0.738375928117726;
	static const struct {
		const struct statistic *statistic;
		size_t n;
		double truth;
		int least;
	} cases[] = {
	    {&stat_mean, 2, 1, 180},	{&stat_mean, 5, 1, 177},
	    {&stat_mean, 14, 1, 177},	{&stat_iqm, 8, iqm, 177},
	    {&stat_mean, 40, 1, 178},	{&stat_median, 40, 0.693147180559945, 180},
	    {&stat_iqm, 40, iqm, 178},	{&stat_sd, 60, 1, 165},
	    {&stat_mean, 1500, 1, 180}, {&stat_median, 1500, 0.693147180559945, 180},
	    {&stat_sd, 1500, 1, 178},
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		int count = covered(cases[i].statistic, cases[i].n, cases[i].truth);
		if (count < cases[i].least || count > 199)
			fail_msg("case %zu: %d of 200", i, count);
	}
}

static void methods_agree_where_they_meet(void **state)
{
	double x[STATS_BOOTSTRAP_MAX + 1];
	struct rng rng;

	(void)state;
	rng_init(&rng, 5, RNG_TEST, 0);
	for (size_t i = 0; i < STATS_BOOTSTRAP_MAX; i++)
		x[i] = 1000 * exponential(&rng);
	x[STATS_BOOTSTRAP_MAX] = 1000;
	stats_sort(x, LENGTH(x));
	struct interval large = stats_interval(&stat_mean, x, STATS_BOOTSTRAP_MAX + 1);
	struct interval small = stats_interval(&stat_mean, x, STATS_BOOTSTRAP_MAX);
	double width = large.high - large.low;
	assert_true(fabs(small.low - large.low) < 0.15 * width);
	assert_true(fabs(small.high - large.high) < 0.15 * width);
	large = stats_ratio(x, LENGTH(x), x, LENGTH(x));
	small = stats_ratio(x, STATS_BOOTSTRAP_MAX, x, STATS_BOOTSTRAP_MAX);
	assert_relative(small.low, large.low, 0.01);
	assert_relative(small.high, large.high, 0.01);
}

static void large_ratios_follow_the_delta_method(void **state)
{
	/* Means 2 and 1, deviations 1 and 1/2: log ratio has variance 1/4/n + 1/4/n. */
	enum { N = 2000 };
	static double a[N], b[N];
	struct interval out;

	(void)state;
	for (size_t i = 0; i < N; i++) {
		a[i] = i < N / 2 ? 1 : 3;
		b[i] = i < N / 2 ? 0.5 : 1.5;
	}
	out = stats_ratio(a, N, b, N);
	assert_relative(out.value, 2, 1e-15);
	assert_relative(log(out.high / 2), 1.96 * sqrt(0.5 / N), 0.002);
	assert_relative(log(2 / out.low), 1.96 * sqrt(0.5 / N), 0.002);
}

static void paired_games_are_compared_game_by_game(void **state)
{
	static const double a[8] = {10, 20, 30, 40, 50, 60, 70, 80};
	static const double b[8] = {9, 18, 30, 36, 55, 54, 63, 80};
	struct paired out = stats_paired(a, b, 8);
	/* Differences 1 2 0 4 -5 6 7 0: sum 15, squares 131; t(7) = 2.364624. */
	double reach = 2.364624251592785 * sqrt((131 - 225.0 / 8) / 7 / 8);

	(void)state;
	assert_int_equal(out.games, 8);
	assert_relative(out.difference.value, 15.0 / 8, 1e-15);
	assert_relative(out.difference.low, 15.0 / 8 - reach, 1e-9);
	assert_relative(out.difference.high, 15.0 / 8 + reach, 1e-9);
	assert_relative(out.won.value, 5.0 / 8, 1e-15);
	assert_relative(out.tied.value, 2.0 / 8, 1e-15);
	assert_relative(out.lost.value, 1.0 / 8, 1e-15);
	out = stats_paired(a, b, 1);
	assert_relative(out.difference.value, 1, 0);
	assert_nan(out.difference.low);
	out = stats_paired(a, a, 8);
	assert_relative(out.difference.value, 0, 0);
	assert_nan(out.difference.high);
	out = stats_paired(a, b, 0);
	assert_int_equal(out.games, 0);
	assert_nan(out.difference.value);
	assert_nan(out.won.value);
}

static void a_mean_per_unit_weighs_games_by_their_units(void **state)
{
	static const double a[3] = {10, 60, 20}, b[3] = {10, 20, 10}, flat[3] = {20, 40, 20};
	/* 90 / 40; residuals -12.5, 15, -2.5; t(2) = 4.30265 */
	double error = sqrt((156.25 + 225 + 6.25) * 3 / 2) / 90;
	struct interval out = stats_per_unit(a, b, 3);

	(void)state;
	assert_relative(out.value, 2.25, 1e-15);
	assert_relative(out.high, 2.25 * exp(4.302652729911275 * error), 1e-9);
	assert_relative(out.low, 2.25 / exp(4.302652729911275 * error), 1e-9);
	assert_relative(stats_per_unit(flat, b, 3).value, 2, 1e-15);
	assert_nan(stats_per_unit(flat, b, 3).low);
	assert_nan(stats_per_unit(a, b, 1).low);
	assert_nan(stats_per_unit(a, b, 0).value);
}

static void a_hundred_thousand_games_take_less_than_a_second(void **state)
{
	enum { N = 100000 };
	static const struct statistic *const all[] = {&stat_mean, &stat_median, &stat_sd,
						      &stat_iqm};
	double *x = malloc(N * sizeof *x);
	struct interval out[4];
	struct rng rng;

	(void)state;
	assert_non_null(x);
	rng_init(&rng, 6, RNG_TEST, 0);
	for (size_t i = 0; i < N; i++)
		x[i] = exponential(&rng);
	clock_t start = clock();
	stats_sort(x, N);
	for (size_t i = 0; i < LENGTH(all); i++)
		out[i] = stats_interval(all[i], x, N);
	assert_true(clock() - start < CLOCKS_PER_SEC);
	assert_true(out[0].low < 1 && out[0].high > 1);
	assert_relative(out[0].high - out[0].low, 2 * 1.96 / sqrt(N), 0.02);
	free(x);
}

/* With 2k degrees of freedom the tail at 2x is exp(-x) (1 + x + ... + x^(k-1) / (k-1)!). */
static void chi_squared_has_the_tail_of_a_poisson_sum(void **state)
{
	(void)state;
	const double third[] = {1.0 / 3, 1.0 / 3, 1.0 / 3};
	const double fifths[] = {0.2, 0.2, 0.2, 0.2, 0.2}, skew[] = {0.5, 0.25, 0.25};
	/*
	 * 2 is the sum of squared differences over what is expected: (11.1 + 44.4 + 11.1) / 33.3.
	 */
	assert_relative(stats_chi_squared((const uint64_t[]){30, 40, 30}, third, 3), exp(-1),
			1e-12);
	assert_relative(stats_chi_squared((const uint64_t[]){50, 25, 25}, skew, 3), 1, 1e-12);
	/* 10^2 / 50 + 5^2 / 25 + 5^2 / 25 = 4. */
	assert_relative(stats_chi_squared((const uint64_t[]){60, 20, 20}, skew, 3), exp(-2), 1e-12);
	/* 2 * 10^2 / 20 = 10. */
	assert_relative(stats_chi_squared((const uint64_t[]){30, 10, 20, 20, 20}, fifths, 5),
			exp(-5) * 6, 1e-12);
	assert_true(isnan(stats_chi_squared((const uint64_t[]){0, 0, 0}, third, 3)));
}

/* n games give an interval of 1 +- 1.96 s / sqrt(n); 1.96 + 1.28 standard errors are asked for. */
static void games_that_would_decide_grow_with_the_square(void **state)
{
	const double half = 0.2, effect = 0.1, wanted = pow((1.95996 + 1.28155) / 1.95996 * 2, 2);

	(void)state;
	assert_relative(stats_games_factor(
			    (struct interval){exp(effect), exp(effect - half), exp(effect + half)}),
			wanted, 1e-5);
	assert_relative(stats_games_factor((struct interval){exp(-effect), exp(-effect - half),
							     exp(-effect + half)}),
			wanted, 1e-5);
	assert_true(isinf(stats_games_factor((struct interval){1, 0.9, 1.1})));
	assert_nan(stats_games_factor((struct interval){1.2, NAN, NAN}));
}

/*
 * Two boards: the difference of the log ratios; four: least squares of the logarithms, worked out
 * in Python.
 */
static void a_trend_is_the_slope_of_log_ratios(void **state)
{
	static const double cells[] = {9, 12, 16, 20};
	static const struct interval ratios[] = {
	    {2.62, 2.26, 3.06}, {3.07, 2.62, 3.59}, {3.25, 2.76, 3.83}, {3.64, 2.90, 4.57}};
	(void)state;
	const struct interval two =
	    stats_trend((double[]){4, 16}, (struct interval[]){{2, 1, 4}, {4, 2, 8}}, 2);
	assert_near(two.value, 0.5, 1e-12);
	assert_near(two.low, 0.5 - sqrt(0.5), 1e-12);
	assert_near(two.high, 0.5 + sqrt(0.5), 1e-12);
	const struct interval four = stats_trend(cells, ratios, 4);
	assert_near(four.value, 0.388127607163, 1e-9);
	assert_near(four.low, 0.074648444151, 1e-9);
	assert_near(four.high, 0.697243898602, 1e-9);
	assert_nan(stats_trend(cells, ratios, 1).value);
	assert_nan(stats_trend((double[]){12, 12}, ratios, 2).value);
	assert_nan(stats_trend(cells, (struct interval[]){{2, 1, 4}, {4, NAN, NAN}}, 2).low);
}

/* A sample of exponential numbers with this MEAN, ascending. */
static void exponentials_draw(struct rng *rng, double mean, double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		x[i] = -mean * log(1 - rng_real(rng));
	stats_sort(x, n);
}

/* Leads that grow as cells^0.4, seen in 30 games of each player and board. */
/* Two of three games of a search on 2x2 end like this. */
static double short_game(struct rng *rng)
{
	static const double scores[] = {20, 68, 68, 68, 68, 72, 72, 72, 72, 76};
	return scores[(size_t)(rng_real(rng) * 10)];
}

/* Much like the scores of most players: their deviation is half of their mean. */
static double usual_game(struct rng *rng)
{
	return exponential(rng) + exponential(rng) + exponential(rng) + exponential(rng);
}

/* In how many of 1,000 runs that stop when a mean is within PRECISION its interval holds TRUTH. */
static int precisely_covered(double (*draw)(struct rng *rng), double truth, double precision)
{
	enum { MOST = 10000 };
	static double x[MOST];
	int count = 0;

	for (uint64_t run = 0; run < 1000; run++) {
		struct rng rng;
		size_t n = 0, look = 0;
		rng_init(&rng, 2025, RNG_TEST, run);
		do {
			for (look = stats_look(n, MOST); n < look; n++)
				x[n] = draw(&rng);
		} while (stats_imprecision(x, n) > precision && n < MOST);
		assert_true(n < MOST);
		stats_sort(x, n);
		const struct interval mean = stats_interval(&stat_mean, x, n);
		count += mean.low <= truth && truth <= mean.high;
	}
	return count;
}

static void means_are_held_where_games_stop_when_these_are_precise(void **state)
{
	double same[] = {4, 4, 4}, one[] = {4}, zero[] = {-1, 1};
	static const size_t looks[] = {60, 72, 86, 103, 123, 147, 150, 150};
	(void)state;
	for (size_t i = 0, n = 0; i < sizeof looks / sizeof *looks; i++, n = looks[i - 1])
		assert_int_equal(stats_look(n, 150), looks[i]);
	assert_int_equal(stats_look(0, 7), 7);
	assert_true(stats_imprecision(same, 3) == 0);
	assert_true(isinf(stats_imprecision(one, 1)));
	assert_true(isinf(stats_imprecision(zero, 2)));
	/* 93% of 1,000 less three deviations of 8.1. */
	assert_in_range(precisely_covered(usual_game, 4, 0.1), 906, 1000);
	assert_in_range(precisely_covered(usual_game, 4, 0.2), 906, 1000);
	assert_in_range(precisely_covered(short_game, 65.6, 0.1), 906, 1000);
	assert_in_range(precisely_covered(exponential, 1, 0.15), 906, 1000);
}

static void trends_hold_the_truth_in_95_of_100_samples(void **state)
{
	enum { SAMPLES = 1000, GAMES = 30 };
	static const double cells[] = {9, 12, 16, 20};
	struct rng rng;
	int held = 0;
	(void)state;
	rng_init(&rng, 15, RNG_TEST, 0);
	for (int s = 0; s < SAMPLES; s++) {
		struct interval ratio[4];
		double a[GAMES], b[GAMES];
		for (int i = 0; i < 4; i++) {
			exponentials_draw(&rng, pow(cells[i], 2.4), a, GAMES);
			exponentials_draw(&rng, pow(cells[i], 2), b, GAMES);
			ratio[i] = stats_ratio(a, GAMES, b, GAMES);
		}
		const struct interval slope = stats_trend(cells, ratio, 4);
		held += slope.low <= 0.4 && 0.4 <= slope.high;
	}
	if (held < 930 || held > 970)
		fail_msg("%d of %d", held, SAMPLES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(games_that_would_decide_grow_with_the_square),
	    cmocka_unit_test(michelson_has_its_certified_mean_and_deviation),
	    cmocka_unit_test(numerically_hard_sets_have_their_certified_values),
	    cmocka_unit_test(medians_and_middle_means_are_those_by_hand),
	    cmocka_unit_test(wilson_intervals_are_those_of_newcombe),
	    cmocka_unit_test(order_statistics_around_a_median_are_those_of_the_tables),
	    cmocka_unit_test(a_mean_agrees_with_an_independent_bootstrap),
	    cmocka_unit_test(the_edge_of_a_sample_is_a_bound_where_resamples_pile_up),
	    cmocka_unit_test(a_ratio_agrees_with_an_independent_bootstrap),
	    cmocka_unit_test(nothing_one_and_equal_observations_degenerate_as_documented),
	    cmocka_unit_test(few_observations_leave_a_deviation_uncertain),
	    cmocka_unit_test(few_observations_get_students_t),
	    cmocka_unit_test(a_mean_that_is_not_positive_gives_no_ratio),
	    cmocka_unit_test(intervals_cover_the_truth_about_as_often_as_they_say),
	    cmocka_unit_test(methods_agree_where_they_meet),
	    cmocka_unit_test(large_ratios_follow_the_delta_method),
	    cmocka_unit_test(paired_games_are_compared_game_by_game),
	    cmocka_unit_test(a_mean_per_unit_weighs_games_by_their_units),
	    cmocka_unit_test(chi_squared_has_the_tail_of_a_poisson_sum),
	    cmocka_unit_test(a_trend_is_the_slope_of_log_ratios),
	    cmocka_unit_test(means_are_held_where_games_stop_when_these_are_precise),
	    cmocka_unit_test(trends_hold_the_truth_in_95_of_100_samples),
	    cmocka_unit_test(a_hundred_thousand_games_take_less_than_a_second),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
