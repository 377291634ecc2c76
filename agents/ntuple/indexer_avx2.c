/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Indices for AVX2. Cells are fetched 16 at a time, the reach of a byte shuffle: the whole board up
 * to 4x4, whose rows are packed first, or two rows of a larger one. Multiply-adds join digits to
 * pairs, and pairs to fours. run() computes a step at a time in two registers, run_wide() four
 * features of 64 bits.
 */
#include "agents/ntuple/indexer.h"

#include <immintrin.h>

enum { CHUNKS_MAX = SIDE_MAX / 2 };

/* Returns d_0 + d_1 b + d_2 b^2 + d_3 b^3 of each four bytes d; BASE is (1, b), BASE2 (1, b^2). */
static inline __m256i fours(__m256i digits, __m256i base, __m256i base2)
{
	return _mm256_madd_epi16(_mm256_maddubs_epi16(digits, base), base2);
}

static inline __m256i digits_low(__m256i digits)
{
	return _mm256_and_si256(digits, _mm256_set1_epi8(1));
}

static inline __m256i digits_rest(__m256i digits)
{
	return _mm256_srli_epi16(_mm256_andnot_si256(_mm256_set1_epi8(1), digits), 1);
}

/* Loads the cells, limited to the levels, in CHUNKS chunks; in one the rows are packed. */
ALWAYS_INLINE void cells_load(const struct indexer *indexer, const struct board *board, int chunks,
			      __m256i cells[CHUNKS_MAX])
{
	const __m128i most = _mm_set1_epi8((char)(indexer->levels - 1));
	const __m128i *rows = (const void *)board;
	for (int k = 0; k < chunks; k++) {
		__m128i two = _mm_load_si128(rows + k);
		if (chunks == 1)
			two = _mm_castps_si128(
			    _mm_shuffle_ps(_mm_castsi128_ps(two),
					   _mm_castsi128_ps(_mm_load_si128(rows + 1)), 0x88));
		cells[k] = _mm256_broadcastsi128_si256(_mm_min_epu8(two, most));
	}
}

/* Fetches the digits at the 32 bytes PLACE. CHUNKS is a compile-time constant. */
ALWAYS_INLINE __m256i digits_fetch(const uint8_t *place, int chunks,
				   const __m256i cells[CHUNKS_MAX])
{
	const __m256i places = _mm256_load_si256((const void *)place);
	if (chunks == 1)
		return _mm256_shuffle_epi8(cells[0], places);
	__m256i digits = _mm256_setzero_si256();
	for (int k = 0; k < chunks; k++) {
		/*
		 * Sets the highest bit of places outside this chunk; for these the shuffle returns
		 * 0.
		 */
		__m256i at = _mm256_sub_epi8(places, _mm256_set1_epi8((char)(16 * k)));
		at = _mm256_adds_epu8(at, _mm256_set1_epi8(0x70));
		digits = _mm256_or_si256(digits, _mm256_shuffle_epi8(cells[k], at));
	}
	return digits;
}

/* Returns the least of the orders of DIGITS, half H of STEP. */
static inline __m256i least_order(const struct feature_step *step, int h, __m256i digits)
{
	__m256i least = digits;
	for (int i = 0; i < step->orders; i++) {
		const __m256i from = _mm256_load_si256((const void *)(step->order[i] + 32 * h));
		const __m256i turned = _mm256_shuffle_epi8(digits, from);
		least = step->form == STEP_FOURS
			    ? _mm256_min_epu32(least, turned)
			    : _mm256_blendv_epi8(least, turned, _mm256_cmpgt_epi64(least, turned));
	}
	return least;
}

/* Puts the last four digits of eight features, of eight bytes each, in front of the others. */
static inline void digits_halve(__m256i digits[2])
{
	const __m256 a = _mm256_castsi256_ps(digits[0]), b = _mm256_castsi256_ps(digits[1]);
	const __m256i last = _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0x88));
	const __m256i others = _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0xdd));
	digits[0] = _mm256_permute4x64_epi64(last, 0xd8);
	digits[1] = _mm256_permute4x64_epi64(others, 0xd8);
}

/* Returns index_exchange() of eight indices. */
static inline __m256i places(__m256i index)
{
	const __m256i high =
	    _mm256_and_si256(_mm256_srli_epi32(index, 10), _mm256_set1_epi32(0xffc0));
	return _mm256_xor_si256(index, high);
}

/* Stores eight indices: FIRST, the place in a box, and 2^length times the number of the box. */
ALWAYS_INLINE void indices_store(const struct feature_step *step, int h, bool shared, __m256i bits,
				 __m256i rest, uint32_t *index)
{
	const __m256i length = _mm256_load_si256((const void *)(step->length + 8 * h));
	const __m256i first = _mm256_load_si256((const void *)(step->first + 8 * h));
	__m256i eight = _mm256_add_epi32(_mm256_sllv_epi32(rest, length), bits);
	eight = _mm256_add_epi32(eight, first);
	_mm256_storeu_si256((void *)(index + 8 * h), shared ? eight : places(eight));
}

