/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernels of the values heuristic and strong, compiled for each instruction set, and their
 * data. The kernels for whole batches, one board per lane, implement `best` of agents/value.h.
 */
#ifndef NXN_VALUES_KERNEL_H
#define NXN_VALUES_KERNEL_H

#include "agents/value.h"

/* The counts of the value heuristic, and the indices of its weights. */
enum {
	W_EMPTY,    /* empty cells */
	W_CORNER,   /* 1 if a largest tile is in a corner */
	W_MONOTONE, /* rows and columns that never rise, or never fall; empty cells are 0 */
	W_MERGE,    /* neighbouring pairs of equal tiles */
	HEURISTIC_WEIGHTS
};

/* Data about a shape for the kernels. */
struct line_shape {
	int rows, cols;
	/* used[k]: the columns (word 0) and rows (word 1) that have a k-th cell, a byte each. */
	uint64_t used[SIDE_MAX + 1][2];
};

struct heuristic_weights {
	double w[HEURISTIC_WEIGHTS];
	/*
	 * If all four weights are small multiples of a power of two, UNIT, their sums are exact in
	 * any order: value = unit * (sum of small[i] * count[i]). Otherwise UNIT is 0.
	 */
	double unit;
	int8_t small[HEURISTIC_WEIGHTS];
	const struct spawn_rule *spawn;
};

enum { EXPONENTS = 64 }; /* more than any board has; a vector of bytes */

/*
 * The value strong in integers, with M tiles in runs, and falls and rises as in strong.c:
 *
 *   value = base + sum over cells of cell[interior][k] + corner, if a largest tile is in one,
 *         + merge * M - mono * sum over lines of min(falls, rises)
 *
 * with power[k] for k^mono_power. Twice power[k] stays below 2^16 if lines have five cells or more,
 * power[k] if they have fewer, so that min(falls, rises) = (falls - max(0, power[first] -
 * power[last])) modulo 2^16. Every value of a board fits into 32 bits.
 */
struct strong_tables {
	int32_t base, corner, merge, mono;
	int32_t cell[2][EXPONENTS]; /* [1]: for cells that are not on the border */
	uint16_t power[EXPONENTS];
};

/*
 * Numbers by code, and as digits in base 64: four digits add up in a byte. Digits from COUNT on are
 * 0.
 */
struct strong_digits {
	int32_t whole[EXPONENTS];
	int count;
	uint8_t digit[5][EXPONENTS];
};

/*
 * The tables of strong by code: an empty cell is 0, an exponent k is k + 1. A value is START minus
 * the cost of cells, minus the extra cost of inner cells, plus the other terms as above.
 */
struct strong_bytes {
	int32_t start, corner, merge, mono;
	struct strong_digits cell, inside;
	uint16_t powers[EXPONENTS];
	uint8_t power[2][EXPONENTS]; /* low and high byte */
};

/* The kernels of a shape. */
struct value_kernel {
	int rows, cols;
	/* Counts the terms of the heuristic in BOARD. */
	void (*count)(const struct line_shape *shape, const struct board *board,
		      int counts[HEURISTIC_WEIGHTS]);
	/*
	 * For each of KINDS exponents k[i], sums the counts over all positions that AFTER becomes
	 * when a tile k[i] appears in one of its empty cells.
	 */
	void (*spawn_counts)(const struct line_shape *shape, const struct board *after,
			     const uint8_t *k, int kinds, int (*counts)[HEURISTIC_WEIGHTS]);
	/* `best` of the heuristic, without rewards; OUT has room for N. */
	void (*heuristic_best)(const struct heuristic_weights *weights,
			       const struct leaf_rule *rule, const struct batch *batch, size_t n,
			       double *out);
	/* `best` of the value strong, without spawns and rewards. */
	void (*strong_best)(const struct strong_bytes *bytes, const struct leaf_rule *rule,
			    const struct batch *batch, size_t n, double *out);
	/* Computes the value strong of N positions. */
	void (*strong_eval)(const struct strong_bytes *bytes, const struct batch *batch, size_t n,
			    double *out);
	/* `leaf_sums` of strong, without spawns and rewards; NULL if strong_best is as fast. */
	void (*strong_sums)(const struct strong_bytes *bytes, const struct leaf_rule *rule,
			    const struct leaf_node *nodes, size_t n);
};

/* One entry per shape. */
extern const struct value_kernel values_avx2[], values_avx512[];

/* Returns the kernels for the shape and instruction set of GAME. */
const struct value_kernel *value_kernel(const struct game *game);

#endif
