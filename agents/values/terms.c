/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Picks the kernel of an instruction set; see terms.h. */
#include "agents/values/terms.h"

const struct terms_kernel *terms_kernel(enum isa isa)
{
	switch (isa) {
#if defined NXN_X86_64
	case ISA_AVX512:
		return &terms_avx512;
	case ISA_AVX2:
		return &terms_avx2;
#endif
	default:
		return &terms_portable;
	}
}

void terms_shape_init(struct terms_shape *shape, const struct game *game)
{
	*shape = (struct terms_shape){.rows = game->rows, .cols = game->cols};
	for (int k = 0; k < SIDE_MAX; k++) {
		if (k < game->rows)
			shape->used[k][0] = ~(uint64_t)0 >> (64 - 8 * game->cols);
		if (k < game->cols)
			shape->used[k][1] = ~(uint64_t)0 >> (64 - 8 * game->rows);
	}
}
