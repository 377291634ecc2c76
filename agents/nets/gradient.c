/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Gradient steps, on many threads; see staged_network.h.
 *
 * A step has three rounds of work for the team: a task for each shard of the positions; a task for
 * each slice of the weights, which adds up the shards' gradients; and one that makes the step, g
 * being what to go along and a the learning rate:
 *
 *	sgd           w += a g
 *	rmsprop       s = rho s + (1 - rho) g^2,  w += a g / (sqrt(s) + eps), each weight by itself
 *		(Karpathy, Pong from Pixels)
 *	rmsprop-norm  s = rho s + (1 - rho) |g|^2 of a whole layer: what Dedieu and Amar, Deep
 *		Reinforcement Learning for 2048, section 3.2.4, print
 *	adam          m = rho1 m + (1 - rho1) g, s = rho s + (1 - rho) g^2,
 *		w += a m' / (sqrt(s') + eps), m' = m / (1 - rho1^t), s' = s / (1 - rho^t)
 *		(Kingma, Ba, ICLR 2015)
 *
 * Check value: the first step of adam is a * sign(g) but for eps, whatever the size of g.
 */
#include "agents/nets/staged_network.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SLICES = 16 };

static void optimiser_fini(struct optimiser *o)
{
	free(o->mean);
	free(o->square);
	o->mean = o->square = NULL;
}

/* Zeroes for P. */
static enum status optimiser_init(struct optimiser *o, const struct perceptron *p,
				  enum optimiser_kind kind, double rho, double eps, struct why *why)
{
	const bool mean = kind == OPTIMISER_ADAM;
	const bool square = mean || kind == OPTIMISER_RMSPROP;
	*o = (struct optimiser){.kind = kind, .rho1 = 0.9, .rho = rho, .eps = eps};
	if (mean)
		o->mean = perceptron_array(p);
	if (square)
		o->square = perceptron_array(p);
	if ((!mean || o->mean) && (!square || o->square))
		return STATUS_OK;
	optimiser_fini(o);
	return why_set(why, STATUS_SYSTEM, "out of memory for the optimiser of a network");
}

/* To be called once before the slices of a step along G. */
static void optimiser_begin(struct optimiser *o, const struct perceptron *p, const float *g)
{
	o->steps++;
	for (int l = 0; o->kind == OPTIMISER_RMSPROP_NORM && l < p->layers; l++) {
		double sum = 0;
		for (size_t i = p->weight[l]; i < p->bias[l] + p->stride[l]; i++)
			sum += (double)g[i] * (double)g[i];
		o->norm[l] = o->rho * o->norm[l] + (1 - o->rho) * sum;
	}
}

static void step_plain(double alpha, const float *g, float *w, size_t n)
{
	for (size_t i = 0; i < n; i++)
		w[i] += (float)alpha * g[i];
}

static void step_rmsprop(const struct optimiser *o, double alpha, const float *g, float *w,
			 float *square, size_t n)
{
	const float rho = (float)o->rho, rest = 1 - rho, eps = (float)o->eps, a = (float)alpha;
	for (size_t i = 0; i < n; i++) {
		square[i] = rho * square[i] + rest * g[i] * g[i];
		w[i] += a * g[i] / (sqrtf(square[i]) + eps);
	}
}

static void step_adam(const struct optimiser *o, double alpha, const float *g, float *w,
		      float *mean, float *square, size_t n)
{
	const float rho1 = (float)o->rho1, rho = (float)o->rho, eps = (float)o->eps;
	const double steps = (double)o->steps;
	const float a = (float)(alpha / (1 - pow(o->rho1, steps)));
	const float root = (float)(1 / sqrt(1 - pow(o->rho, steps)));
	for (size_t i = 0; i < n; i++) {
		mean[i] = rho1 * mean[i] + (1 - rho1) * g[i];
		square[i] = rho * square[i] + (1 - rho) * g[i] * g[i];
		w[i] += a * mean[i] / (root * sqrtf(square[i]) + eps);
	}
}

/* Each layer with its own length of step. */
static void step_norm(const struct optimiser *o, const struct perceptron *p, double alpha,
		      const float *g, float *w, size_t first, size_t end)
{
	for (int l = 0; l < p->layers; l++) {
		const size_t from = p->weight[l] > first ? p->weight[l] : first;
		const size_t behind = p->bias[l] + p->stride[l];
		const size_t to = behind < end ? behind : end;
		if (from < to)
			step_plain(alpha / (sqrt(o->norm[l]) + o->eps), g + from, w + from,
				   to - from);
	}
}

