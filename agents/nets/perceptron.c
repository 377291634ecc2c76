/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Perceptrons: layout, first weights, the way forward and the way back; see perceptron.h.
 *
 * The way back is the chain rule: with back_l the derivatives by what goes into the units of layer
 * l,
 *
 *	dw_l = h_l-1^T back_l,   db_l = sum of back_l,   back_l-1 = (back_l w_l^T) where h_l-1 > 0.
 *
 * Invariant: what widths are filled up with is 0 in weights and gradients, whatever is computed.
 */
#include "agents/nets/perceptron.h"

#include "agents/nets/perceptron_kernel.h"
#include "boards/rng.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct perceptron_kernel *kernel(const struct perceptron *p)
{
	switch (p->isa) {
#if defined NXN_X86_64
	case ISA_AVX512:
		return &perceptron_avx512;
	case ISA_AVX2:
		return &perceptron_avx2;
#endif
	default:
		return &perceptron_portable;
	}
}

/* Inputs of layer L as it is laid out. */
static size_t rows_of(const struct perceptron *p, int l)
{
	return l ? p->stride[l - 1] : (size_t)p->inputs;
}

void perceptron_init(struct perceptron *p, enum isa isa, int inputs, int active, int layers,
		     const int *width)
{
	assert(layers >= 1 && layers <= PERCEPTRON_LAYERS && active <= CELLS_MAX &&
	       inputs <= UINT16_MAX + 1);
	*p = (struct perceptron){.isa = isa, .inputs = inputs, .active = active, .layers = layers};
	for (int l = 0; l < layers; l++) {
		assert(width[l] >= 1 && width[l] <= PERCEPTRON_WIDTH);
		const size_t lanes = (size_t)(width[l] + PERCEPTRON_LANE - 1) / PERCEPTRON_LANE;
		p->width[l] = width[l];
		p->stride[l] = lanes * PERCEPTRON_LANE;
		p->weight[l] = p->size;
		p->bias[l] = p->size + rows_of(p, l) * p->stride[l];
		p->size = p->bias[l] + p->stride[l];
	}
}

static float *floats_new(size_t n)
{
	float *made = aligned_alloc(64, n * sizeof *made);
	return made ? memset(made, 0, n * sizeof *made) : NULL;
}

float *perceptron_array(const struct perceptron *p)
{
	return floats_new(perceptron_whole(p));
}

void perceptron_start(const struct perceptron *p, float *w, enum perceptron_start start, float last,
		      uint64_t seed, uint64_t number)
{
	struct rng rng;
	rng_init(&rng, seed, RNG_WEIGHTS, number);
	memset(w, 0, p->size * sizeof *w);
	for (int l = 0; l < p->layers; l++) {
		const int inputs = l ? p->width[l - 1] : p->inputs;
		const double n = l ? inputs : p->active;
		const double gain = start == START_TORCH ? 1 : start == START_SCALED && l ? 6 : 3;
		const double s = sqrt(gain / n) * (l == p->layers - 1 ? (double)last : 1);
		for (int i = 0; i < inputs; i++)
			for (int j = 0; j < p->width[l]; j++)
				w[p->weight[l] + (size_t)i * p->stride[l] + (size_t)j] =
				    (float)(s * (2 * rng_real(&rng) - 1));
		for (int j = 0; start == START_TORCH && j < p->width[l]; j++)
			w[p->bias[l] + (size_t)j] = (float)(s * (2 * rng_real(&rng) - 1));
	}
}

enum status perceptron_work_init(struct perceptron_work *work, const struct perceptron *p, size_t n,
				 struct why *why)
{
	size_t size = 0;
	for (int l = 0; l < p->layers; l++)
		size += 2 * n * p->stride[l] + (l ? rows_of(p, l) * p->stride[l] : 0);
	*work = (struct perceptron_work){.room = n, .memory = floats_new(size)};
	if (!work->memory)
		return why_set(why, STATUS_SYSTEM, "out of memory for %zu positions of a network",
			       n);
	float *next = work->memory;
	for (int l = 0; l < p->layers; l++) {
		work->out[l] = next;
		work->back[l] = next + n * p->stride[l];
		work->turned[l] = next += 2 * n * p->stride[l];
		next += l ? rows_of(p, l) * p->stride[l] : 0;
	}
	return STATUS_OK;
}

void perceptron_work_fini(struct perceptron_work *work)
{
	free(work->memory);
	*work = (struct perceptron_work){0};
}

/* Every row of OUT begins as the bias of layer L. */
static void bias_spread(const struct perceptron *p, const float *w, int l, size_t n, float *out)
{
	for (size_t i = 0; i < n; i++)
		memcpy(out + i * p->stride[l], w + p->bias[l], p->stride[l] * sizeof *out);
}

