/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lanes for 64 boards, one board per byte, for AVX-512 VBMI: the operations of
 * boards/simd/lanes_wide.h by intrinsics, since plain vectors of this width are half as fast.
 */
#ifndef NXN_LANES_WIDE_H
#define NXN_LANES_WIDE_H

#include "boards/simd/bytes.h"
#include "boards/simd/kernel.h"

#include <immintrin.h>

/* Boards per vector. */
enum { WIDE = 64 };

typedef __m512i lanes;
/* One bit per lane. */
typedef __mmask64 lanes_mask;

#define lanes_all(x) _mm512_set1_epi8((char)(x))
#define lanes_empty(a) _mm512_testn_epi8_mask(a, a)
#define lanes_equal(a, b) _mm512_cmpeq_epi8_mask(a, b)
#define lanes_above(a, b) _mm512_cmpgt_epu8_mask(a, b)
#define lanes_and(a, b) _kand_mask64(a, b)
#define lanes_or(a, b) _kor_mask64(a, b)
#define lanes_and_not(a, b) _kandn_mask64(b, a)
#define lanes_blend(mask, yes, no) _mm512_mask_mov_epi8(no, mask, yes)
#define lanes_where(mask, v) _mm512_maskz_mov_epi8(mask, v)
#define lanes_unless(mask, v) _mm512_mask_mov_epi8(v, mask, _mm512_setzero_si512())
#define lanes_increment(mask, v) _mm512_mask_add_epi8(v, mask, v, _mm512_set1_epi8(1))
#define lanes_raise(mask, v, by) _mm512_mask_add_epi8(v, mask, v, by)
#define lanes_plus(a, b) _mm512_add_epi8(a, b)
#define lanes_minus(a, b) _mm512_sub_epi8(a, b)
#define lanes_both(a, b) _mm512_and_si512(a, b)
#define lanes_max(a, b) _mm512_max_epu8(a, b)
#define lanes_min(a, b) _mm512_min_epu8(a, b)
/* SEEN or the bits in which A and B differ. */
#define lanes_differ(seen, a, b) _mm512_ternarylogic_epi64(seen, a, b, 0xf6)
/* Whether any lane is not 0. */
#define lanes_some(a) (_mm512_test_epi8_mask(a, a) != 0)
/* Lanes as signed numbers. */
#define lanes_signed_above(a, b) _mm512_cmpgt_epi8_mask(a, b)
#define lanes_and_signed_above(mask, a, b) _mm512_mask_cmpgt_epi8_mask(mask, a, b)
#define lanes_signed_max(a, b) _mm512_max_epi8(a, b)
#define lanes_signed_min(a, b) _mm512_min_epi8(a, b)

/* Interleaves the first or, if HIGH, last eight bytes of every 16 of two vectors. */
#define wide_zip(high, a, b) ((high) ? _mm512_unpackhi_epi8(a, b) : _mm512_unpacklo_epi8(a, b))

/*
 * Loads the COLS <= 4 columns from COLUMN on of one row of 64 boards: gathers four columns of 16
 * boards at a time from two registers, then joins the 16-byte parts of each column.
 */
ALWAYS_INLINE void wide_columns(const uint64_t *from, int column, int cols, lanes *cell)
{
#define EIGHT(i) i, i + 8, i + 16, i + 24, i + 32, i + 40, i + 48, i + 56
	static const _Alignas(64) uint8_t places[64] = {EIGHT(0), EIGHT(64), EIGHT(1), EIGHT(65),
							EIGHT(2), EIGHT(66), EIGHT(3), EIGHT(67)};
#undef EIGHT
	const __m512i index =
	    _mm512_add_epi8(_mm512_load_si512(places), _mm512_set1_epi8((char)column));
	lanes part[4];
	UNROLL
	for (int i = 0; i < 4; i++)
		part[i] = _mm512_permutex2var_epi8(_mm512_loadu_si512(from + 16 * i), index,
						   _mm512_loadu_si512(from + 16 * i + 8));
	const lanes near = _mm512_shuffle_i32x4(part[0], part[1], 0x44);
	const lanes near_end = _mm512_shuffle_i32x4(part[2], part[3], 0x44);
	const lanes far = _mm512_shuffle_i32x4(part[0], part[1], 0xee);
	const lanes far_end = _mm512_shuffle_i32x4(part[2], part[3], 0xee);
	cell[0] = _mm512_shuffle_i32x4(near, near_end, 0x88);
	if (cols > 1)
		cell[1] = _mm512_shuffle_i32x4(near, near_end, 0xdd);
	if (cols > 2)
		cell[2] = _mm512_shuffle_i32x4(far, far_end, 0x88);
	if (cols > 3)
		cell[3] = _mm512_shuffle_i32x4(far, far_end, 0xdd);
}

/*
 * Loads the first COLS cells of row R of the boards FIRST .. FIRST + 63: cell[c] has one board per
 * lane.
 */
ALWAYS_INLINE void wide_row(const struct batch *batch, size_t first, int r, int cols, lanes *cell)
{
	const uint64_t *from = batch->row[r] + first;
	wide_columns(from, 0, cols < 4 ? cols : 4, cell);
	if (cols > 4)
		wide_columns(from, 4, cols - 4, cell + 4);
}

/* More operations for playouts. */
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
	const lanes low = wide_zip(false, n, lanes_all(0)), high = wide_zip(true, n, lanes_all(0));
	return _mm512_packus_epi16(_mm512_mulhi_epu16(low, (__m512i)a),
				   _mm512_mulhi_epu16(high, (__m512i)b));
}

/* 1 in the words of W that exceed T, else 0. */
ALWAYS_INLINE __m512i words_above(wide_words w, __m512i t)
{
	const __m512i excess = _mm512_subs_epi16(_mm512_max_epi16((__m512i)w, t), t);
	return _mm512_min_epi16(excess, _mm512_set1_epi16(1));
}

/* Packs numbers, since masks of words would not be in the order of the lanes. */
ALWAYS_INLINE lanes_mask lanes_drawn_above(wide_words a, wide_words b, int16_t t)
{
	const __m512i x = _mm512_set1_epi16(t);
	const __m512i above = _mm512_packus_epi16(words_above(a, x), words_above(b, x));
	return _mm512_test_epi8_mask(above, above);
}

#endif
