/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Picks the kernel of a shape and an instruction set, and prepares its weights; see wide.h. */
#include "agents/values/wide.h"

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
	for (int exponent = 20; exponent >= -20; exponent--) {
		const double unit = ldexp(1, exponent);
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

/* Sets the digits of X at CODE; whether they are enough. */
static bool digits_put(struct strong_digits *digits, int code, int64_t x)
{
	const int most = sizeof digits->digit / sizeof digits->digit[0];
	for (int d = 0; x > 0; d++, x /= 64) {
		if (d == most)
			return false;
		digits->digit[d][code] = (uint8_t)(x % 64);
		digits->count = d < digits->count ? digits->count : d + 1;
	}
	return true;
}

bool strong_bytes_init(struct strong_bytes *bytes, const struct strong_tables *tables,
		       const struct game *game)
{
	int64_t most = tables->cell[0][0];
	bool fits = true;
	*bytes = (struct strong_bytes){
	    .corner = tables->corner, .merge = tables->merge, .mono = tables->mono};
	for (int k = 0; k <= game->max_exponent; k++)
		most = tables->cell[0][k] > most ? tables->cell[0][k] : most;
	for (int k = 0; k <= game->max_exponent; k++) {
		const int code = k ? k + 1 : 0;
		const int64_t cell = tables->cell[0][k], inside = tables->cell[1][k];
		fits &= digits_put(&bytes->cell, code, most - cell);
		fits &= digits_put(&bytes->inside, code, cell - inside);
		bytes->power[0][code] = (uint8_t)tables->power[k];
		bytes->power[1][code] = (uint8_t)(tables->power[k] >> 8);
	}
	const int64_t start = tables->base + game->cells * most;
	bytes->start = (int32_t)start;
	return fits && start <= INT32_MAX && start >= INT32_MIN;
}
