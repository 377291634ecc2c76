/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernels for AVX-512 VBMI2. A board is one register; byte permutations by constant tables of
 * the shape split and join it.
 */
#include "boards/simd/lines_ymm.h"

/*
 * The source of each byte. load[k], lane by lane: the k-th cell of the line. store, byte 48d + 8r +
 * c: the place of cell (r, c) of after[d] in v[0..3], 16 (small shapes) or 32 bytes each;
 * store_far: its place in v[4..5].
 */
struct lines_map {
	_Alignas(64) uint8_t load[SIDE_MAX][32];
	_Alignas(64) uint8_t store[DIRECTIONS * sizeof(struct board)];
	_Alignas(64) uint8_t store_far[DIRECTIONS * sizeof(struct board)];
};

/* Expands to M(a, ...), M(a + 1, ...), ... */
#define LIST8(M, a, ...)                                                                           \
	M((a), __VA_ARGS__), M((a) + 1, __VA_ARGS__), M((a) + 2, __VA_ARGS__),                     \
	    M((a) + 3, __VA_ARGS__), M((a) + 4, __VA_ARGS__), M((a) + 5, __VA_ARGS__),             \
	    M((a) + 6, __VA_ARGS__), M((a) + 7, __VA_ARGS__)
#define LIST32(M, a, ...)                                                                          \
	LIST8(M, a, __VA_ARGS__), LIST8(M, (a) + 8, __VA_ARGS__), LIST8(M, (a) + 16, __VA_ARGS__), \
	    LIST8(M, (a) + 24, __VA_ARGS__)

#define GROUP(R, C) (SHAPE_SMALL(R, C) ? 4 : 8)

/* The byte of cell (r, c) of a board, or a byte that is always 0 if the cell does not exist. */
enum { NOWHERE = 7 };
#define CELL(r, c, R, C)                                                                           \
	((r) >= 0 && (r) < (R) && (c) >= 0 && (c) < (C) ? (r)*ROW_BYTES + (c) : NOWHERE)
#define LINE_CELL(d, i, k, R, C)                                                                   \
	((d) == UP	? CELL(k, i, R, C)                                                         \
	 : (d) == RIGHT ? CELL(i, (C)-1 - (k), R, C)                                               \
	 : (d) == DOWN	? CELL((R)-1 - (k), i, R, C)                                               \
	 : (d) == LEFT	? CELL(i, k, R, C)                                                         \
			: NOWHERE)
#define LOAD(lane, k, R, C) (uint8_t) LINE_CELL((lane) / GROUP(R, C), (lane) % GROUP(R, C), k, R, C)

/* The place k and the lane of cell (r, c) after direction d. */
#define PLACE(d, r, c, R, C)                                                                       \
	((d) == UP ? (r) : (d) == RIGHT ? (C)-1 - (c) : (d) == DOWN ? (R)-1 - (r) : (c))
#define LANE(d, r, c, R, C) ((d)*GROUP(R, C) + ((d) == UP || (d) == DOWN ? (c) : (r)))
/*
 * A missing entry comes from lane 7 of v[1] or v[4], which is 0 since no side is longer than 6. In
 * lines of length 5, v[4] moves into the lanes that v[0] and v[1] do not use.
 */
enum { NONE = -1 };
#define TUCKED(lane) ((lane) / 8 * 8 + ((lane) % 8 < 3 ? 5 + (lane) % 8 : 32 + 2 + (lane) % 8))
#define NEAR(k, lane, R, C)                                                                        \
	((k) == NONE			       ? 32 + 7                                            \
	 : SHAPE_SMALL(R, C)		       ? (k)*16 + (lane)                                   \
	 : (k) < 4			       ? (k)*32 + (lane)                                   \
	 : (k) == 4 && SHAPE_LENGTH(R, C) == 5 ? TUCKED(lane)                                      \
					       : 32 + 7)
#define FAR(k, lane, R, C) ((k) < 4 ? 7 : ((k)-4) * 32 + (lane))
#define STORE_CELL(d, r, c, W, R, C)                                                               \
	(uint8_t) W((r) < (R) && (c) < (C) ? PLACE(d, r, c, R, C) : NONE, LANE(d, r, c, R, C), R, C)
#define STORE(byte, W, R, C) STORE_CELL((byte) / 48, (byte) % 48 / 8, (byte) % 8, W, R, C)

#define LIST64(M, a, ...) LIST32(M, a, __VA_ARGS__), LIST32(M, (a) + 32, __VA_ARGS__)
#define LIST192(M, ...)                                                                            \
	{                                                                                          \
		LIST64(M, 0, __VA_ARGS__), LIST64(M, 64, __VA_ARGS__), LIST64(M, 128, __VA_ARGS__) \
	}
#define LINES_MAP(R, C)                                                                            \
	{                                                                                          \
		.load = {{LIST32(LOAD, 0, 0, R, C)}, {LIST32(LOAD, 0, 1, R, C)},                   \
			 {LIST32(LOAD, 0, 2, R, C)}, {LIST32(LOAD, 0, 3, R, C)},                   \
			 {LIST32(LOAD, 0, 4, R, C)}, {LIST32(LOAD, 0, 5, R, C)}},                  \
		.store = LIST192(STORE, NEAR, R, C), .store_far = LIST192(STORE, FAR, R, C)        \
	}

struct lines_board {
	__m256i near, far; /* rows 0..3 and 4..7; the last two are 0 */
};

