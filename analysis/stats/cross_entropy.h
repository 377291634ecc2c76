/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cross-entropy method over real numbers: candidates are drawn from a normal distribution a
 * number, and the distributions are fitted anew to the best of them.
 */
#ifndef NXN_CROSS_ENTROPY_H
#define NXN_CROSS_ENTROPY_H

#include "boards/rng.h"

#include <stdbool.h>
#include <stddef.h>

/* One number that is looked for, and where. */
struct ce_axis {
	double mu, sigma; /* of the candidates to come */
	double start;	  /* sigma at the start */
	double low, high; /* no candidate is outside */
	double grain;	  /* candidates are multiples of it, or one of these bounds */
};

/*
 * An axis with this MU, from LOW to HIGH, and SIGMA > 0. The grain is the largest power of two that
 * is at most SIGMA / 16: coarse enough for short exact numbers, and what it adds to a variance is
 * less than SIGMA^2 / 3000.
 */
void ce_axis_init(struct ce_axis *axis, double mu, double sigma, double low, double high);

/* The closest number to X that a candidate may have. */
double ce_round(const struct ce_axis *axis, double x);

/* Draws a candidate: x[i] for axes[i], i < n; two uniform numbers of RNG each. */
void ce_sample(const struct ce_axis *axes, size_t n, struct rng *rng, double *x);

/* Orders candidates 0 .. n-1 by OBJECTIVE, the largest first, equal ones by number. */
void ce_rank(const double *objective, size_t n, size_t *order);

/*
 * Fits mu and sigma to the M > 0 best candidates, number order[0], order[1], ... of X, which holds
 * those of n numbers one after the other: their mean and their standard deviation over 1/M, to
 * whose square that of NOISE * start is added.
 */
void ce_refit(struct ce_axis *axes, size_t n, const double *x, const size_t *order, size_t m,
	      double noise);

/*
 * The noise after generation NUMBER, from 1, of COUNT: NOISE, or if it FADES linearly less, at the
 * end 0.
 */
double ce_noise(double noise, bool fades, size_t number, size_t count);

/* Whether every sigma is below TOLERANCE times what it was at the start. */
bool ce_converged(const struct ce_axis *axes, size_t n, double tolerance);

#endif
