/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Perceptrons: layers of weights with rectified linear units, evaluated for many positions at a
 * time.
 *
 * The first layer sums over the active inputs of a position: `active` pairs (row, x), one per cell.
 * One-hot cells have x = 1 and a row for each exponent; raw exponents have a row per cell and x =
 * exponent. So the layer costs active * width instead of inputs * width.
 *
 * 	h_0 = relu(b_0 + sum over active inputs of x * w_0[row])
 * 	h_l = relu(b_l + h_l-1 w_l),   0 < l < layers - 1
 * 	out = b_last + h_last-1 w_last
 *
 * All sums have one order, whatever the instruction set and the size of the batch, so every result
 * is the same to the last bit.
 */
#ifndef NXN_PERCEPTRON_H
#define NXN_PERCEPTRON_H

#include "boards/game.h"

#include <stddef.h>

enum {
	PERCEPTRON_LAYERS = 5, /* maximal number of layers of weights */
	PERCEPTRON_WIDTH = 4096,
	PERCEPTRON_LANE = 16, /* widths are padded to multiples of this many floats */
};

/* The shape of a perceptron, and the layout of its weights in one array of `size` floats. */
struct perceptron {
	enum isa isa;
	int inputs, active;
	int layers;
	int width[PERCEPTRON_LAYERS];	  /* outputs of each layer */
	size_t stride[PERCEPTRON_LAYERS]; /* padded widths; the padding stays 0 */
	/*
	 * Place weight[l] + i * stride[l] + j has the weight from input i of layer l to its output
	 * j, place bias[l] + j its bias. Layer 0 has `inputs` inputs, layer l has stride[l - 1].
	 */
	size_t weight[PERCEPTRON_LAYERS], bias[PERCEPTRON_LAYERS];
	size_t size; /* a multiple of 64, as in model files */
};

/* The active inputs of a position: the first `active` elements of both arrays. */
struct perceptron_input {
	uint16_t row[CELLS_MAX];
	float x[CELLS_MAX];
	size_t place;  /* number of its board in the batch */
	uint8_t image; /* symmetric image of the board that it shows */
};

/*
 * c[i][j] += sum over k, in ascending order, of a[i * a_row + k * a_step] * b[k][j]. Rows of b and
 * c have COLS elements, a multiple of PERCEPTRON_LANE.
 */
struct perceptron_product {
	size_t rows, depth, cols; /* of c; terms of a sum */
	const float *a;
	size_t a_row, a_step;
	const float *b;
	float *c;
};

/* The kernels, compiled for each instruction set. */
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

extern const struct perceptron_kernel perceptron_avx2, perceptron_avx512;

#endif
