/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Limits of tests that look more than once, by recursion over looks.
 *
 * Method. The density at a look of a walk that has not ended is its density at the look before, cut
 * off outside of the limits and convolved with a normal distribution (Armitage, McPherson and Rowe,
 * Repeated significance tests on accumulating data, JRSS A 132, 1969). It is stored as masses at
 * the points of Simpson's rule, on each piece of the continuation region. The probability of ending
 * is then a sum of normal tails, and bisection finds the limit for a wanted probability. The error
 * spent may be any increasing function of time (Lan and DeMets, Discrete sequential boundaries for
 * clinical trials, Biometrika 70, 1983).
 *
 * Points are closer than a tenth of a standard deviation of the next step; the published constants
 * of tests/analysis/stats/test_sequential.c are reproduced to their last digit.
 *
 * The second part has the looks and verdicts of a duel; see stats.h.
 *
 * Method. The error is spent in proportion to the games (Kim and DeMets, Design and analysis of
 * group sequential tests based on the type I error spending rate function, Biometrika 74, 1987,
 * with exponent 1), and looks are spaced geometrically, because the size of the effect is not known
 * in advance: docs/duel.md compares this with other spendings, with boundaries for any number of
 * looks and with likelihood ratios. Limits of a normal estimate are converted to Student's t by
 * their one-sided probabilities (Jennison and Turnbull, Group sequential methods with applications
 * to clinical trials, 2000, section 3.8: the significance level approach).
 *
 * The logarithm of a ratio of means has the standard error of the mean of a[i] / mean(a) - b[i] /
 * mean(b) (delta method), in which the common effect of the same spawns cancels.
 */
#include "analysis/stats/stats.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>

/*
 * ---- Limits for the standardised estimate at each look, and the probabilities that it exceeds
 * them.
 *
 * At look k a share t[k] of all observations has been made, 0 < t[0] < ... <= 1, and the
 * standardised estimate is z = W / sqrt(t[k]), where W is a Brownian motion whose drift is the
 * expected standardised estimate at t = 1. This holds for means and, with many observations, for
 * smooth functions of means with an estimated standard error.
 */

/* The highest limit: a larger |z| ends the test, however little error is to be spent. */
#define BOUNDARY_Z_MAX 8.0

enum { PIECE_HALF = 500, POINTS_MAX = 2 * (2 * PIECE_HALF + 1), HALVINGS = 60 };

/* Standard deviations beyond which a normal density is taken for 0. */
#define REACH 9.0

/* The distribution at time T of a walk that has not ended: mass[i] at at[i]. */
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

/* The probability that WALK is above EDGE at time T or, unless ABOVE, below it. */
static double walk_beyond(const struct walk *walk, double t, double drift, double edge, bool above)
{
	double step = t - walk->t, sd = sqrt(step), sum = 0;

	for (size_t i = 0; i < walk->points; i++) {
		const double x = (edge - walk->at[i] - drift * step) / sd;
		sum += walk->mass[i] * (above ? gsl_cdf_ugaussian_Q(x) : gsl_cdf_ugaussian_P(x));
	}
	return sum;
}

static double walk_above(const struct walk *walk, double t, double drift, double edge)
{
	return walk_beyond(walk, t, drift, edge, true);
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

/* Adds points from LOW to HIGH to NEXT, at most GAP apart, with the masses of WALK there. */
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
 * Advances WALK to T, where it ends outside of OUTER and inside of INNER; the next look is at
 * AFTER. ROOM is scratch memory.
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

/* The limit of z at time T that WALK exceeds with probability WANTED. */
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
					  .below = walk_beyond(&walk, t[k], drift, -outer, false)};
		if (hole > 0)
			out[k].within = fmax(walk_above(&walk, t[k], drift, -hole) -
						 walk_above(&walk, t[k], drift, hole),
					     0);
		if (k + 1 < looks)
			walk_step(&walk, &room, t[k], t[k + 1], drift, outer, hole);
	}
}

/* ---- Looks and verdicts. */

enum { REACH_HALVINGS = 50 };

static double spent(double t, double alpha)
{
	return alpha * t;
}

/* The error that is spent by each look: in proportion to the games played. */
static const struct spending sequential_spending = {spent};

/* GAMES, or MOST if the step from GAMES to MOST would be less than a tenth. */
static uint64_t games_or_most(uint64_t games, uint64_t most)
{
	return 11 * games > 10 * most ? most : games;
}

