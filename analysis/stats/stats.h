/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Estimates with 95% intervals, and tests.
 *
 * Means from STATS_BOOTSTRAP_MIN to STATS_BOOTSTRAP_MAX observations: the bias-corrected and
 * accelerated bootstrap (BCa; Efron, Better bootstrap confidence intervals, JASA 82, 1987), by a
 * saddlepoint approximation in place of resamples, with quantiles of Student's t. Above: Student's
 * t, which by then says the same at a hundredth of the cost. Below: Student's t on the logarithm,
 * by the delta method, or plain where not all observations are positive. Rates: Wilson's score
 * interval (JASA 22, 1927). Medians: between order statistics, whatever the distribution. Standard
 * deviations: the delta method on the logarithm with the fourth moment. The mean of the middle
 * half: Student's t with the winsorised deviation (Tukey and McLaughlin, Sankhya A 25, 1963), on
 * the logarithm.
 *
 * Of 100 intervals of a mean these hold it (3,000 samples each):
 *
 *   observations           10   15   20   50  200
 *   exponential            93   94   93   95   95
 *   uniform                95   97   96   95   95
 *   u^(1/5), skewed left   93   95   95   96   95
 *   lognormal, sigma 1     89   89   90   92   93
 *
 * One value in 32 that is half of the mean is not seen by 20 observations in half of the samples:
 * 47, and 77 of 50. No method knows what was not observed.
 *
 * Everywhere: no observations give NANs, and there are no bounds (NAN) for one observation, nor
 * where all are alike. Intervals depend on the multiset of observations alone.
 */
#ifndef NXN_STATS_H
#define NXN_STATS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * A run that was stopped: it was to play games 0 to GAMES - 1, or every STEP-th of them, on so many
 * WORKERS, those of all shares together (0: not known).
 */
struct games_plan {
	uint64_t games, workers, step;
};

/*
 * How many of the N games that a player has finished, whose numbers GAME are ascending, are a
 * sample without bias: the first ones, none of them missing; or none, if these are too few
 * (counted.c). The PLANs are those of the runs that were stopped, the last one at the end.
 */
size_t stats_counted(const uint64_t *game, size_t n, const struct games_plan *plan, size_t plans);

/*
 * Whether what is missing of these games, up to the last one, is all that one or several shares of
 * up to 64 play: every K-th game.
 */
bool stats_lacks_share(const uint64_t *game, size_t n);

enum { STATS_BOOTSTRAP_MIN = 15, STATS_BOOTSTRAP_MAX = 500 };

/* One line for the provenance of tables: how their intervals were made. */
extern const char stats_method[];

struct interval {
	double value, low, high;
};

/*
 * With how many times as many games the interval of RATIO, of two means, would lie on one side of 1
 * in 9 of 10 repetitions, if the ratio is in truth RATIO.value. It is taken to be symmetric on the
 * logarithm, its width to shrink with the root of the number of games. NAN without bounds, INFINITY
 * for a ratio of 1.
 */
double stats_games_factor(struct interval ratio);

/* A number computed from a sample, x[0] <= ... <= x[n - 1]. */
struct statistic {
	double (*value)(const double *x, size_t n);		/* n > 0 */
	struct interval (*interval)(const double *x, size_t n); /* n > 1 */
};

/*
 * Mean; median (the middle one, or the mean of the middle two); standard deviation (n - 1); mean of
 * the middle half, where observations on its edge count in part.
 */
extern const struct statistic stat_mean, stat_median, stat_sd, stat_iqm;

/* STATISTIC of N finite numbers in ascending order (stats_sort). */
struct interval stats_interval(const struct statistic *statistic, const double *x, size_t n);

/* The mean of X, in any order, with Student's t whatever N is. */
struct interval stats_mean(const double *x, size_t n);

/* The same of N observations with this MEAN, whose SQUARES of deviations from it have this sum. */
struct interval stats_mean_of(double mean, double squares, size_t n);

/*
 * The games after which a player who has played N is looked at next, at most MOST: PRECISION_LEAST,
 * then a fifth more each time (precision.c).
 */
enum { PRECISION_LEAST = 60 };
size_t stats_look(size_t n, size_t most);

/*
 * The distance of the mean of X, in any order, which it sorts, to the farther bound of its
 * interval, as a share of the mean; 0 if all are alike, INFINITY where nothing is known.
 */
double stats_imprecision(double *x, size_t n);

/*
 * Whether X is 0 or a number from 1e-50 to 1e50 in magnitude. No estimate of such numbers
 * overflows, and none underflows to an interval without width: some need fourth powers.
 */
bool stats_accepts(double x);

/* Ascending. */
void stats_sort(double *x, size_t n);

/* The median of X, in any order, which it sorts; n > 0. */
double stats_median(double *x, size_t n);

/*
 * The mean of A over that of B, independent samples in ascending order. Bootstrap as above where
 * both have a number of observations for it; else the delta method on the logarithm. NAN where a
 * mean is not positive. No bounds for a sample of one, for two that are each all alike, or where
 * the interval of a mean reaches 0: the logarithm of such a mean tells nothing.
 */
struct interval stats_ratio(const double *a, size_t a_n, const double *b, size_t b_n);

/* The mean of A less that of B, independent samples: Welch's t. No bounds for a sample of one. */
struct interval stats_difference(const double *a, size_t a_n, const double *b, size_t b_n);

