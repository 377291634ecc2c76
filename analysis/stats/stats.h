/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Estimates with 95% intervals, and tests.
 *
 * Means from STATS_BOOTSTRAP_MIN to STATS_BOOTSTRAP_MAX observations: the bias-corrected and
 * accelerated bootstrap (BCa; Efron, Better bootstrap confidence intervals, JASA 82, 1987), by a
 * saddlepoint approximation in place of resamples, with quantiles of Student's t. Above: Student's
 * t, which gives the same intervals there at a hundredth of the cost. Below: Student's t on the
 * logarithm, by the delta method, or Student's t itself where not all observations are positive.
 * Rates: Wilson's score interval (JASA 22, 1927). Medians: between order statistics, whatever the
 * distribution. Standard deviations: the delta method on the logarithm with the fourth moment. The
 * mean of the middle half: Student's t with the winsorised deviation (Tukey and McLaughlin, Sankhya
 * A 25, 1963), on the logarithm.
 *
 * So many of 100 intervals of a mean contain the mean (3,000 samples each):
 *
 *   observations           10   15   20   50  200
 *   exponential            93   94   93   95   95
 *   uniform                95   97   96   95   95
 *   u^(1/5), skewed left   93   95   95   96   95
 *   lognormal, sigma 1     89   89   90   92   93
 *
 * If one value in 32 makes up half of the mean, half of the samples of 20 observations do not
 * contain that value: 47 of 100 intervals contain the mean, and 77 with 50 observations.
 *
 * Estimates without observations are NAN. Bounds are NAN for one observation, except those of
 * rates, and where all are equal, except those of rates and medians.
 */
#ifndef NXN_STATS_H
#define NXN_STATS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * The plan of a run that was stopped: games 0 to GAMES - 1, or every STEP-th of them, on so many
 * WORKERS in all shares together (0: not known).
 */
struct games_plan {
	uint64_t games, workers, step;
};

/*
 * Returns how many of N finished games of a player, the first ones, are a sample without bias:
 * those before the first missing one or, if too few, those of a complete earlier run (counted.c).
 * GAME: their numbers, ascending; PLAN: the runs that were stopped, the last one at the end.
 */
size_t stats_counted(const uint64_t *game, size_t n, const struct games_plan *plan, size_t plans);

/*
 * Whether the games missing below the last one are all those of one or several shares, where up to
 * 64 shares play every K-th game each.
 */
bool stats_lacks_share(const uint64_t *game, size_t n);

enum { STATS_BOOTSTRAP_MIN = 15, STATS_BOOTSTRAP_MAX = 500 };

/* One line for the provenance of tables: how their intervals were made. */
extern const char stats_method[];

struct interval {
	double value, low, high;
};

/*
 * The factor by which the number of games has to grow for the interval of RATIO, of two means, to
 * lie on one side of 1 in 9 of 10 repetitions, if RATIO.value is the true ratio. Assumes that the
 * interval is symmetric on the logarithm, and that its width is inversely proportional to the root
 * of the number of games. NAN without bounds, INFINITY for a ratio of 1.
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

/* The mean of X, in any order, with the interval of Student's t for every N. */
struct interval stats_mean(const double *x, size_t n);

/* The same of N observations with this MEAN and this sum of SQUARES of deviations from it. */
struct interval stats_mean_of(double mean, double squares, size_t n);

/*
 * The next number of games above N after which the precision of a player is checked, at most MOST:
 * PRECISION_LEAST, then a fifth more each time (precision.c).
 */
enum { PRECISION_LEAST = 60 };
size_t stats_look(size_t n, size_t most);

/*
 * Sorts X and returns the distance from the mean to the farther bound of its interval, as a share
 * of the mean: 0 if all X are equal, INFINITY if there are no bounds or the mean is not positive.
 */
double stats_imprecision(double *x, size_t n);

/*
 * Whether X is 0 or a number from 1e-50 to 1e50 in magnitude. No estimate of such numbers
 * overflows, and none underflows to an interval without width: some need fourth powers.
 */
bool stats_accepts(double x);

/* Sorts X in ascending order. */
void stats_sort(double *x, size_t n);

/* Sorts X and returns its median; n > 0. */
double stats_median(double *x, size_t n);

/*
 * The mean of A over that of B, independent samples in ascending order. Bootstrap as above where
 * both sizes allow it; else the delta method on the logarithm. NAN if a mean is not positive. No
 * bounds for a sample of one, if all of A and all of B are equal, or if a sample with negative
 * observations has a mean whose interval reaches 0: the logarithm of such a mean says nothing.
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

/* HITS / N, with Wilson's interval. */
struct interval stats_rate(size_t hits, size_t n);

