/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which moves of a batch are praised, and how much.
 *
 *	game    R of the whole game, the same for all its moves (Dedieu, Amar, section 3.2.1)
 *	togo    G_t = r_t + gamma G_t+1, less the mean of G_t over the games of the batch, those that are
 *		over counting as 0: what came after a move, against what comes after that many moves
 *	critic  A_t = d_t + gamma lambda A_t+1, d_t = r_t + gamma V_t+1 - V_t with V by another network,
 *		which learns A_t + V_t (Schulman and others, High-dimensional continuous control using
 *		generalized advantage estimation, 2016)
 *
 * Whichever it is, it is then centred and divided by its standard deviation over the batch. r_t is by
 * how much the move made that grow by which games are judged; for the critic times 1 - gamma, so that
 * a value is a mean over what gamma lets one see.
 * In batches that are recorded games alone, each move is praised by 1.
 */
#include "agents/nets/policy.h"

#include <math.h>
#include <stdlib.h>

/* Centred, and in standard deviations; nothing if all are equal. */
static void standardise(float *x, size_t n)
{
	double sum = 0, squares = 0;
	for (size_t i = 0; i < n; i++)
		sum += (double)x[i];
	const double mean = n ? sum / (double)n : 0;
	for (size_t i = 0; i < n; i++)
		squares += ((double)x[i] - mean) * ((double)x[i] - mean);
	const double deviation = n ? sqrt(squares / (double)n) : 0;
	for (size_t i = 0; i < n; i++)
		x[i] = deviation > 0 ? (float)(((double)x[i] - mean) / deviation) : 0;
}

/* R of each game, standardised over the games. */
static void credit_game(struct policy *p, const struct study *study, size_t games)
{
	struct examples *l = &p->examples;
	for (size_t g = 0; g < games; g++)
		l->target[g] = (float)study[g].judged;
	standardise(l->target, games);
	for (size_t g = 0; g < games; g++)
		for (size_t i = 0; i < study[g].moves; i++)
			l->credit[study[g].first + i] = l->target[g];
}

/* l->reward becomes r_t of the kind that games are judged by. */
static void rewards_make(struct policy *p, const struct study *study, size_t games)
{
	struct examples *l = &p->examples;
	const int kind = p->settings.reward;
	for (size_t g = 0; g < games && kind != REWARD_SCORE; g++)
		for (size_t i = 0; i < study[g].moves; i++) {
			const size_t at = study[g].first + i;
			const bool end = i + 1 == study[g].moves;
			const struct board *next = end ? study[g].last : l->board[at + 1];
			l->reward[at] = kind == REWARD_MOVES
					    ? 1
					    : (float)(policy_potential(kind, next) -
						      policy_potential(kind, l->board[at]));
		}
}

static enum status credit_togo(struct policy *p, const struct study *study, size_t games,
			       struct why *why)
{
	struct examples *l = &p->examples;
	size_t longest = 0;
	for (size_t g = 0; g < games; g++) {
		double sum = 0;
		longest = study[g].moves > longest ? study[g].moves : longest;
		for (size_t i = study[g].moves; i-- > 0;) {
			sum = (double)l->reward[study[g].first + i] + p->settings.gamma * sum;
			l->credit[study[g].first + i] = (float)sum;
		}
	}
	double *mean = calloc(longest + 1, sizeof *mean);
	if (!mean)
		return why_set(why, STATUS_SYSTEM, "out of memory for the moves of a batch");
	for (size_t g = 0; g < games; g++)
		for (size_t i = 0; i < study[g].moves; i++)
			mean[i] += (double)l->credit[study[g].first + i] / (double)games;
	for (size_t g = 0; g < games; g++)
		for (size_t i = 0; i < study[g].moves; i++)
			l->credit[study[g].first + i] -= (float)mean[i];
	free(mean);
	standardise(l->credit, l->n);
	return STATUS_OK;
}

static enum status credit_critic(struct policy *p, const struct study *study, size_t games,
				 struct thread_team *team, struct why *why)
{
	struct examples *l = &p->examples;
	const double gamma = p->settings.gamma;
	const double unit = gamma < 1 ? 1 - gamma : 0x1p-10;
	enum status status = fit_ready(&p->critic_fit, why);
	if (status)
		return status;
	fit_outputs(&p->critic_fit, team, l->board, l->n, l->out);
	for (size_t g = 0; g < games; g++) {
		double next = 0, sum = 0;
		for (size_t i = study[g].moves; i-- > 0;) {
			const size_t at = study[g].first + i;
			const double value = (double)l->out[at][0];
			const double error = unit * (double)l->reward[at] + gamma * next - value;
			sum = error + gamma * p->settings.lambda * sum;
			l->credit[at] = (float)sum;
			l->target[at] = (float)(sum + value);
			next = value;
		}
	}
	standardise(l->credit, l->n);
	return STATUS_OK;
}

static enum status examples_credit(struct policy *p, const struct study *study, size_t games,
				   uint64_t number, struct thread_team *team, struct why *why)
{
	struct examples *l = &p->examples;
	enum status status = STATUS_OK;
	if (p->settings.credit == CREDIT_GAME) {
		credit_game(p, study, games);
	} else {
		rewards_make(p, study, games);
		if (p->settings.credit == CREDIT_TOGO)
			status = credit_togo(p, study, games, why);
		else
			status = credit_critic(p, study, games, team, why);
	}
	/* Where there are recorded games alone, only a critic learns from rewards. */
	for (size_t i = 0; policy_demos_alone(p, number) && i < l->n; i++)
		l->credit[i] = 1;
	return status;
}

enum status policy_credit(struct policy *p, const struct episodes *batch, uint64_t number,
			  struct thread_team *team, struct why *why)
{
	size_t games = batch->count + (size_t)p->settings.demo_games;
	struct study *study = malloc(games * sizeof *study);
	if (!study)
		return why_set(why, STATUS_SYSTEM, "out of memory for the games of a batch");
	enum status status = policy_examples(p, batch, number, study, &games, why);
	if (!status)
		status = examples_credit(p, study, games, number, team, why);
	free(study);
	return status;
}