/* The step of rate ALPHA for weights FIRST to END - 1. */
static void optimiser_step(const struct optimiser *o, const struct perceptron *p, double alpha,
			   const float *gradient, float *w, size_t first, size_t end)
{
	const float *g = gradient + first;
	switch (o->kind) {
	case OPTIMISER_SGD:
		step_plain(alpha, g, w + first, end - first);
		break;
	case OPTIMISER_RMSPROP:
		step_rmsprop(o, alpha, g, w + first, o->square + first, end - first);
		break;
	case OPTIMISER_RMSPROP_NORM:
		step_norm(o, p, alpha, gradient, w, first, end);
		break;
	case OPTIMISER_ADAM:
		step_adam(o, alpha, g, w + first, o->mean + first, o->square + first, end - first);
		break;
	}
}

enum status gradient_init(struct gradient *gradient, struct staged_network *network,
			  enum optimiser_kind kind, double rho, double eps, struct why *why)
{
	*gradient = (struct gradient){.network = network};
	enum status status = STATUS_OK;
	for (int s = 0; !status && s < network->plan.stages; s++)
		status =
		    optimiser_init(&gradient->optimiser[s], &network->net, kind, rho, eps, why);
	if (status)
		gradient_fini(gradient);
	return status;
}

/* The memory of shard I. */
static enum status shard_init(struct gradient *gradient, int i, struct why *why)
{
	const struct staged_network *network = gradient->network;
	enum status status = staged_work_init(&gradient->work[i], network, GRADIENT_ROOM, why);
	for (int s = 0; !status && s < network->plan.stages; s++) {
		gradient->sum[i][s] = perceptron_array(&network->net);
		if (!gradient->sum[i][s])
			status = why_set(why, STATUS_SYSTEM, "out of memory for gradients");
	}
	return status;
}

static void shards_fini(struct gradient *gradient)
{
	for (int i = 0; i < GRADIENT_SHARDS; i++) {
		staged_work_fini(&gradient->work[i]);
		for (int s = 0; s < STAGED_STAGES; s++) {
			free(gradient->sum[i][s]);
			gradient->sum[i][s] = NULL;
		}
	}
}

enum status gradient_reserve(struct gradient *gradient, struct why *why)
{
	enum status status = STATUS_OK;
	for (int i = 0; !gradient->ready && !status && i < GRADIENT_SHARDS; i++)
		status = shard_init(gradient, i, why);
	if (status)
		shards_fini(gradient);
	gradient->ready = !status;
	return status;
}

void gradient_fini(struct gradient *gradient)
{
	for (int s = 0; s < STAGED_STAGES; s++)
		optimiser_fini(&gradient->optimiser[s]);
	shards_fini(gradient);
	*gradient = (struct gradient){0};
}

/* What the tasks of a step, or of outputs, share. */
struct gradient_round {
	struct gradient *gradient;
	const struct gradient_batch *batch;
	float (*out)[DIRECTIONS]; /* NULL: gradients are asked for, not outputs */
};

static void shard_task(void *context, size_t shard, int worker)
{
	(void)worker;
	const struct gradient_round *round = context;
	const struct gradient_batch *batch = round->batch;
	struct gradient *gradient = round->gradient;
	const struct staged_network *network = gradient->network;
	struct staged_work *work = &gradient->work[shard];
	for (int s = 0; !round->out && s < network->plan.stages; s++)
		memset(gradient->sum[shard][s], 0, network->net.size * sizeof(float));
	gradient->seen[shard] = 0;
	const size_t end = batch->n * (shard + 1) / GRADIENT_SHARDS;
	for (size_t i = batch->n * shard / GRADIENT_SHARDS; i < end; i += GRADIENT_ROOM) {
		const size_t n = end - i < GRADIENT_ROOM ? end - i : GRADIENT_ROOM;
		if (round->out)
			staged_outputs(network, work, batch->board + i, n, round->out + i);
		else
			gradient->seen[shard] |=
			    staged_gradient(network, work, batch, i, n, gradient->sum[shard]);
	}
}

/* The bounds of slice SLICE of the weights, in whole cache lines. */
static size_t slice_start(const struct gradient *gradient, size_t slice)
{
	const size_t lines = gradient->network->net.size / PERCEPTRON_LANE;
	return lines * slice / SLICES * PERCEPTRON_LANE;
}

