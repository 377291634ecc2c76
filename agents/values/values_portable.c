/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels of values for any processor, and which kernels a game takes. */
#include "boards/simd/lanes_wide.h"

#define VALUES_KERNEL values_portable
#include "agents/values/batch_template.h"
#include "agents/values/heuristic_template.h"

const struct values_kernel *values_kernel(const struct game *game)
{
	switch (game->isa) {
#if defined NXN_X86_64
	case ISA_AVX512:
		return &values_avx512;
	case ISA_AVX2:
		return &values_avx2;
#endif
	default:
		return &values_portable;
	}
}

const struct batch_kernel *batch_kernel(const struct game *game)
{
	const struct batch_kernel *kernel = values_kernel(game)->batch;
	while (kernel->rows != game->rows || kernel->cols != game->cols)
		kernel++;
	return kernel;
}
