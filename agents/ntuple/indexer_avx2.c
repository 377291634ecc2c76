/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Indices for AVX2. Cells are fetched 16 at a time, the reach of a byte shuffle: the whole board up
 * to 4x4, whose rows are packed first, or two rows of a larger one.
 *
 * run() computes eight features at a time as 32-bit numbers: four digits of each are in one
 * register, the other four in a second. The digits are split before they are fetched, once per
 * board. run_wide(), and run() for shared tables, compute four features at a time, with all eight
 * digits of each in one register.
 */
#include "agents/ntuple/indexer.h"

#include <immintrin.h>

enum { CHUNKS_MAX = SIDE_MAX / 2, HALF = FEATURES_STEP / 2 };

/* Constants for all features. */
struct avx2_radix {
	__m256i half, half2, half4;
};

/* Returns d_0 + d_1 b + d_2 b^2 + d_3 b^3 of each four bytes d; BASE is (1, b), BASE2 (1, b^2). */
static inline __m256i fours(__m256i digits, __m256i base, __m256i base2)
{
	return _mm256_madd_epi16(_mm256_maddubs_epi16(digits, base), base2);
}

/* Returns index_exchange() of eight indices. */
static inline __m256i places(__m256i index)
{
	const __m256i high =
	    _mm256_and_si256(_mm256_srli_epi32(index, 10), _mm256_set1_epi32(0xffc0));
	return _mm256_xor_si256(index, high);
}

/* Fetches the digits of the features of half H of GROUP. */
static inline __m256i digits_fetch(const struct feature_group *group, int h, int chunks,
				   const __m256i cells[CHUNKS_MAX])
{
	const __m256i places = _mm256_load_si256((const __m256i *)(const void *)group->place + h);
	__m256i digits = _mm256_setzero_si256();
	for (int k = 0; k < chunks; k++) {
		/*
		 * Sets the highest bit of places outside this chunk; for these the shuffle returns
		 * 0.
		 */
		__m256i place = _mm256_sub_epi8(places, _mm256_set1_epi8((char)(16 * k)));
		place = _mm256_adds_epu8(place, _mm256_set1_epi8(0x70));
		digits = _mm256_or_si256(digits, _mm256_shuffle_epi8(cells[k], place));
	}
	return digits;
}

/* Returns the indices of the features of half H of GROUP, four 64-bit numbers. */
static inline __m256i half_index(const struct feature_group *group, int h, __m256i digits,
				 const struct avx2_radix *c)
{
	const __m256i one = _mm256_set1_epi8(1), bottom = _mm256_set1_epi64x(0xffffffff);
	const __m256i two = _mm256_set1_epi16(1 | 2 << 8), four = _mm256_set1_epi32(1 | 4 << 16);
	__m256i bits = fours(_mm256_and_si256(digits, one), two, four);
	/* The halves have four bits each and are joined as a + 16 b. */
	bits = _mm256_and_si256(_mm256_or_si256(bits, _mm256_srli_epi64(bits, 28)), bottom);
	__m256i rest = _mm256_srli_epi16(_mm256_andnot_si256(one, digits), 1);
	rest = fours(rest, c->half, c->half2);
	__m256i box = _mm256_mul_epu32(_mm256_srli_epi64(rest, 32), c->half4);
	box = _mm256_add_epi64(box, _mm256_and_si256(rest, bottom));
	box = _mm256_sllv_epi64(
	    box, _mm256_load_si256((const __m256i *)(const void *)group->length + h));
	bits = _mm256_add_epi64(bits,
				_mm256_load_si256((const __m256i *)(const void *)group->first + h));
	return _mm256_add_epi64(box, bits);
}

/* Returns the smallest of all orders of the DIGITS of the features of half H of group G. */
static inline __m256i least_order(const struct indexer *indexer, int g, int h, __m256i digits)
{
	__m256i least = digits;
	for (int i = 0; i < indexer->orders[g]; i++) {
		const void *from = indexer->order[g][i].from + 32 * h;
		const __m256i turned =
		    _mm256_shuffle_epi8(digits, _mm256_load_si256((const __m256i *)from));
		least = _mm256_blendv_epi8(least, turned, _mm256_cmpgt_epi64(least, turned));
	}
	return least;
}

enum way { WAY_WIDE, WAY_LEAST };

/* WAY is a compile-time constant. */
ALWAYS_INLINE void all_indices(const struct indexer *indexer, const struct board *board,
			       enum way way, void *index)
{
	const __m256i even = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6);
	const __m256i most = _mm256_set1_epi8((char)(indexer->levels - 1));
	const int halves = indexer->stride / HALF, half = (indexer->levels + 1) / 2;
	const int chunks = indexer->chunks;
	const struct avx2_radix constants = {
	    .half = _mm256_set1_epi16((short)(1 | half << 8)),
	    .half2 = _mm256_set1_epi32(1 | (half * half) << 16),
	    .half4 = _mm256_set1_epi64x((long long)half * half * half * half),
	};
	__m256i cells[CHUNKS_MAX];
	for (int k = 0; k < chunks; k++) {
		__m128i two = _mm_load_si128((const __m128i *)(const void *)board + k);
		cells[k] = _mm256_min_epu8(_mm256_broadcastsi128_si256(two), most);
	}
	for (int h = 0; h < halves; h++) {
		const struct feature_group *group = &indexer->group[h / 2];
		__m256i four = digits_fetch(group, h % 2, chunks, cells);
		if (way == WAY_LEAST)
			four = least_order(indexer, h / 2, h % 2, four);
		four = half_index(group, h % 2, four, &constants);
		if (way == WAY_WIDE) {
			_mm256_storeu_si256((__m256i *)index + h, four);
			continue;
		}
		four = _mm256_permutevar8x32_epi32(four, even);
		_mm_storeu_si128((__m128i *)index + h, _mm256_castsi256_si128(four));
	}
}

