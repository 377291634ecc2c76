/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Indices for AVX-512 with VBMI: eight features per register, eight digits each. One permutation
 * fetches the cells; multiply-adds join digits to pairs, pairs to fours, and the two fours.
 */
#include "agents/ntuple/indexer.h"

#include <immintrin.h>

/* Constants for all features. */
struct avx512_radix {
	__m512i half, half2, half4;
};

/* Returns d_0 + d_1 b + d_2 b^2 + d_3 b^3 of each four bytes d; BASE is (1, b), BASE2 (1, b^2). */
static inline __m512i fours(__m512i digits, __m512i base, __m512i base2)
{
	return _mm512_madd_epi16(_mm512_maddubs_epi16(digits, base), base2);
}

/* Returns the smallest of all orders of DIGITS of group G. */
static inline __m512i least_order(const struct indexer *indexer, int g, __m512i digits)
{
	__m512i least = digits;
	for (int i = 0; i < indexer->orders[g]; i++)
		least = _mm512_min_epu64(
		    least,
		    _mm512_shuffle_epi8(digits, _mm512_load_si512(indexer->order[g][i].from)));
	return least;
}

static inline __m512i group_index(const struct feature_group *group, __m512i digits,
				  const struct avx512_radix *c)
{
	const __m512i one = _mm512_set1_epi8(1), bottom = _mm512_set1_epi64(0xffffffff);
	const __m512i two = _mm512_set1_epi16(1 | 2 << 8), four = _mm512_set1_epi32(1 | 4 << 16);
	__m512i bits = fours(_mm512_and_si512(digits, one), two, four);
	/* The halves have four bits each and are joined as a + 16 b. */
	bits = _mm512_and_si512(_mm512_or_si512(bits, _mm512_srli_epi64(bits, 28)), bottom);
	__m512i rest = _mm512_srli_epi16(_mm512_andnot_si512(one, digits), 1);
	rest = fours(rest, c->half, c->half2);
	__m512i box = _mm512_mul_epu32(_mm512_srli_epi64(rest, 32), c->half4);
	box = _mm512_add_epi64(box, _mm512_and_si512(rest, bottom));
	box = _mm512_sllv_epi64(box, _mm512_load_si512(group->length));
	bits = _mm512_add_epi64(bits, _mm512_load_si512(group->first));
	return _mm512_add_epi64(box, bits);
}

/* Returns index_exchange() of eight indices. */
static inline __m512i places(__m512i index)
{
	const __m512i high =
	    _mm512_and_si512(_mm512_srli_epi64(index, 10), _mm512_set1_epi64(0xffc0));
	return _mm512_xor_si512(index, high);
}

enum way { WAY_PLAIN, WAY_WIDE, WAY_LEAST };

/* WAY is a compile-time constant. */
ALWAYS_INLINE void all_indices(const struct indexer *indexer, const struct board *board,
			       enum way way, void *index)
{
	const int groups = indexer->stride / FEATURES_STEP, half = (indexer->levels + 1) / 2;
	const struct avx512_radix constants = {
	    .half = _mm512_set1_epi16((short)(1 | half << 8)),
	    .half2 = _mm512_set1_epi32(1 | (half * half) << 16),
	    .half4 = _mm512_set1_epi64((long long)half * half * half * half),
	};
	/*
	 * Loads rows as they were stored: a wider load would wait until the stores reach the
	 * cache.
	 */
	const __m128i *rows = (const void *)board;
	__m512i cells = _mm512_castsi256_si512(_mm256_set_m128i(rows[1], rows[0]));
	cells = _mm512_inserti64x4(cells, _mm256_zextsi128_si256(rows[2]), 1);
	cells = _mm512_min_epu8(cells, _mm512_set1_epi8((char)(indexer->levels - 1)));
	for (int g = 0; g < groups; g++) {
		const struct feature_group *group = &indexer->group[g];
		/* NO_PLACE reads place 63, which is outside the board and 0. */
		__m512i eight = _mm512_permutexvar_epi8(_mm512_load_si512(group->place), cells);
		if (way == WAY_LEAST)
			eight = least_order(indexer, g, eight);
		eight = group_index(group, eight, &constants);
		if (way == WAY_PLAIN)
			eight = places(eight);
		if (way == WAY_WIDE)
			_mm512_storeu_si512((__m512i *)index + g, eight);
		else
			_mm256_storeu_si256((__m256i *)index + g, _mm512_cvtepi64_epi32(eight));
	}
}

static void run(const struct indexer *indexer, const struct board *board, uint32_t *index)
{
	if (indexer->shared)
		all_indices(indexer, board, WAY_LEAST, index);
	else
		all_indices(indexer, board, WAY_PLAIN, index);
}

static void run_wide(const struct indexer *indexer, const struct board *board, uint64_t *index)
{
	all_indices(indexer, board, WAY_WIDE, index);
}

const struct indexer_kernel indexer_avx512 = {run, run_wide};