void sequential_init(struct sequential *test, uint64_t batch, uint64_t most, double alpha)
{
	double t[BOUNDARY_LOOKS_MAX];
	uint64_t games = 0;

	test->alpha = alpha;
	test->looks = 0;
	while (games < most) {
		uint64_t batches = (6 * games + 5 * batch - 1) / (5 * batch);
		games = games_or_most((batches > 0 ? batches : 1) * batch, most);
		assert(test->looks < BOUNDARY_LOOKS_MAX);
		t[test->looks] = (double)games / (double)most;
		test->games[test->looks++] = games;
	}
	boundary_spend(t, test->looks, &sequential_spending, alpha, test->limit);
}

struct pairs pairs_estimate(const double *a, const double *b, size_t n)
{
	struct pairs p = {.games = n, .a = NAN, .b = NAN};
	double a_sum = 0, b_sum = 0, aa = 0, bb = 0, ab = 0;

	for (size_t i = 0; i < n; i++) {
		a_sum += a[i];
		b_sum += b[i];
		p.won += a[i] > b[i];
		p.tied += a[i] == b[i];
	}
	p.a = a_sum / (double)n;
	p.b = b_sum / (double)n;
	for (size_t i = 0; i < n; i++) {
		double x = a[i] - p.a, y = b[i] - p.b;
		aa += x * x;
		bb += y * y;
		ab += x * y;
	}
	double freedom = n > 1 ? (double)(n - 1) : NAN;
	double relative = aa / (p.a * p.a) + bb / (p.b * p.b) - 2 * ab / (p.a * p.b);
	const bool positive = p.a > 0 && p.b > 0;
	p.log_ratio = positive ? log(p.a / p.b) : NAN;
	p.spread = positive ? sqrt(fmax(relative, 0) / freedom) : NAN;
	p.a_deviation = sqrt(aa / freedom);
	p.b_deviation = sqrt(bb / freedom);
	p.difference = p.a - p.b;
	p.deviation = sqrt(fmax(aa + bb - 2 * ab, 0) / freedom);
	p.correlation = ab / sqrt(aa * bb);
	return p;
}

/* Whether WINNER / LOSER is above 1 by T standard errors of its logarithm. */
static bool ratio_excludes(const struct pairs *p, double winner, double winner_error, double loser,
			   double loser_error, double t)
{
	const double x = winner_error / winner, y = loser_error / loser;
	const double correlation = isfinite(p->correlation) ? p->correlation : 0;
	return log(winner / loser) > t * sqrt(fmax(x * x + y * y - 2 * correlation * x * y, 0));
}

/*
 * The verdict of a look whose intervals reach T standard errors. The ratio of means decides while
 * both exceed 0 by more than T of their own standard errors. Closer to 0, and below it, the
 * logarithm of a mean says less the worse a player is: there the difference of means decides, or
 * the ratio with the loser's mean replaced by T of its standard errors. So a verdict remains when
 * all scores of the loser decrease by the same amount: as long as the ratio decides, log(w / l) - T
 * sqrt((s_w / w)^2 + (s_l / l)^2) does not change its sign from + to - as l falls to T s_l.
 */
static enum verdict verdict_of(const struct look *look, double t, double bound)
{
	const struct pairs *p = &look->pairs;
	const struct interval *ratio = &look->ratio, *difference = &look->difference;
	const bool a = p->difference > 0;
	const double root = sqrt((double)p->games);
	const double winner = a ? p->a : p->b, loser = a ? p->b : p->a;
	const double winner_error = (a ? p->a_deviation : p->b_deviation) / root;
	const double loser_error = (a ? p->b_deviation : p->a_deviation) / root;
	const enum verdict better = a ? VERDICT_A : VERDICT_B;

	if (look->by_ratio && (ratio->low > 1 || ratio->high < 1))
		return better;
	if (look->by_ratio && bound > 0 && ratio->low > 1 / (1 + bound) && ratio->high < 1 + bound)
		return VERDICT_EQUAL;
	if (look->by_ratio)
		return VERDICT_OPEN;
	if (difference->low > 0 || difference->high < 0)
		return better;
	return winner > t * winner_error && loser_error > 0 &&
		       ratio_excludes(p, winner, winner_error, fmax(loser, t * loser_error),
				      loser_error, t)
		   ? better
		   : VERDICT_OPEN;
}

