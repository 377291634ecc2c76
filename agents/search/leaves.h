/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a search ends: positions are collected and looked at many at once, and each value is
 * delivered where the search wants it.
 */
#ifndef NXN_LEAVES_H
#define NXN_LEAVES_H

#include "agents/value.h"

/* COUNT neighbouring positions of the batch, whose values go to TO. */
struct leaf_run {
	double *to;
	int count;
};

struct leaves {
	const struct game *game;
	const struct value *value;
	struct horizon horizon;
	size_t n; /* positions waiting */
	int runs;
	struct leaf_run run[BATCH_MAX];
	struct batch batch;
};

void leaves_init(struct leaves *leaves, const struct game *game, const struct value *value,
		 const struct horizon *horizon);

/*
 * AFTER with a tile of exponent k[j] in each of its COUNT empty cells: kind by kind, cells in
 * order. to[j * count + i] gets the value of such a position, one own move further on (value.h,
 * `best`), when leaves_flush() returns or before.
 */
void leaves_add(struct leaves *leaves, const struct board *after, const uint8_t *cells, int count,
		const uint8_t *k, int kinds, double *to);

/* Looks at all that wait. */
void leaves_flush(struct leaves *leaves);

/*
 * For each of KINDS exponents, the sum of the values of the same positions without a move: terminal
 * where none is legal, otherwise eval().
 */
void leaves_sums(const struct leaves *leaves, const struct board *after, const uint8_t *cells,
		 int count, const uint8_t *k, int kinds, double *sums);

#endif
