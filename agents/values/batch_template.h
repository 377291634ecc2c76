/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Many boards, one per lane, for the values heuristic and strong: numbers that do not fit into a
 * byte, look-ups in tables, and after-states. A file that includes this one first includes a lane
 * header (boards/simd/lanes_wide*.h), then the templates of the values, and is compiled for one
 * instruction set.
 *
 * A vector of shorts holds half of WIDE boards: those numbered 16i + 8 half .. + 7, for every i; a
 * vector of ints a quarter: 16i + 4 quarter .. + 3. So bytes are widened by interleaving within 16
 * bytes, which every processor can do.
 *
 * The rules are those of boards/simd/kernel_template.h. Here only throughput counts: every step of
 * a line waits for the step before, but the lines of different boards are independent. A lane is 0
 * for an empty cell; a tile is any code above 1, and grows by STEP when two merge. 1 is not a tile,
 * so an empty neighbour raised to 1 equals no other cell, which saves a test for empty cells.
 *
 * Symmetries do not change these values, so an after-state is stored as its lines slid: cell[line *
 * length + k] is the k-th cell of a line from the wall.
 *
 * Invariant: this template does to codes what kernel_template.h does to exponents.
 */
#include "agents/values/values_kernel.h"

#include <math.h>

typedef int16_t wide_shorts __attribute__((vector_size(WIDE)));
typedef uint16_t wide_ushorts __attribute__((vector_size(WIDE)));
typedef int32_t wide_ints __attribute__((vector_size(WIDE)));
typedef double wide_reals __attribute__((vector_size(WIDE), may_alias));

#define wide_all16(x) ((wide_shorts){0} + (int16_t)(x))
#define wide_all32(x) ((wide_ints){0} + (int32_t)(x))
#define wide_all_real(x) ((wide_reals){0} + (x))

#if defined __AVX512BW__
#define WIDE_CALL(name, a, b) _mm512_##name((__m512i)(a), (__m512i)(b))
#define WIDE_CALL_REAL(name, a, b) _mm512_##name((__m512d)(a), (__m512d)(b))
#elif defined __AVX2__
#define WIDE_CALL(name, a, b) _mm256_##name((__m256i)(a), (__m256i)(b))
#define WIDE_CALL_REAL(name, a, b) _mm256_##name((__m256d)(a), (__m256d)(b))
#elif defined __SSE2__
#define WIDE_CALL(name, a, b) _mm_##name((__m128i)(a), (__m128i)(b))
#define WIDE_CALL_REAL(name, a, b) _mm_##name((__m128d)(a), (__m128d)(b))
#endif

/* Computes a x + b y, which fits; x and y are unsigned, a and b signed. */
ALWAYS_INLINE wide_shorts wide_dot8(lanes x, lanes a, lanes y, lanes b, int half)
{
#ifdef __AVX2__
	return (wide_shorts)WIDE_CALL(maddubs_epi16, wide_zip(half, x, y), wide_zip(half, a, b));
#else
	const lanes none = {0};
	return (wide_shorts)wide_zip(half, x, none) * ((wide_shorts)wide_zip(half, a, a) >> 8) +
	       (wide_shorts)wide_zip(half, y, none) * ((wide_shorts)wide_zip(half, b, b) >> 8);
#endif
}

/* Computes a x + b y, which fits, in quarter 2 half + odd; all shorts are signed. */
ALWAYS_INLINE wide_ints wide_dot16(wide_shorts x, int a, wide_shorts y, int b, int odd)
{
#ifdef __SSE2__
	const wide_ints by = wide_all32((a & 0xffff) | (int)((unsigned)b << 16));
	return (wide_ints)(odd ? WIDE_CALL(madd_epi16, WIDE_CALL(unpackhi_epi16, x, y), by)
			       : WIDE_CALL(madd_epi16, WIDE_CALL(unpacklo_epi16, x, y), by));
#else
	wide_ints sum = {0};
	for (int i = 0; i < WIDE / 4; i++) {
		const int lane = i / 4 * 8 + odd * 4 + i % 4;
		sum[i] = x[lane] * a + y[lane] * b;
	}
	return sum;
#endif
}

