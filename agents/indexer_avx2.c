/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Indices for AVX2: four features a register, eight digits each. Cells are fetched from two rows of
 * the board at a time, since a byte shuffle sees 16 bytes.
 */
#include "agents/indexer.h"

#include <immintrin.h>

enum { CHUNKS_MAX = SIDE_MAX / 2, HALF = FEATURES_STEP / 2 };

/* Indices of features HALF h .. of GROUP, four 64-bit numbers. */
static inline __m256i half_index(const struct indexer *indexer, const struct feature_group *group,
				 int h, const __m256i cells[CHUNKS_MAX])
{
	const int b = indexer->levels, b2 = b * b;
	const __m256i one_b = _mm256_set1_epi16((short)(1 | b << 8));
	const __m256i one_b2 = _mm256_set1_epi32(1 | b2 << 16);
	const __m256i b4 = _mm256_set1_epi64x((long long)b2 * b2);
	const __m256i low = _mm256_set1_epi64x(0xffffffff);
	const __m256i places = _mm256_load_si256((const __m256i *)group->place + h);
	__m256i digits = _mm256_setzero_si256();
	for (int k = 0; k < indexer->chunks; k++) {
		/* Places below 16 stay; all others get their highest bit, which gives 0. */
		__m256i place = _mm256_sub_epi8(places, _mm256_set1_epi8((char)(16 * k)));
		place = _mm256_adds_epu8(place, _mm256_set1_epi8(0x70));
		digits = _mm256_or_si256(digits, _mm256_shuffle_epi8(cells[k], place));
	}
	__m256i fours = _mm256_madd_epi16(_mm256_maddubs_epi16(digits, one_b), one_b2);
	__m256i high = _mm256_mul_epu32(_mm256_srli_epi64(fours, 32), b4);
	__m256i first = _mm256_load_si256((const __m256i *)group->first + h);
	__m256i index = _mm256_add_epi64(_mm256_and_si256(fours, low), first);
	return _mm256_add_epi64(index, high);
}

void indexer_avx2(const struct indexer *indexer, const struct board *boards, size_t n,
		  uint32_t *out)
{
	const __m256i most = _mm256_set1_epi8((char)(indexer->levels - 1));
	const __m256i even = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6);
	const int groups = indexer->stride / FEATURES_STEP;
	for (size_t i = 0; i < n; i++) {
		__m256i cells[CHUNKS_MAX];
		for (int k = 0; k < indexer->chunks; k++) {
			__m128i two = _mm_load_si128((const __m128i *)&boards[i] + k);
			cells[k] = _mm256_min_epu8(_mm256_broadcastsi128_si256(two), most);
		}
		for (int g = 0; g < groups; g++)
			for (int h = 0; h < 2; h++) {
				__m256i index = half_index(indexer, &indexer->group[g], h, cells);
				index = _mm256_permutevar8x32_epi32(index, even);
				_mm_storeu_si128((__m128i *)(void *)out,
						 _mm256_castsi256_si128(index));
				out += HALF;
			}
	}
}
