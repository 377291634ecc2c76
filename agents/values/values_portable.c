/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels of values for any processor, and the choice of kernels for a game. */
#include "boards/simd/lanes_wide.h"

#include "agents/values/batch_template.h"
#include "agents/values/strong_template.h"
#define VALUES_TABLE static const struct value_kernel values_portable[]
#include "agents/values/heuristic_template.h"

const struct value_kernel *value_kernel(const struct game *game)
{
	const struct value_kernel *kernel =
	    ISA_PICK(game->isa, values_portable, values_avx2, values_avx512);
	while (kernel->rows != game->rows || kernel->cols != game->cols)
		kernel++;
	return kernel;
}
