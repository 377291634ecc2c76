/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests that look more than once: limits for the standardised estimate at each look, and the
 * chances that it passes them.
 *
 * At look k a share t[k] of all observations is there, 0 < t[0] < ... <= 1, and the standardised
 * estimate is z = W / sqrt(t[k]), where W is a Brownian motion with a drift: what the standardised
 * estimate is on average at t = 1. This holds for means and, with many observations, for smooth
 * functions of means with an estimated standard error.
 */
#ifndef NXN_BOUNDARY_H
#define NXN_BOUNDARY_H

#include <stddef.h>

enum { BOUNDARY_LOOKS_MAX = 160 };

/* The highest limit: what is beyond it needs no further look, however little may be spent. */
#define BOUNDARY_Z_MAX 8.0

/*
 * How an error ALPHA of both sides is spent: value() is what is spent by the time T, which rises
 * from 0 at 0 to ALPHA at 1.
 */
struct spending {
	double (*value)(double t, double alpha);
};

/* Shares of what is decided at a look. */
struct passing {
	double above, below; /* z > limit, z < -limit */
	double within;	     /* |z| < inner */
};

/*
 * Finds z[k], so that |z| passes z[k] for the first time at look k, without drift, with the
 * probability that is spent between t[k - 1] and t[k]; LOOKS of them, at most BOUNDARY_LOOKS_MAX.
 * None is beyond BOUNDARY_Z_MAX, so where hardly anything is spent it is a little more than that.
 */
void boundary_spend(const double *t, size_t looks, const struct spending *spending, double alpha,
		    double *z);

/*
 * The probabilities OUT[k] that the walk with DRIFT ends at look k: outside of z[k], or, unless
 * INNER is NULL, inside of inner[k] < z[k] (or below 0 for none) and of no z[k]. Where inner[k] >=
 * z[k] everything ends.
 */
void boundary_pass(const double *t, size_t looks, const double *z, const double *inner,
		   double drift, struct passing *out);

#endif
