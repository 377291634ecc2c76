/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernels of wide.h for every shape: the same always-inlined bodies with constant sides. A file
 * that includes this one includes a lane header first (boards/lanes_wide*.h), defines WIDE_KERNELS,
 * the name of the table to make, and is compiled for one instruction set.
 */
#include "agents/values/wide.h"
#include "boards/simd/slide_wide.h"
#include "boards/simd/wide_numbers.h"

#include <math.h>

#include "agents/values/wide_weigh.h"
#ifdef WIDE_STRONG
#include "agents/values/wide_strong.h"
#endif

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

#ifdef WIDE_STRONG
#define SHAPE(r, c)                                                                                \
	static __attribute__((noinline)) void strong_spoils_##r##x##c(                             \
	    const struct strong_bytes *bytes, const struct wide_places *cell, int pieces,          \
	    struct wide_sum sum[2])                                                                \
	{                                                                                          \
		spoils_sum(bytes, cell, pieces, r, c, sum);                                        \
	}                                                                                          \
	static void strong_offer_##r##x##c(const struct strong_bytes *bytes,                       \
					   const struct wide_boards *boards, int direction,        \
					   struct strong_best *best)                               \
	{                                                                                          \
		strong_offer(bytes, strong_spoils_##r##x##c, boards, direction, r, c, best);       \
	}
#include "boards/shapes.def"

#define SHAPE(r, c)                                                                                \
	static void strong_best_##r##x##c(const struct strong_bytes *bytes,                        \
					  const struct horizon *horizon,                           \
					  const struct batch *batch, size_t n, double *out)        \
	{                                                                                          \
		strong_best_body(bytes, horizon, batch, n, out, strong_offer_##c##x##r,            \
				 strong_offer_##r##x##c, r, c);                                    \
	}                                                                                          \
	static void strong_eval_##r##x##c(const struct strong_bytes *bytes,                        \
					  const struct batch *batch, size_t n, double *out)        \
	{                                                                                          \
		strong_eval_body(bytes, strong_spoils_##r##x##c, batch, n, out, r, c);             \
	}
#include "boards/shapes.def"
#define STRONG(r, c) strong_best_##r##x##c, strong_eval_##r##x##c
#else
#define STRONG(r, c) NULL, NULL
#endif

const struct wide_kernel WIDE_KERNELS[] = {
#define SHAPE(r, c) {r, c, terms_best_##r##x##c, STRONG(r, c)},
#include "boards/shapes.def"
    {0},
};

#undef STRONG
#undef WIDE_STRONG
#undef ALWAYS_INLINE
#undef WIDE_KERNELS
