/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lanes of boards/kernel_template.h for AVX-512 VBMI: a board is one register, and a byte
 * permutation by a constant table of the shape takes it apart and puts it together.
 *
 * Comparisons stay in vector registers: masks in k registers cost a third more on a single board.
 */
#include "boards/kernel.h"

#include <immintrin.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Lane group g (8 lanes) is direction g, UP RIGHT DOWN LEFT, in one pass; lane i is line i. */
enum { LANE_GROUPS = DIRECTIONS };
typedef uint8_t lanes __attribute__((vector_size(LANE_GROUPS * ROW_BYTES)));

/* Where each byte comes from; see below. */
struct lanes_map {
	_Alignas(64) uint8_t load[SIDE_MAX][64];
	_Alignas(64) uint8_t store[DIRECTIONS * sizeof(struct board)];
	_Alignas(64) uint8_t store_far[DIRECTIONS * sizeof(struct board)];
};

/* load[k], lane i of a group: the k-th cell of line i, or byte 63, which is 0, if there is none. */
enum { NOWHERE = 63 };
#define CELL(r, c, R, C)                                                                           \
	(uint8_t)((r) < (R) && (c) < (C) && (r) >= 0 && (c) >= 0 ? (r)*8 + (c) : NOWHERE)
#define EIGHT(M, ...)                                                                              \
	M(0, __VA_ARGS__), M(1, __VA_ARGS__), M(2, __VA_ARGS__), M(3, __VA_ARGS__),                \
	    M(4, __VA_ARGS__), M(5, __VA_ARGS__), M(6, __VA_ARGS__), M(7, __VA_ARGS__)
#define LOAD_UP(i, k, R, C) CELL(k, i, R, C)
#define LOAD_RIGHT(i, k, R, C) CELL(i, (C)-1 - (k), R, C)
#define LOAD_DOWN(i, k, R, C) CELL((R)-1 - (k), i, R, C)
#define LOAD_LEFT(i, k, R, C) CELL(i, k, R, C)
#define LOAD(k, R, C)                                                                              \
	{                                                                                          \
		EIGHT(LOAD_UP, k, R, C), EIGHT(LOAD_RIGHT, k, R, C), EIGHT(LOAD_DOWN, k, R, C),    \
		    EIGHT(LOAD_LEFT, k, R, C)                                                      \
	}

/*
 * store, byte 48d + 8r + c: where cell (r, c) of after[d] stands in v[0..3], 32 bytes each;
 * store_far the same for v[4..5]. What a table does not have comes from lane 7 of v[0] or v[4],
 * which is 0, since no side is longer than 6.
 */
enum { NO_LANE = 7 };
#define LANE(k, g, i) ((k)*32 + (g)*8 + (i))
#define NEAR(k, g, i, in) (uint8_t)((in) && (k) < 4 ? LANE(k, g, i) : NO_LANE)
#define FAR(k, g, i, in) (uint8_t)((in) && (k) >= 4 ? LANE((k)-4, g, i) : NO_LANE)
#define IN(r, c, R, C) ((r) < (R) && (c) < (C))
#define STORE_UP(c, r, W, R, C) W(r, UP, c, IN(r, c, R, C))
#define STORE_RIGHT(c, r, W, R, C) W((C)-1 - (c), RIGHT, r, IN(r, c, R, C))
#define STORE_DOWN(c, r, W, R, C) W((R)-1 - (r), DOWN, c, IN(r, c, R, C))
#define STORE_LEFT(c, r, W, R, C) W(c, LEFT, r, IN(r, c, R, C))
#define STORE(S, ...)                                                                              \
	EIGHT(S, 0, __VA_ARGS__), EIGHT(S, 1, __VA_ARGS__), EIGHT(S, 2, __VA_ARGS__),              \
	    EIGHT(S, 3, __VA_ARGS__), EIGHT(S, 4, __VA_ARGS__), EIGHT(S, 5, __VA_ARGS__)
#define STORES(W, R, C)                                                                            \
	{                                                                                          \
		STORE(STORE_UP, W, R, C), STORE(STORE_RIGHT, W, R, C), STORE(STORE_DOWN, W, R, C), \
		    STORE(STORE_LEFT, W, R, C)                                                     \
	}
#define LANES_MAP(R, C)                                                                            \
	{                                                                                          \
		.load = {LOAD(0, R, C), LOAD(1, R, C), LOAD(2, R, C),                              \
			 LOAD(3, R, C), LOAD(4, R, C), LOAD(5, R, C)},                             \
		.store = STORES(NEAR, R, C), .store_far = STORES(FAR, R, C)                        \
	}

