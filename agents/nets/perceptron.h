/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Perceptrons: layers of weights with rectified units between them, many positions at a time.
 *
 * The first layer is a sum over the active inputs of a position: `active` pairs (row, x), a pair a
 * cell. One-hot cells have x = 1 and a row for each exponent; raw exponents have a row a cell and
 * x = exponent. So it costs active * width and not inputs * width.
 *
 *	h_0 = relu(b_0 + sum over active inputs of x * w_0[row])
 *	h_l = relu(b_l + h_l-1 w_l),   0 < l < layers - 1
 *	out = b_last + h_last-1 w_last
 *
 * All sums are made in one order, whatever the instruction set and however many positions are in a
 * batch, so that every result is the same to the last bit.
 */
#ifndef NXN_PERCEPTRON_H
#define NXN_PERCEPTRON_H

#include "boards/game.h"

#include <stddef.h>

enum {
	PERCEPTRON_LAYERS = 5, /* of weights, at most */
	PERCEPTRON_WIDTH = 4096,
	PERCEPTRON_LANE = 16, /* widths are filled up to multiples of this many floats */
};

/* The shape, and where the weights of each layer are in one array of `size` floats. */
struct perceptron {
	enum isa isa;
	int inputs, active;
	bool scaled; /* x is not always 1 */
	int layers;
	int width[PERCEPTRON_LAYERS];	  /* outputs of each layer */
	size_t stride[PERCEPTRON_LAYERS]; /* the same, filled up; what is filled up stays 0 */
	/*
	 * weight[l] + i * stride[l] + j: from input i of layer l to its output j; bias[l] + j.
	 * Layer 0 has `inputs` inputs, layer l has stride[l - 1].
	 */
	size_t weight[PERCEPTRON_LAYERS], bias[PERCEPTRON_LAYERS];
	size_t size;
};

/* The active inputs of a position; the first `active` of both count. */
struct perceptron_input {
	uint16_t row[CELLS_MAX];
	float x[CELLS_MAX];
};

/* Room for a batch: what units put out, and what is computed on the way back. On the heap. */
struct perceptron_work {
	size_t room;			  /* positions */
	float *out[PERCEPTRON_LAYERS];	  /* [position * stride[l] + j] */
	float *back[PERCEPTRON_LAYERS];	  /* derivatives by what goes into unit j */
	float *turned[PERCEPTRON_LAYERS]; /* weights with inputs and outputs exchanged */
	float *memory;
};

/*
 * Lays out a network. LAYERS widths, the last one of outputs; ACTIVE at most CELLS_MAX, INPUTS at
 * most 2^16. A programmer's mistake otherwise.
 */
void perceptron_init(struct perceptron *p, enum isa isa, int inputs, int active, int layers,
		     const int *width);

/* p->size, filled up to a multiple of 64. */
static inline size_t perceptron_whole(const struct perceptron *p)
{
	return (p->size + 63) / 64 * 64;
}

/* perceptron_whole() zeros, aligned; NULL if memory runs out. free() gives them back. */
float *perceptron_array(const struct perceptron *p);

/* How weights begin: uniform on [-s, s] with s^2 as it says, n active inputs of the layer. */
enum perceptron_start {
	START_SCALED, /* 6/n: He, Zhang, Ren, Sun 2015; 3/n for the first layer; biases 0 */
	START_PLAIN,  /* 3/n: variance 1/n, as in Karpathy's Pong; biases 0 */
	START_TORCH,  /* 1/n, biases too: the default of PyTorch's linear layers */
};

/* First weights, of stream RNG_WEIGHTS NUMBER of SEED; those of the last layer times LAST. */
void perceptron_start(const struct perceptron *p, float *w, enum perceptron_start start, float last,
		      uint64_t seed, uint64_t number);

/* Room for N > 0 positions. STATUS_SYSTEM. perceptron_work_fini() is fine on zeroes. */
MUST_USE enum status perceptron_work_init(struct perceptron_work *work, const struct perceptron *p,
					  size_t n, struct why *why);
void perceptron_work_fini(struct perceptron_work *work);

/* The last layer's outputs for IN[0..n-1], n <= work->room: work->out[layers - 1]. */
void perceptron_forward(const struct perceptron *p, const float *w,
			const struct perceptron_input *in, size_t n, struct perceptron_work *work);

/*
 * After perceptron_forward() of the same positions: adds to GRADIENT (p->size floats) the sum over
 * positions of the derivatives of something by the weights, given its derivatives by the outputs in
 * work->back[layers - 1], which are 0 where a width is filled up. Biases included.
 */
void perceptron_backward(const struct perceptron *p, const float *w,
			 const struct perceptron_input *in, size_t n, struct perceptron_work *work,
			 float *gradient);

/* The same without what comes before the last layer: derivatives by its weights alone. */
void perceptron_backward_last(const struct perceptron *p, size_t n, struct perceptron_work *work,
			      float *gradient);

/*
 * P[j] = exp(z[j]) / sum of exp(z) over the outputs j in MASK, 0 for others; at least one is in it.
 * What is infinite shares it all; what is no number gets 0, unless all are. Its exponential is its
 * own, so that no library and no processor has a say in the last bit.
 */
void softmax(const float *z, int n, unsigned mask, double *p);

#endif
