/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values of whole batches, one board a lane: what `best` of agents/value.h is made of. Compiled for
 * each shape and instruction set.
 */
#ifndef NXN_WIDE_H
#define NXN_WIDE_H

#include "agents/values/strong.h"
#include "agents/value.h"

/* The weights of agents/values/heuristic.c. */
struct terms_weights {
	double empty, corner, monotone, merge;
	/*
	 * Where all four are small multiples of a power of two, UNIT, sums of them are exact in any
	 * order: then value = unit * (small.empty * empty + ...). Otherwise unit is 0.
	 */
	double unit;
	struct {
		int8_t empty, corner, monotone, merge;
	} small;
	const struct spawn_rule *spawn;
};

/*
 * Numbers by code, as digits in base 64: four digits add up in a byte. Those from COUNT on are 0.
 */
struct strong_digits {
	int count;
	uint8_t digit[5][EXPONENTS];
};

/*
 * agents/values/strong.h's tables by code: an empty cell is 0, an exponent k is k + 1. A value is START
 * less what cells cost and less what cells inside the border cost besides, and the rest as there.
 */
struct strong_bytes {
	int32_t start, corner, merge, mono;
	struct strong_digits cell, inside;
	uint8_t power[2][EXPONENTS]; /* low and high byte */
};

/* Makes BYTES for GAME; false if a cell takes more digits. */
bool strong_bytes_init(struct strong_bytes *bytes, const struct strong_tables *tables,
		       const struct game *game);

/* A table of these has an entry a shape and ends with rows = 0. */
struct wide_kernel {
	int rows, cols;
	/* `best` of the heuristic, without rewards; OUT has room for N. */
	void (*terms_best)(const struct terms_weights *weights, const struct horizon *horizon,
			   const struct batch *batch, size_t n, double *out);
	/*
	 * The same of the value strong, without spawns. These are NULL where they are not faster.
	 */
	void (*strong_best)(const struct strong_bytes *bytes, const struct horizon *horizon,
			    const struct batch *batch, size_t n, double *out);
	/* The values themselves. */
	void (*strong_eval)(const struct strong_bytes *bytes, const struct batch *batch, size_t n,
			    double *out);
};

extern const struct wide_kernel wide_portable[], wide_avx2[], wide_avx512[];

/* The kernel for the shape and the instruction set of GAME. */
const struct wide_kernel *wide_kernel(const struct game *game);

/* Sets UNIT and SMALL from the other weights. */
void terms_weights_scale(struct terms_weights *weights);

#endif