/* The quadwords of a struct board in a register; the other two are 0. */
enum { BOARD_WORDS = (1 << SIDE_MAX) - 1 };

struct lanes_board {
	__m512i cells;
};

ALWAYS_INLINE void lanes_open(const struct board *board, struct lanes_board *from, int rows)
{
	(void)rows;
	from->cells = _mm512_maskz_loadu_epi64(BOARD_WORDS, board);
}

ALWAYS_INLINE void lanes_load(const struct lanes_map *map, const struct lanes_board *from, lanes *v,
			      int pass, int rows, int cols)
{
	const int length = rows > cols ? rows : cols;
	(void)pass;
#pragma GCC unroll 8
	for (int k = 0; k < length; k++) {
		__m512i index = _mm512_load_si512(map->load[k]);
		v[k] = (lanes)_mm512_castsi512_si256(_mm512_permutexvar_epi8(index, from->cells));
	}
}

/* All bits of a lane are set, or none. */
typedef lanes lanes_mask;
#define lanes_equal(a, b) ((lanes)_mm256_cmpeq_epi8((__m256i)(a), (__m256i)(b)))
#define lanes_empty(a) lanes_equal(a, (lanes){0})
#define lanes_and_not(a, b) ((a) & ~(b))
/* YES in the lanes of MASK, else NO. */
#define lanes_blend(mask, yes, no)                                                                 \
	((lanes)_mm256_ternarylogic_epi64((__m256i)(mask), (__m256i)(yes), (__m256i)(no), 0xca))
#define lanes_where(mask, v) ((v) & (mask))
#define lanes_unless(mask, v) ((v) & ~(mask))
#define lanes_increment(mask, v) ((v) - (mask))

ALWAYS_INLINE __m512i lanes_pair(lanes low, lanes high)
{
	return _mm512_inserti64x4(_mm512_castsi256_si512((__m256i)low), (__m256i)high, 1);
}

ALWAYS_INLINE void lanes_store(const struct lanes_map *map, lanes all[][SIDE_MAX],
			       struct moves *moves, int rows, int cols)
{
	const lanes *v = all[0];
	const int length = rows > cols ? rows : cols;
	const lanes none = {0};
	const __m512i near0 = lanes_pair(v[0], v[1]);
	const __m512i near1 = lanes_pair(length > 2 ? v[2] : none, length > 3 ? v[3] : none);
	const __m512i far = lanes_pair(length > 4 ? v[4] : none, length > 5 ? v[5] : none);
#pragma GCC unroll 8
	for (size_t i = 0; i < sizeof map->store; i += 64) {
		const __m512i from = _mm512_load_si512(map->store + i);
		__m512i cells = _mm512_permutex2var_epi8(near0, from, near1);
		if (length > 4) {
			const __m512i also = _mm512_load_si512(map->store_far + i);
			cells = _mm512_or_si512(cells, _mm512_permutexvar_epi8(also, far));
		}
		_mm512_storeu_si512((char *)moves->after + i, cells);
	}
}

/* Bit g is set when lane group g of CHANGED is not all zero. */
ALWAYS_INLINE unsigned lanes_groups(const lanes *changed)
{
	return _mm256_test_epi64_mask((__m256i)*changed, (__m256i)*changed);
}

/* The sums of the tiles 2^made in lane groups UP and RIGHT; 0 makes no tile. */
ALWAYS_INLINE void lanes_tiles(const lanes *made, int count, uint64_t sum[2])
{
	const __m512i one = _mm512_set1_epi64(1);
	__m512i up = _mm512_setzero_si512(), right = up;
#pragma GCC unroll 8
	for (int k = 0; k < count; k++) {
		/* A shift by 0 - 1 = 255 leaves nothing; the other shifts are made up for. */
		lanes less = made[k] - 1;
		__m128i low = _mm256_castsi256_si128((__m256i)less);
		up = _mm512_add_epi64(up, _mm512_sllv_epi64(one, _mm512_cvtepu8_epi64(low)));
		low = _mm_unpackhi_epi64(low, low);
		right = _mm512_add_epi64(right, _mm512_sllv_epi64(one, _mm512_cvtepu8_epi64(low)));
	}
	__m512i pairs =
	    _mm512_add_epi64(_mm512_unpacklo_epi64(up, right), _mm512_unpackhi_epi64(up, right));
	__m256i half =
	    _mm256_add_epi64(_mm512_castsi512_si256(pairs), _mm512_extracti64x4_epi64(pairs, 1));
	__m128i both =
	    _mm_add_epi64(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
	_mm_storeu_si128((__m128i *)(void *)sum, _mm_add_epi64(both, both));
}
