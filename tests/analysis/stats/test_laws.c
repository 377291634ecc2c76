/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Laws of size: made of one they are found again; errors of prediction against plain Python. */
#include "analysis/stats/stats.h"
#include "tests/near.h"

#include <math.h>
#include <string.h>

enum { SIZES = 9 };
static const double cells[SIZES] = {4, 6, 8, 9, 10, 12, 15, 16, 20};

static void a_law_is_found_again(void **state)
{
	static const struct {
		const char *form;
		double a, b;
	} cases[] = {
	    {"power", 2, 1},
	    {"power of log", 1, 0.5},
	    {"exponential of root", 1, 3},
	    {"exponential", 3, 0.5},
	    {"exponential of nlogn", 3, 0.1},
	    {"double power", 1.5, 0.4},
	};
	(void)state;
	for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
		const struct law made = {
		    .form = cases[k].form, .a = cases[k].a, .b.value = cases[k].b};
		double mean[SIZES];
		for (int i = 0; i < SIZES; i++)
			mean[i] = law_at(&made, cells[i]);
		const struct law law = stats_law(cells, mean, SIZES);
		assert_string_equal(law.form, cases[k].form);
		assert_near(law.a, cases[k].a, 1e-9);
		assert_near(law.b.value, cases[k].b, 1e-9);
		assert_true(law.error < 1e-9);
		assert_null(law.rival);
	}
	/* By hand: 4 n. */
	const struct law line = {.form = "power", .a = 2, .b.value = 1};
	assert_near(law_at(&line, 16), 64, 1e-9);
	const struct law none = {.form = NULL};
	assert_true(isnan(law_at(&none, 16)));
}

/* Forms, errors, the rival and the line, worked out in Python. */
static void predictions_have_their_errors(void **state)
{
	static const double mean[SIZES] = {19.6, 61, 140, 172, 220, 401, 800, 1171, 2416};
	(void)state;
	const struct law law = stats_law(cells, mean, SIZES);
	assert_string_equal(law.form, "power of log");
	assert_near(law.error, 0.1667057043798497, 1e-9);
	assert_string_equal(law.rival, "exponential of root");
	assert_near(law.rival_error, 0.17882283736919005, 1e-9);
	assert_near(law.a, 2.726078690179871, 1e-9);
	assert_near(law.b.value, 0.4610732352100848, 1e-9);
	/* The residuals do not follow the size: 1.63 is above 1.03. */
	assert_true(law.b.low < law.b.value && law.b.value < law.b.high);
}

/* A curve that none of the laws is: its residuals have the sign of their neighbours. */
static void residuals_that_follow_the_size_leave_no_interval(void **state)
{
	double mean[SIZES];
	(void)state;
	for (int i = 0; i < SIZES; i++)
		mean[i] = exp2(10 + 3 * sin(cells[i] / 5));
	const struct law law = stats_law(cells, mean, SIZES);
	assert_true(isfinite(law.b.value) && isnan(law.b.low) && isnan(law.b.high));
	assert_null(stats_law(cells, mean, LAW_BOARDS_MIN - 1).form);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_law_is_found_again),
	    cmocka_unit_test(predictions_have_their_errors),
	    cmocka_unit_test(residuals_that_follow_the_size_leave_no_interval),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
