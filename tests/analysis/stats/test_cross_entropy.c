/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cross-entropy method against the formulas of its step iv worked out by hand, the normal
 * distribution, and functions whose optimum is known.
 */
#include "analysis/stats/cross_entropy.h"
#include "tests/near.h"

#include <math.h>

enum { AXES = 3 };

/* Four candidates of two numbers; the best are, in order, 2, 0, 3 and 1. */
static const double four[] = {3, 9, -8, 80, 1, 5, 8, 2};
static const double four_objective[] = {5, 0, 7, 1};

static void candidates_are_ranked_by_objective_and_equal_ones_by_number(void **state)
{
	(void)state;
	size_t order[5];
	ce_rank(four_objective, 4, order);
	assert_int_equal(order[0], 2);
	assert_int_equal(order[1], 0);
	assert_int_equal(order[2], 3);
	assert_int_equal(order[3], 1);
	const double ties[] = {1, 2, 1, 2, 1};
	static const size_t wanted[] = {1, 3, 0, 2, 4};
	ce_rank(ties, 5, order);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(order[i], wanted[i]);
}

/* (1, 5) and (3, 9): means 2 and 7; deviations over 1/m: sqrt(((1)^2 + 1^2) / 2) = 1, and 2. */
static void refitting_takes_mean_and_population_deviation_of_the_best(void **state)
{
	(void)state;
	struct ce_axis axis[2];
	size_t order[4];
	ce_axis_init(&axis[0], 0, 10, -100, 100);
	ce_axis_init(&axis[1], 0, 10, -100, 100);
	ce_rank(four_objective, 4, order);
	ce_refit(axis, 2, four, order, 2, 0);
	assert_near(axis[0].mu, 2, 0);
	assert_near(axis[0].sigma, 1, 0);
	assert_near(axis[1].mu, 7, 0);
	assert_near(axis[1].sigma, 2, 0);
	/* The best three: (1, 5), (3, 9), (8, 2); sqrt(26/3) and sqrt(74/9). */
	ce_refit(axis, 2, four, order, 3, 0);
	assert_near(axis[0].mu, 4, 1e-15);
	assert_near(axis[0].sigma, sqrt(26. / 3), 1e-14);
	assert_near(axis[1].mu, 16. / 3, 1e-14);
	assert_near(axis[1].sigma, sqrt(74. / 9), 1e-14);
	/* The best alone has no deviation but the noise: 0.3 * 10. */
	ce_refit(axis, 2, four, order, 1, 0.3);
	assert_near(axis[0].mu, 1, 0);
	assert_near(axis[0].sigma, 3, 1e-15);
	/* Variances add: 1 + 3^2. */
	ce_refit(axis, 2, four, order, 2, 0.3);
	assert_near(axis[0].sigma, sqrt(10), 1e-14);
}

static void noise_is_constant_or_fades_to_nothing(void **state)
{
	(void)state;
	assert_near(ce_noise(0.25, false, 7, 8), 0.25, 0);
	assert_near(ce_noise(0.25, true, 2, 8), 0.25 * 6 / 8, 1e-16);
	assert_near(ce_noise(0.25, true, 8, 8), 0, 0);
}

static void it_has_converged_when_every_deviation_is_small(void **state)
{
	(void)state;
	struct ce_axis axis[2];
	ce_axis_init(&axis[0], 0, 10, -100, 100);
	ce_axis_init(&axis[1], 0, 1, -100, 100);
	axis[0].sigma = 0.9;
	assert_false(ce_converged(axis, 2, 0.1));
	axis[1].sigma = 0.1;
	assert_false(ce_converged(axis, 2, 0.1));
	axis[1].sigma = 0.09;
	assert_true(ce_converged(axis, 2, 0.1));
	axis[1].sigma = 0;
	axis[0].sigma = 0;
	assert_false(ce_converged(axis, 2, 0));
}

