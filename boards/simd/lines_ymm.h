/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared by kernels_avx2.c and kernels_avx512.c: the four directions of a board side by side in one
 * 32-byte register, and the points of the merges.
 *
 * A group is the lanes of one direction, in the order UP RIGHT DOWN LEFT: 8 lanes each, or 4 where
 * no side is longer than 4, since all groups then fit into 16 bytes; the other lanes are ignored.
 * Lane i of a group is line i: row i or column i.
 */
#ifndef NXN_LINES_YMM_H
#define NXN_LINES_YMM_H

#include "boards/simd/kernel.h"

#include <immintrin.h>

typedef uint8_t lines __attribute__((vector_size(DIRECTIONS * ROW_BYTES)));
/* All bits of a lane are set, or none. */
typedef lines lines_mask;

/* One pass handles all directions. */
#define LINE_PASSES(rows, cols) 1

/* Comparisons stay in vector registers; masks in k registers take a third longer here. */
#define lines_equal(a, b) ((lines)_mm256_cmpeq_epi8((__m256i)(a), (__m256i)(b)))
#define lines_empty(a) lines_equal(a, (lines){0})
#define lines_and_not(a, b) ((lines)_mm256_andnot_si256((__m256i)(b), (__m256i)(a)))
#define lines_where(mask, v) ((v) & (mask))
#define lines_unless(mask, v) lines_and_not(v, mask)
#define lines_increment(mask, v) ((v) - (mask))

/*
 * Stores the rewards of the four directions, computed from those of UP and RIGHT. False if a merge
 * made a tile above 2^15, which this function cannot add. At most one of the neighbours made[k] and
 * made[k + 1] is nonzero in a lane, since a tile merges once. Tables give the low and the high byte
 * of 2^made, 0 for no tile; bytes are added eight at a time.
 */
ALWAYS_INLINE bool lines_rewards(lines made[][SIDE_MAX], struct moves *moves, int rows, int cols)
{
	static const _Alignas(16) uint64_t beyond[2] = {0xf0f0f0f0f0f0f0f0u, 0xf0f0f0f0f0f0f0f0u};
	const __m128i low_byte =
	    _mm_setr_epi8(0, 2, 4, 8, 16, 32, 64, (char)128, 0, 0, 0, 0, 0, 0, 0, 0);
	const __m128i high_byte =
	    _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, (char)128);
	const int count = SHAPE_LENGTH(rows, cols) - 1;
	const int parts = SHAPE_SMALL(rows, cols) ? 1 : (count + 1) / 2;
	const __m128i none = _mm_setzero_si128();
	__m128i part[SIDE_MAX / 2] = {none, none, none}, low = none, high = none, any = none;
	UNROLL
	for (int k = 0; k < count; k += 2)
		part[k / 2] = _mm256_castsi256_si128(
		    (__m256i)(k + 1 < count ? made[0][k] | made[0][k + 1] : made[0][k]));
	if (SHAPE_SMALL(rows, cols)) {
		part[0] = _mm_unpacklo_epi32(part[0], part[1]);
		part[1] = none;
	}
	UNROLL
	for (int i = 0; i < parts; i++) {
		any = _mm_or_si128(any, part[i]);
		low = _mm_add_epi64(low, _mm_sad_epu8(_mm_shuffle_epi8(low_byte, part[i]), none));
		high =
		    _mm_add_epi64(high, _mm_sad_epu8(_mm_shuffle_epi8(high_byte, part[i]), none));
	}
	low = _mm_add_epi64(low, _mm_slli_epi64(high, 8));
	_mm_storeu_si128((__m128i *)(void *)&moves->reward[UP], low);
	_mm_storeu_si128((__m128i *)(void *)&moves->reward[DOWN], low);
	return _mm_testz_si128(any, _mm_load_si128((const __m128i *)(const void *)beyond));
}

/* Sets of places, a bit each. */
#define places_count(places) ((uint32_t)_mm_popcnt_u64(places))
/* The place of set bit number N, from 0. */
#define places_find(places, n) ((int)_tzcnt_u64(_pdep_u64(UINT64_C(1) << (n), places)))

ALWAYS_INLINE uint64_t places_empty(const struct board *board)
{
	const __m256i *near = (const __m256i *)(const void *)board;
	const __m128i *far = (const __m128i *)(const void *)(near + 1);
	const __m256i empty = _mm256_cmpeq_epi8(_mm256_loadu_si256(near), _mm256_setzero_si256());
	const __m128i also = _mm_cmpeq_epi8(_mm_load_si128(far), _mm_setzero_si128());
	return (uint64_t)(uint32_t)_mm_movemask_epi8(also) << 32 |
	       (uint32_t)_mm256_movemask_epi8(empty);
}

#endif
