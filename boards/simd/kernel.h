/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rules, compiled for each shape and instruction set; game_init() picks one. */
#ifndef NXN_KERNEL_H
#define NXN_KERNEL_H

#include "boards/game.h"
#include "boards/simd/inline.h"

/* The longest line of a shape. Shapes without sides above 4 get by with fewer lanes. */
#define SHAPE_LENGTH(rows, cols) ((rows) > (cols) ? (rows) : (cols))
#define SHAPE_SMALL(rows, cols) (SHAPE_LENGTH(rows, cols) <= 4)

/* A table of these has an entry a shape and ends with rows = 0. */
struct kernel {
	int rows, cols;
	void (*moves)(const struct board *board, struct moves *moves);
	bool (*over)(const struct board *board);
};

extern const struct kernel kernels_portable[], kernels_avx2[], kernels_avx512[];

#endif
