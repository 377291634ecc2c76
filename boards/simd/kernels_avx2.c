/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernels for AVX2 and BMI2. Rows and columns of a board are paired, since byte shuffles cannot
 * cross 16 bytes.
 */
#include "boards/simd/lines_board.h"
#include "boards/simd/lines_ymm.h"

ALWAYS_INLINE void lines_load(const struct lines_map *map, const struct lines_board *from, lines *v,
			      int pass, int rows, int cols)
{
	words16 quads[4];
	(void)map;
	(void)pass;
	if (SHAPE_SMALL(rows, cols))
		quads_load(from, quads, rows, cols);
	UNROLL
	for (int k = 0; k < SHAPE_LENGTH(rows, cols); k++)
		v[k] = SHAPE_SMALL(rows, cols)
			   ? (lines)_mm256_castsi128_si256((__m128i)quads[k])
			   : (lines)_mm256_set_m128i(
				 (__m128i)lines_cross(from, rows - 1 - k, k, rows, cols),
				 (__m128i)lines_cross(from, k, cols - 1 - k, rows, cols));
}

#define lines_neither(a, b, c) lines_and_not(lines_and_not(a, b), c)
/* YES in the lanes of MASK, else NO. */
#define lines_blend(mask, yes, no)                                                                 \
	((lines)_mm256_blendv_epi8((__m256i)(no), (__m256i)(yes), (__m256i)(mask)))

/* Bit d is set when a lane of direction d is not 0 in CHANGED. */
ALWAYS_INLINE unsigned lines_directions(lines changed, int rows, int cols)
{
	const __m256i x = (__m256i)changed, none = _mm256_setzero_si256();
	const int same =
	    SHAPE_SMALL(rows, cols)
		? _mm_movemask_ps((__m128)_mm256_castsi256_si128(_mm256_cmpeq_epi32(x, none)))
		: _mm256_movemask_pd((__m256d)_mm256_cmpeq_epi64(x, none));
	return (unsigned)same ^ 0xf;
}

/* The low half of v[LOW] and the high half of v[HIGH]; 0 for a vector that does not exist. */
ALWAYS_INLINE __m256i lines_mixed(const lines *v, int low, int high, int length)
{
	const __m256i none = _mm256_setzero_si256();
	return _mm256_blend_epi32(low >= 0 && low < length ? (__m256i)v[low] : none,
				  high >= 0 && high < length ? (__m256i)v[high] : none, 0xf0);
}

/* Stores pairs of rows of two boards: one board in the low halves, the other in the high halves. */
ALWAYS_INLINE void rows_store(const __m256i pair[SIDE_MAX / 2], struct board *low,
			      struct board *high)
{
	__m128i *to_low = (__m128i *)(void *)low, *to_high = (__m128i *)(void *)high;
	UNROLL
	for (int i = 0; i < SIDE_MAX / 2; i++) {
		_mm_store_si128(to_low + i, _mm256_castsi256_si128(pair[i]));
		_mm_store_si128(to_high + i, _mm256_extracti128_si256(pair[i], 1));
	}
}

/* words_transpose() in each half. */
ALWAYS_INLINE void pairs_transpose(__m256i pair[SIDE_MAX / 2])
{
	const __m256i none = _mm256_setzero_si256();
	const __m256i zip = _mm256_broadcastsi128_si256(
	    _mm_setr_epi8(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15));
	UNROLL
	for (int i = 0; i < SIDE_MAX / 2; i++)
		pair[i] = _mm256_shuffle_epi8(pair[i], zip);
	const __m256i low = _mm256_unpacklo_epi16(pair[0], pair[1]);
	const __m256i high = _mm256_unpackhi_epi16(pair[0], pair[1]);
	const __m256i low2 = _mm256_unpacklo_epi16(pair[2], none);
	const __m256i high2 = _mm256_unpackhi_epi16(pair[2], none);
	pair[0] = _mm256_unpacklo_epi32(low, low2);
	pair[1] = _mm256_unpackhi_epi32(low, low2);
	pair[2] = _mm256_unpacklo_epi32(high, high2);
}

/* In each half of v[k], word 0 is a row of UP or DOWN, word 1 a column of RIGHT or LEFT. */
ALWAYS_INLINE void lines_store_large(const lines *v, struct moves *moves, int rows, int cols)
{
	const int length = SHAPE_LENGTH(rows, cols);
	__m256i row[SIDE_MAX], column[SIDE_MAX], pair[SIDE_MAX / 2];
	UNROLL
	for (int k = 0; k < SIDE_MAX; k++) {
		row[k] = lines_mixed(v, k < rows ? k : -1, rows - 1 - k, length);
		column[k] = lines_mixed(v, cols - 1 - k, k < cols ? k : -1, length);
	}
	UNROLL
	for (int i = 0; i < SIDE_MAX / 2; i++)
		pair[i] = _mm256_unpacklo_epi64(row[2 * i], row[2 * i + 1]);
	rows_store(pair, &moves->after[UP], &moves->after[DOWN]);
	UNROLL
	for (int i = 0; i < SIDE_MAX / 2; i++)
		pair[i] = _mm256_unpackhi_epi64(column[2 * i], column[2 * i + 1]);
	pairs_transpose(pair);
	rows_store(pair, &moves->after[RIGHT], &moves->after[LEFT]);
}

ALWAYS_INLINE void lines_store(const struct lines_map *map, lines v[][SIDE_MAX],
			       struct moves *moves, int rows, int cols)
{
	words16 quads[4] = {{0}};
	(void)map;
	if (!SHAPE_SMALL(rows, cols)) {
		lines_store_large(v[0], moves, rows, cols);
		return;
	}
	UNROLL
	for (int k = 0; k < SHAPE_LENGTH(rows, cols); k++)
		quads[k] = (words16)_mm256_castsi256_si128((__m256i)v[0][k]);
	quads_afters(quads, moves, rows, cols);
}

#include "boards/simd/kernel_template.h"
#include "boards/simd/lanes_wide.h"
#include "boards/simd/playout_template.h"
#define KERNELS kernels_avx2
#include "boards/simd/keys_template.h"
