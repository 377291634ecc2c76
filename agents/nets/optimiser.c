/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Steps along gradients; see optimiser.h.
 *
 * Check value: the first step of adam is a * sign(g) but for eps, whatever the size of g.
 */
#include "agents/nets/optimiser.h"

#include <math.h>
#include <stdlib.h>

enum status optimiser_init(struct optimiser *o, const struct perceptron *p,
			   enum optimiser_kind kind, struct why *why)
{
	const bool mean = kind == OPTIMISER_ADAM;
	const bool square = mean || kind == OPTIMISER_RMSPROP;
	*o = (struct optimiser){.kind = kind};
	if (mean)
		o->mean = perceptron_array(p);
	if (square)
		o->square = perceptron_array(p);
	if ((!mean || o->mean) && (!square || o->square))
		return STATUS_OK;
	optimiser_fini(o);
	return why_set(why, STATUS_SYSTEM, "out of memory for the optimiser of a network");
}

void optimiser_fini(struct optimiser *o)
{
	free(o->mean);
	free(o->square);
	o->mean = o->square = NULL;
}

void optimiser_begin(struct optimiser *o, const struct perceptron *p, const float *gradient)
{
	o->steps++;
	for (int l = 0; o->kind == OPTIMISER_RMSPROP_NORM && l < p->layers; l++) {
		double sum = 0;
		for (size_t i = p->weight[l]; i < p->bias[l] + p->stride[l]; i++)
			sum += (double)gradient[i] * (double)gradient[i];
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

void optimiser_step(const struct optimiser *o, const struct perceptron *p, double alpha,
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
