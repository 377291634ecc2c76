/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The four counts behind agents/values/heuristic.c, for one position or summed over all spawns at once.
 * Compiled for each instruction set.
 */
#ifndef NXN_TERMS_H
#define NXN_TERMS_H

#include "boards/board.h"

struct terms {
	int empty;    /* cells */
	int corner;   /* 1 if a largest tile stands in a corner */
	int monotone; /* rows and columns that never rise, or never fall; empty cells are 0 */
	int merges;   /* neighbouring pairs of equal tiles */
};

/* What the kernels need to know of a shape. */
struct terms_shape {
	int rows, cols;
	/* used[k]: which columns (word 0) and rows (word 1) have a k-th cell, a byte each. */
	uint64_t used[SIDE_MAX + 1][2];
};

struct terms_kernel {
	void (*count)(const struct terms_shape *shape, const struct board *board,
		      struct terms *terms);
	/*
	 * For each of KINDS exponents k[i]: the sums of the counts over all positions that AFTER
	 * becomes when a tile k[i] appears in one of its empty cells.
	 */
	void (*spawn_sums)(const struct terms_shape *shape, const struct board *after,
			   const uint8_t *k, int kinds, struct terms *terms);
};

extern const struct terms_kernel terms_portable, terms_avx2, terms_avx512;

void terms_shape_init(struct terms_shape *shape, const struct game *game);

/* The kernel compiled for ISA. */
const struct terms_kernel *terms_kernel(enum isa isa);

#endif
