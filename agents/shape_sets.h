/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Weights that were tuned on a shape: lines of a .def file, by set and shape. */
#ifndef NXN_SHAPE_SETS_H
#define NXN_SHAPE_SETS_H

#include "boards/game.h"

#include <stddef.h>

/* What every line begins with; rows <= cols, the other way round is the same. */
struct shape_line {
	int set, rows, cols;
};

/*
 * The line of SET for the shape of GAME among N LINES of SIZE bytes each, which begin with a struct
 * shape_line: that of the shape, or of the largest one before it that has no more cells. The set has
 * a line for 2x2.
 */
const void *shape_sets_find(const void *lines, size_t n, size_t size, int set,
			    const struct game *game);

/* Puts WEIGHT where a parameter was left at auto, which is NAN. */
void shape_sets_fill(double *parameter, double weight);

#endif