/* SHARE of N > 0 with Wilson's interval, which reaches Z standard errors. */
struct interval stats_share(double share, double n, double z);

/*
 * The lower median x[(n - 1) / 2] of an ascending sample with the interval between order statistics
 * (exact binomial, at least 95%; no bounds below 6 observations). The value is one of the
 * observations, so a tile for tiles.
 */
struct interval stats_low_median(const double *x, size_t n);

/*
 * Pearson's chi-squared test: the probability that counts drawn with the probabilities P, which add
 * up to 1, differ from their expectation at least as much as COUNT does; n > 1. NAN if all counts
 * are 0. Accurate if about five or more are expected of each.
 */
double stats_chi_squared(const uint64_t *count, const double *p, size_t n);

/*
 * Sum of A over sum of B (b[i] > 0), where a[i] and b[i] belong together: a mean per unit. Delta
 * method with Student's t.
 */
struct interval stats_per_unit(const double *a, const double *b, size_t n);

/*
 * The slope of the logarithm of RATIO[i], of independent samples, on the logarithm of CELLS[i] > 0,
 * in any order: how fast a lead changes with the size of the board, by 2^slope when the cells
 * double. NAN for fewer than two sizes; no bounds where a ratio has none (trend.c).
 */
struct interval stats_trend(const double *cells, const struct interval *ratio, size_t n);

/*
 * The mean score of a learner over N trainings with the mean scores MEAN[N]. The bounds include the
 * variation between trainings. NAN if a mean is not positive; no bounds for a single training
 * (crossing.c).
 */
struct interval stats_trained_mean(const double *mean, size_t n);

/*
 * The ratio of A to B, which are independent. NAN where one is not positive; no bounds where one
 * has none.
 */
struct interval stats_quotient(struct interval a, struct interval b);

/*
 * The training from which on the ratio is at least 1, where RATIO[i] is that after TRAINING[i] > 0,
 * ascending; between two trainings by interpolation on the logarithms. 0 if all ratios are at least
 * 1, INFINITY if the last one is less, NAN if the last one that is not at least 1 is NAN, or n is
 * 0.
 */
double stats_crossing(const double *training, const double *ratio, size_t n);

/* ---- Laws of the size of the board (laws.c). */

/*
 * A law needs LAW_BOARDS_MIN boards, of LAW_SIZES_MIN numbers of cells: without one board a line
 * still needs two. There are fewer shapes than LAW_BOARDS_MAX.
 */
enum { LAW_BOARDS_MIN = 5, LAW_SIZES_MIN = 3, LAW_BOARDS_MAX = 64, LAW_FORMS = 6 };

/* The law that predicts the mean scores of a player best. */
struct law {
	const char *form; /* NULL: none, too few boards */
	double a;
	struct interval b; /* no bounds if residuals are correlated */
	double error;	   /* of predictions, in log2 of points */
	const char *rival; /* another form that may be as good; NULL: none */
	double rival_error;
};

/* The law of N means above 1 point on so many CELLS, ascending. */
struct law stats_law(const double *cells, const double *mean, size_t n);

/* The mean score in points that LAW predicts on so many CELLS; NAN without a form. */
double law_at(const struct law *law, double cells);

/*
 * ---- Two players who play the same games until it is clear who scores more.
 *
 * The null hypothesis is that both have the same mean score: that the logarithm of the ratio of
 * their means is 0. Looks come after numbers of games that are fixed in advance. The intervals for
 * the ratio at all looks together contain it with probability 1 - alpha, whatever the reason to
 * stop (repeated confidence intervals: Jennison and Turnbull, Interim analyses, JRSS B 51, 1989).
 * If the interval excludes 1, one player scores more; if it lies within a bound, the players are
 * practically equal. docs/duel.md has the formulas and error rates.
 */

/* With fewer pairs of different scores the spread is unreliable, and the verdict is open. */
enum { SEQUENTIAL_DIFFERING_MIN = 20 };

enum { BOUNDARY_LOOKS_MAX = 160 };

/*
 * How a two-sided error ALPHA is spent: value() is the part spent by time T, a share of all
 * observations; it rises from 0 at T = 0 to ALPHA at T = 1.
 */
struct spending {
	double (*value)(double t, double alpha);
};

/* The probabilities that a test ends at a look. */
struct passing {
	double above, below; /* z > limit, z < -limit */
	double within;	     /* |z| < inner */
};