/* Mean and deviation of many draws; a share of 0.6827 within one deviation, 0.9545 within two. */
static void candidates_are_drawn_from_normal_distributions(void **state)
{
	(void)state;
	enum { DRAWS = 20000 };
	struct ce_axis axis[2];
	struct rng rng;
	double sum[2] = {0}, squares[2] = {0}, product = 0;
	double within1 = 0, within2 = 0;
	ce_axis_init(&axis[0], 100, 8, -1e6, 1e6);
	ce_axis_init(&axis[1], -3, 64, -1e6, 1e6);
	rng_init(&rng, 1, RNG_TEST, 0);
	for (int i = 0; i < DRAWS; i++) {
		double x[2], z[2];
		ce_sample(axis, 2, &rng, x);
		for (int k = 0; k < 2; k++) {
			z[k] = (x[k] - axis[k].mu) / axis[k].sigma;
			sum[k] += z[k];
			squares[k] += z[k] * z[k];
		}
		product += z[0] * z[1];
		/* Multiples of the grain: those on the edge stand for both sides of it. */
		within1 += ((fabs(z[0]) < 1) + (fabs(z[0]) <= 1)) / 2.;
		within2 += ((fabs(z[0]) < 2) + (fabs(z[0]) <= 2)) / 2.;
	}
	for (int k = 0; k < 2; k++) {
		assert_near(sum[k] / DRAWS, 0, 4 / sqrt(DRAWS));
		assert_near(squares[k] / DRAWS, 1, 4 * sqrt(2. / DRAWS));
	}
	assert_near(product / DRAWS, 0, 4 / sqrt(DRAWS));
	assert_near(within1 / DRAWS, 0.6827, 0.01);
	assert_near(within2 / DRAWS, 0.9545, 0.005);
}

static void candidates_are_multiples_of_the_grain_within_the_range(void **state)
{
	(void)state;
	struct ce_axis axis;
	struct rng rng;
	int low = 0, high = 0;
	rng_init(&rng, 2, RNG_TEST, 0);
	ce_axis_init(&axis, 10, 5, 9.1, 13.3);
	assert_near(axis.grain, 0.25, 0); /* 5 / 16 = 0.3125 */
	for (int i = 0; i < 1000; i++) {
		double x;
		ce_sample(&axis, 1, &rng, &x);
		assert_true(x >= 9.1 && x <= 13.3);
		assert_true(x == 9.1 || x == 13.3 || fmod(x, 0.25) == 0);
		low += x == 9.1;
		high += x == 13.3;
	}
	/* What would be outside is on the bounds: 0.43 and 0.25 of a normal distribution. */
	assert_near(low / 1000., 0.43, 0.07);
	assert_near(high / 1000., 0.25, 0.07);
	assert_near(ce_round(&axis, 10.37), 10.25, 0);
	assert_near(ce_round(&axis, 10.38), 10.5, 0);
	assert_near(ce_round(&axis, 1e9), 13.3, 0);
	ce_axis_init(&axis, 1, 16, -1e6, 1e6);
	assert_near(axis.grain, 1, 0);
	ce_axis_init(&axis, 1, 15.99, -1e6, 1e6);
	assert_near(axis.grain, 0.5, 0);
	assert_false(signbit(ce_round(&axis, -0.01)));
}

/* -(x - optimum)^2 weighted, and noise of deviation NOISE on top. */
static double quadratic(const double *x, const double *optimum, double noise, struct rng *rng)
{
	static const double weight[AXES] = {1, 30, 0.05};
	double sum = 0, twelve = 0;
	for (int i = 0; i < AXES; i++)
		sum -= weight[i] * (x[i] - optimum[i]) * (x[i] - optimum[i]);
	for (int i = 0; i < 12; i++)
		twelve += rng_real(rng);
	return sum + noise * (twelve - 6);
}

