/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Indices for AVX-512 with VBMI. One permutation fetches all cells of 64 bytes of digits;
 * multiply-adds join digits to pairs, and pairs to fours. run() computes a step at a time, 16
 * numbers of 32 bits, each of four digits; run_wide() eight features of 64 bits.
 */
#include "agents/ntuple/indexer.h"

#include <immintrin.h>

/* Returns d_0 + d_1 b + d_2 b^2 + d_3 b^3 of each four bytes d; BASE is (1, b), BASE2 (1, b^2). */
static inline __m512i fours(__m512i digits, __m512i base, __m512i base2)
{
	return _mm512_madd_epi16(_mm512_maddubs_epi16(digits, base), base2);
}

static inline __m512i digits_low(__m512i digits)
{
	return _mm512_and_si512(digits, _mm512_set1_epi8(1));
}

static inline __m512i digits_rest(__m512i digits)
{
	return _mm512_srli_epi16(_mm512_andnot_si512(_mm512_set1_epi8(1), digits), 1);
}

/* Returns all cells, limited to the levels. */
static inline __m512i cells_load(const struct indexer *indexer, const struct board *board)
{
	/*
	 * Loads rows as they were stored: a wider load would wait until the stores reach the
	 * cache.
	 */
	const __m128i *rows = (const void *)board;
	__m512i cells = _mm512_castsi256_si512(_mm256_set_m128i(rows[1], rows[0]));
	cells = _mm512_inserti64x4(cells, _mm256_zextsi128_si256(rows[2]), 1);
	return _mm512_min_epu8(cells, _mm512_set1_epi8((char)(indexer->levels - 1)));
}

/* Returns (A, ..., A, B, ..., B), 32-bit elements. */
static inline __m512i two_halves(int a, int b)
{
	return _mm512_inserti64x4(_mm512_set1_epi32(a), _mm256_set1_epi32(b), 1);
}

/* Fetches the digits of STEP in the least of their orders; those of STEP_EIGHTS in halves. */
ALWAYS_INLINE __m512i step_digits(const struct feature_step *step, __m512i cells)
{
	const __m512i halves =
	    _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15);
	/* NO_PLACE reads place 63, which is outside the board and 0. */
	__m512i least = _mm512_permutexvar_epi8(_mm512_load_si512(step->place), cells);
	const __m512i digits = least;
	if (step->form == STEP_FOURS)
		for (int i = 0; i < step->orders; i++)
			least = _mm512_min_epu32(
			    least, _mm512_shuffle_epi8(digits, _mm512_load_si512(step->order[i])));
	if (step->form != STEP_EIGHTS)
		return least;
	for (int i = 0; i < step->orders; i++)
		least = _mm512_min_epu64(
		    least, _mm512_shuffle_epi8(digits, _mm512_load_si512(step->order[i])));
	return _mm512_permutexvar_epi32(halves, least);
}

/* Returns index_exchange() of 16 indices. */
static inline __m512i places(__m512i index)
{
	const __m512i high =
	    _mm512_and_si512(_mm512_srli_epi32(index, 10), _mm512_set1_epi32(0xffc0));
	return _mm512_xor_si512(index, high);
}

/* Constants for all features. */
struct radix {
	__m512i two, four, four_halves, base, base2, base4;
};

static inline struct radix radix_of(const struct indexer *indexer)
{
	const int half = (indexer->levels + 1) / 2, half2 = half * half;
	return (struct radix){
	    .two = _mm512_set1_epi16(1 | 2 << 8),
	    .four = _mm512_set1_epi32(1 | 4 << 16),
	    .four_halves = two_halves(1 | 4 << 16, 16 | 64 << 16),
	    .base = _mm512_set1_epi16((short)(1 | half << 8)),
	    .base2 = _mm512_set1_epi32(1 | half2 << 16),
	    .base4 = two_halves(1, half2 * half2),
	};
}

/* Returns the indices of the features of STEP, 16 or 8. */
ALWAYS_INLINE __m512i step_index(const struct feature_step *step, __m512i cells, bool shared,
				 const struct radix *c)
{
	const bool whole = step->form == STEP_FOURS;
	const __m512i digits = step_digits(step, cells);
	const __m512i bits = fours(digits_low(digits), c->two, whole ? c->four : c->four_halves);
	__m512i index = fours(digits_rest(digits), c->base, c->base2);
	if (!whole)
		index = _mm512_mullo_epi32(index, c->base4);
	index = _mm512_sllv_epi32(index, _mm512_load_si512(step->length));
	index = _mm512_add_epi32(index, bits);
	if (!whole)
		index = _mm512_add_epi32(
		    index, _mm512_castsi256_si512(_mm512_extracti64x4_epi64(index, 1)));
	index = _mm512_add_epi32(index, _mm512_load_si512(step->first));
	return shared ? index : places(index);
}

/* SHARED is a compile-time constant. */
ALWAYS_INLINE void steps_run(const struct indexer *indexer, const struct board *board, bool shared,
			     uint32_t *index)
{
	const struct radix radix = radix_of(indexer);
	const struct feature_step *end = indexer->step + indexer->steps;
	const __m512i cells = cells_load(indexer, board);
	for (const struct feature_step *step = indexer->step; step < end; step++) {
		const __m512i all = step_index(step, cells, shared, &radix);
		if (step->form == STEP_FOURS) {
			_mm512_storeu_si512(index, all);
			index += 2 * FEATURES_STEP;
		} else {
			_mm256_storeu_si256((void *)index, _mm512_castsi512_si256(all));
			index += FEATURES_STEP;
		}
	}
}

static void run(const struct indexer *indexer, const struct board *board, uint32_t *index)
{
	if (indexer->shared)
		steps_run(indexer, board, true, index);
	else
		steps_run(indexer, board, false, index);
}

static void run_wide(const struct indexer *indexer, const struct board *board, uint64_t *index)
{
	const long long half = (indexer->levels + 1) / 2;
	const __m512i bottom = _mm512_set1_epi64(0xffffffff);
	const struct radix radix = radix_of(indexer);
	const __m512i base4 = _mm512_set1_epi64(half * half * half * half);
	const __m512i cells = cells_load(indexer, board);
	for (int g = 0; g < indexer->stride / FEATURES_STEP; g++) {
		const struct feature_group *group = &indexer->group[g];
		const __m512i digits =
		    _mm512_permutexvar_epi8(_mm512_load_si512(group->place), cells);
		__m512i bits = fours(digits_low(digits), radix.two, radix.four);
		/* The halves have four bits each and are joined as a + 16 b. */
		bits = _mm512_or_si512(bits, _mm512_srli_epi64(bits, 28));
		const __m512i rest = fours(digits_rest(digits), radix.base, radix.base2);
		__m512i box = _mm512_mul_epu32(_mm512_srli_epi64(rest, 32), base4);
		box = _mm512_add_epi64(box, _mm512_and_si512(rest, bottom));
		box = _mm512_sllv_epi64(box, _mm512_load_si512(group->length));
		box = _mm512_add_epi64(box, _mm512_and_si512(bits, bottom));
		box = _mm512_add_epi64(box, _mm512_load_si512(group->first));
		_mm512_storeu_si512(index + g * FEATURES_STEP, box);
	}
}

const struct indexer_kernel indexer_avx512 = {run, run_wide};