/* A against B where both played the same games. */
struct paired {
	size_t games;
	struct interval difference;	 /* mean of a[i] - b[i]; Student's t */
	struct interval won, tied, lost; /* shares of games with a[i] >, =, < b[i]; Wilson */
};

/* Compares a[i] with b[i], i < n, in any order. */
struct paired stats_paired(const double *a, const double *b, size_t n);

/* HITS of N, as a share, with Wilson's interval. */
struct interval stats_rate(size_t hits, size_t n);

/*
 * The lower median x[(n - 1) / 2] of an ascending sample with the interval between order statistics
 * (exact binomial, at least 95%; no bounds below 6 observations). A value that was observed, so fit
 * for tiles.
 */
struct interval stats_low_median(const double *x, size_t n);

/*
 * Pearson's chi-squared test: the probability that counts drawn with the probabilities P, which add
 * up to 1, differ from what is expected of them at least as much as COUNT; n > 1. NAN without
 * counts. Good where some five or more are expected of each.
 */
double stats_chi_squared(const uint64_t *count, const double *p, size_t n);

/*
 * Sum of A over sum of B (b[i] > 0), where a[i] and b[i] belong together: a mean per unit. Delta
 * method with Student's t.
 */
struct interval stats_per_unit(const double *a, const double *b, size_t n);

/*
 * The slope of the logarithm of RATIO[i], of independent samples, on the logarithm of CELLS[i] > 0,
 * in any order: how fast a lead changes with the size of the board; 2^slope is its change when the
 * cells double. NAN for fewer than two sizes; no bounds where a ratio has none (trend.c).
 */
struct interval stats_trend(const double *cells, const struct interval *ratio, size_t n);

/*
 * The mean score of a learner that was trained N times, whose mean scores are MEAN[N]: of all
 * trainings, so its bounds tell how far trainings differ. NAN where a mean is not positive; no
 * bounds for a single training (crossing.c).
 */
struct interval stats_trained_mean(const double *mean, size_t n);

/*
 * The ratio of A to B, which are independent. NAN where one is not positive; no bounds where one
 * has none.
 */
struct interval stats_quotient(struct interval a, struct interval b);

/*
 * The training from which on RATIO[i], after TRAINING[i] > 0, ascending, is at least 1; between two
 * of them by interpolation on the logarithms. 0 if it always is, INFINITY if the last one is not,
 * NAN where a ratio that matters is not known.
 */
double stats_crossing(const double *training, const double *ratio, size_t n);

/*
 * ---- Laws of the size of the board (laws.c).
 */

/* Fewer boards than that tell no law of their size; there are not as many shapes as the most. */
enum { LAW_BOARDS_MIN = 5, LAW_BOARDS_MAX = 64, LAW_FORMS = 6 };

/* The law of a player that predicts best. */
struct law {
	const char *form; /* NULL: none, too few boards */
	double a;
	struct interval b; /* no bounds where residuals follow the size */
	double error;	   /* of predictions, in log2 of points */
	const char *rival; /* another form that cannot be told from it; NULL: none */
	double rival_error;
};

/* The law of N means above 1 point on CELLS, ascending. */
struct law stats_law(const double *cells, const double *mean, size_t n);

/* What LAW says of the mean score on so many CELLS, points. */
double law_at(const struct law *law, double cells);

/*
 * ---- Two players who play the same games until it is clear who scores more.
 *
 * What is tested is that both have the same mean score: that the logarithm of the ratio of their
 * means is 0. After numbers of games that are fixed beforehand one looks: an interval for the ratio
 * is made that holds at all looks together with the probability 1 - alpha (repeated confidence
 * intervals: Jennison and Turnbull, Interim analyses, JRSS B 51, 1989). So whatever one stops for,
 * it covers the truth with that probability: when it leaves out 1, one scores more; when it lies
 * within a bound, they are as good as equal. docs/duel.md has the formulas, and their error rates.
 */

/* Fewer pairs than that with different scores tell no spread, so nothing is decided. */
enum { SEQUENTIAL_DIFFERING_MIN = 20 };

enum { BOUNDARY_LOOKS_MAX = 160 };

/*
 * How an error ALPHA of both sides is spent: value() is what is spent by the time T, a share of all
 * observations; it rises from 0 at 0 to ALPHA at 1.
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
 * None is beyond 8, so where hardly anything is spent it is a little more than that.
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
	size_t won, tied;		 /* pairs with a > b, a = b */
	double a, b;			 /* mean scores */
	double a_deviation, b_deviation; /* of scores */
	double log_ratio;   /* of the means, ln(a / b); NAN unless both are positive, as SPREAD */
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
	double limit;	       /* standard errors that intervals reach, out of Student's t */
	struct interval ratio; /* of the means, NAN unless both are positive */
	/* The ratio decides, both means being above 0 by their own errors; else the difference. */
	bool by_ratio;
	struct interval difference; /* mean of a[i] - b[i] */
	struct interval wins; /* share of pairs that a wins, half of the ties included; Wilson */
	enum verdict verdict;
};

/*
 * Look K of TEST, at the estimates of its games[k] pairs. VERDICT_EQUAL only with a BOUND above 0:
 * if the ratio is between 1 / (1 + bound) and 1 + bound. The bounds of the ratio are NAN unless it
 * decides. All bounds are NAN, and nothing is decided, if fewer than SEQUENTIAL_DIFFERING_MIN pairs
 * differ.
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
