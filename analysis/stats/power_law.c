/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A power law through points, by nonlinear least squares (GSL's trust region method, Levenberg and
 * Marquardt). It starts from the straight line through the logarithms.
 *
 * Standard errors are those of the linearised model at the solution, with the variance of the
 * residuals; bounds by Student's t with n - 2 degrees of freedom. Check value: NIST StRD, DanWood:
 * y = 0.76886226 x^3.8604056, residual standard deviation 0.032853114.
 */
#include "analysis/stats/stats.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fit.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { FACTOR, EXPONENT, PARAMETERS, ITERATIONS_MAX = 200 };

struct points {
	const double *x, *y;
	size_t n;
};

static int residuals(const gsl_vector *law, void *data, gsl_vector *residual)
{
	const struct points *points = data;
	for (size_t i = 0; i < points->n; i++)
		gsl_vector_set(residual, i,
			       gsl_vector_get(law, FACTOR) *
				       pow(points->x[i], gsl_vector_get(law, EXPONENT)) -
				   points->y[i]);
	return GSL_SUCCESS;
}

static int derivatives(const gsl_vector *law, void *data, gsl_matrix *jacobian)
{
	const struct points *points = data;
	for (size_t i = 0; i < points->n; i++) {
		const double power = pow(points->x[i], gsl_vector_get(law, EXPONENT));
		gsl_matrix_set(jacobian, i, FACTOR, power);
		gsl_matrix_set(jacobian, i, EXPONENT,
			       gsl_vector_get(law, FACTOR) * power * log(points->x[i]));
	}
	return GSL_SUCCESS;
}

/* The law that the least squares of the logarithms give. */
static bool law_begin(const struct points *points, double law[PARAMETERS])
{
	double *logs = malloc(2 * points->n * sizeof *logs);
	double c00, c01, c11, squares;
	if (!logs)
		return false;
	double *log_y = logs + points->n;
	for (size_t i = 0; i < points->n; i++) {
		logs[i] = log(points->x[i]);
		log_y[i] = log(points->y[i]);
	}
	gsl_fit_linear(logs, 1, log_y, 1, points->n, &law[FACTOR], &law[EXPONENT], &c00, &c01, &c11,
		       &squares);
	law[FACTOR] = exp(law[FACTOR]);
	free(logs);
	return true;
}

static struct interval bounded(double value, double variance, double reach)
{
	return (struct interval){value, value - reach * sqrt(variance),
				 value + reach * sqrt(variance)};
}

/* Takes the law and its errors from WORK, which has converged. */
static void law_take(const gsl_multifit_nlinear_workspace *work, size_t n, struct power_law *law)
{
	double errors[PARAMETERS * PARAMETERS], squares;
	const double freedom = (double)(n - PARAMETERS);
	const double t = gsl_cdf_tdist_Pinv(0.975, freedom);
	const gsl_vector *at = gsl_multifit_nlinear_position(work);
	const gsl_vector *residual = gsl_multifit_nlinear_residual(work);
	gsl_matrix_view covariance = gsl_matrix_view_array(errors, PARAMETERS, PARAMETERS);
	gsl_multifit_nlinear_covar(gsl_multifit_nlinear_jac(work), 0, &covariance.matrix);
	gsl_blas_ddot(residual, residual, &squares);
	const double variance = squares / freedom;
	law->factor = bounded(gsl_vector_get(at, FACTOR), errors[0] * variance, t);
	law->exponent = bounded(gsl_vector_get(at, EXPONENT), errors[3] * variance, t);
	law->deviation = sqrt(variance);
}

struct power_law stats_power_law(const double *x, const double *y, size_t n)
{
	struct power_law law = {{NAN, NAN, NAN}, {NAN, NAN, NAN}, NAN};
	struct points points = {x, y, n};
	double begin[PARAMETERS];
	int reason;
	gsl_multifit_nlinear_fdf model = {
	    .f = residuals, .df = derivatives, .n = n, .p = PARAMETERS, .params = &points};
	const gsl_multifit_nlinear_parameters options = gsl_multifit_nlinear_default_parameters();
	if (n <= PARAMETERS || !law_begin(&points, begin) || !isfinite(begin[EXPONENT]))
		return law;
	gsl_multifit_nlinear_workspace *work =
	    gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &options, n, PARAMETERS);
	const gsl_vector_view start = gsl_vector_view_array(begin, PARAMETERS);
	if (!work)
		return law;
	if (!gsl_multifit_nlinear_init(&start.vector, &model, work) &&
	    !gsl_multifit_nlinear_driver(ITERATIONS_MAX, 1e-12, 1e-12, 0, NULL, NULL, &reason,
					 work))
		law_take(work, n, &law);
	gsl_multifit_nlinear_free(work);
	return law;
}
