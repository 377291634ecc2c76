/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Duels played with numbers that are drawn: what a sequential test does when the truth is known.
 *
 * A world gives pairs of scores. Their ratio of means is exactly `ratio`: scores of player A that
 * were played are scaled to that, and pairs drawn from them with replacement.
 */
#ifndef NXN_TESTS_DUELS_H
#define NXN_TESTS_DUELS_H

#include "analysis/stats/stats.h"
#include "boards/rng.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct world {
	const double *a, *b; /* scores that were played */
	size_t n;	     /* so many; 0: normal scores of mean 1 and this sd: */
	double sd;
	double ratio;
};

static double mean_of(const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return sum / (double)n;
}

/* Two independent normal numbers (Box and Muller, 1958). */
static void normals_draw(struct rng *rng, double *x, double *y)
{
	double radius = sqrt(-2 * log(1 - rng_real(rng))),
	       angle = 2 * 3.14159265358979 * rng_real(rng);

	*x = radius * cos(angle);
	*y = radius * sin(angle);
}

static void pairs_draw(const struct world *world, struct rng *rng, double *a, double *b, size_t n)
{
	double scale = world->ratio;

	if (world->n > 0)
		scale *= mean_of(world->b, world->n) / mean_of(world->a, world->n);
	for (size_t i = 0; i < n; i++) {
		if (world->n > 0) {
			uint32_t k = rng_below(rng, (uint32_t)world->n);
			a[i] = world->a[k] * scale;
			b[i] = world->b[k];
		} else {
			normals_draw(rng, &a[i], &b[i]);
			a[i] = world->ratio * (1 + world->sd * a[i]);
			b[i] = 1 + world->sd * b[i];
		}
	}
}

/* What the duels of a world came to. */
struct rates {
	double verdict[4];	  /* shares, by enum verdict */
	double games;		  /* mean */
	double missed;		  /* share whose last interval for the ratio leaves the truth out */
	double missed_difference; /* the same for the mean difference */
	double log_ratio;	  /* mean estimate in the end */
};

/* The last look of a duel with TEST and BOUND, whose scores are A and B. */
static struct look duel_end(const struct sequential *test, double bound, const double *a,
			    const double *b)
{
	struct look look;

	for (size_t k = 0; k < test->looks; k++) {
		struct pairs pairs = pairs_estimate(a, b, test->games[k]);
		look = sequential_look(test, k, &pairs, bound);
		if (look.verdict != VERDICT_OPEN)
			break;
	}
	return look;
}

static struct rates duels_play(const struct sequential *test, const struct world *world,
			       double bound, size_t duels, uint64_t seed)
{
	size_t most = test->games[test->looks - 1];
	double *a = malloc(2 * most * sizeof *a), *b = a + most;
	double difference = (world->ratio - 1) * (world->n ? mean_of(world->b, world->n) : 1);
	struct rates rates = {.games = 0};

	for (size_t i = 0; a && i < duels; i++) {
		struct rng rng;
		rng_init(&rng, seed, RNG_TEST, i);
		pairs_draw(world, &rng, a, b, most);
		struct look look = duel_end(test, bound, a, b);
		rates.verdict[look.verdict] += 1 / (double)duels;
		rates.games += (double)look.pairs.games / (double)duels;
		rates.log_ratio += look.pairs.log_ratio / (double)duels;
		rates.missed +=
		    !(look.ratio.low <= world->ratio && world->ratio <= look.ratio.high) /
		    (double)duels;
		rates.missed_difference +=
		    !(look.difference.low <= difference && difference <= look.difference.high) /
		    (double)duels;
	}
	free(a);
	return rates;
}

/* What of ALPHA is spent by the share T of the games, as Lan and DeMets do. */
static double spent_obrien_fleming(double t, double alpha)
{
	return 4 * gsl_cdf_ugaussian_Q(gsl_cdf_ugaussian_Qinv(alpha / 4) / sqrt(t));
}

static double spent_pocock(double t, double alpha)
{
	return alpha * log(1 + (exp(1) - 1) * t);
}

#endif
