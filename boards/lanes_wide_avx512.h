/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lanes for 64 boards at once, one board a byte, for AVX-512 VBMI: boards/lanes_wide.h by
 * intrinsics, since plain vectors of this width compile to half the speed.
 */
#ifndef NXN_LANES_WIDE_H
#define NXN_LANES_WIDE_H

#include "boards/batch.h"
#include "boards/inline.h"

#include <immintrin.h>

/* Boards a vector. */
enum { WIDE = 64 };

typedef __m512i lanes;
/* A bit a lane. */
typedef __mmask64 lanes_mask;

#define lanes_all(x) _mm512_set1_epi8((char)(x))
#define lanes_empty(a) _mm512_testn_epi8_mask(a, a)
#define lanes_equal(a, b) _mm512_cmpeq_epi8_mask(a, b)
#define lanes_above(a, b) _mm512_cmpgt_epu8_mask(a, b)
#define lanes_and(a, b) _kand_mask64(a, b)
#define lanes_or(a, b) _kor_mask64(a, b)
#define lanes_and_not(a, b) _kandn_mask64(b, a)
#define lanes_neither(a, b, c) lanes_and_not(lanes_and_not(a, b), c)
#define lanes_blend(mask, yes, no) _mm512_mask_mov_epi8(no, mask, yes)
#define lanes_where(mask, v) _mm512_maskz_mov_epi8(mask, v)
#define lanes_unless(mask, v) _mm512_mask_mov_epi8(v, mask, _mm512_setzero_si512())
#define lanes_increment(mask, v) _mm512_mask_add_epi8(v, mask, v, _mm512_set1_epi8(1))
#define lanes_raise(mask, v, by) _mm512_mask_add_epi8(v, mask, v, by)
#define lanes_plus(a, b) _mm512_add_epi8(a, b)
#define lanes_minus(a, b) _mm512_sub_epi8(a, b)
#define lanes_max(a, b) _mm512_max_epu8(a, b)
#define lanes_min(a, b) _mm512_min_epu8(a, b)
/* SEEN and the bits in which A and B differ. */
#define lanes_differ(seen, a, b) _mm512_ternarylogic_epi64(seen, a, b, 0xf6)
/* Whether any lane is not 0. */
#define lanes_some(a) (_mm512_test_epi8_mask(a, a) != 0)
/* Lanes as signed numbers. */
#define lanes_signed_above(a, b) _mm512_cmpgt_epi8_mask(a, b)
#define lanes_and_signed_above(mask, a, b) _mm512_mask_cmpgt_epi8_mask(mask, a, b)
#define lanes_signed_max(a, b) _mm512_max_epi8(a, b)
#define lanes_signed_min(a, b) _mm512_min_epi8(a, b)

/*
 * Numbers of boards, wider than a lane: boards 16i + 8 half .. + 7 for every i are in a vector of
 * shorts, 16i + 4 quarter .. + 3 in a vector of ints.
 */
typedef __m512i wide_shorts, wide_ints;
#define wide_all16(x) _mm512_set1_epi16(x)
#define wide_plus16(x, y) _mm512_add_epi16(x, y)
#define wide_plus32(x, y) _mm512_add_epi32(x, y)
typedef double wide_reals __attribute__((vector_size(WIDE), may_alias));
/* The greater; B where A is not a number. */
#define wide_real_max(a, b) ((wide_reals)_mm512_max_pd((__m512d)(a), (__m512d)(b)))

/* a x + b y: x, y below 128 and a, b signed. */
ALWAYS_INLINE wide_shorts wide_dot8(lanes x, lanes a, lanes y, lanes b, int half)
{
	return half ? _mm512_maddubs_epi16(_mm512_unpackhi_epi8(x, y), _mm512_unpackhi_epi8(a, b))
		    : _mm512_maddubs_epi16(_mm512_unpacklo_epi8(x, y), _mm512_unpacklo_epi8(a, b));
}

/* a x + b y in quarter 2 half + odd, from shorts of that half. */
ALWAYS_INLINE wide_ints wide_dot16(wide_shorts x, int a, wide_shorts y, int b, int odd)
{
	const __m512i by = _mm512_set1_epi32((a & 0xffff) | (int)((unsigned)b << 16));
	return _mm512_madd_epi16(odd ? _mm512_unpackhi_epi16(x, y) : _mm512_unpacklo_epi16(x, y),
				 by);
}

/* The greater of BEST and X where SEEN is not 0, else BEST. */
ALWAYS_INLINE wide_shorts wide_greater(wide_shorts best, wide_shorts x, lanes seen, int half)
{
	const __m512i pairs =
	    half ? _mm512_unpackhi_epi8(seen, seen) : _mm512_unpacklo_epi8(seen, seen);
	return _mm512_mask_max_epi16(best, _mm512_test_epi16_mask(pairs, pairs), best, x);
}

/* to[i] = unit * x of board i, for the boards of a quarter. */
ALWAYS_INLINE void wide_store(wide_ints x, int quarter, double unit, double *to)
{
	const __m512d first = unit * _mm512_cvtepi32_pd(_mm512_castsi512_si256(x));
	const __m512d last = unit * _mm512_cvtepi32_pd(_mm512_extracti64x4_epi64(x, 1));
	to += 4 * quarter;
	_mm256_storeu_pd(to, _mm512_castpd512_pd256(first));
	_mm256_storeu_pd(to + 16, _mm512_extractf64x4_pd(first, 1));
	_mm256_storeu_pd(to + 32, _mm512_castpd512_pd256(last));
	_mm256_storeu_pd(to + 48, _mm512_extractf64x4_pd(last, 1));
}

/*
 * Four columns from COLUMN on, of which COLS are wanted, of one row of 64 boards: sixteen boards'
 * cells of a column at a time come out of two registers, then columns are put together.
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
 * The first COLS cells of row R of the boards FIRST .. FIRST + 63: cell[c] has them a board a lane.
 */
ALWAYS_INLINE void wide_row(const struct batch *batch, size_t first, int r, int cols, lanes *cell)
{
	const uint64_t *from = batch->row[r] + first;
	wide_columns(from, 0, cols < 4 ? cols : 4, cell);
	if (cols > 4)
		wide_columns(from, 4, cols - 4, cell + 4);
}

#endif
