/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cross-entropy method; see cross_entropy.h.
 *
 * Steps i, iii and iv of IeorIITB2048 (Kalyanakrishnan, Devanand), Learning Methodology: candidates
 * from independent normal distributions, sorted by their results, mean and population deviation of
 * the best m. The method is Rubinstein's, The cross-entropy method for combinatorial and continuous
 * optimization, Methodology and Computing in Applied Probability 1, 1999. The noise is that of
 * Szita and Lorincz, Learning Tetris using the noisy cross-entropy method, Neural Computation 18,
 * 2006, section 2.2: without it the deviations shrink to nothing before the mean has arrived. Their
 * noise is a variance; ours is a share of the initial deviation, because every axis here has a unit
 * of its own.
 *
 * A candidate outside the range is moved to the bound, so that an optimum at a bound is found.
 *
 * Check value: the best two of (1, 5), (3, 9), (8, 8) give the means 2 and 7 and the deviations 1
 * and 2.
 */
#include "analysis/stats/cross_entropy.h"

#include <math.h>

enum { GRAINS_A_SIGMA = 16 };

void ce_axis_init(struct ce_axis *axis, double mu, double sigma, double low, double high)
{
	*axis = (struct ce_axis){.mu = mu,
				 .sigma = sigma,
				 .start = sigma,
				 .low = low,
				 .high = high,
				 .grain = exp2(floor(log2(sigma / GRAINS_A_SIGMA)))};
}

double ce_round(const struct ce_axis *axis, double x)
{
	const double rounded = rint(x / axis->grain) * axis->grain + 0; /* 0 for -0 */
	return rounded < axis->low ? axis->low : rounded > axis->high ? axis->high : rounded;
}

/*
 * Box and Muller, A note on the generation of random normal deviates, AMS 29, 1958; uses one of the
 * two deviates.
 */
static double normal(struct rng *rng)
{
	const double radius = sqrt(-2 * log(1 - rng_real(rng)));
	return radius * cos(2 * M_PI * rng_real(rng));
}

void ce_sample(const struct ce_axis *axes, size_t n, struct rng *rng, double *x)
{
	for (size_t i = 0; i < n; i++)
		x[i] = ce_round(&axes[i], axes[i].mu + axes[i].sigma * normal(rng));
}

void ce_rank(const double *objective, size_t n, size_t *order)
{
	for (size_t i = 0; i < n; i++) {
		size_t at = i;
		for (; at > 0 && objective[order[at - 1]] < objective[i]; at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
}

static void axis_refit(struct ce_axis *axis, const double *x, size_t stride, const size_t *order,
		       size_t m, double noise)
{
	double sum = 0, squares = 0;
	for (size_t j = 0; j < m; j++)
		sum += x[order[j] * stride];
	axis->mu = sum / (double)m;
	for (size_t j = 0; j < m; j++) {
		const double d = axis->mu - x[order[j] * stride];
		squares += d * d;
	}
	const double added = noise * axis->start;
	axis->sigma = sqrt(squares / (double)m + added * added);
}

void ce_refit(struct ce_axis *axes, size_t n, const double *x, const size_t *order, size_t m,
	      double noise)
{
	for (size_t i = 0; i < n; i++)
		axis_refit(&axes[i], x + i, n, order, m, noise);
}

double ce_noise(double noise, bool fades, size_t number, size_t count)
{
	return fades ? noise * (double)(count - number) / (double)count : noise;
}

bool ce_converged(const struct ce_axis *axes, size_t n, double tolerance)
{
	for (size_t i = 0; i < n; i++)
		if (!(axes[i].sigma < tolerance * axes[i].start))
			return false;
	return true;
}
