/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The features of a board: its straight lines and 2x3 and 3x2 rectangles, and where the weight of
 * what they show is kept.
 *
 * Every row, every column and every rectangle of six cells is a tuple with weights of its own; no
 * symmetry is shared. 4x4: 8 lines + 12 rectangles, 5x5: 10 + 24, 6x6: 12 + 40; rectangles that do
 * not fit do not exist.
 */
#ifndef NXN_TUPLES_H
#define NXN_TUPLES_H

#include "boards/game.h"

enum {
	TUPLE_CELLS = 6,
	TUPLES_MAX = 52,
	LEVELS_MAX = 64, /* more than any max_exponent + 1 */
};

struct tuple {
	int length;		   /* cells */
	uint8_t cell[TUPLE_CELLS]; /* r * ROW_BYTES + c; 0 behind the last */
};

struct tuples {
	int count;
	int levels;    /* digits: what a cell can show */
	uint64_t size; /* indices of all tuples together */
	struct tuple tuple[TUPLES_MAX];
	uint64_t base[TUPLES_MAX]; /* the first index of a tuple */
	/* part[l][j][e]: what exponent e in cell j adds to the index of l cells; 0 if j >= l */
	uint64_t part[TUPLE_CELLS + 1][TUPLE_CELLS][LEVELS_MAX];
};

/*
 * The tuples of GAME's shape, lines first: rows, columns, 2x3, 3x2, each in reading order. LEVELS
 * in 2 .. LEVELS_MAX; exponents from LEVELS - 1 on count as LEVELS - 1.
 */
void tuples_init(struct tuples *tuples, const struct game *game, int levels);

/* The indices of what BOARD shows: index[k] in base[k] .. base[k + 1] - 1, k < tuples->count. */
void tuples_index(const struct tuples *tuples, const struct board *board,
		  uint64_t index[TUPLES_MAX]);

#endif