ALWAYS_INLINE void lines_open(const struct board *board, struct lines_board *from, int rows,
			      int cols)
{
	const __m128i *half = (const __m128i *)(const void *)board;
	(void)cols;
	from->near = _mm256_loadu_si256((const __m256i *)(const void *)half);
	from->far =
	    rows <= 4 ? _mm256_setzero_si256() : _mm256_zextsi128_si256(_mm_load_si128(half + 2));
}

ALWAYS_INLINE void lines_load(const struct lines_map *map, const struct lines_board *from, lines *v,
			      int pass, int rows, int cols)
{
	(void)pass;
	UNROLL
	for (int k = 0; k < SHAPE_LENGTH(rows, cols); k++) {
		const __m256i index =
		    _mm256_load_si256((const __m256i *)(const void *)map->load[k]);
		v[k] = (lines)(rows <= 4 ? _mm256_permutexvar_epi8(index, from->near)
					 : _mm256_permutex2var_epi8(from->near, index, from->far));
	}
}

/* YES in the lanes of MASK, else NO; the result replaces NO in its register. */
#define lines_blend(mask, yes, no)                                                                 \
	((lines)_mm256_ternarylogic_epi64((__m256i)(no), (__m256i)(yes), (__m256i)(mask), 0xd8))
/* The bits of A that are in neither B nor C. */
#define lines_neither(a, b, c)                                                                     \
	((lines)_mm256_ternarylogic_epi64((__m256i)(a), (__m256i)(b), (__m256i)(c), 0x10))

/* Bit d is set when a lane of direction d is not 0 in CHANGED. */
ALWAYS_INLINE unsigned lines_directions(lines changed, int rows, int cols)
{
	const __m256i x = (__m256i)changed;
	return SHAPE_SMALL(rows, cols)
		   ? _mm_test_epi32_mask(_mm256_castsi256_si128(x), _mm256_castsi256_si128(x))
		   : _mm256_test_epi64_mask(x, x);
}

ALWAYS_INLINE __m512i lines_pair(lines low, lines high)
{
	return _mm512_inserti64x4(_mm512_castsi256_si512((__m256i)low), (__m256i)high, 1);
}

ALWAYS_INLINE __m256i lines_halves(lines low, lines high)
{
	return _mm256_inserti128_si256((__m256i)low, _mm256_castsi256_si128((__m256i)high), 1);
}

/* A small shape has only rows 0..3; stores of 32 bytes are faster here than of 64. */
ALWAYS_INLINE void lines_store_small(const struct lines_map *map, const lines *v,
				     struct moves *moves, int rows, int cols)
{
	const lines none = {0};
	const int length = SHAPE_LENGTH(rows, cols);
	const __m256i low = lines_halves(v[0], v[1]);
	const __m256i high = lines_halves(length > 2 ? v[2] : none, length > 3 ? v[3] : none);
	const __mmask32 cells = ((1u << cols) - 1) * (0x01010101u >> (32 - 8 * rows));
	UNROLL
	for (size_t d = 0; d < DIRECTIONS; d++) {
		const void *index = map->store + d * sizeof(struct board);
		char *to = (char *)&moves->after[d];
		_mm256_storeu_si256(
		    (__m256i *)(void *)to,
		    _mm256_maskz_permutex2var_epi8(cells, low, _mm256_loadu_si256(index), high));
		_mm_storeu_si128((__m128i *)(void *)(to + 32), _mm_setzero_si128());
	}
}

/* Moves v[4] of lines of length 5 into lanes 5, 6, 7 of each group of v[0] and 5, 6 of v[1]. */
ALWAYS_INLINE __m512i lines_tuck(__m512i pair, lines v4)
{
#define TUCK(byte, unused)                                                                         \
	(uint8_t)((byte) % 32 / 8 * 8 + ((byte) < 32 ? (byte) % 8 - 5 : (byte) % 8 - 2))
	static const _Alignas(64) uint8_t from[64] = {LIST64(TUCK, 0, 0)};
#undef TUCK
	const __mmask64 unused = 0x60606060e0e0e0e0u;
	return _mm512_mask_permutexvar_epi8(pair, unused, _mm512_load_si512(from),
					    _mm512_castsi256_si512((__m256i)v4));
}

ALWAYS_INLINE void lines_store(const struct lines_map *map, lines all[][SIDE_MAX],
			       struct moves *moves, int rows, int cols)
{
	const lines *v = all[0];
	if (SHAPE_SMALL(rows, cols)) {
		lines_store_small(map, v, moves, rows, cols);
		return;
	}
	const int length = SHAPE_LENGTH(rows, cols);
	__m512i near0 = lines_pair(v[0], v[1]), far = _mm512_setzero_si512();
	const __m512i near1 = lines_pair(v[2], v[3]);
	if (length == 5)
		near0 = lines_tuck(near0, v[4]);
	if (length == 6)
		far = lines_pair(v[4], v[5]);
	UNROLL
	for (int i = 0; i < 3; i++) {
		const __m512i from = _mm512_load_si512(map->store + 64 * i);
		const __m512i also = _mm512_load_si512(map->store_far + 64 * i);
		__m512i cells = _mm512_permutex2var_epi8(near0, from, near1);
		if (length == 6)
			cells = _mm512_or_si512(cells, _mm512_permutexvar_epi8(also, far));
		_mm512_storeu_si512((char *)moves->after + 64 * i, cells);
	}
}

#include "boards/simd/kernel_template.h"
#include "boards/simd/lanes_wide_avx512.h"
#include "boards/simd/playout_template.h"
#define KERNELS kernels_avx512
#include "boards/simd/keys_template.h"