/* Looks for OPTIMUM from afar; axes then hold what was found. The generations that it took. */
static size_t search(struct ce_axis *axis, const double *optimum, double noise, double added)
{
	enum { POPULATION = 60, ELITE = 12, GENERATIONS = 60 };
	struct rng rng;
	double x[POPULATION * AXES], objective[POPULATION];
	size_t order[POPULATION], g = 0;
	rng_init(&rng, 3, RNG_TEST, 0);
	while (g < GENERATIONS && !ce_converged(axis, AXES, 1e-2)) {
		g++;
		for (int c = 0; c < POPULATION; c++) {
			ce_sample(axis, AXES, &rng, x + c * AXES);
			objective[c] = quadratic(x + c * AXES, optimum, noise, &rng);
		}
		ce_rank(objective, POPULATION, order);
		ce_refit(axis, AXES, x, order, ELITE, ce_noise(added, true, g, GENERATIONS));
	}
	return g;
}

static void axes_make(struct ce_axis *axis)
{
	ce_axis_init(&axis[0], 10, 20, -1000, 1000);
	ce_axis_init(&axis[1], 0, 4, -1000, 1000);
	ce_axis_init(&axis[2], 300, 100, -1000, 1000);
}

static void it_finds_the_optimum_of_a_quadratic(void **state)
{
	(void)state;
	static const double optimum[AXES] = {-20, 3, 120};
	struct ce_axis axis[AXES];
	axes_make(axis);
	search(axis, optimum, 0, 0.1);
	for (int i = 0; i < AXES; i++) {
		assert_near(axis[i].mu, optimum[i], axis[i].grain);
		assert_true(axis[i].sigma < 0.1 * axis[i].start);
	}
}

/* Noise as large as what a whole deviation of a start makes of the least of the weights. */
static void it_finds_the_optimum_of_a_noisy_quadratic(void **state)
{
	(void)state;
	static const double optimum[AXES] = {-20, 3, 120};
	struct ce_axis axis[AXES];
	axes_make(axis);
	search(axis, optimum, 100, 0.2);
	for (int i = 0; i < AXES; i++)
		assert_near(axis[i].mu, optimum[i], 0.25 * axis[i].start);
}

/* Beyond its range: the bound is as near as it gets. */
static void it_finds_an_optimum_on_a_bound(void **state)
{
	(void)state;
	static const double optimum[AXES] = {-20, 3, 120};
	struct ce_axis axis[AXES];
	axes_make(axis);
	ce_axis_init(&axis[0], 10, 20, -0.1, 1000);
	search(axis, optimum, 0, 0.1);
	assert_near(axis[0].mu, -0.1, 0.1);
	assert_near(axis[2].mu, 120, axis[2].grain);
}

/* Far from the start, sharp deviations stop short of the optimum; noise keeps them going. */
static void noise_finds_what_is_too_far_without(void **state)
{
	(void)state;
	static const double optimum[AXES] = {200, 3, 120};
	struct ce_axis without[AXES], with[AXES];
	axes_make(without);
	axes_make(with);
	search(without, optimum, 100, 0);
	search(with, optimum, 100, 0.3);
	assert_true(fabs(with[2].mu - 120) < fabs(without[2].mu - 120) ||
		    fabs(with[0].mu - 200) < fabs(without[0].mu - 200));
	assert_near(with[0].mu, 200, 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(candidates_are_ranked_by_objective_and_equal_ones_by_number),
	    cmocka_unit_test(refitting_takes_mean_and_population_deviation_of_the_best),
	    cmocka_unit_test(noise_is_constant_or_fades_to_nothing),
	    cmocka_unit_test(it_has_converged_when_every_deviation_is_small),
	    cmocka_unit_test(candidates_are_drawn_from_normal_distributions),
	    cmocka_unit_test(candidates_are_multiples_of_the_grain_within_the_range),
	    cmocka_unit_test(it_finds_the_optimum_of_a_quadratic),
	    cmocka_unit_test(it_finds_the_optimum_of_a_noisy_quadratic),
	    cmocka_unit_test(it_finds_an_optimum_on_a_bound),
	    cmocka_unit_test(noise_finds_what_is_too_far_without),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
