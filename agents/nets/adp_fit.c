/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the agent adp learns from a batch of games: y of each, the least squares behind them, and the
 * three updates; see adp.c. States that show the same indicators count alike, so that sixteen numbers a
 * game are all there is to sum over.
 */
#include "agents/nets/adp.h"

#include <math.h>

static double reward_of(const struct adp *settings, const struct adp_game *game)
{
	switch ((enum adp_reward)settings->reward) {
	case ADP_REWARD_SCORE:
		return (double)game->score;
	case ADP_REWARD_MAX:
		return (double)((uint64_t)1 << game->exponent);
	default:
		return (double)game->sum;
	}
}

/* Section 3.2.1: mean 0 and standard deviation 1; all 0 if the games are equal. */
static void standardise(double *y, size_t n)
{
	double mean = 0, square = 0;
	for (size_t i = 0; i < n; i++)
		mean += y[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		square += (y[i] - mean) * (y[i] - mean) / (double)n;
	for (size_t i = 0; i < n; i++)
		y[i] = square > 0 ? (y[i] - mean) / sqrt(square) : 0;
}

void adp_rewards(const struct adp *settings, const struct adp_game *games, size_t n, double *y)
{
	for (size_t i = 0; i < n; i++)
		y[i] = reward_of(settings, &games[i]);
	if (settings->standardise)
		standardise(y, n);
}

/* Feature I of states that show PATTERN. */
static double phi(int pattern, int i)
{
	return i == ORDERS ? 1 : pattern >> i & 1;
}

double adp_gradient(const struct adp_game *games, const double *y, size_t n,
		    const double weight[ADP_WEIGHTS], int features, double gradient[ADP_WEIGHTS])
{
	double states = 0;
	for (int i = 0; i < ADP_WEIGHTS; i++)
		gradient[i] = 0;
	for (int pattern = 0; pattern < ADP_PATTERNS; pattern++) {
		double estimate = 0, error = 0;
		for (int i = 0; i < features; i++)
			estimate += weight[i] * phi(pattern, i);
		for (size_t g = 0; g < n; g++) {
			const double count = (double)games[g].states[pattern];
			error += count * (estimate - y[g]);
			states += count;
		}
		for (int i = 0; i < features; i++)
			gradient[i] += 2 * phi(pattern, i) * error;
	}
	return states;
}

/* Solves M X = B for a symmetric positive definite M of N rows, by elimination; X over B. */
static void solve(double m[ADP_WEIGHTS][ADP_WEIGHTS], double *b, int n)
{
	for (int i = 0; i < n; i++)
		for (int r = i + 1; r < n; r++) {
			const double factor = m[r][i] / m[i][i];
			for (int c = i; c < n; c++)
				m[r][c] -= factor * m[i][c];
			b[r] -= factor * b[i];
		}
	for (int i = n - 1; i >= 0; i--) {
		for (int c = i + 1; c < n; c++)
			b[i] -= m[i][c] * b[c];
		b[i] /= m[i][i];
	}
}

/* With x the step from WEIGHT, (sum of phi phi' + 1) x = -gradient / 2. */
void adp_lstsq(const struct adp_game *games, const double *y, size_t n,
	       const double weight[ADP_WEIGHTS], int features, double best[ADP_WEIGHTS])
{
	double m[ADP_WEIGHTS][ADP_WEIGHTS] = {{0}}, step[ADP_WEIGHTS];
	adp_gradient(games, y, n, weight, features, step);
	for (int i = 0; i < features; i++) {
		m[i][i] = 1;
		step[i] /= -2;
		for (int j = 0; j < features; j++)
			for (int pattern = 0; pattern < ADP_PATTERNS; pattern++)
				for (size_t g = 0; g < n; g++)
					m[i][j] += phi(pattern, i) * phi(pattern, j) *
						   (double)games[g].states[pattern];
	}
	solve(m, step, features);
	for (int i = 0; i < ADP_WEIGHTS; i++)
		best[i] = weight[i] + (i < features ? step[i] : 0);
}

void adp_learn_batch(struct adp *adp)
{
	struct adp_knowledge *own = &adp->own;
	const int features = adp->constant ? ADP_WEIGHTS : ORDERS;
	const double alpha = adp->alpha, keep = adp->update == ADP_DESCENT ? 1 : 1 - alpha;
	double y[ADP_BATCH_MAX], by[ADP_WEIGHTS];
	adp_rewards(adp, own->game, own->games, y);
	if (adp->update == ADP_LSTSQ) {
		adp_lstsq(own->game, y, own->games, own->weight, features, by);
	} else {
		const double states =
		    adp_gradient(own->game, y, own->games, own->weight, features, by);
		const double sign = adp->update == ADP_DESCENT ? -1 : 1;
		for (int i = 0; i < features; i++)
			by[i] *= adp->error == ADP_MEAN ? sign / states : sign;
	}
	for (int i = 0; i < features; i++)
		own->weight[i] = keep * own->weight[i] + alpha * by[i];
	own->games = 0;
}
