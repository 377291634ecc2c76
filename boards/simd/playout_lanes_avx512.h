/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The operations of boards/simd/playout_lanes.h for 64 games at once; see there for what they do. */
#include "boards/simd/lanes_wide_avx512.h"
#include "boards/simd/playout_kernel.h"

typedef uint64_t wide_words __attribute__((vector_size(WIDE)));

#define lanes_xor(a, b) _mm512_xor_si512(a, b)
#define lanes_flip(into, a, b) _mm512_ternarylogic_epi64(into, a, b, 0x78)
#define lanes_negative(a) _mm512_movepi8_mask(a)
#define lanes_vector(mask) _mm512_movm_epi8(mask)
#define lanes_vacate(mask, v) _mm512_mask_mov_epi8(v, mask, lanes_all(PLAYOUT_EMPTY))
#define lanes_get(from) _mm512_loadu_si512(from)
#define lanes_keep(to, v) _mm512_storeu_si512(to, v)
#define lanes_double(mask, v) _mm512_mask_adds_epi8(v, mask, v, lanes_all(1))
#define lanes_vacant(v) _mm512_subs_epu8(v, lanes_all(PLAYOUT_EMPTY - 1))
#define lanes_bits(mask) ((uint64_t)(mask))

ALWAYS_INLINE lanes lanes_scaled(lanes n, wide_words a, wide_words b)
{
	const __m512i low = _mm512_unpacklo_epi8(n, lanes_all(0));
	const __m512i high = _mm512_unpackhi_epi8(n, lanes_all(0));
	return _mm512_packus_epi16(_mm512_mulhi_epu16(low, (__m512i)a),
				   _mm512_mulhi_epu16(high, (__m512i)b));
}

/* 1 in the words of W that exceed T, else 0. */
ALWAYS_INLINE __m512i words_above(wide_words w, __m512i t)
{
	const __m512i excess = _mm512_subs_epi16(_mm512_max_epi16((__m512i)w, t), t);
	return _mm512_min_epi16(excess, _mm512_set1_epi16(1));
}

/* By numbers: masks of words would not come in the order of lanes. */
ALWAYS_INLINE lanes_mask lanes_drawn_above(wide_words a, wide_words b, int16_t t)
{
	const __m512i x = _mm512_set1_epi16(t);
	const __m512i above = _mm512_packus_epi16(words_above(a, x), words_above(b, x));
	return _mm512_test_epi8_mask(above, above);
}