/* The greater of BEST and X where SEEN is nonzero, else BEST, for a half. */
ALWAYS_INLINE wide_shorts wide_greater16(wide_shorts best, wide_shorts x, lanes seen, int half)
{
	const wide_shorts pairs = (wide_shorts)wide_zip(half, seen, seen);
#ifdef __AVX512BW__
	const __mmask32 use = _mm512_test_epi16_mask((__m512i)pairs, (__m512i)pairs);
	return (wide_shorts)_mm512_mask_max_epi16((__m512i)best, use, (__m512i)best, (__m512i)x);
#else
	const wide_shorts above = (pairs != 0) & (x > best);
	return best ^ ((best ^ x) & above);
#endif
}

/* The maximum of unsigned shorts. */
#if defined __AVX2__
#define wide_max16(x, y) ((wide_ushorts)WIDE_CALL(max_epu16, x, y))
#elif defined __SSE2__
#define wide_max16(x, y) ((wide_ushorts)WIDE_CALL(subs_epu16, x, y) + (y))
#else
#define wide_max16(x, y) ((y) ^ (((x) ^ (y)) & (wide_ushorts)((x) > (y))))
#endif

/*
 * Lanes below 48, prepared for several look-ups in tables of bytes. AVX2 looks up in sixteen bytes
 * at a time and returns 0 for indices with the highest bit set, so fewer PIECES of sixteen are
 * faster. Without AVX2 tables are read lane by lane.
 */
struct wide_places {
#if defined __AVX2__ && !defined __AVX512VBMI__
	lanes piece[3];
#else
	lanes all;
#endif
};

/* Returns the number of pieces needed to look up COUNT lanes, each increased by MORE. */
ALWAYS_INLINE int wide_pieces(const lanes *at, int count, int more)
{
#if defined __AVX2__ && !defined __AVX512VBMI__
	lanes most = at[0];
	for (int k = 1; k < count; k++)
		most = lanes_max(most, at[k]);
	most = lanes_plus(most, lanes_all(more));
	return 1 + lanes_some(lanes_above(most, lanes_all(15))) +
	       lanes_some(lanes_above(most, lanes_all(31)));
#else
	(void)at;
	(void)count;
	(void)more;
	return 3;
#endif
}

/* Prepares COUNT lanes for look-ups; uses ROOM where memory is necessary. */
ALWAYS_INLINE const struct wide_places *wide_find(const lanes *at, int count, int pieces,
						  struct wide_places *room)
{
#if defined __AVX2__ && !defined __AVX512VBMI__
	for (int i = 0; i < pieces; i++)
		for (int k = 0; k < count; k++)
			room[k].piece[i] = (lanes)_mm256_adds_epu8(
			    (__m256i)(at[k] - (uint8_t)(16 * i)), _mm256_set1_epi8(0x70));
	return room;
#elif defined __AVX512VBMI__
	(void)count;
	(void)pieces;
	(void)room;
	return (const struct wide_places *)at;
#else
	/* Lanes after the last board of a batch may have any bytes. */
	(void)pieces;
	for (int k = 0; k < count; k++)
		room[k].all = at[k] & (uint8_t)(EXPONENTS - 1);
	return room;
#endif
}

#ifdef __AVX2__
/* Joins low and high bytes to the shorts of a half. */
ALWAYS_INLINE wide_ushorts wide_join(lanes low, lanes high, int half)
{
	return (wide_ushorts)wide_zip(half, low, high);
}

/* Looks up bytes of TABLE. */
ALWAYS_INLINE lanes wide_lookup(const uint8_t table[64], const struct wide_places *places,
				int pieces)
{
#ifdef __AVX512VBMI__
	(void)pieces;
	return _mm512_permutexvar_epi8(places->all, _mm512_loadu_si512(table));
#else
	lanes found = {0};
	UNROLL
	for (int i = 0; i < 3; i++)
		if (i < pieces) {
			const void *piece = table + 16 * i;
			const __m256i sixteen = _mm256_broadcastsi128_si256(_mm_loadu_si128(piece));
			found |= (lanes)_mm256_shuffle_epi8(sixteen, (__m256i)places->piece[i]);
		}
	return found;
#endif
}
#endif

/* Reals of WIDE boards are in eight vectors, two for each quarter; PART selects one of them. */
ALWAYS_INLINE wide_reals wide_real(wide_ints x, int part)
{
#if defined __AVX512BW__
	return (wide_reals)_mm512_cvtepi32_pd(part ? _mm512_extracti64x4_epi64((__m512i)x, 1)
						   : _mm512_castsi512_si256((__m512i)x));
#elif defined __AVX2__
	return (wide_reals)_mm256_cvtepi32_pd(part ? _mm256_extracti128_si256((__m256i)x, 1)
						   : _mm256_castsi256_si128((__m256i)x));
#else
	return (wide_reals){x[2 * part], x[2 * part + 1]};
#endif
}

