/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loops of agents/nets/perceptron.c that are compiled once for each instruction set. */
#ifndef NXN_PERCEPTRON_KERNEL_H
#define NXN_PERCEPTRON_KERNEL_H

#include "agents/nets/perceptron.h"

/* c[i][j] += sum over k, in this order, of a[i * a_row + k * a_step] * b[k][j]. */
struct perceptron_product {
	size_t rows, depth, cols; /* of c; of the sum; cols a multiple of PERCEPTRON_LANE */
	const float *a;
	size_t a_row, a_step;
	const float *b;
	size_t b_stride;
	float *c;
	size_t c_stride;
};

struct perceptron_kernel {
	void (*product)(const struct perceptron_product *product);
	/* out[i] += sum over active inputs k of IN[i] of x * w[row] */
	void (*gather)(const struct perceptron *p, const float *w,
		       const struct perceptron_input *in, size_t n, float *out);
	/* w[row] += x * back[i], for each active input of each i */
	void (*scatter)(const struct perceptron *p, const float *back,
			const struct perceptron_input *in, size_t n, float *w);
	/* out = max(out, 0), n floats, a multiple of PERCEPTRON_LANE */
	void (*rectify)(float *out, size_t n);
	/* back = 0 where out is 0 */
	void (*block)(float *back, const float *out, size_t n);
};

extern const struct perceptron_kernel perceptron_portable, perceptron_avx2, perceptron_avx512;

#endif
