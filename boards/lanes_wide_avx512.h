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

/*
 * The first COLS cells of row R of the boards FIRST .. FIRST + 63: cell[c] has them a board a lane.
 * Vector i holds boards 8i .. 8i+7. Each round of interleaving vectors i and i + 4 moves one bit of
 * a byte's place, within 16 bytes, from the column to the board; then pairs of boards are put in
 * order.
 */
ALWAYS_INLINE void wide_row(const struct batch *batch, size_t first, int r, int cols, lanes *cell)
{
	static const _Alignas(64)
	    uint16_t order[32] = {0, 8,	 16, 24, 1, 9,	17, 25, 2, 10, 18, 26, 3, 11, 19, 27,
				  4, 12, 20, 28, 5, 13, 21, 29, 6, 14, 22, 30, 7, 15, 23, 31};
	const uint64_t *from = batch->row[r] + first;
	const __m512i pairs = _mm512_load_si512(order);
	lanes m[8], z[8];
	UNROLL
	for (int i = 0; i < 8; i++)
		m[i] = _mm512_loadu_si512(from + 8 * i);
	UNROLL
	for (int round = 0; round < 4; round++) {
		UNROLL
		for (int i = 0; i < 4; i++) {
			z[2 * i] = _mm512_unpacklo_epi8(m[i], m[i + 4]);
			z[2 * i + 1] = _mm512_unpackhi_epi8(m[i], m[i + 4]);
		}
		UNROLL
		for (int i = 0; i < 8; i++)
			m[i] = z[i];
	}
	UNROLL
	for (int c = 0; c < cols; c++)
		cell[c] = _mm512_permutexvar_epi16(pairs, m[c]);
}

#endif
