/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernels of wide.h for every shape: the same always-inlined bodies with constant sides. A file
 * that includes this one includes a lane header first (boards/lanes_wide*.h), defines WIDE_KERNELS,
 * the name of the table to make, and is compiled for one instruction set.
 */
#include "agents/wide.h"
#include "boards/slide_wide.h"

#include <math.h>

#include "agents/wide_terms.h"

/* Shape (r, c) here is r lines of c cells. */
#define SHAPE(r, c)                                                                                \
	static void terms_afters_##r##x##c(const struct terms_task *task,                          \
					   const struct wide_boards *boards, int direction,        \
					   struct wide_best *best)                                 \
	{                                                                                          \
		direction_offer(task, boards, direction, r, c, false, best);                       \
	}                                                                                          \
	static void terms_spawns_##r##x##c(const struct terms_task *task,                          \
					   const struct wide_boards *boards, int direction,        \
					   struct wide_best *best)                                 \
	{                                                                                          \
		direction_offer(task, boards, direction, r, c, true, best);                        \
	}
#include "boards/shapes.def"

#define SHAPE(r, c)                                                                                \
	static void terms_best_##r##x##c(const struct terms_weights *weights,                      \
					 const struct horizon *horizon, const struct batch *batch, \
					 size_t n, double *out)                                    \
	{                                                                                          \
		const bool spawns = horizon->spawns;                                               \
		terms_best_body(weights, horizon, batch, n, out,                                   \
				spawns ? terms_spawns_##c##x##r : terms_afters_##c##x##r,          \
				spawns ? terms_spawns_##r##x##c : terms_afters_##r##x##c, r, c);   \
	}
#include "boards/shapes.def"

const struct wide_kernel WIDE_KERNELS[] = {
#define SHAPE(r, c) {r, c, terms_best_##r##x##c},
#include "boards/shapes.def"
    {0},
};

#undef ALWAYS_INLINE
#undef WIDE_KERNELS
