/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Learners of several trainings: bounds by hand, and how often they hold the truth. */
#include "analysis/stats/stats.h"
#include "boards/rng.h"
#include "tests/near.h"

#include <math.h>

static struct interval trained_ratio(const double *mean, size_t n, struct interval rival)
{
	return stats_quotient(stats_trained_mean(mean, n), rival);
}

/* Python: hypot(4.302652729911275 * log(2) / sqrt(3), log(2)), and with log(4), beside log(1/2). */
static void bounds_are_those_of_student_and_of_the_rival(void **state)
{
	static const double mean[] = {1, 2, 4};
	const struct interval rival = {4, 1, 8};
	(void)state;
	const struct interval ratio = trained_ratio(mean, 3, rival);
	assert_near(ratio.value, 0.5, 1e-12);
	assert_near(ratio.low, 0.07813641536212035, 1e-9);
	assert_near(ratio.high, 4.560497284386419, 1e-9);
	assert_true(isnan(trained_ratio(mean, 1, rival).low));
	assert_near(trained_ratio(mean, 1, rival).value, 0.25, 1e-12);
	assert_true(isnan(trained_ratio(mean, 3, (struct interval){4, NAN, NAN}).high));
	assert_true(isnan(trained_ratio((double[]){1, 0}, 2, rival).value));
	assert_true(isnan(trained_ratio(mean, 0, rival).value));
}

static void a_crossing_is_the_last_rise_to_1(void **state)
{
	static const double at[] = {1, 10, 1000};
	(void)state;
	assert_near(stats_crossing(at, (double[]){0.1, 0.5, 2}, 3), 100, 1e-9);
	assert_near(stats_crossing(at, (double[]){2, 0.5, 2}, 3), 100, 1e-9);
	assert_near(stats_crossing(at, (double[]){0.1, 10, 2}, 3), sqrt(10), 1e-9);
	assert_near(stats_crossing(at, (double[]){NAN, 0.5, 1}, 3), 1000, 1e-9);
	assert_true(stats_crossing(at, (double[]){1, 1.5, 2}, 3) == 0);
	assert_true(isinf(stats_crossing(at, (double[]){0.1, 2, 0.9}, 3)));
	assert_true(isnan(stats_crossing(at, (double[]){0.1, NAN, 2}, 3)));
	assert_true(isnan(stats_crossing(at, at, 0)));
}

static double normal(struct rng *rng)
{
	double twelve = -6;
	for (int i = 0; i < 12; i++)
		twelve += rng_real(rng);
	return twelve;
}

/* The mean of N scores with the mean MEAN and a deviation of half of it, left ascending in X. */
static double scores_draw(struct rng *rng, double mean, double *x, size_t n)
{
	const double sd = sqrt(log(1.25));
	double sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += x[i] = mean * exp(sd * normal(rng) - sd * sd / 2);
	stats_sort(x, n);
	return sum / (double)n;
}

/* Three trainings that differ by SPREAD reach the rival, in truth, after 100 s. */
static void coverage_check(double spread, size_t games, size_t rival_games, uint64_t seed)
{
	enum { TRAININGS = 3, POINTS = 3, REPEATS = 1000 };
	static const double at[POINTS] = {6, 60, 600};
	double x[100], mean[POINTS][TRAININGS], low[POINTS], high[POINTS];
	int held = 0, crossed = 0;
	struct rng rng;
	rng_init(&rng, seed, RNG_TEST, 0);
	for (int r = 0; r < REPEATS; r++) {
		for (int j = 0; j < TRAININGS; j++) {
			const double luck = exp(spread * normal(&rng));
			for (int k = 0; k < POINTS; k++)
				mean[k][j] =
				    scores_draw(&rng, luck * pow(at[k] / 100, 0.5), x, games);
		}
		scores_draw(&rng, 1, x, rival_games);
		const struct interval rival = stats_interval(&stat_mean, x, rival_games);
		for (int k = 0; k < POINTS; k++) {
			const struct interval ratio = trained_ratio(mean[k], TRAININGS, rival);
			const double truth = pow(at[k] / 100, 0.5);
			low[k] = ratio.low;
			high[k] = ratio.high;
			held += truth >= ratio.low && truth <= ratio.high;
		}
		crossed += stats_crossing(at, high, POINTS) <= 100 &&
			   stats_crossing(at, low, POINTS) >= 100;
	}
	const double share = (double)held / (POINTS * REPEATS);
	print_message("spread %g, %zu games against %zu: ratio %.1f%%, crossing %.1f%%\n", spread,
		      games, rival_games, 100 * share, 0.1 * crossed);
	assert_true(share > 0.94 && share < 0.99);
	assert_true(crossed > 940 && crossed < 995);
}

static void intervals_of_three_trainings_hold_the_truth(void **state)
{
	(void)state;
	coverage_check(0, 40, 40, 1);
	coverage_check(0.05, 20, 10, 2);
	coverage_check(0.2, 40, 40, 3);
	coverage_check(0.5, 10, 100, 4);
	coverage_check(0.5, 20, 4, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(bounds_are_those_of_student_and_of_the_rival),
	    cmocka_unit_test(a_crossing_is_the_last_rise_to_1),
	    cmocka_unit_test(intervals_of_three_trainings_hold_the_truth),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
