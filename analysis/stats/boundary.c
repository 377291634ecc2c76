/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Limits of tests that look more than once, by recursion over looks.
 *
 * Method. The density of the walk at a look, where it has not ended before, is that at the look
 * before convolved with a normal distribution, cut off outside of the limits (Armitage, McPherson
 * and Rowe, Repeated significance tests on accumulating data, JRSS A 132, 1969). It is kept at the
 * points of Simpson's rule, as masses, on each piece of the region in which one goes on. The chance
 * to end is then a sum of normal tails, and a limit where it is as wanted is found by halving. What
 * is wanted may be any increasing function of time (Lan and DeMets, Discrete sequential boundaries
 * for clinical trials, Biometrika 70, 1983).
 *
 * Points are closer than a tenth of a standard deviation of the next step; the published constants
 * of tests/analysis/stats/test_sequential.c come out to their last digit.
 */
#include "analysis/stats/boundary.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { PIECE_HALF = 500, POINTS_MAX = 2 * (2 * PIECE_HALF + 1), HALVINGS = 60 };

/* Standard deviations beyond which a normal distribution is taken for 0. */
#define REACH 9.0

/* Where the walk is, if it has not ended: mass[i] at at[i]. */
struct walk {
	double t;
	size_t points;
	double at[POINTS_MAX], mass[POINTS_MAX];
};

static const double root_2pi = 2.506628274631000502;

static void walk_start(struct walk *walk)
{
	walk->t = 0;
	walk->points = 1;
	walk->at[0] = 0;
	walk->mass[0] = 1;
}

/* The chances to be above and below EDGE at T. */
static double walk_above(const struct walk *walk, double t, double drift, double edge)
{
	double step = t - walk->t, sd = sqrt(step), sum = 0;

	for (size_t i = 0; i < walk->points; i++)
		sum +=
		    walk->mass[i] * gsl_cdf_ugaussian_Q((edge - walk->at[i] - drift * step) / sd);
	return sum;
}

static double walk_below(const struct walk *walk, double t, double drift, double edge)
{
	double step = t - walk->t, sd = sqrt(step), sum = 0;

	for (size_t i = 0; i < walk->points; i++)
		sum +=
		    walk->mass[i] * gsl_cdf_ugaussian_P((edge - walk->at[i] - drift * step) / sd);
	return sum;
}

static double walk_density(const struct walk *walk, double t, double drift, double at)
{
	double step = t - walk->t, sd = sqrt(step), sum = 0;

	for (size_t i = 0; i < walk->points; i++) {
		double x = (at - walk->at[i] - drift * step) / sd;
		if (fabs(x) < REACH)
			sum += walk->mass[i] * exp(-x * x / 2);
	}
	return sum / (sd * root_2pi);
}

/* Adds points from LOW to HIGH to NEXT, at most GAP apart, with the masses that WALK has there. */
static void piece_add(struct walk *next, const struct walk *walk, double drift, double low,
		      double high, double gap)
{
	if (!(high > low))
		return;
	size_t half = (size_t)fmin(ceil((high - low) / gap / 2), PIECE_HALF);
	double width = (high - low) / (double)(2 * half);
	for (size_t i = 0; i <= 2 * half; i++) {
		double at = low + width * (double)i;
		double simpson = i == 0 || i == 2 * half ? 1 : i % 2 ? 4 : 2;
		assert(next->points < POINTS_MAX);
		next->at[next->points] = at;
		next->mass[next->points++] =
		    walk_density(walk, next->t, drift, at) * simpson * width / 3;
	}
}

/*
 * Moves WALK, with ROOM for another, on to T, where it ends outside of OUTER and inside of INNER;
 * the look after that is at AFTER.
 */
static void walk_step(struct walk *walk, struct walk *room, double t, double after, double drift,
		      double outer, double inner)
{
	double middle = drift * t, reach = REACH * sqrt(t);
	double low = fmax(-outer, middle - reach), high = fmin(outer, middle + reach);
	double gap = fmin(sqrt(after - t), sqrt(t)) / 10;

	room->t = t;
	room->points = 0;
	if (inner > 0) {
		piece_add(room, walk, drift, low, fmin(-inner, high), gap);
		piece_add(room, walk, drift, fmax(inner, low), high, gap);
	} else {
		piece_add(room, walk, drift, low, high, gap);
	}
	*walk = *room;
}

/* The limit at T that WALK passes upwards with the probability WANTED, as a value of z. */
static double limit_find(const struct walk *walk, double t, double wanted)
{
	double low = 0, high = BOUNDARY_Z_MAX;

	for (int i = 0; i < HALVINGS; i++) {
		double middle = (low + high) / 2;
		if (walk_above(walk, t, 0, middle * sqrt(t)) > wanted)
			low = middle;
		else
			high = middle;
	}
	return high;
}

void boundary_spend(const double *t, size_t looks, const struct spending *spending, double alpha,
		    double *z)
{
	struct walk walk, room;
	double spent = 0;

	assert(looks <= BOUNDARY_LOOKS_MAX);
	walk_start(&walk);
	for (size_t k = 0; k < looks; k++) {
		double by_now = spending->value(t[k], alpha);
		z[k] = limit_find(&walk, t[k], fmax(by_now - spent, 0) / 2);
		spent = by_now;
		if (k + 1 < looks)
			walk_step(&walk, &room, t[k], t[k + 1], 0, z[k] * sqrt(t[k]), -1);
	}
}

void boundary_pass(const double *t, size_t looks, const double *z, const double *inner,
		   double drift, struct passing *out)
{
	struct walk walk, room;

	assert(looks <= BOUNDARY_LOOKS_MAX);
	walk_start(&walk);
	for (size_t k = 0; k < looks; k++) {
		double root = sqrt(t[k]), outer = z[k] * root;
		double hole = inner ? fmin(inner[k], z[k]) * root : -1;
		out[k] = (struct passing){.above = walk_above(&walk, t[k], drift, outer),
					  .below = walk_below(&walk, t[k], drift, -outer)};
		if (hole > 0)
			out[k].within = fmax(walk_above(&walk, t[k], drift, -hole) -
						 walk_above(&walk, t[k], drift, hole),
					     0);
		if (k + 1 < looks)
			walk_step(&walk, &room, t[k], t[k + 1], drift, outer, hole);
	}
}
