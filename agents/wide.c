/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Picks the kernel of a shape and an instruction set, and prepares its weights; see wide.h. */
#include "agents/wide.h"

#include <math.h>

static const struct wide_kernel *kernels_of(enum isa isa)
{
	switch (isa) {
#if defined NXN_X86_64
	case ISA_AVX512:
		return wide_avx512;
	case ISA_AVX2:
		return wide_avx2;
#endif
	default:
		return wide_portable;
	}
}

const struct wide_kernel *wide_kernel(const struct game *game)
{
	const struct wide_kernel *kernel = kernels_of(game->isa);
	while (kernel->rows != game->rows || kernel->cols != game->cols)
		kernel++;
	return kernel;
}

/* Whether X is a whole number that fits into a byte. */
static bool is_small(double x)
{
	return fabs(x) <= INT8_MAX && x == rint(x);
}

void terms_weights_scale(struct terms_weights *weights)
{
	weights->unit = 0;
	for (double unit = 0x1p20; unit >= 0x1p-20; unit /= 2) {
		const double empty = weights->empty / unit, corner = weights->corner / unit,
			     monotone = weights->monotone / unit, merge = weights->merge / unit;
		if (!is_small(empty) || !is_small(corner) || !is_small(monotone) ||
		    !is_small(merge))
			continue;
		weights->unit = unit;
		weights->small.empty = (int8_t)empty;
		weights->small.corner = (int8_t)corner;
		weights->small.monotone = (int8_t)monotone;
		weights->small.merge = (int8_t)merge;
		return;
	}
}
