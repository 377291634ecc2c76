/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lanes for many boards at once, one board a byte, as plain vectors: as wide as the instruction set
 * that the file is compiled for. boards/lanes_wide_avx512.h has the same for AVX-512.
 */
#ifndef NXN_LANES_WIDE_H
#define NXN_LANES_WIDE_H

#include "boards/batch.h"
#include "boards/inline.h"

#ifdef __SSE2__
#include <immintrin.h>
#endif

/* Boards a vector. */
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
#define lanes_neither(a, b, c) lanes_and_not(lanes_and_not(a, b), c)
#define lanes_where(mask, v) ((v) & (mask))
#define lanes_unless(mask, v) ((v) & ~(mask))
#define lanes_increment(mask, v) ((v) - (mask))
#define lanes_raise(mask, v, by) ((v) + ((mask) & (by)))
#define lanes_plus(a, b) ((a) + (b))
#define lanes_minus(a, b) ((a) - (b))
/* SEEN and the bits in which A and B differ. */
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
 * WIDE_ZIP interleaves the first (i = 0) or last (i = 8) eight bytes of every 16 of two vectors: a0
 * b0 a1 b1 ... WIDE_ROWS gives two boards to every 16 bytes, which are 16 boards apart.
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

/*
 * Numbers of boards, wider than a lane: boards 16i + 8 half .. + 7 for every i are in a vector of
 * shorts, 16i + 4 quarter .. + 3 in a vector of ints.
 */
typedef int16_t wide_shorts __attribute__((vector_size(WIDE)));
typedef int32_t wide_ints __attribute__((vector_size(WIDE)));
#define wide_all16(x) ((wide_shorts){0} + (int16_t)(x))
#define wide_plus16(x, y) ((x) + (y))
#define wide_plus32(x, y) ((x) + (y))
typedef double wide_reals __attribute__((vector_size(WIDE), may_alias));
/* The greater; B where A is not a number. */
#if defined __AVX2__
#define wide_real_max(a, b) ((wide_reals)_mm256_max_pd((__m256d)(a), (__m256d)(b)))
#elif defined __SSE2__
#define wide_real_max(a, b) ((wide_reals)_mm_max_pd((__m128d)(a), (__m128d)(b)))
#else
#define wide_real_max(a, b)                                                                        \
	((wide_reals){(a)[0] > (b)[0] ? (a)[0] : (b)[0], (a)[1] > (b)[1] ? (a)[1] : (b)[1]})
#endif

/* a x + b y: x, y below 128 and a, b signed. */
ALWAYS_INLINE wide_shorts wide_dot8(lanes x, lanes a, lanes y, lanes b, int half)
{
#ifdef __AVX2__
	const __m256i from = (__m256i)(half ? WIDE_ZIP(x, y, 8) : WIDE_ZIP(x, y, 0));
	const __m256i by = (__m256i)(half ? WIDE_ZIP(a, b, 8) : WIDE_ZIP(a, b, 0));
	return (wide_shorts)_mm256_maddubs_epi16(from, by);
#else
	wide_shorts sum = {0};
	for (int i = 0; i < WIDE / 2; i++) {
		const int lane = i / 8 * 16 + half * 8 + i % 8;
		sum[i] = (int16_t)(x[lane] * (int8_t)a[lane] + y[lane] * (int8_t)b[lane]);
	}
	return sum;
#endif
}

/* a x + b y in quarter 2 half + odd, from shorts of that half. */
ALWAYS_INLINE wide_ints wide_dot16(wide_shorts x, int a, wide_shorts y, int b, int odd)
{
#ifdef __SSE2__
	const lanes by = (lanes)((wide_ints){0} + ((a & 0xffff) | (int)((unsigned)b << 16)));
	return (wide_ints)LANES_OF(
	    madd_epi16, odd ? LANES_OF(unpackhi_epi16, x, y) : LANES_OF(unpacklo_epi16, x, y), by);
#else
	wide_ints sum = {0};
	for (int i = 0; i < WIDE / 4; i++) {
		const int lane = i / 4 * 8 + odd * 4 + i % 4;
		sum[i] = x[lane] * a + y[lane] * b;
	}
	return sum;
#endif
}

/* The greater of BEST and X where SEEN is not 0, else BEST. */
ALWAYS_INLINE wide_shorts wide_greater(wide_shorts best, wide_shorts x, lanes seen, int half)
{
	const lanes mask = ~lanes_empty(seen);
	const wide_shorts use =
	    (wide_shorts)(half ? WIDE_ZIP(mask, mask, 8) : WIDE_ZIP(mask, mask, 0));
	const wide_shorts above = use & (x > best);
	return best ^ ((best ^ x) & above);
}

/* to[i] = unit * x of board i, for the boards of a quarter. */
ALWAYS_INLINE void wide_store(wide_ints x, int quarter, double unit, double *to)
{
	typedef int32_t ints __attribute__((vector_size(16)));
	typedef double reals __attribute__((vector_size(32)));
	ints part[WIDE / 16];
	memcpy(part, &x, sizeof part);
	UNROLL
	for (int i = 0; i < WIDE / 16; i++) {
		const reals four = unit * __builtin_convertvector(part[i], reals);
		memcpy(to + 16 * i + 4 * quarter, &four, sizeof four);
	}
}

/*
 * The first COLS cells of row R of the boards FIRST .. FIRST + WIDE - 1: cell[c] has them a board a
 * lane. Each round of interleaving vectors i and i + 4 moves one bit of a byte's place from the
 * column to the board; four make 16 x 8 bytes out of 8 x 16.
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
			z[2 * i] = WIDE_ZIP(m[i], m[i + 4], 0);
			z[2 * i + 1] = WIDE_ZIP(m[i], m[i + 4], 8);
		}
		UNROLL
		for (int i = 0; i < 8; i++)
			m[i] = z[i];
	}
	UNROLL
	for (int c = 0; c < cols; c++)
		cell[c] = m[c];
}

#endif
