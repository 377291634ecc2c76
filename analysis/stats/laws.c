/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a mean score grows with the size of the board: which of six laws of two parameters best
 * predicts boards that it was not fitted to.
 *
 * All laws are straight lines after a transformation: with y = log2 of the mean and n cells
 *
 *	power                y = a + b log2 n          mean = 2^a n^b
 *	power of log         y = a + b (log2 n)^2
 *	exponential of root  y = a + b sqrt n
 *	exponential          y = a + b n               mean = 2^a (2^b)^n
 *	exponential of nlogn y = a + b n log2 n
 *	double power         log2 y = a + b log2 n     mean = 2^(2^a n^b)
 *
 * and are fitted by least squares. The error of a law is the mean distance of y from its
 * prediction, each board predicted by the law fitted to the others (leave one out; Hastie,
 * Tibshirani and Friedman, The Elements of Statistical Learning, 2009, section 7.10): an error of 1
 * is a factor of two in points. The best law has the least error. Its rival is the next one if the
 * errors of the two differ by less than their 95% interval over the boards (Student's t).
 *
 * The interval of b is Student's t about the line. It is valid only for independent residuals, so
 * there is none if the squared differences of residuals from board to board are too small for
 * independent ones (von Neumann, Distribution of the ratio of the mean square successive difference
 * to the variance, Annals of Mathematical Statistics 12, 1941; one-sided, 5%, normal
 * approximation).
 *
 * Check value: means 8, 16, 32, 64 on 2, 4, 8, 16 cells are the power law with a = 2, b = 1.
 */
#include "analysis/stats/stats.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fit.h>
#include <math.h>
#include <string.h>

static double of_log(double n)
{
	return log2(n);
}

static double of_log_squared(double n)
{
	return log2(n) * log2(n);
}

static double of_root(double n)
{
	return sqrt(n);
}

static double of_cells(double n)
{
	return n;
}

static double of_n_log_n(double n)
{
	return n * log2(n);
}

/* A law: y, or log2 y if DOUBLE_LOG, is a straight line in x(n). */
static const struct form {
	const char *name;
	double (*x)(double n);
	bool double_log;
} forms[LAW_FORMS] = {
    {"power", of_log, false},
    {"power of log", of_log_squared, false},
    {"exponential of root", of_root, false},
    {"exponential", of_cells, false},
    {"exponential of nlogn", of_n_log_n, false},
    {"double power", of_log, true},
};

struct line {
	double a, b;
};

/* Sets X and Y to the points of FORM without number LEFT_OUT, N for none; returns their number. */
static size_t points_take(const struct form *form, const double *cells, const double *digits,
			  size_t n, size_t left_out, double *x, double *y)
{
	size_t taken = 0;
	for (size_t i = 0; i < n; i++) {
		if (i == left_out)
			continue;
		x[taken] = form->x(cells[i]);
		y[taken++] = form->double_log ? log2(digits[i]) : digits[i];
	}
	return taken;
}

static struct line line_fit(const double *x, const double *y, size_t n)
{
	double c00, c01, c11, squares;
	struct line line;
	gsl_fit_linear(x, 1, y, 1, n, &line.a, &line.b, &c00, &c01, &c11, &squares);
	return line;
}

/* The prediction of FORM with LINE for log2 of the mean on N cells. */
static double line_at(const struct form *form, struct line line, double n)
{
	const double y = line.a + line.b * form->x(n);
	return form->double_log ? exp2(y) : y;
}

/* Sets ERRORS to those of FORM, each on a board that it was not fitted to; returns their mean. */
static double errors_find(const struct form *form, const double *cells, const double *digits,
			  size_t n, double *errors)
{
	double x[LAW_BOARDS_MAX], y[LAW_BOARDS_MAX], sum = 0;
	for (size_t i = 0; i < n; i++) {
		const size_t taken = points_take(form, cells, digits, n, i, x, y);
		errors[i] = fabs(digits[i] - line_at(form, line_fit(x, y, taken), cells[i]));
		sum += errors[i] / (double)n;
	}
	return sum;
}

/* Whether residuals of successive boards, ascending by cells, are correlated. */
static bool residuals_correlated(const double *residual, size_t n)
{
	double steps = 0, squares = 0;
	for (size_t i = 0; i < n; i++) {
		steps += i > 0 ? pow(residual[i] - residual[i - 1], 2) : 0;
		squares += residual[i] * residual[i];
	}
	const double count = (double)n, sd = sqrt(4 * (count - 2) / (count * count - 1));
	return squares > 0 && steps / squares < 2 - 1.645 * sd;
}

/* Sets the parameters of LAW to FORM fitted to all boards: a, and b with its interval. */
static void law_finish(const struct form *form, const double *cells, const double *digits, size_t n,
		       struct law *law)
{
	double x[LAW_BOARDS_MAX], y[LAW_BOARDS_MAX], residual[LAW_BOARDS_MAX];
	double c00, c01, c11, squares;
	points_take(form, cells, digits, n, n, x, y);
	gsl_fit_linear(x, 1, y, 1, n, &law->a, &law->b.value, &c00, &c01, &c11, &squares);
	for (size_t i = 0; i < n; i++)
		residual[i] =
		    digits[i] - line_at(form, (struct line){law->a, law->b.value}, cells[i]);
	const double reach = gsl_cdf_tdist_Pinv(0.975, (double)n - 2) * sqrt(c11);
	const bool correlated = residuals_correlated(residual, n);
	law->b.low = correlated ? NAN : law->b.value - reach;
	law->b.high = correlated ? NAN : law->b.value + reach;
}

double law_at(const struct law *law, double cells)
{
	for (int i = 0; i < LAW_FORMS; i++)
		if (law->form && strcmp(forms[i].name, law->form) == 0)
			return exp2(line_at(&forms[i], (struct line){law->a, law->b.value}, cells));
	return NAN;
}

/* The number of different sizes. */
static size_t sizes_count(const double *cells, size_t n)
{
	size_t sizes = 0;
	for (size_t i = 0; i < n; i++) {
		size_t j = 0;
		while (cells[j] != cells[i])
			j++;
		sizes += j == i;
	}
	return sizes;
}

struct law stats_law(const double *cells, const double *mean, size_t n)
{
	struct law law = {.a = NAN, .b = {NAN, NAN, NAN}, .error = NAN, .rival_error = NAN};
	double digits[LAW_BOARDS_MAX], errors[LAW_FORMS][LAW_BOARDS_MAX], error[LAW_FORMS];
	int best = 0, rival = -1;
	if (n < LAW_BOARDS_MIN || n > LAW_BOARDS_MAX || sizes_count(cells, n) < LAW_SIZES_MIN)
		return law;
	for (size_t i = 0; i < n; i++)
		digits[i] = log2(mean[i]);
	for (int f = 0; f < LAW_FORMS; f++) {
		error[f] = errors_find(&forms[f], cells, digits, n, errors[f]);
		best = error[f] < error[best] ? f : best;
	}
	for (int f = 0; f < LAW_FORMS; f++)
		if (f != best && (rival < 0 || error[f] < error[rival]))
			rival = f;
	for (size_t i = 0; i < n; i++)
		errors[rival][i] -= errors[best][i];
	law.form = forms[best].name;
	law.error = error[best];
	if (!(stats_mean(errors[rival], n).low > 0)) {
		law.rival = forms[rival].name;
		law.rival_error = error[rival];
	}
	law_finish(&forms[best], cells, digits, n, &law);
	return law;
}