/* Constants for all features. */
struct radix {
	__m256i two, four, base, base2, base4;
};

static inline struct radix radix_of(const struct indexer *indexer)
{
	const int half = (indexer->levels + 1) / 2, half2 = half * half;
	return (struct radix){
	    .two = _mm256_set1_epi16(1 | 2 << 8),
	    .four = _mm256_set1_epi32(1 | 4 << 16),
	    .base = _mm256_set1_epi16((short)(1 | half << 8)),
	    .base2 = _mm256_set1_epi32(1 | half2 << 16),
	    .base4 = _mm256_set1_epi32(half2 * half2),
	};
}

/* Stores the indices of the features of STEP, 16 or 8, for a board with CELLS. */
ALWAYS_INLINE void step_run(const struct feature_step *step, int chunks, bool shared,
			    const __m256i cells[CHUNKS_MAX], const struct radix *c, uint32_t *index)
{
	__m256i digits[2], bits[2], rest[2];
	for (int h = 0; h < 2; h++) {
		digits[h] = digits_fetch(step->place + 32 * h, chunks, cells);
		if (shared)
			digits[h] = least_order(step, h, digits[h]);
	}
	if (shared && step->form == STEP_EIGHTS)
		digits_halve(digits);
	for (int h = 0; h < 2; h++) {
		bits[h] = fours(digits_low(digits[h]), c->two, c->four);
		rest[h] = fours(digits_rest(digits[h]), c->base, c->base2);
	}
	if (step->form == STEP_FOURS) {
		indices_store(step, 0, shared, bits[0], rest[0], index);
		indices_store(step, 1, shared, bits[1], rest[1], index);
		return;
	}
	bits[0] = _mm256_add_epi32(bits[0], _mm256_slli_epi32(bits[1], 4));
	rest[0] = _mm256_add_epi32(rest[0], _mm256_mullo_epi32(rest[1], c->base4));
	indices_store(step, 0, shared, bits[0], rest[0], index);
}

/* CHUNKS and SHARED are compile-time constants. */
ALWAYS_INLINE void steps_run(const struct indexer *indexer, const struct board *board, int chunks,
			     bool shared, uint32_t *index)
{
	const struct radix radix = radix_of(indexer);
	const struct feature_step *end = indexer->step + indexer->steps;
	__m256i cells[CHUNKS_MAX];
	cells_load(indexer, board, chunks, cells);
	for (const struct feature_step *step = indexer->step; step < end; step++) {
		step_run(step, chunks, shared, cells, &radix, index);
		index += step->form == STEP_FOURS ? 2 * FEATURES_STEP : FEATURES_STEP;
	}
}

static void run(const struct indexer *indexer, const struct board *board, uint32_t *index)
{
	if (indexer->shared)
		steps_run(indexer, board, CHUNKS_MAX, true, index);
	else if (indexer->dense)
		steps_run(indexer, board, 1, false, index);
	else if (indexer->chunks < CHUNKS_MAX)
		steps_run(indexer, board, CHUNKS_MAX - 1, false, index);
	else
		steps_run(indexer, board, CHUNKS_MAX, false, index);
}

static void run_wide(const struct indexer *indexer, const struct board *board, uint64_t *index)
{
	const long long half = (indexer->levels + 1) / 2;
	const __m256i bottom = _mm256_set1_epi64x(0xffffffff);
	const struct radix radix = radix_of(indexer);
	const __m256i base4 = _mm256_set1_epi64x(half * half * half * half);
	__m256i cells[CHUNKS_MAX];
	cells_load(indexer, board, CHUNKS_MAX, cells);
	for (int f = 0; f < indexer->stride; f += 4) {
		const struct feature_group *group = &indexer->group[f / FEATURES_STEP];
		const int at = f % FEATURES_STEP;
		const __m256i digits = digits_fetch(group->place + 8 * at, CHUNKS_MAX, cells);
		__m256i bits = fours(digits_low(digits), radix.two, radix.four);
		/* The halves have four bits each and are joined as a + 16 b. */
		bits = _mm256_or_si256(bits, _mm256_srli_epi64(bits, 28));
		const __m256i rest = fours(digits_rest(digits), radix.base, radix.base2);
		__m256i box = _mm256_mul_epu32(_mm256_srli_epi64(rest, 32), base4);
		box = _mm256_add_epi64(box, _mm256_and_si256(rest, bottom));
		box = _mm256_sllv_epi64(box, _mm256_load_si256((const void *)(group->length + at)));
		box = _mm256_add_epi64(box, _mm256_and_si256(bits, bottom));
		box = _mm256_add_epi64(box, _mm256_load_si256((const void *)(group->first + at)));
		_mm256_storeu_si256((void *)(index + f), box);
	}
}

const struct indexer_kernel indexer_avx2 = {run, run_wide};