/* The digits d of the cells, one chunk per register: d % 2, d % 2 * 16, and d / 2. */
struct avx2_cells {
	__m256i low[CHUNKS_MAX], low16[CHUNKS_MAX], high[CHUNKS_MAX];
};

/* Adds the digits at PLACES to *L and *H. CHUNKS is a compile-time constant. */
ALWAYS_INLINE void quads_fetch(__m256i places, int chunks, const __m256i *low, const __m256i *high,
			       __m256i *l, __m256i *h)
{
	for (int k = 0; k < chunks; k++) {
		__m256i place = places;
		if (chunks > 1) {
			/* As in digits_fetch(). */
			place = _mm256_sub_epi8(place, _mm256_set1_epi8((char)(16 * k)));
			place = _mm256_adds_epu8(place, _mm256_set1_epi8(0x70));
		}
		*l = _mm256_or_si256(*l, _mm256_shuffle_epi8(low[k], place));
		*h = _mm256_or_si256(*h, _mm256_shuffle_epi8(high[k], place));
	}
}

static inline void cells_split(const struct indexer *indexer, const struct board *board, int chunks,
			       struct avx2_cells *cells)
{
	const __m128i most = _mm_set1_epi8((char)(indexer->levels - 1));
	const __m128i one = _mm_set1_epi8(1);
	const __m128i *rows = (const void *)board;
	for (int k = 0; k < chunks; k++) {
		__m128i two = _mm_load_si128(rows + k);
		if (chunks == 1)
			two = _mm_castps_si128(
			    _mm_shuffle_ps(_mm_castsi128_ps(two),
					   _mm_castsi128_ps(_mm_load_si128(rows + 1)), 0x88));
		two = _mm_min_epu8(two, most);
		const __m128i low = _mm_and_si128(two, one);
		cells->low[k] = _mm256_broadcastsi128_si256(low);
		cells->low16[k] = _mm256_broadcastsi128_si256(_mm_slli_epi16(low, 4));
		cells->high[k] =
		    _mm256_broadcastsi128_si256(_mm_srli_epi16(_mm_andnot_si128(one, two), 1));
	}
}

/*
 * Computes eight features at a time, four digits of each per register. CHUNKS is a compile-time
 * constant.
 */
ALWAYS_INLINE void quads_run(const struct indexer *indexer, const struct board *board, int chunks,
			     uint32_t *index)
{
	const int groups = indexer->stride / FEATURES_STEP, half = (indexer->levels + 1) / 2;
	const __m256i two = _mm256_set1_epi16(1 | 2 << 8), four = _mm256_set1_epi32(1 | 4 << 16);
	const __m256i base = _mm256_set1_epi16((short)(1 | half << 8));
	const __m256i base2 = _mm256_set1_epi32(1 | (half * half) << 16);
	const __m256i base4 = _mm256_set1_epi32(half * half * half * half);
	struct avx2_cells cells;
	cells_split(indexer, board, chunks, &cells);
	for (int g = 0; g < groups; g++) {
		const struct feature_quads *quads = &indexer->quads[g];
		const __m256i *place = (const void *)quads->place;
		const __m256i first = _mm256_load_si256((const void *)quads->first);
		const __m256i length = _mm256_load_si256((const void *)quads->length);
		__m256i bits = _mm256_setzero_si256(), rest = bits, rest4 = bits;
		quads_fetch(_mm256_load_si256(place), chunks, cells.low, cells.high, &bits, &rest);
		quads_fetch(_mm256_load_si256(place + 1), chunks, cells.low16, cells.high, &bits,
			    &rest4);
		rest4 = _mm256_mullo_epi32(fours(rest4, base, base2), base4);
		__m256i eight = _mm256_add_epi32(fours(rest, base, base2), rest4);
		eight = _mm256_add_epi32(_mm256_sllv_epi32(eight, length), first);
		eight = _mm256_add_epi32(eight, fours(bits, two, four));
		_mm256_storeu_si256((__m256i *)(void *)index + g, places(eight));
	}
}

static void run(const struct indexer *indexer, const struct board *board, uint32_t *index)
{
	if (indexer->shared)
		all_indices(indexer, board, WAY_LEAST, index);
	else if (indexer->dense)
		quads_run(indexer, board, 1, index);
	else if (indexer->chunks < CHUNKS_MAX)
		quads_run(indexer, board, CHUNKS_MAX - 1, index);
	else
		quads_run(indexer, board, CHUNKS_MAX, index);
}

static void run_wide(const struct indexer *indexer, const struct board *board, uint64_t *index)
{
	all_indices(indexer, board, WAY_WIDE, index);
}

const struct indexer_kernel indexer_avx2 = {run, run_wide};
