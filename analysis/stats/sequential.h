/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two players who play the same games until it is clear who scores more.
 *
 * What is tested is that both have the same mean score: that the logarithm of the ratio of their
 * means is 0. After numbers of games that are fixed beforehand one looks: an interval for the ratio
 * is made that holds at all looks together with the probability 1 - alpha (repeated confidence
 * intervals: Jennison and Turnbull, Interim analyses, JRSS B 51, 1989). So whatever one stops for,
 * it covers the truth with that probability: when it leaves out 1, one scores more; when it lies
 * within a bound, they are as good as equal. docs/duel.md has the formulas, and their error rates.
 */
#ifndef NXN_SEQUENTIAL_H
#define NXN_SEQUENTIAL_H

#include "analysis/stats/stats.h"

#include <stddef.h>
#include <stdint.h>

/* Fewer pairs than that with different scores tell no spread, so nothing is decided. */
enum { SEQUENTIAL_DIFFERING_MIN = 20 };

enum { BOUNDARY_LOOKS_MAX = 160 };

/* When one looks, and how far the interval then reaches in standard errors of a normal estimate. */
struct sequential {
	double alpha;
	size_t looks;
	uint64_t games[BOUNDARY_LOOKS_MAX];
	double limit[BOUNDARY_LOOKS_MAX];
};

/*
 * Looks after BATCH games, then after a fifth more each time, rounded up to batches, and after
 * MOST, the last; 0 < batch, 0 < most <= 1e9. 0 < ALPHA < 1.
 */
void sequential_init(struct sequential *test, uint64_t batch, uint64_t most, double alpha);

/* N pairs of scores. NAN for what they do not tell. */
struct pairs {
	size_t games;
	size_t won, tied;   /* pairs with a > b, a = b */
	double a, b;	    /* mean scores */
	double log_ratio;   /* of the means, ln(a / b) */
	double spread;	    /* sd of what a pair adds to it, a[i] / a - b[i] / b */
	double difference;  /* mean of a[i] - b[i] */
	double deviation;   /* their sd */
	double correlation; /* of a[i] and b[i] */
};

struct pairs pairs_estimate(const double *a, const double *b, size_t n);

enum verdict { VERDICT_OPEN, VERDICT_A, VERDICT_B, VERDICT_EQUAL };

/* What is known at a look. Intervals hold at all looks together, each kind for itself. */
struct look {
	struct pairs pairs;
	double limit;		    /* standard errors that intervals reach, out of Student's t */
	struct interval ratio;	    /* of the means */
	struct interval difference; /* mean of a[i] - b[i] */
	struct interval wins; /* share of pairs that a wins, half of the ties included; Wilson */
	enum verdict verdict;
};

/*
 * Look K of TEST, at the estimates of its games[k] pairs. VERDICT_EQUAL only with a BOUND above 0:
 * if the ratio is between 1 / (1 + bound) and 1 + bound. Bounds are NAN, and nothing is decided, if
 * fewer than SEQUENTIAL_DIFFERING_MIN pairs differ or a mean is not positive.
 */
struct look sequential_look(const struct sequential *test, size_t k, const struct pairs *pairs,
			    double bound);

/* What is to be expected of a duel. */
struct forecast {
	/*
	 * Chances of a verdict for who is better and who is not; without a difference both alike.
	 */
	double right, wrong;
	double equal; /* chance of VERDICT_EQUAL */
	double games; /* on average */
};

/*
 * If the ratio of the means is 1 + EFFECT >= 1 and what a pair tells has this SPREAD: for a normal
 * estimate with a known spread. BOUND as above, or 0.
 */
struct forecast sequential_forecast(const struct sequential *test, double effect, double spread,
				    double bound);

/*
 * The effect that TEST finds with the probability 1 - BETA, and the games in which a test with one
 * look finds it as often. Either may be NULL.
 */
void sequential_reach(const struct sequential *test, double spread, double beta, double *effect,
		      double *fixed);

/* The games in which one look finds EFFECT > 0 with the probability 1 - BETA, a whole number. */
double fixed_games(double effect, double spread, double alpha, double beta);

/*
 * The same for looks that begin at BATCH: what MOST must be, a multiple of BATCH. 0 if that is more
 * than LIMIT.
 */
uint64_t sequential_games(uint64_t batch, double effect, double spread, double alpha, double beta,
			  uint64_t limit);

#endif
