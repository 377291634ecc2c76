/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The operations of boards/simd/playout_template.h beyond boards/simd/lanes_wide.h, for any processor and for
 * AVX2; boards/simd/playout_lanes_avx512.h has the same for AVX-512.
 */
#include "boards/simd/lanes_wide.h"
#include "boards/simd/playout_kernel.h"

typedef uint16_t wide_draws __attribute__((vector_size(WIDE)));

#define lanes_xor(a, b) ((a) ^ (b))
/* INTO ^ (A & B). */
#define lanes_flip(into, a, b) ((into) ^ ((a) & (b)))
/* The lanes whose highest bit is set. */
#define lanes_negative(a) lanes_signed_above(lanes_all(0), a)
/* All bits of the lanes of MASK. */
#define lanes_vector(mask) (mask)
/* Makes cells empty in the lanes of MASK. */
#define lanes_vacate(mask, v) ((v) | ((mask)&lanes_all(PLAYOUT_EMPTY)))

ALWAYS_INLINE lanes lanes_get(const uint8_t *from)
{
	lanes v;
	memcpy(&v, from, sizeof v);
	return v;
}

ALWAYS_INLINE void lanes_keep(uint8_t *to, lanes v)
{
	memcpy(to, &v, sizeof v);
}

/*
 * lanes_double: tiles twice as large in the lanes of MASK; an empty cell stays empty. lanes_vacant: 1
 * where a cell is empty, else 0. lanes_bits: a mask as a number.
 *
 * lanes_scaled: floor(n * w / 65536) with 16 random bits w a lane; in each 16 lanes, the first eight
 * take theirs from A, the others from B. lanes_drawn_above: whether the signed number of those bits
 * is above T.
 */
#ifdef __SSE2__

#ifdef __AVX2__
typedef __m256i wide_int;
#define WIDE_OP(name) _mm256_##name
#else
typedef __m128i wide_int;
#define WIDE_OP(name) _mm_##name
#endif

#define lanes_double(mask, v) LANES_OF(subs_epi8, v, mask)
#define lanes_vacant(v) LANES_OF(subs_epu8, v, lanes_all(PLAYOUT_EMPTY - 1))
#define lanes_bits(mask) ((uint64_t)(uint32_t)WIDE_OP(movemask_epi8)((wide_int)(mask)))

ALWAYS_INLINE lanes lanes_scaled(lanes n, wide_words a, wide_words b)
{
	const lanes low = LANES_OF(unpacklo_epi8, n, lanes_all(0));
	const lanes high = LANES_OF(unpackhi_epi8, n, lanes_all(0));
	return LANES_OF(packus_epi16, LANES_OF(mulhi_epu16, low, a),
			LANES_OF(mulhi_epu16, high, b));
}

ALWAYS_INLINE lanes_mask lanes_drawn_above(wide_words a, wide_words b, int16_t t)
{
	const wide_draws x = (wide_draws){0} + (uint16_t)t;
	return LANES_OF(packs_epi16, LANES_OF(cmpgt_epi16, a, x), LANES_OF(cmpgt_epi16, b, x));
}

#else

#define lanes_double(mask, v) ((v) - ((mask) & ~lanes_equal(v, lanes_all(PLAYOUT_EMPTY))))
#define lanes_vacant(v) (lanes_equal(v, lanes_all(PLAYOUT_EMPTY)) & lanes_all(1))

ALWAYS_INLINE uint64_t lanes_bits(lanes_mask mask)
{
	uint64_t bits = 0;
	for (int i = 0; i < WIDE; i++)
		bits |= (uint64_t)(mask[i] & 1) << i;
	return bits;
}

ALWAYS_INLINE unsigned lane_draw(wide_words a, wide_words b, int lane)
{
	return ((wide_draws)(lane % 16 < 8 ? a : b))[lane / 16 * 8 + lane % 8];
}

ALWAYS_INLINE lanes lanes_scaled(lanes n, wide_words a, wide_words b)
{
	for (int i = 0; i < WIDE; i++)
		n[i] = (uint8_t)(lane_draw(a, b, i) * n[i] >> 16);
	return n;
}

ALWAYS_INLINE lanes_mask lanes_drawn_above(wide_words a, wide_words b, int16_t t)
{
	lanes_mask mask = {0};
	for (int i = 0; i < WIDE; i++)
		mask[i] = (int16_t)lane_draw(a, b, i) > t ? 0xff : 0;
	return mask;
}

#endif