struct look sequential_look(const struct sequential *test, size_t k, const struct pairs *pairs,
			    double bound)
{
	const struct pairs *p = pairs;
	double n = (double)p->games, z = test->limit[k], t = NAN;
	double wins = ((double)p->won + (double)p->tied / 2) / n;

	assert(k < test->looks && p->games == test->games[k]);
	if (p->games - p->tied >= SEQUENTIAL_DIFFERING_MIN)
		t = gsl_cdf_tdist_Qinv(gsl_cdf_ugaussian_Q(z), n - 1);
	double ratio = exp(p->log_ratio), factor = exp(t * p->spread / sqrt(n));
	double error = t * p->deviation / sqrt(n);
	struct look look = {
	    .pairs = *p,
	    .limit = t,
	    .by_ratio = p->a > t * p->a_deviation / sqrt(n) && p->b > t * p->b_deviation / sqrt(n),
	    .ratio = {ratio, ratio / factor, ratio * factor},
	    .difference = {p->difference, p->difference - error, p->difference + error},
	    .wins = stats_share(wins, n, z),
	};
	if (!look.by_ratio)
		look.ratio.low = look.ratio.high = NAN;
	look.verdict = verdict_of(&look, t, bound);
	return look;
}

/* The forecast of TEST for a normal estimate with this DRIFT; INNER as in boundary_pass(). */
static struct forecast forecast_of(const struct sequential *test, double drift, const double *inner)
{
	double t[BOUNDARY_LOOKS_MAX], most = (double)test->games[test->looks - 1], left = 1;
	struct passing pass[BOUNDARY_LOOKS_MAX];
	struct forecast f = {0};

	for (size_t k = 0; k < test->looks; k++)
		t[k] = (double)test->games[k] / most;
	boundary_pass(t, test->looks, test->limit, inner, drift, pass);
	for (size_t k = 0; k < test->looks; k++) {
		f.games += left * (t[k] - (k > 0 ? t[k - 1] : 0)) * most;
		f.right += pass[k].above;
		f.wrong += pass[k].below;
		f.equal += pass[k].within;
		left = fmax(left - pass[k].above - pass[k].below - pass[k].within, 0);
	}
	return f;
}

struct forecast sequential_forecast(const struct sequential *test, double effect, double spread,
				    double bound)
{
	double inner[BOUNDARY_LOOKS_MAX];
	double most = (double)test->games[test->looks - 1];

	for (size_t k = 0; k < test->looks; k++)
		inner[k] = log1p(bound) * sqrt((double)test->games[k]) / spread - test->limit[k];
	return forecast_of(test, log1p(effect) * sqrt(most) / spread, bound > 0 ? inner : NULL);
}

/* The drift that TEST detects with probability 1 - BETA. */
static double drift_reached(const struct sequential *test, double beta)
{
	double low = 0, high = 2 * BOUNDARY_Z_MAX;

	for (int i = 0; i < REACH_HALVINGS; i++) {
		double middle = (low + high) / 2;
		if (forecast_of(test, middle, NULL).right < 1 - beta)
			low = middle;
		else
			high = middle;
	}
	return high;
}

/* The drift that a test with one look, at the end, detects with probability 1 - BETA. */
static double drift_fixed(double alpha, double beta)
{
	return gsl_cdf_ugaussian_Qinv(alpha / 2) + gsl_cdf_ugaussian_Qinv(beta);
}

void sequential_reach(const struct sequential *test, double spread, double beta, double *effect,
		      double *fixed)
{
	double most = (double)test->games[test->looks - 1];
	double drift = drift_reached(test, beta), one = drift_fixed(test->alpha, beta);

	*effect = expm1(drift * spread / sqrt(most));
	*fixed = most * (one * one) / (drift * drift);
}

double fixed_games(double effect, double spread, double alpha, double beta)
{
	double drift = drift_fixed(alpha, beta) * spread / log1p(effect);

	return ceil(drift * drift);
}

uint64_t sequential_games(uint64_t batch, double effect, double spread, double alpha, double beta,
			  uint64_t limit)
{
	struct sequential test;
	double one = fixed_games(effect, spread, alpha, beta);
	uint64_t low = 0;
	/*
	 * Looks add to the games of a test with one look, but never make them three times as many.
	 */
	uint64_t high = (uint64_t)fmin((double)limit, 4 * one + (double)batch) / batch;

	/* Batches: LOW are too few, HIGH are enough, if any number is. */
	while (high - low > 1) {
		uint64_t middle = low + (high - low) / 2;
		sequential_init(&test, batch, middle * batch, alpha);
		if (sequential_forecast(&test, effect, spread, 0).right < 1 - beta)
			low = middle;
		else
			high = middle;
	}
	if (high == 0)
		return 0;
	sequential_init(&test, batch, high * batch, alpha);
	return sequential_forecast(&test, effect, spread, 0).right < 1 - beta ? 0 : high * batch;
}
