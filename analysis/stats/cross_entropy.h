/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cross-entropy method over real numbers: each number of a candidate is drawn from its own
 * normal distribution, and the distributions are fitted to the best candidates.
 */
#ifndef NXN_CROSS_ENTROPY_H
#define NXN_CROSS_ENTROPY_H

#include "boards/rng.h"

#include <stdbool.h>
#include <stddef.h>

/* One number to optimise, with its distribution and range. */
struct ce_axis {
	double mu, sigma; /* of the next candidates */
	double start;	  /* sigma at the start */
	double low, high; /* no candidate is outside */
	double grain;	  /* candidates are multiples of it, or a bound */
};

/*
 * Sets AXIS to MU, SIGMA > 0, and the range from LOW to HIGH. The grain is the largest power of two
 * that is at most SIGMA / 16: coarse enough for short exact numbers, and rounding adds less to the
 * variance than SIGMA^2 / 3000.
 */
void ce_axis_init(struct ce_axis *axis, double mu, double sigma, double low, double high);

/* The closest number to X that a candidate may have. */
double ce_round(const struct ce_axis *axis, double x);

/* Draws a candidate: x[i] for axes[i], i < n; two uniform numbers of RNG each. */
void ce_sample(const struct ce_axis *axes, size_t n, struct rng *rng, double *x);

/* Orders candidates 0 .. n-1 by OBJECTIVE, the largest first, equal ones by number. */
void ce_rank(const double *objective, size_t n, size_t *order);

/*
 * Fits the distributions to the M > 0 best candidates, numbers order[0], order[1], ... of X[][n]:
 * mu is their mean, and sigma^2 their variance with the divisor M plus (NOISE * start)^2.
 */
void ce_refit(struct ce_axis *axes, size_t n, const double *x, const size_t *order, size_t m,
	      double noise);

/*
 * The noise after generation NUMBER of COUNT, from 1: NOISE or, if it FADES, linearly less, 0 at
 * the end.
 */
double ce_noise(double noise, bool fades, size_t number, size_t count);

/* Whether every sigma is below TOLERANCE times what it was at the start. */
bool ce_converged(const struct ce_axis *axes, size_t n, double tolerance);

#endif
