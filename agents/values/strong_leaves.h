/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The value strong of all leaves of a chance node: kernels and their tables. */
#ifndef NXN_STRONG_LEAVES_H
#define NXN_STRONG_LEAVES_H

#include "agents/values/values_kernel.h"

/* Numbers by exponent, whole and as digits in base 256, the highest first. */
struct strong_leaf_digits {
	int count;
	uint8_t digit[4][EXPONENTS];
	uint32_t whole[EXPONENTS];
};

/* The tables of values_kernel.h by exponent; strong_leaves_template.h explains the method. */
struct strong_leaf_tables {
	int32_t corner, merge, mono;
	int32_t price[EXPONENTS];    /* of a tile k in an empty cell */
	int64_t gain[EXPONENTS];     /* gain when two tiles k merge; gain[0] is 0 */
	uint16_t powers[EXPONENTS];  /* powers as shorts, and as */
	uint8_t power[2][EXPONENTS]; /* low and high byte */
	uint32_t pairs[1 << 10];     /* the powers of k and l as shorts side by side, by k + 32 l */
	/*
	 * The value of a board plus 2^31 is START minus COST of 64 cells (cells outside the shape
	 * count as empty), minus the extra cost of INSIDE cells, plus the other terms as in
	 * values_kernel.h.
	 */
	uint32_t start;
	struct strong_leaf_digits cost, inside;
	/* Shuffles that close the gaps between tiles, a bit each: {forth, back} of a line. */
	uint8_t close[1 << SIDE_MAX][2][ROW_BYTES];
};

/* Result in place of a sum: no move is legal after the only possible spawn. */
#define STRONG_LOST INT64_MIN

/* The kernel for the chance nodes of a shape. */
struct strong_leaves {
	int rows, cols;
	/*
	 * Sets sums[i], i < KINDS, to the sum of the values of AFTER with a tile of exponent k[i]
	 * in each of its empty cells (at least one), searched one own move further; or to
	 * STRONG_LOST. Returns false, with SUMS unchanged, if there is a tile of 2^31 or more.
	 */
	bool (*sum)(const struct strong_leaf_tables *tables, const struct board *after,
		    const uint8_t *k, int kinds, int64_t *sums);
};

/* Entries for the shapes for which this kernel is faster than batches, ending with 0. */
extern const struct strong_leaves strong_leaves_portable[], strong_leaves_avx2[],
    strong_leaves_avx512[];

#endif
