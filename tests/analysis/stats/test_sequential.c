/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Limits of sequential tests against published constants, estimates against plain sums, and the
 * error rates that a duel promises, by duels with known truth: normal scores, and scores of games
 * that were played. With more of everything: tests/long/duel.sh.
 *
 * Constants: Jennison and Turnbull, Group sequential methods with applications to clinical trials
 * (2000), tables 2.1 to 2.4 (Pocock 1977, O'Brien and Fleming 1979); Reboussin, DeMets, Kim and
 * Lan, Computations for group sequential boundaries using the Lan-DeMets spending function method,
 * Controlled Clinical Trials 21 (2000), for the spendings of Lan and DeMets.
 */
#include "tests/analysis/stats/duel_scores.h"
#include "tests/analysis/stats/duels.h"
#include "tests/near.h"

#include <gsl/gsl_cdf.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static void assert_between(double x, double low, double high)
{
	if (!(low <= x && x <= high))
		fail_msg("%.17g, wanted in %g .. %g", x, low, high);
}

/* K looks at equal distances. */
static void looks_equal(double *t, size_t looks)
{
	for (size_t k = 0; k < looks; k++)
		t[k] = (double)(k + 1) / (double)looks;
}

static double chance_above_and_below(const double *t, size_t looks, const double *z, double drift)
{
	double sum = 0;
	struct passing out[BOUNDARY_LOOKS_MAX];

	boundary_pass(t, looks, z, NULL, drift, out);
	for (size_t k = 0; k < looks; k++)
		sum += out[k].above + out[k].below;
	return sum;
}

static const struct {
	size_t looks;
	double pocock, obrien_fleming;
} constants[] = {{1, 1.960, 1.960}, {2, 2.178, 1.977}, {3, 2.289, 2.004},  {4, 2.361, 2.024},
		 {5, 2.413, 2.040}, {8, 2.512, 2.072}, {10, 2.555, 2.087}, {20, 2.672, 2.126}};

static void published_constants_spend_five_percent(void **state)
{
	double t[20], z[20];

	(void)state;
	for (size_t i = 0; i < LENGTH(constants); i++) {
		looks_equal(t, constants[i].looks);
		for (size_t k = 0; k < constants[i].looks; k++)
			z[k] = constants[i].pocock;
		assert_near(chance_above_and_below(t, constants[i].looks, z, 0), 0.05, 1.5e-4);
		for (size_t k = 0; k < constants[i].looks; k++)
			z[k] = constants[i].obrien_fleming / sqrt(t[k]);
		assert_near(chance_above_and_below(t, constants[i].looks, z, 0), 0.05, 1.5e-4);
	}
}

/* Inflation factors for a power of 0.9: the games of the test over those of one look. */
static void published_inflation_gives_the_power(void **state)
{
	static const struct {
		double constant, exponent, inflation;
	} tests[] = {{2.413, 0, 1.207}, {2.040, 0.5, 1.026}};
	double t[5], z[5];

	(void)state;
	looks_equal(t, 5);
	for (size_t i = 0; i < LENGTH(tests); i++) {
		for (size_t k = 0; k < 5; k++)
			z[k] = tests[i].constant / pow(t[k], tests[i].exponent);
		double drift = (1.959964 + 1.281552) * sqrt(tests[i].inflation);
		assert_near(chance_above_and_below(t, 5, z, drift), 0.9, 5e-4);
	}
}

static void spendings_give_the_published_limits(void **state)
{
	static const struct {
		struct spending spending;
		double limit[5];
	} tests[] = {{{spent_obrien_fleming}, {4.8769, 3.3569, 2.6803, 2.2898, 2.0310}},
		     {{spent_pocock}, {2.4380, 2.4268, 2.4101, 2.3966, 2.3859}}};
	double t[5], z[5];

	(void)state;
	looks_equal(t, 5);
	for (size_t i = 0; i < LENGTH(tests); i++) {
		boundary_spend(t, 5, &tests[i].spending, 0.05, z);
		for (size_t k = 0; k < 5; k++)
			assert_near(z[k], tests[i].limit[k], 2e-4);
	}
}

/* A look is a normal tail; two looks are an integral over the first, here a plain sum of slices. */
static void two_looks_are_a_double_integral(void **state)
{
	const double t[2] = {0.3, 1}, z[2] = {2.2, 2.1}, inner[2] = {0.4, 0.7}, drift = 1.3;
	const double step = 1e-4;
	struct passing out[2], want = {0};

	(void)state;
	boundary_pass(t, 2, z, inner, drift, out);
	double middle = drift * sqrt(t[0]);
	assert_near(out[0].above, gsl_cdf_ugaussian_Q(z[0] - middle), 1e-12);
	assert_near(out[0].below, gsl_cdf_ugaussian_P(-z[0] - middle), 1e-12);
	assert_near(out[0].within,
		    gsl_cdf_ugaussian_P(inner[0] - middle) -
			gsl_cdf_ugaussian_P(-inner[0] - middle),
		    1e-12);
	for (double x = -z[0] + step / 2; x < z[0]; x += step) {
		double w = x * sqrt(t[0]), sd = sqrt(t[1] - t[0]);
		double next = w + drift * (t[1] - t[0]);
		double mass = step * exp(-(x - middle) * (x - middle) / 2) / sqrt(2 * M_PI);
		if (fabs(x) < inner[0])
			continue;
		want.above += mass * gsl_cdf_ugaussian_Q((z[1] - next) / sd);
		want.below += mass * gsl_cdf_ugaussian_P((-z[1] - next) / sd);
		want.within += mass * (gsl_cdf_ugaussian_P((inner[1] - next) / sd) -
				       gsl_cdf_ugaussian_P((-inner[1] - next) / sd));
	}
	assert_near(out[1].above, want.above, 1e-6);
	assert_near(out[1].below, want.below, 1e-6);
	assert_near(out[1].within, want.within, 1e-6);
}

static void where_everything_ends_nothing_goes_on(void **state)
{
	const double t[3] = {0.2, 0.5, 1}, z[3] = {2.5, 2.4, 2.3}, inner[3] = {-1, 3, 5};
	struct passing out[3];
	double sum = 0;

	(void)state;
	boundary_pass(t, 3, z, inner, 1, out);
	for (size_t k = 0; k < 2; k++)
		sum += out[k].above + out[k].below + out[k].within;
	assert_near(out[0].within, 0, 0);
	assert_near(sum, 1, 1e-6);
	assert_near(out[2].above + out[2].below + out[2].within, 0, 1e-6);
}

static void looks_grow_by_a_fifth_in_batches(void **state)
{
	static const struct {
		uint64_t batch, most, games[8]; /* the first of them */
		size_t looks;
	} tests[] = {
	    {50, 1000, {50, 100, 150, 200, 250, 300, 400, 500}, 12},
	    {50, 50, {50}, 1},
	    {100, 70, {70}, 1},
	    {100, 105, {105}, 1},
	    {100, 115, {100, 115}, 2},
	    {1, 7, {1, 2, 3, 4, 5, 6, 7}, 7},
	    {1000000000, 1000000000, {1000000000}, 1},
	};
	struct sequential test;

	(void)state;
	for (size_t i = 0; i < LENGTH(tests); i++) {
		sequential_init(&test, tests[i].batch, tests[i].most, 0.05);
		assert_int_equal(test.looks, tests[i].looks);
		for (size_t k = 0; k < test.looks && k < 8; k++)
			assert_int_equal(test.games[k], tests[i].games[k]);
		assert_int_equal(test.games[test.looks - 1], tests[i].most);
	}
	sequential_init(&test, 1, 1000000000, 0.05);
	assert_int_equal(test.games[test.looks - 1], 1000000000);
}

/* Spent by each look is alpha times its share of the games: here for every length of a duel. */
static void limits_spend_in_proportion_to_games(void **state)
{
	struct sequential test;
	struct passing out[BOUNDARY_LOOKS_MAX];
	double t[BOUNDARY_LOOKS_MAX];
	static const uint64_t most[] = {40, 300, 10000, 2000000};

	(void)state;
	for (size_t i = 0; i < LENGTH(most); i++) {
		double spent = 0;
		sequential_init(&test, 20, most[i], 0.1);
		for (size_t k = 0; k < test.looks; k++)
			t[k] = (double)test.games[k] / (double)most[i];
		boundary_pass(t, test.looks, test.limit, NULL, 0, out);
		for (size_t k = 0; k < test.looks; k++) {
			spent += out[k].above + out[k].below;
			assert_near(spent, 0.1 * t[k], 1e-6);
		}
	}
}

static void pairs_are_worked_out_by_hand(void **state)
{
	/* Means 6 and 3; a / 6 - b / 3 is -1/3, 2/3, 0, -1/3; a - b is 1, 7, 3, 1. */
	const double a[] = {4, 10, 6, 4}, b[] = {3, 3, 3, 3};
	struct pairs p = pairs_estimate(a, b, 4);

	(void)state;
	assert_int_equal(p.won, 4);
	assert_int_equal(p.tied, 0);
	assert_near(p.a, 6, 0);
	assert_near(p.b, 3, 0);
	assert_near(p.log_ratio, log(2), 1e-15);
	assert_near(p.spread, sqrt(6. / 9 / 3), 1e-15);
	assert_near(p.difference, 3, 1e-15);
	assert_near(p.deviation, sqrt(24. / 3), 1e-15);
	assert_true(isnan(p.correlation));
	p = pairs_estimate(b, a, 3);
	assert_int_equal(p.won, 0);
	p = pairs_estimate((const double[]){1, 2, 4, 5}, (const double[]){2, 1, 5, 4}, 4);
	assert_near(p.correlation, 0.8, 1e-15);
	assert_near(p.log_ratio, 0, 0);
	assert_near(p.spread, sqrt(4. / 9 / 3), 1e-15);
	assert_near(pairs_estimate(a, a, 4).correlation, 1, 1e-15);
	assert_int_equal(pairs_estimate(a, a, 4).tied, 4);
	assert_true(isnan(pairs_estimate(a, b, 1).spread));
}

/* A look of its own is the usual test: Student's t on the logarithm of the ratio. */
static void one_look_is_the_usual_interval(void **state)
{
	struct sequential test;
	double a[50], b[50];

	(void)state;
	for (int i = 0; i < 50; i++) {
		a[i] = 100 + i * i % 17;
		b[i] = 90 + i * 7 % 23;
	}
	sequential_init(&test, 50, 50, 0.05);
	struct pairs p = pairs_estimate(a, b, 50);
	struct look look = sequential_look(&test, 0, &p, 0);
	double t = 2.009575234489209; /* of 49 degrees of freedom, 97.5% */
	assert_near(look.limit, t, 1e-6);
	assert_near(log(look.ratio.high / look.ratio.value), t * p.spread / sqrt(50), 1e-6);
	assert_near(look.difference.high - look.difference.value, t * p.deviation / sqrt(50), 1e-5);
	struct interval paired = stats_paired(a, b, 50).difference;
	assert_near(look.difference.low, paired.low, 1e-5);
	struct interval wilson = stats_rate(p.won, 50);
	if (p.tied == 0)
		assert_near(look.wins.low, wilson.low, 1e-6);
	assert_int_equal(look.verdict, VERDICT_A);
	p = pairs_estimate(b, a, 50);
	assert_int_equal(sequential_look(&test, 0, &p, 0.5).verdict, VERDICT_B);
}

static void verdicts_follow_the_interval(void **state)
{
	struct sequential test;
	double a[200], b[200];

	(void)state;
	sequential_init(&test, 200, 200, 0.05);
	/* Differences of 1 and -1 in turn, at means of 100: the ratio is 1 within 0.2%. */
	for (int i = 0; i < 200; i++) {
		a[i] = 100;
		b[i] = i % 2 ? 101 : 99;
	}
	struct pairs p = pairs_estimate(a, b, 200);
	struct look look = sequential_look(&test, 0, &p, 0);
	assert_int_equal(look.verdict, VERDICT_OPEN);
	assert_near(look.wins.value, 0.5, 0);
	assert_between(look.ratio.high, 1.0013, 1.0015);
	assert_int_equal(sequential_look(&test, 0, &p, 0.0013).verdict, VERDICT_OPEN);
	assert_int_equal(sequential_look(&test, 0, &p, 0.0015).verdict, VERDICT_EQUAL);
	/*
	 * Both ends of the interval have to be inside: here 0.9976 and 1.0004, or their inverses.
	 */
	for (int i = 0; i < 200; i++)
		a[i] = 99.9;
	p = pairs_estimate(a, b, 200);
	assert_int_equal(sequential_look(&test, 0, &p, 0.0015).verdict, VERDICT_OPEN);
	assert_int_equal(sequential_look(&test, 0, &p, 0.0027).verdict, VERDICT_EQUAL);
	p = pairs_estimate(b, a, 200);
	assert_int_equal(sequential_look(&test, 0, &p, 0.0015).verdict, VERDICT_OPEN);
	assert_int_equal(sequential_look(&test, 0, &p, 0.0027).verdict, VERDICT_EQUAL);
	/* A difference that is there but small is told as one. */
	for (int i = 0; i < 200; i++)
		a[i] = 100.5;
	p = pairs_estimate(a, b, 200);
	assert_int_equal(sequential_look(&test, 0, &p, 0.1).verdict, VERDICT_A);
}

static void what_tells_no_spread_decides_nothing(void **state)
{
	struct sequential test;
	double a[100], b[100];

	(void)state;
	sequential_init(&test, 100, 100, 0.05);
	for (int i = 0; i < 100; i++)
		a[i] = b[i] = 5;
	for (int differing = 0; differing <= SEQUENTIAL_DIFFERING_MIN; differing += 19) {
		for (int i = 0; i < differing; i++)
			a[i] = 50 + i;
		struct pairs p = pairs_estimate(a, b, 100);
		struct look look = sequential_look(&test, 0, &p, 0.5);
		assert_int_equal(look.verdict, VERDICT_OPEN);
		assert_true(isnan(look.ratio.low));
		assert_true(isnan(look.difference.high));
	}
	a[19] = 70;
	struct pairs p = pairs_estimate(a, b, 100);
	assert_int_equal(sequential_look(&test, 0, &p, 0).verdict, VERDICT_A);
	for (int i = 0; i < 100; i++)
		b[i] = 0;
	/* Without a ratio the difference decides. */
	p = pairs_estimate(a, b, 100);
	assert_int_equal(sequential_look(&test, 0, &p, 0.5).verdict, VERDICT_A);
}

/* Chow, Shao and Wang's formula for means, (z + z)^2 sd^2 / effect^2, and its inverse. */
static void plans_agree_with_each_other(void **state)
{
	struct sequential test;
	double effect, fixed;

	(void)state;
	assert_near(fixed_games(expm1(0.02), 0.6, 0.05, 0.1), ceil(10.5074 * 900), 1);
	uint64_t most = sequential_games(50, 0.02, 0.6, 0.05, 0.1, 1000000000);
	assert_int_equal(most % 50, 0);
	sequential_init(&test, 50, most, 0.05);
	assert_between(sequential_forecast(&test, 0.02, 0.6, 0).right, 0.9, 0.905);
	sequential_reach(&test, 0.6, 0.1, &effect, &fixed);
	assert_between(effect, 0.0198, 0.02);
	/* The fixed test of that effect; both round up. */
	assert_between(fixed, fixed_games(0.02, 0.6, 0.05, 0.1) - 1,
		       1.02 * fixed_games(0.02, 0.6, 0.05, 0.1));
	struct forecast none = sequential_forecast(&test, 0, 0.6, 0);
	assert_near(none.right + none.wrong, 0.05, 1e-6);
	assert_near(none.right, none.wrong, 1e-9);
	struct forecast equal = sequential_forecast(&test, 0, 0.6, 0.05);
	assert_true(equal.equal > 0.9 && equal.games < none.games);
	assert_int_equal(sequential_games(50, 0.02, 0.6, 0.05, 0.1, 5000), 0);
	assert_int_equal(sequential_games(50, 0.02, 0.6, 0.05, 0.1, 49), 0);
	assert_int_equal(sequential_games(50, 10, 0.6, 0.05, 0.1, 1000), 50);
}

static double played[2][2][DUEL_SCORES]; /* world, player, game */

static void worlds_make(struct world world[3])
{
	for (int i = 0; i < DUEL_SCORES; i++)
		for (int j = 0; j < 2; j++) {
			played[0][j][i] = greedy_corners[i][j];
			played[1][j][i] = searches[i][j];
		}
	world[0] = (struct world){.sd = 0.5, .ratio = 1};
	for (int i = 0; i < 2; i++)
		world[i + 1] = (struct world){
		    .a = played[i][0], .b = played[i][1], .n = DUEL_SCORES, .ratio = 1};
}

enum { DUELS = 3000 };

/*
 * Five standard deviations of the share of 3000 duels are 0.02 at 0.05, so limits of 1.96 at each
 * look, which err in a fifth of them, cannot pass, nor limits that are a tenth too wide.
 */
static void equal_players_are_told_apart_in_five_percent(void **state)
{
	struct world world[3];
	struct sequential test;

	(void)state;
	worlds_make(world);
	sequential_init(&test, 50, 600, 0.05);
	for (size_t i = 0; i < LENGTH(world); i++) {
		struct rates r = duels_play(&test, &world[i], 0, DUELS, 100 + i);
		double apart = r.verdict[VERDICT_A] + r.verdict[VERDICT_B];
		print_message("# world %zu: apart %.4f (%.4f, %.4f), missed %.4f %.4f\n", i, apart,
			      r.verdict[VERDICT_A], r.verdict[VERDICT_B], r.missed,
			      r.missed_difference);
		assert_between(apart, 0.037, 0.063);
		assert_between(r.verdict[VERDICT_A], 0.015, 0.035);
		assert_near(r.missed, apart, 1e-9);
		assert_between(r.missed_difference, 0.037, 0.063);
	}
}

/* As forecast, which knows nothing of the simulation. */
static void effects_are_found_as_often_and_as_early_as_forecast(void **state)
{
	struct world world[3];
	struct sequential test;
	double a[20000], b[20000];

	(void)state;
	worlds_make(world);
	sequential_init(&test, 50, 1000, 0.05);
	for (size_t i = 0; i < LENGTH(world); i++) {
		struct rng rng;
		rng_init(&rng, 7, RNG_TEST, i);
		pairs_draw(&world[i], &rng, a, b, LENGTH(a));
		double spread = pairs_estimate(a, b, LENGTH(a)).spread;
		for (double effect = 0.04; effect < 0.2; effect *= 2) {
			world[i].ratio = 1 + effect;
			struct forecast f = sequential_forecast(&test, effect, spread, 0);
			struct rates r = duels_play(&test, &world[i], 0, DUELS / 3, 200 + i);
			assert_near(r.verdict[VERDICT_A], f.right, 0.06);
			assert_near(r.games / f.games, 1, 0.06);
			assert_between(r.missed, 0, 0.065);
			assert_between(r.verdict[VERDICT_B], 0, 0.02);
		}
	}
}

static void equivalence_is_claimed_of_who_is_not_in_two_and_a_half_percent(void **state)
{
	struct world world[3];
	struct sequential test;
	const double bound = 0.1;

	(void)state;
	worlds_make(world);
	sequential_init(&test, 50, 2000, 0.05);
	for (size_t i = 0; i < LENGTH(world); i++) {
		world[i].ratio = 1 + bound;
		struct rates r = duels_play(&test, &world[i], bound, DUELS / 3, 300 + i);
		assert_between(r.verdict[VERDICT_EQUAL], 0, 0.045);
		world[i].ratio = 1 / (1 + bound);
		r = duels_play(&test, &world[i], bound, DUELS / 3, 500 + i);
		assert_between(r.verdict[VERDICT_EQUAL], 0, 0.045);
		world[i].ratio = 1;
		r = duels_play(&test, &world[i], bound, DUELS / 3, 400 + i);
		assert_between(r.verdict[VERDICT_A] + r.verdict[VERDICT_B], 0, 0.075);
		assert_true(r.verdict[VERDICT_EQUAL] > 0.5);
		assert_true(r.games < 1900);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(published_constants_spend_five_percent),
	    cmocka_unit_test(published_inflation_gives_the_power),
	    cmocka_unit_test(spendings_give_the_published_limits),
	    cmocka_unit_test(two_looks_are_a_double_integral),
	    cmocka_unit_test(where_everything_ends_nothing_goes_on),
	    cmocka_unit_test(looks_grow_by_a_fifth_in_batches),
	    cmocka_unit_test(limits_spend_in_proportion_to_games),
	    cmocka_unit_test(pairs_are_worked_out_by_hand),
	    cmocka_unit_test(one_look_is_the_usual_interval),
	    cmocka_unit_test(verdicts_follow_the_interval),
	    cmocka_unit_test(what_tells_no_spread_decides_nothing),
	    cmocka_unit_test(plans_agree_with_each_other),
	    cmocka_unit_test(equal_players_are_told_apart_in_five_percent),
	    cmocka_unit_test(effects_are_found_as_often_and_as_early_as_forecast),
	    cmocka_unit_test(equivalence_is_claimed_of_who_is_not_in_two_and_a_half_percent),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
