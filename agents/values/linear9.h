/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The nine features of the value linear9; agents/values/linear9_features.c says what they are. */
#ifndef NXN_LINEAR9_H
#define NXN_LINEAR9_H

#include "boards/board.h"

enum { LINEAR9 = 9 };

/* Cells of a shape; in cells of rows, cell (r, c) is the highest bit of byte c of word r. */
struct linear9_shape {
	int rows, cols;
	uint64_t corners[SIDE_MAX], set5[SIDE_MAX], set6[SIDE_MAX];
};

void linear9_shape_init(struct linear9_shape *shape, const struct game *game);

/* f[i - 1] = f_i of BOARD, but f_3, which is 0: it belongs to a move. An empty board has only zeroes. */
void linear9_features(const struct linear9_shape *shape, const struct board *board,
		      double f[LINEAR9]);

/* f_3 of a move: the sum over cells of |tile after - tile before|. */
double linear9_changes(const struct linear9_shape *shape, const struct board *before,
		       const struct board *after);

#endif
