/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the weights of a shape; see shape_sets.h. */
#include "agents/shape_sets.h"

#include <assert.h>
#include <math.h>

const void *shape_sets_find(const void *lines, size_t n, size_t size, int set,
			    const struct game *game)
{
	const int rows = game->rows < game->cols ? game->rows : game->cols;
	const int cols = game->cells / rows;
	const struct shape_line *best = NULL;
	for (size_t i = 0; i < n; i++) {
		const struct shape_line *line = (const void *)((const char *)lines + i * size);
		if (line->set == set && line->rows * line->cols <= game->cells &&
		    (!best || line->rows * line->cols > best->rows * best->cols ||
		     (line->rows == rows && line->cols == cols)))
			best = line;
	}
	assert(best);
	return best;
}

void shape_sets_fill(double *parameter, double weight)
{
	if (isnan(*parameter))
		*parameter = weight;
}
