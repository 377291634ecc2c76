/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How gradients become steps of weights; g is what to go along, a the learning rate.
 *
 *	sgd           w += a g
 *	rmsprop       s = rho s + (1 - rho) g^2,  w += a g / (sqrt(s) + eps), each weight by itself
 *		(Karpathy, Pong from Pixels)
 *	rmsprop-norm  s = rho s + (1 - rho) |g|^2 of a whole layer: what Dedieu and Amar, Deep
 *		Reinforcement Learning for 2048, section 3.2.4, print
 *	adam          m = rho1 m + (1 - rho1) g, s = rho s + (1 - rho) g^2,
 *		w += a m' / (sqrt(s') + eps), m' = m / (1 - rho1^t), s' = s / (1 - rho^t)
 *		(Kingma, Ba, ICLR 2015)
 */
#ifndef NXN_OPTIMISER_H
#define NXN_OPTIMISER_H

#include "agents/nets/perceptron.h"

enum optimiser_kind { OPTIMISER_SGD, OPTIMISER_RMSPROP, OPTIMISER_RMSPROP_NORM, OPTIMISER_ADAM };

struct optimiser {
	enum optimiser_kind kind;
	double rho1, rho, eps;
	uint64_t steps;			/* made */
	float *mean, *square;		/* m and s above; size floats each, on the heap, or NULL */
	double norm[PERCEPTRON_LAYERS]; /* s of rmsprop-norm */
};

/* Zeroes for P; the caller sets the numbers. STATUS_SYSTEM. */
MUST_USE enum status optimiser_init(struct optimiser *o, const struct perceptron *p,
				    enum optimiser_kind kind, struct why *why);
void optimiser_fini(struct optimiser *o);

/* To be called once before the pieces of a step along GRADIENT. */
void optimiser_begin(struct optimiser *o, const struct perceptron *p, const float *gradient);

/* The step of rate ALPHA for weights FIRST to END - 1. Pieces may be on different threads. */
void optimiser_step(const struct optimiser *o, const struct perceptron *p, double alpha,
		    const float *gradient, float *w, size_t first, size_t end);

#endif