/* Sets to[i] to x of board i. */
ALWAYS_INLINE void wide_write(wide_reals x, int quarter, int part, double *to)
{
	to += 4 * quarter;
#if defined __AVX512BW__
	_mm256_storeu_pd(to + 32 * part, _mm512_castpd512_pd256((__m512d)x));
	_mm256_storeu_pd(to + 32 * part + 16, _mm512_extractf64x4_pd((__m512d)x, 1));
#elif defined __AVX2__
	_mm256_storeu_pd(to + 16 * part, (__m256d)x);
#else
	to[2 * part] = x[0];
	to[2 * part + 1] = x[1];
#endif
}

/* Sets to[i] to unit * x of board i, for the boards of a quarter. */
ALWAYS_INLINE void wide_store(wide_ints x, int quarter, double unit, double *to)
{
	wide_write(unit * wide_real(x, 0), quarter, 0, to);
	wide_write(unit * wide_real(x, 1), quarter, 1, to);
}

/* Converts lanes to ints of a quarter that are 0 where the lanes are: each lane four times. */
ALWAYS_INLINE wide_ints wide_spread(lanes x, int quarter)
{
	const lanes pairs = wide_zip(quarter / 2, x, x);
	return (wide_ints)wide_zip(quarter % 2, pairs, pairs);
}

/* The greater of BEST and X where SEEN is nonzero, else BEST, for a quarter. */
ALWAYS_INLINE wide_ints wide_greater32(wide_ints best, wide_ints x, lanes seen, int quarter)
{
	const wide_ints fours = wide_spread(seen, quarter);
#ifdef __AVX512BW__
	const __mmask16 use = _mm512_test_epi32_mask((__m512i)fours, (__m512i)fours);
	return (wide_ints)_mm512_mask_max_epi32((__m512i)best, use, (__m512i)best, (__m512i)x);
#else
	const wide_ints above = (fours != 0) & (x > best);
	return best ^ ((best ^ x) & above);
#endif
}

/* YES where X is nonzero, else NO. */
ALWAYS_INLINE wide_reals wide_choose(wide_ints x, int part, wide_reals yes, wide_reals no)
{
#if defined __AVX512BW__
	const __mmask16 mask = _mm512_test_epi32_mask((__m512i)x, (__m512i)x);
	return (wide_reals)_mm512_mask_mov_pd((__m512d)no, (__mmask8)(part ? mask >> 8 : mask),
					      (__m512d)yes);
#elif defined __AVX2__
	const __m256i mask = (__m256i)(x != 0);
	const __m256i wide = _mm256_cvtepi32_epi64(part ? _mm256_extracti128_si256(mask, 1)
							: _mm256_castsi256_si128(mask));
	return (wide_reals)_mm256_blendv_pd((__m256d)no, (__m256d)yes, (__m256d)wide);
#else
	return (wide_reals){x[2 * part] ? yes[0] : no[0], x[2 * part + 1] ? yes[1] : no[1]};
#endif
}

ALWAYS_INLINE wide_reals wide_real_max(wide_reals a, wide_reals b)
{
#ifdef __SSE2__
	return (wide_reals)WIDE_CALL_REAL(max_pd, a, b);
#else
	for (int i = 0; i < WIDE / 8; i++)
		b[i] = a[i] > b[i] ? a[i] : b[i];
	return b;
#endif
}

/* Moves v[k+1..length-1] one cell towards the wall in the lanes of GAP, over v[k]. */
ALWAYS_INLINE void wide_close(lanes *v, int length, int k, lanes_mask gap)
{
	UNROLL
	for (int i = k; i < length - 1; i++)
		v[i] = lanes_blend(gap, v[i + 1], v[i]);
	v[length - 1] = lanes_unless(gap, v[length - 1]);
}

/* Slides and merges every line towards v[0]. Returns MERGES plus the number of merges. */
ALWAYS_INLINE lanes wide_slide(lanes *v, int length, int step, lanes merges)
{
	const lanes one = lanes_all(1), more = lanes_all(step);
	UNROLL
	for (int k = length - 2; k >= 0; k--)
		wide_close(v, length, k, lanes_empty(v[k]));
	UNROLL
	for (int k = 0; k < length - 1; k++) {
		const lanes_mask equal = lanes_equal(v[k], lanes_max(v[k + 1], one));
		v[k] = lanes_raise(equal, v[k], more);
		merges = lanes_increment(equal, merges);
		wide_close(v, length, k + 1, equal);
	}
	return merges;
}