/*
 * Sets z[k], k < LOOKS <= BOUNDARY_LOOKS_MAX, so that without drift |z| first exceeds z[k] at look
 * k with the probability that is spent between t[k - 1] and t[k]. No limit is above 8, so where
 * almost nothing is spent the probability is slightly higher.
 */
void boundary_spend(const double *t, size_t looks, const struct spending *spending, double alpha,
		    double *z);

/*
 * Sets OUT[k] to the probabilities that the walk with DRIFT ends at look k: outside of z[k] or,
 * unless INNER is NULL, inside of inner[k] (below 0: none). If inner[k] >= z[k], every walk ends.
 */
void boundary_pass(const double *t, size_t looks, const double *z, const double *inner,
		   double drift, struct passing *out);

/* Games at each look, and the standard errors of a normal estimate that intervals reach. */
struct sequential {
	double alpha;
	size_t looks;
	uint64_t games[BOUNDARY_LOOKS_MAX];
	double limit[BOUNDARY_LOOKS_MAX];
};

/*
 * Sets TEST to look after BATCH games, then after a fifth more each time, rounded up to batches,
 * and last after MOST; 0 < batch, 0 < most <= 1e9, 0 < ALPHA < 1.
 */
void sequential_init(struct sequential *test, uint64_t batch, uint64_t most, double alpha);

/* Estimates from pairs of scores; NAN where they are undefined. */
struct pairs {
	size_t games;
	size_t won, tied;		 /* pairs with a > b, a = b */
	double a, b;			 /* mean scores */
	double a_deviation, b_deviation; /* of scores */
	double log_ratio;   /* of the means, ln(a / b); NAN, as SPREAD, unless both are positive */
	double spread;	    /* sd of the term of a pair, a[i] / a - b[i] / b */
	double difference;  /* mean of a[i] - b[i] */
	double deviation;   /* their sd */
	double correlation; /* of a[i] and b[i] */
};

struct pairs pairs_estimate(const double *a, const double *b, size_t n);

enum verdict { VERDICT_OPEN, VERDICT_A, VERDICT_B, VERDICT_EQUAL };

/* The result of a look. The intervals of each kind hold at all looks together. */
struct look {
	struct pairs pairs;
	double limit;	       /* standard errors that intervals reach, by Student's t */
	struct interval ratio; /* of the means, NAN unless both are positive */
	/* Whether the ratio decides: both means exceed 0 by their errors. Else the difference. */
	bool by_ratio;
	struct interval difference; /* mean of a[i] - b[i] */
	struct interval wins; /* share of pairs that a wins, half of the ties included; Wilson */
	enum verdict verdict;
};

/*
 * Look K of TEST, from the estimates of its games[k] pairs. VERDICT_EQUAL needs a BOUND above 0,
 * and an interval of the ratio between 1 / (1 + bound) and 1 + bound. The bounds of the ratio are
 * NAN unless it decides. If fewer than SEQUENTIAL_DIFFERING_MIN pairs differ, the bounds of ratio
 * and difference are NAN, and the verdict is open.
 */
struct look sequential_look(const struct sequential *test, size_t k, const struct pairs *pairs,
			    double bound);

/* The expected outcome of a duel. */
struct forecast {
	/*
	 * Probabilities of a verdict for the better and for the worse player, or for either of two
	 * equal ones.
	 */
	double right, wrong;
	double equal; /* probability of VERDICT_EQUAL */
	double games; /* on average */
};

/*
 * The forecast for a ratio of the means of 1 + EFFECT >= 1 and pairs with this SPREAD, for a normal
 * estimate with a known spread. BOUND as above, or 0.
 */
struct forecast sequential_forecast(const struct sequential *test, double effect, double spread,
				    double bound);

/*
 * Sets *EFFECT to the effect that TEST detects with probability 1 - BETA, and *FIXED to the games
 * in which a test with one look detects it as often.
 */
void sequential_reach(const struct sequential *test, double spread, double beta, double *effect,
		      double *fixed);

/* The games in which one look detects EFFECT > 0 with probability 1 - BETA, a whole number. */
double fixed_games(double effect, double spread, double alpha, double beta);

/*
 * The same for a test whose looks begin at BATCH: the least MOST of sequential_init(), a multiple
 * of BATCH; 0 if it is more than LIMIT.
 */
uint64_t sequential_games(uint64_t batch, double effect, double spread, double alpha, double beta,
			  uint64_t limit);

#endif
