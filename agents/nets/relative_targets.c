/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Targets and losses relative to a batch of games (Math for reinforcement learning, part 2, an
 * article on the game 2048; sections "Formulation" and "Weighting").
 *
 * A game is good if its measure is above the median of its batch, and bad if it is equal to or below
 * it. With M the move made, as a vector,
 *
 *	Y = M in a good game, (1 - M) / 3 in a bad one,
 *	loss = j k sum |p_i - Y_i| / 4,
 *	j = |measure - median| / |best - median|	in a good game, |worst - median| in a bad one.
 *
 * Where the article is silent:
 * - The median of an even number of games is the mean of the two in the middle.
 * - When no bad game is below the median, j of all bad games is 0: they are at it. So a batch of
 *   equal games teaches nothing, except without weights: then all of them are bad, with j = 1.
 * - Moves are counted from 1, so that the last one has k = 1 under linear_move_num.
 * - The article samples from all four moves and does not say what an illegal one does. Here only
 *   legal ones are made, and p and Y can be chances of the legal moves alone: (1 - M) / 3 is then
 *   (1 - M) / (number of legal moves - 1), and the only legal move is always right. The sum is
 *   divided by 4 all the same. With all moves legal, or all among, this is the article's.
 *
 * Derivatives. With p the softmax of z, dp_i / dz_k = p_i ([i = k] - p_k). Let g_i be weight / 4
 * times the sign of p_i - Y_i; then dloss / dz_k = p_k (g_k - sum of g_i p_i).
 *
 * Check values, the article's: p = (.1, .2, .6, .1) and the second move: 0.4 in a good game; in a
 * bad one 7/30, which it prints as 0.2325, for it rounds 1/3 to .33.
 */
#include "agents/nets/relative_targets.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

double relative_measure(enum game_penalty penalty, const struct outcome *outcome)
{
	switch (penalty) {
	case GAME_PENALTY_MAX:
		return ldexp(1, outcome->max_exponent);
	case GAME_PENALTY_LOG2_MAX:
		return outcome->max_exponent;
	case GAME_PENALTY_TILE_SUMS:
		return (double)board_sum(&outcome->last);
	default:
		return (double)outcome->score;
	}
}

static int by_size(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

void relative_judge(struct standing *games, size_t n, bool weighted, double *scratch)
{
	assert(n > 0);
	for (size_t i = 0; i < n; i++)
		scratch[i] = games[i].measure;
	qsort(scratch, n, sizeof *scratch, by_size);
	const double median = (scratch[(n - 1) / 2] + scratch[n / 2]) / 2;
	const double best = scratch[n - 1], worst = scratch[0];
	for (size_t i = 0; i < n; i++) {
		struct standing *game = &games[i];
		game->good = game->measure > median;
		const double distance = fabs(game->measure - median);
		const double most = game->good ? best - median : median - worst;
		game->weight = !weighted ? 1 : distance > 0 ? distance / most : 0;
	}
}

double relative_move_weight(enum move_penalty penalty, const struct game *game,
			    const struct board *board, uint64_t number, uint64_t moves)
{
	const double x = (double)number / (double)moves;
	assert(number > 0 && number <= moves);
	switch (penalty) {
	case MOVE_PENALTY_NONZERO:
		return (double)(game->cells - board_empty(game, board)) / game->cells;
	case MOVE_PENALTY_LINEAR:
		return x;
	case MOVE_PENALTY_EXPONENTIAL:
		return 1 - exp(-3 * x);
	default:
		return 1;
	}
}

void relative_target(unsigned among, int move, bool good, double y[DIRECTIONS])
{
	const int others = __builtin_popcount(among) - 1;
	assert(among >> move & 1);
	for (int d = 0; d < DIRECTIONS; d++)
		if (good || others == 0)
			y[d] = d == move;
		else
			y[d] = d != move && among >> d & 1 ? 1.0 / others : 0;
}

double relative_loss(const double p[DIRECTIONS], const double y[DIRECTIONS], double weight)
{
	double sum = 0;
	for (int d = 0; d < DIRECTIONS; d++)
		sum += fabs(p[d] - y[d]);
	return weight * sum / DIRECTIONS;
}

void relative_gradient(const double p[DIRECTIONS], const double y[DIRECTIONS], double weight,
		       double gradient[DIRECTIONS])
{
	double slope[DIRECTIONS], mean = 0;
	for (int d = 0; d < DIRECTIONS; d++) {
		slope[d] = weight / DIRECTIONS * ((p[d] > y[d]) - (p[d] < y[d]));
		mean += slope[d] * p[d];
	}
	for (int d = 0; d < DIRECTIONS; d++)
		gradient[d] = p[d] * (slope[d] - mean);
}