/* Cells in reading order, as codes for wide_slide(). */
struct batch_boards {
	lanes cell[CELLS_MAX];
	lanes empty; /* number of empty cells */
};

struct batch_after {
	lanes cell[CELLS_MAX];
	lanes empty;
	lanes changed; /* 0 where the direction is not legal */
};

/* Where the lines of a direction begin, and the steps to the next line and cell. */
struct batch_way {
	int start, line, cell;
};

/* Returns the way of a direction with LINES lines of LENGTH cells. */
ALWAYS_INLINE struct batch_way batch_way(int direction, int lines, int length)
{
	const bool forward = direction == UP || direction == LEFT;
	const bool vertical = direction == UP || direction == DOWN;
	const int sign = forward ? 1 : -1;
	return (struct batch_way){forward ? 0 : lines * length - 1, vertical ? sign : sign * length,
				  vertical ? sign * lines : sign};
}

/* Loads WIDE boards from FIRST on; an exponent k becomes the code k * STEP + 1. */
ALWAYS_INLINE void batch_open(const struct batch *batch, size_t first, int rows, int cols, int step,
			      struct batch_boards *boards)
{
	const lanes one = lanes_all(1);
	lanes empty = lanes_all(rows * cols);
#pragma GCC unroll 1
	for (int r = 0; r < rows; r++) {
		lanes *row = boards->cell + r * cols;
		wide_row(batch, first, r, cols, row);
		UNROLL
		for (int c = 0; c < cols; c++) {
			const lanes tile = lanes_min(row[c], one);
			empty = lanes_minus(empty, tile);
			row[c] = lanes_plus(row[c], step == 2 ? lanes_plus(row[c], tile) : tile);
		}
	}
	boards->empty = empty;
}

/* Sums over the moved lines of a direction. */
struct batch_moved {
	lanes empty, changed;
};

/*
 * Moves line I of all boards. With CHECKERED, an empty cell becomes 1 in every other place,
 * starting with PARITY, so that two empty neighbours are never equal.
 */
ALWAYS_INLINE struct batch_moved batch_move_line(const struct batch_boards *from,
						 struct batch_way way, int i, int length, int step,
						 bool checkered, int parity, lanes *to,
						 struct batch_moved sum)
{
	const lanes *cell = from->cell + way.start + i * way.line;
	lanes v[SIDE_MAX];
	UNROLL
	for (int k = 0; k < length; k++)
		v[k] = cell[k * way.cell];
	sum.empty = wide_slide(v, length, step, sum.empty);
	/* Sliding preserves the sum of a line, so the last cell never changes alone. */
	UNROLL
	for (int k = 0; k < length - 1; k++)
		sum.changed = lanes_differ(sum.changed, v[k], cell[k * way.cell]);
	UNROLL
	for (int k = 0; k < length; k++)
		to[i * length + k] =
		    checkered && (parity + k) % 2 ? lanes_max(v[k], lanes_all(1)) : v[k];
	return sum;
}

ALWAYS_INLINE void batch_move(const struct batch_boards *from, int direction, int lines, int length,
			      int step, bool checkered, struct batch_after *after)
{
	const struct batch_way way = batch_way(direction, lines, length);
	struct batch_moved sum = {from->empty, lanes_all(0)};
#pragma GCC unroll 1
	for (int i = 0; i < lines; i += 2) {
		sum = batch_move_line(from, way, i, length, step, checkered, 0, after->cell, sum);
		if (i + 1 < lines)
			sum = batch_move_line(from, way, i + 1, length, step, checkered, 1,
					      after->cell, sum);
	}
	after->empty = sum.empty;
	after->changed = sum.changed;
}

/* Writes TERMINAL where no move was legal. */
ALWAYS_INLINE void lost_write(lanes legal, double terminal, double *out)
{
	uint8_t some[WIDE];
	if (!lanes_some(lanes_where(lanes_empty(legal), lanes_all(1))))
		return;
	memcpy(some, &legal, sizeof some);
	for (int i = 0; i < WIDE; i++)
		if (!some[i])
			out[i] = terminal;
}
