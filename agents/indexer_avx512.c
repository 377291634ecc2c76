/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Indices for AVX-512 with VBMI: eight features a register, eight digits each. One permutation
 * fetches the cells, one multiply-add joins digits to pairs, one pairs to fours, one the fours.
 */
#include "agents/indexer.h"

#include <immintrin.h>

void indexer_avx512(const struct indexer *indexer, const struct board *boards, size_t n,
		    uint32_t *out)
{
	const int b = indexer->levels, b2 = b * b;
	const __m512i most = _mm512_set1_epi8((char)(b - 1));
	const __m512i one_b = _mm512_set1_epi16((short)(1 | b << 8));
	const __m512i one_b2 = _mm512_set1_epi32(1 | b2 << 16);
	const __m512i b4 = _mm512_set1_epi64((long long)b2 * b2);
	const __m512i low = _mm512_set1_epi64(0xffffffff);
	const int groups = indexer->stride / FEATURES_STEP;
	for (size_t i = 0; i < n; i++) {
		__m512i cells = _mm512_maskz_loadu_epi64(0x3f, &boards[i]);
		cells = _mm512_min_epu8(cells, most);
		for (int g = 0; g < groups; g++) {
			const struct feature_group *group = &indexer->group[g];
			/* NO_PLACE is read as place 63, which is behind the board and 0. */
			__m512i digits =
			    _mm512_permutexvar_epi8(_mm512_load_si512(group->place), cells);
			__m512i pairs = _mm512_maddubs_epi16(digits, one_b);
			__m512i fours = _mm512_madd_epi16(pairs, one_b2);
			__m512i high = _mm512_mul_epu32(_mm512_srli_epi64(fours, 32), b4);
			__m512i index = _mm512_add_epi64(_mm512_and_si512(fours, low),
							 _mm512_load_si512(group->first));
			index = _mm512_add_epi64(index, high);
			_mm256_storeu_si256((__m256i *)(void *)out, _mm512_cvtepi64_epi32(index));
			out += FEATURES_STEP;
		}
	}
}