/* Adds up the gradients of slice SLICE into those of the first shard. */
static void sum_task(void *context, size_t slice, int worker)
{
	(void)worker;
	const struct gradient_round *round = context;
	struct gradient *gradient = round->gradient;
	const size_t end = slice_start(gradient, slice + 1);
	const float weight = (float)round->batch->weight;
	for (int s = 0; s < gradient->network->plan.stages; s++) {
		float *sum = gradient->sum[0][s];
		for (int i = 1; i < GRADIENT_SHARDS; i++)
			for (size_t j = slice_start(gradient, slice); j < end; j++)
				sum[j] += gradient->sum[i][s][j];
		for (size_t j = slice_start(gradient, slice); j < end; j++)
			sum[j] *= weight;
	}
}

/* Whether stage S has positions in this step: without any its optimiser stays as it is. */
static bool stage_seen(const struct gradient *gradient, int s)
{
	unsigned seen = 0;
	for (int i = 0; i < GRADIENT_SHARDS; i++)
		seen |= gradient->seen[i];
	return seen >> s & 1;
}

static void step_task(void *context, size_t slice, int worker)
{
	(void)worker;
	const struct gradient_round *round = context;
	struct gradient *gradient = round->gradient;
	struct staged_network *network = gradient->network;
	for (int s = 0; s < network->plan.stages; s++)
		if (stage_seen(gradient, s))
			optimiser_step(&gradient->optimiser[s], &network->net, round->batch->alpha,
				       gradient->sum[0][s], network->weight[s],
				       slice_start(gradient, slice),
				       slice_start(gradient, slice + 1));
}

void gradient_step(struct gradient *gradient, struct thread_team *team,
		   const struct gradient_batch *batch)
{
	const struct staged_network *network = gradient->network;
	struct gradient_round round = {.gradient = gradient, .batch = batch};
	thread_team_run(team, shard_task, &round, GRADIENT_SHARDS);
	thread_team_run(team, sum_task, &round, SLICES);
	for (int s = 0; s < network->plan.stages; s++)
		if (stage_seen(gradient, s))
			optimiser_begin(&gradient->optimiser[s], &network->net,
					gradient->sum[0][s]);
	thread_team_run(team, step_task, &round, SLICES);
}

void gradient_outputs(struct gradient *gradient, struct thread_team *team,
		      const struct board *const *board, size_t n, float (*out)[DIRECTIONS])
{
	const struct gradient_batch batch = {.board = board, .n = n};
	struct gradient_round round = {.gradient = gradient, .batch = &batch, .out = out};
	thread_team_run(team, shard_task, &round, GRADIENT_SHARDS);
}

int gradient_section_count(const struct gradient *gradient)
{
	int tables = 0;
	for (int s = 0; s < gradient->network->plan.stages; s++)
		tables +=
		    (gradient->optimiser[s].mean != NULL) + (gradient->optimiser[s].square != NULL);
	return 1 + tables;
}

/* The numbers of an optimiser that change as it learns. */
static void numbers_section(struct optimiser *o, struct model_file *file)
{
	o->steps = model_number(file, o->steps, UINT64_MAX);
	for (int l = 0; l < PERCEPTRON_LAYERS; l++) {
		o->norm[l] = model_real(file, o->norm[l]);
		if (model_reading(file) && !(o->norm[l] >= 0 && isfinite(o->norm[l])))
			model_reject(file, "a sum of squares that is none", "numbers from 0 on");
	}
}

static void live_section(struct staged_network *network, struct model_file *file)
{
	const uint64_t live = model_number(file, (uint64_t)network->live, UINT64_MAX);
	if (live < 1 || live > (uint64_t)network->plan.stages)
		model_reject(file, "a number of live stages that cannot be", "1 up to all of them");
	else
		network->live = (int)live;
}

void gradient_sections(struct gradient *gradient, struct model_file *file)
{
	const int stages = gradient->network->plan.stages;
	const uint64_t count = perceptron_whole(&gradient->network->net);
	for (int s = 0; s < stages; s++)
		numbers_section(&gradient->optimiser[s], file);
	if (stages > 1)
		live_section(gradient->network, file);
	model_section_end(file);
	for (int s = 0; s < stages; s++) {
		const struct optimiser *o = &gradient->optimiser[s];
		if (o->mean)
			model_floats(file, o->mean, count);
		if (o->square)
			model_floats(file, o->square, count);
	}
}