void perceptron_forward(const struct perceptron *p, const float *w,
			const struct perceptron_input *in, size_t n, struct perceptron_work *work)
{
	const struct perceptron_kernel *k = kernel(p);
	for (int l = 0; l < p->layers; l++) {
		bias_spread(p, w, l, n, work->out[l]);
		if (l == 0)
			k->gather(p, w, in, n, work->out[0]);
		else
			k->product(&(struct perceptron_product){.rows = n,
								.depth = (size_t)p->width[l - 1],
								.cols = p->stride[l],
								.a = work->out[l - 1],
								.a_row = p->stride[l - 1],
								.a_step = 1,
								.b = w + p->weight[l],
								.b_stride = p->stride[l],
								.c = work->out[l],
								.c_stride = p->stride[l]});
		if (l < p->layers - 1)
			k->rectify(work->out[l], n * p->stride[l]);
	}
}

/* Adds the derivatives by the weights of layer L > 0 and by the biases of any. */
static void layer_gradient(const struct perceptron *p, int l, size_t n,
			   const struct perceptron_work *work, float *gradient)
{
	const float *back = work->back[l];
	float *bias = gradient + p->bias[l];
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < p->stride[l]; j++)
			bias[j] += back[i * p->stride[l] + j];
	if (l)
		kernel(p)->product(&(struct perceptron_product){.rows = (size_t)p->width[l - 1],
								.depth = n,
								.cols = p->stride[l],
								.a = work->out[l - 1],
								.a_row = 1,
								.a_step = p->stride[l - 1],
								.b = back,
								.b_stride = p->stride[l],
								.c = gradient + p->weight[l],
								.c_stride = p->stride[l]});
}

/* back[l - 1] out of back[l]. */
static void layer_back(const struct perceptron *p, const float *w, int l, size_t n,
		       struct perceptron_work *work)
{
	const struct perceptron_kernel *k = kernel(p);
	const size_t inputs = p->stride[l - 1], stride = p->stride[l];
	float *turned = work->turned[l];
	for (size_t j = 0; j < (size_t)p->width[l]; j++)
		for (size_t i = 0; i < inputs; i++)
			turned[j * inputs + i] = w[p->weight[l] + i * stride + j];
	memset(work->back[l - 1], 0, n * inputs * sizeof(float));
	k->product(&(struct perceptron_product){.rows = n,
						.depth = (size_t)p->width[l],
						.cols = inputs,
						.a = work->back[l],
						.a_row = stride,
						.a_step = 1,
						.b = turned,
						.b_stride = inputs,
						.c = work->back[l - 1],
						.c_stride = inputs});
	k->block(work->back[l - 1], work->out[l - 1], n * inputs);
}

void perceptron_backward(const struct perceptron *p, const float *w,
			 const struct perceptron_input *in, size_t n, struct perceptron_work *work,
			 float *gradient)
{
	for (int l = p->layers - 1; l >= 0; l--) {
		layer_gradient(p, l, n, work, gradient);
		if (l)
			layer_back(p, w, l, n, work);
	}
	kernel(p)->scatter(p, work->back[0], in, n, gradient + p->weight[0]);
}

void perceptron_backward_last(const struct perceptron *p, size_t n, struct perceptron_work *work,
			      float *gradient)
{
	assert(p->layers > 1);
	layer_gradient(p, p->layers - 1, n, work, gradient);
}

/*
 * exp(x) for x <= 0: 2^i times the Taylor polynomial of e^r, x = i ln 2 + r, |r| <= ln 2 / 2. The
 * error is below 1e-15 of the result; 0 below the smallest normal number.
 */
static double exp_of(double x)
{
	if (x < -700)
		return 0;
	const double i = rint(x * 1.4426950408889634);
	const double r = (x - i * 0.693147180369123816) - i * 1.90821492927058770e-10;
	double sum = 1;
	for (int k = 13; k > 0; k--)
		sum = 1 + sum * r / k;
	return ldexp(sum, (int)i);
}

/* Equal chances for the outputs in MASK that are GREATEST, or for all of MASK if none is. */
static void softmax_share(const float *z, int n, unsigned mask, float greatest, double *p)
{
	int equal = 0;
	for (int j = 0; j < n; j++)
		equal += (mask >> j & 1) && z[j] == greatest;
	for (int j = 0; j < n; j++) {
		const bool in = (mask >> j & 1) && (!equal || z[j] == greatest);
		p[j] = in ? 1. / (equal ? equal : __builtin_popcount(mask)) : 0;
	}
}

void softmax(const float *z, int n, unsigned mask, double *p)
{
	double most = -INFINITY, sum = 0;
	for (int j = 0; j < n; j++)
		if (mask >> j & 1)
			most = fmax(most, (double)z[j]);
	/* Weights that diverged, or that somebody forged, have sums that are no numbers. */
	if (!isfinite(most)) {
		softmax_share(z, n, mask, INFINITY, p);
		return;
	}
	for (int j = 0; j < n; j++) {
		p[j] = (mask >> j & 1) && !isnan(z[j]) ? exp_of((double)z[j] - most) : 0;
		sum += p[j];
	}
	for (int j = 0; j < n; j++)
		p[j] /= sum;
}
