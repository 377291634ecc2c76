/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lanes for many boards, one board per byte, as plain vectors of the width of the instruction set.
 * boards/simd/lanes_wide_avx512.h has the same for AVX-512.
 */
#ifndef NXN_LANES_WIDE_H
#define NXN_LANES_WIDE_H

#include "boards/simd/bytes.h"
#include "boards/simd/kernel.h"

#ifdef __SSE2__
#include <immintrin.h>
#endif

/* Boards per vector. */
#ifdef __AVX2__
enum { WIDE = 32 };
#else
enum { WIDE = 16 };
#endif

typedef uint8_t lanes __attribute__((vector_size(WIDE)));
typedef uint64_t wide_words __attribute__((vector_size(WIDE)));
/* All bits of a lane are set, or none. */
typedef lanes lanes_mask;

#define lanes_all(x) ((lanes){0} + (uint8_t)(x))
#define lanes_empty(a) ((lanes_mask)((a) == 0))
#define lanes_equal(a, b) ((lanes_mask)((a) == (b)))
#define lanes_above(a, b) ((lanes_mask)((a) > (b)))
#define lanes_and(a, b) ((a) & (b))
#define lanes_or(a, b) ((a) | (b))
#define lanes_and_not(a, b) ((a) & ~(b))
#define lanes_where(mask, v) ((v) & (mask))
#define lanes_unless(mask, v) ((v) & ~(mask))
#define lanes_increment(mask, v) ((v) - (mask))
#define lanes_raise(mask, v, by) ((v) + ((mask) & (by)))
#define lanes_plus(a, b) ((a) + (b))
#define lanes_minus(a, b) ((a) - (b))
#define lanes_both(a, b) ((a) & (b))
/* SEEN or the bits in which A and B differ. */
#define lanes_differ(seen, a, b) ((seen) | ((a) ^ (b)))
/* Lanes as signed numbers. */
typedef int8_t signed_lanes __attribute__((vector_size(WIDE)));
#define lanes_signed_above(a, b) ((lanes_mask)((signed_lanes)(a) > (signed_lanes)(b)))
#define lanes_and_signed_above(mask, a, b) ((mask)&lanes_signed_above(a, b))

#if defined __AVX2__
#define LANES_OF(name, a, b) ((lanes)_mm256_##name((__m256i)(a), (__m256i)(b)))
#define lanes_blend(mask, yes, no)                                                                 \
	((lanes)_mm256_blendv_epi8((__m256i)(no), (__m256i)(yes), (__m256i)(mask)))
#define lanes_signed_max(a, b) LANES_OF(max_epi8, a, b)
#define lanes_signed_min(a, b) LANES_OF(min_epi8, a, b)
#else
#define LANES_OF(name, a, b) ((lanes)_mm_##name((__m128i)(a), (__m128i)(b)))
#define lanes_blend(mask, yes, no) ((no) ^ (((no) ^ (yes)) & (mask)))
#define lanes_signed_max(a, b) lanes_blend(lanes_signed_above(a, b), a, b)
#define lanes_signed_min(a, b) lanes_blend(lanes_signed_above(a, b), b, a)
#endif
#ifdef __SSE2__
#define lanes_max(a, b) LANES_OF(max_epu8, a, b)
#define lanes_min(a, b) LANES_OF(min_epu8, a, b)
#else
#define lanes_max(a, b) lanes_blend(lanes_above(a, b), a, b)
#define lanes_min(a, b) lanes_blend(lanes_above(a, b), b, a)
#endif

/* Whether any lane is not 0. */
ALWAYS_INLINE bool lanes_some(lanes a)
{
	const wide_words words = (wide_words)a;
	uint64_t any = words[0] | words[1];
#ifdef __AVX2__
	any |= words[2] | words[3];
#endif
	return any != 0;
}

/*
 * wide_zip interleaves the first or, if HIGH, last eight bytes of every 16 of two vectors: a0 b0 a1
 * b1 ... WIDE_ROWS puts boards i, i + 1 into 16 bytes, boards 16 + i, 17 + i into the next.
 */
#ifdef __AVX2__
#define WIDE_ROWS(from, i) ((wide_words){from[i], from[(i) + 1], from[16 + (i)], from[17 + (i)]})
#define WIDE_ZIP(a, b, i)                                                                          \
	__builtin_shufflevector(a, b, i, i + 32, i + 1, i + 33, i + 2, i + 34, i + 3, i + 35,      \
				i + 4, i + 36, i + 5, i + 37, i + 6, i + 38, i + 7, i + 39,        \
				i + 16, i + 48, i + 17, i + 49, i + 18, i + 50, i + 19, i + 51,    \
				i + 20, i + 52, i + 21, i + 53, i + 22, i + 54, i + 23, i + 55)
#else
#define WIDE_ROWS(from, i) ((wide_words){from[i], from[(i) + 1]})
#define WIDE_ZIP(a, b, i)                                                                          \
	__builtin_shufflevector(a, b, i, i + 16, i + 1, i + 17, i + 2, i + 18, i + 3, i + 19,      \
				i + 4, i + 20, i + 5, i + 21, i + 6, i + 22, i + 7, i + 23)
#endif
#define wide_zip(high, a, b) ((high) ? WIDE_ZIP(a, b, 8) : WIDE_ZIP(a, b, 0))

/*
 * Loads the first COLS cells of row R of the boards FIRST .. FIRST + WIDE - 1: cell[c] has one
 * board per lane. Each round of interleaving vectors i and i + 4 moves one bit of a byte's place
 * from the column to the board; four rounds turn 8 x 16 bytes into 16 x 8.
 */
ALWAYS_INLINE void wide_row(const struct batch *batch, size_t first, int r, int cols, lanes *cell)
{
	const uint64_t *from = batch->row[r] + first;
	lanes m[8], z[8];
	UNROLL
	for (int i = 0; i < 8; i++)
		m[i] = (lanes)WIDE_ROWS(from, 2 * i);
	UNROLL
	for (int round = 0; round < 4; round++) {
		UNROLL
		for (int i = 0; i < 4; i++) {
			z[2 * i] = wide_zip(false, m[i], m[i + 4]);
			z[2 * i + 1] = wide_zip(true, m[i], m[i + 4]);
		}
		UNROLL
		for (int i = 0; i < 8; i++)
			m[i] = z[i];
	}
	UNROLL
	for (int c = 0; c < cols; c++)
		cell[c] = m[c];
}

/*
 * More operations for playouts.
 *
 * lanes_double: doubles the tiles in the lanes of MASK; an empty cell stays empty. lanes_vacant: 1
 * where a cell is empty, else 0. lanes_bits: a mask as a number.
 *
 * lanes_scaled: floor(n * w / 65536) with 16 random bits w per lane; in each 16 lanes, the first
 * eight take theirs from A, the others from B. lanes_drawn_above: whether w, as a signed number, is
 * above T.
 */
typedef uint16_t wide_draws __attribute__((vector_size(WIDE)));

#define lanes_xor(a, b) ((a) ^ (b))
/* Computes INTO ^ (A & B). */
#define lanes_flip(into, a, b) ((into) ^ ((a) & (b)))
/* The lanes whose highest bit is set. */
#define lanes_negative(a) lanes_signed_above(lanes_all(0), a)
/* Sets all bits in the lanes of MASK. */
#define lanes_vector(mask) (mask)
/* Empties the cells in the lanes of MASK. */
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
	const lanes low = wide_zip(false, n, lanes_all(0)), high = wide_zip(true, n, lanes_all(0));
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

#endif
