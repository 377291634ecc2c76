/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The value strong of the leaves of a chance node: of all positions that an after-state becomes
 * when a tile appears in one of its empty cells, the best after-state of the next move. A batch of
 * boards (strong_template.h) computes each leaf by itself. Here the node is computed once, and a
 * leaf only where it differs from the node. For boards of 20 cells and more, with AVX-512 of 24.
 *
 * Axis 0 has the rows, axis 1 the columns; a board that is taller than wide is transposed first,
 * which changes no value. A line moves forth, to its first cell, or back, to its last. So there are
 * four images of the board, one per direction, in which each line begins at its wall. A vector has
 * line r of all images, eight bytes each: {forth, back} of axis 0, {forth, back} of axis 1. Without
 * AVX2 it has one pair {forth, back} only, the axes are made one after the other, kinds of spawn
 * too, and bytes are moved and looked up one by one. A search of depth 2 takes 2.8 times the time
 * of AVX2 then on 5x5 and 6x6 (AMD EPYC, SSE2).
 *
 * A spawn changes one line of each image; the other lines move as without it. So node_make() moves
 * each line of the after-state and stores for each line of each image the value of all other lines
 * (BASE), and what cells in its place meet across: the nearest tiles before and after, whether
 * these are already in a run, the powers next to them, the largest tile and corner elsewhere.
 *
 * A UNIT is a gap of a line: wherever in the gap a tile appears, the line moves to the same cells.
 * A unit is evaluated once: its vector is {forth, back} with a tile of one kind and {forth, back}
 * with a tile of another kind, and its value is BASE, plus that of the line, plus what the line
 * adds across. A tile in the first cell of a gap (forth) or in its last (back) may leave its line
 * unchanged; then, if no other line moves, that direction is not legal. Merges and runs need no
 * branch, which the processor could not foresee; lines that have none take the same time.
 *
 * A leaf is the maximum of its units in its row and in its column. Units of rows store their
 * values by cell; units of columns take the maximum and add it to the sum of the node.
 *
 * Numbers are whole, modulo 2^32, and no value of a board needs more than 32 bits (strong.c). So
 * the order of terms does not matter, and the sums equal those of value_best(). Values are stored
 * plus 2^31, unsigned; 0, which is no value, means that no move is legal. Powers are below 2^15,
 * since the longest lines have five cells or more. Of a line of powers, min(falls, rises) is the
 * sum of all rises minus the excess of the last over the first.
 *
 * Check value: on 5x5 with all weights 0 but w_empty=1, an after-state with one tile has 24 leaves
 * of 2 * 23 each if no tiles merge; tests/agents/values/test_strong_leaves.c has this and compares
 * with the definition.
 */
#include "agents/values/strong_leaves.h"
#include "boards/simd/inline.h"
#include "boards/simd/lines_board.h"

#ifdef __SSE2__
#include <immintrin.h>
#endif

/* Lines of eight bytes, or a number of 64 bits for each, in PAIRS {forth, back}. */
#ifdef __AVX2__
enum { PAIRS = 2 };
#define WAYS(name, a, b) ((ways)_mm256_##name((__m256i)(a), (__m256i)(b)))
#else
enum { PAIRS = 1 };
#define WAYS(name, a, b) ((ways)_mm_##name((__m128i)(a), (__m128i)(b)))
#endif

typedef uint64_t ways __attribute__((vector_size(16 * PAIRS), may_alias));
typedef uint8_t ways_bytes __attribute__((vector_size(sizeof(ways))));
typedef uint32_t ways_ints __attribute__((vector_size(sizeof(ways))));

/* Shorts of lines: the ways forth and back in two vectors, or all in one. */
#ifdef __AVX512VBMI__
enum { PARTS = 1 };
typedef uint64_t part __attribute__((vector_size(64)));
#define PART(name, a, b) ((part)_mm512_##name((__m512i)(a), (__m512i)(b)))
#define PER_LINE(...) __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__
#else
enum { PARTS = 2 };
typedef ways part;
#define PART WAYS
#ifdef __AVX2__
#define PER_LINE(...) __VA_ARGS__, __VA_ARGS__
#else
#define PER_LINE(...) __VA_ARGS__
#endif
#endif

typedef uint16_t part_shorts __attribute__((vector_size(sizeof(part))));
typedef uint32_t part_ints __attribute__((vector_size(sizeof(part))));

struct shorts {
	part part[PARTS];
};

#define EACH_PART                                                                                  \
	UNROLL                                                                                     \
	for (int i = 0; i < PARTS; i++)

/* Placeholders for a missing nearest tile: not tiles, and not equal to each other. */
enum { NONE_ABOVE = 0xff, NONE_BELOW = 0xfe };

/* Greater than all powers. */
enum { POWER_MOST = 0x7fff };

/* Line r of all images, as it moves without a spawn, and what a line in its place meets. */
struct node_line {
	ways above, below;	       /* the nearest tiles across */
	ways above_alone, below_alone; /* 1 where such a tile is in no run yet */
	ways joined;		       /* of both, those that an empty cell joins to a run */
	ways others;		       /* across: the largest tile of the other lines */
	ways corner;		       /* the largest corner of the other lines, in all bytes */
	ways base;		       /* the value of everything else */
};

struct node {
	const struct strong_leaf_tables *tables;
	ways merging; /* byte r of an image: not 0 if its line r merges */
	ways stuck;   /* bit 8 line + cell: see node_stuck() */
	struct node_line line[SIDE_MAX];
	/* Powers: of line r at r + 1, around them 2^16 - 1 and POWER_MOST; and 0, the last. */
	struct shorts power[SIDE_MAX + 3];
};

/* The after-state by lines of each axis. */
struct lines {
	_Alignas(32) uint8_t line[2][ROW_BYTES][ROW_BYTES];
	uint64_t full[2]; /* bit 8 line + cell of each axis: a tile */
	int largest;
};

/* Returns the part of FROM that belongs to AXIS, in all pairs. */
ALWAYS_INLINE ways ways_axis(const ways *from, int axis)
{
#ifdef __AVX2__
	return (ways)_mm256_broadcastsi128_si256(
	    _mm_load_si128((const __m128i *)(const void *)from + axis));
#else
	(void)axis;
	return *from;
#endif
}

/* Returns ROWS for axis 0 and COLUMNS for axis 1; they are equal where a vector has one axis. */
ALWAYS_INLINE ways ways_axes(ways rows, ways columns)
{
#ifdef __AVX2__
	return (ways)_mm256_blend_epi32((__m256i)rows, (__m256i)columns, 0xf0);
#else
	(void)columns;
	return rows;
#endif
}

/* Returns {A, A}, and {B, B} if there are two pairs. */
ALWAYS_INLINE ways ways_pairs(uint64_t a, uint64_t b)
{
#ifdef __AVX2__
	return (ways)_mm256_set_m128i(_mm_set1_epi64x((int64_t)b), _mm_set1_epi64x((int64_t)a));
#else
	(void)b;
	return (ways){a, a};
#endif
}

/* Returns FORTH and BACK in each pair. */
ALWAYS_INLINE ways ways_both(uint64_t forth, uint64_t back)
{
#ifdef __AVX2__
	return (ways){forth, back, forth, back};
#else
	return (ways){forth, back};
#endif
}

#define ways_all(x) ((ways){0} + (x))
#define bytes_all(x) ((ways)((ways_bytes){0} + (x)))
#define BYTEWISE(a, op, b) ((ways)((ways_bytes)(a)op(ways_bytes)(b)))
#define ints_plus(a, b) ((ways)((ways_ints)(a) + (ways_ints)(b)))
#define ints_minus(a, b) ((ways)((ways_ints)(a) - (ways_ints)(b)))
#define ways_equal(a, b) BYTEWISE(a, ==, b)

ALWAYS_INLINE ways ways_max(ways a, ways b)
{
#ifdef __SSE2__
	return WAYS(max_epu8, a, b);
#else
	return b ^ ((a ^ b) & BYTEWISE(a, >, b));
#endif
}

/* The sums of bytes of each line, below 256 without SSE2. */
ALWAYS_INLINE ways ways_sums(ways x)
{
#ifdef __SSE2__
	return WAYS(sad_epu8, x, (ways){0});
#else
	x += x >> 32;
	x += x >> 16;
	return (x + (x >> 8)) & 0xff;
#endif
}

/* The products of the low halves, modulo 2^32. */
ALWAYS_INLINE ways ways_times(ways x, int32_t by)
{
#ifdef __SSE2__
	return WAYS(mul_epu32, x, (ways_ints){0} + (uint32_t)by);
#else
	return (ways)((ways_ints)x * (uint32_t)by);
#endif
}

/* Returns the larger of the first and the last cell of each line in all its bytes. */
ALWAYS_INLINE ways lines_ends(ways x, int rows, int columns)
{
	const uint64_t ones = 0x0101010101010101;
#ifdef __AVX2__
#define SPREAD(row, column)                                                                        \
	((ways){ones * (row), ones * ((row) + 8), ones * (column), ones * ((column) + 8)})
	return ways_max(WAYS(shuffle_epi8, x, SPREAD(0u, 0u)),
			WAYS(shuffle_epi8, x, SPREAD((unsigned)rows - 1, (unsigned)columns - 1)));
#undef SPREAD
#else
	(void)columns;
	UNROLL
	for (int i = 0; i < 2; i++) {
		const uint64_t first = x[i] & 0xff, last = x[i] >> 8 * (rows - 1);
		x[i] = ones * (first > last ? first : last);
	}
	return x;
#endif
}

#ifdef __AVX2__
/* Looks bytes up in a table, with AVX2 in PIECES of sixteen. */
ALWAYS_INLINE ways bytes_look_up(const uint8_t table[EXPONENTS], ways x, int pieces)
{
	const __m128i *sixteen = (const __m128i *)(const void *)table;
#ifdef __AVX512VBMI__
	(void)pieces;
	return WAYS(permutexvar_epi8, x, _mm256_loadu_si256((const void *)sixteen));
#else
	const __m256i low = _mm256_broadcastsi128_si256(_mm_loadu_si128(sixteen)),
		      high = _mm256_broadcastsi128_si256(_mm_loadu_si128(sixteen + 1));
	if (pieces == 1)
		return WAYS(shuffle_epi8, low, x);
	/* An index with the highest bit finds 0. */
	return WAYS(shuffle_epi8, low, WAYS(adds_epu8, x, bytes_all(0x70))) |
	       WAYS(shuffle_epi8, high, BYTEWISE(x, -, bytes_all(16)));
#endif
}
#endif

/* Cell I of a line. */
#define CELL(line, i) ((line) >> 8 * (i)&0xff)

/* The sums over each line of numbers by exponent. */
ALWAYS_INLINE ways numbers_sum(const struct strong_leaf_digits *digits, ways x, int pieces,
			       int first, int end)
{
#ifdef __AVX2__
	(void)first, (void)end;
	ways sum = ways_sums(bytes_look_up(digits->digit[0], x, pieces));
	for (int d = 1; d < digits->count; d++)
		sum = (sum << 8) + ways_sums(bytes_look_up(digits->digit[d], x, pieces));
#else
	ways sum = {0};
	(void)pieces;
	UNROLL
	for (int c = first; c < end; c++)
		sum += (ways){digits->whole[CELL(x[0], c)], digits->whole[CELL(x[1], c)]};
#endif
	return sum;
}

/* Without AVX2, the last two shorts of a line of LENGTH are its first and its last power. */
ALWAYS_INLINE struct shorts powers_look_up(const struct strong_leaf_tables *tables, ways x,
					   int pieces, int length)
{
	(void)pieces, (void)length;
#if defined __AVX512VBMI__
	const __m512i shorts = _mm512_cvtepu8_epi16((__m256i)x);
	return (struct shorts){
	    {PART(permutexvar_epi16, shorts, _mm512_loadu_si512(tables->powers))}};
#elif defined __AVX2__
	const ways low = bytes_look_up(tables->power[0], x, pieces),
		   high = bytes_look_up(tables->power[1], x, pieces);
	return (struct shorts){{WAYS(unpacklo_epi8, low, high), WAYS(unpackhi_epi8, low, high)}};
#else
	const uint32_t *pairs = tables->pairs;
	struct shorts found;
	x = (x & 0x001f001f001f001f) | (x >> 3 & 0x03e003e003e003e0);
	EACH_PART
	{
		const uint64_t last = x[i] >> (length - 1) / 2 * 16 >> (length % 2 ? 0 : 5) & 31;
		found.part[i] =
		    (part)(part_ints){pairs[x[i] & 0x3ff], pairs[x[i] >> 16 & 0x3ff],
				      pairs[x[i] >> 32], pairs[(x[i] & 31) | last << 5]};
	}
	return found;
#endif
}

ALWAYS_INLINE struct shorts shorts_all(int x)
{
	struct shorts all;
	EACH_PART
	all.part[i] = (part)((part_shorts){0} + (uint16_t)x);
	return all;
}

ALWAYS_INLINE struct shorts shorts_axis(const struct shorts *from, int axis)
{
#ifdef __AVX512VBMI__
	const __m256i half = _mm256_load_si256((const __m256i *)(const void *)from->part + axis);
	return (struct shorts){{(part)_mm512_broadcast_i64x4(half)}};
#else
	return (struct shorts){{ways_axis(&from->part[0], axis), ways_axis(&from->part[1], axis)}};
#endif
}

ALWAYS_INLINE struct shorts shorts_axes(struct shorts rows, struct shorts columns)
{
#ifdef __AVX512VBMI__
	return (struct shorts){
	    {(part)_mm512_mask_mov_epi64((__m512i)rows.part[0], 0xf0, (__m512i)columns.part[0])}};
#else
	return (struct shorts){
	    {ways_axes(rows.part[0], columns.part[0]), ways_axes(rows.part[1], columns.part[1])}};
#endif
}

/* Returns A - B where A is greater, else 0. */
ALWAYS_INLINE struct shorts shorts_above(struct shorts a, struct shorts b)
{
	EACH_PART
#ifdef __SSE2__
	a.part[i] = PART(subs_epu16, a.part[i], b.part[i]);
#else
	{
		const part_shorts x = (part_shorts)a.part[i], y = (part_shorts)b.part[i];
		a.part[i] = (part)((x - y) & (part_shorts)(x > y));
	}
#endif
	return a;
}

/* Sums of pairs of signed shorts, multiplied BY -1, 0 or 1. */
ALWAYS_INLINE struct shorts shorts_dot(struct shorts x, part_shorts by)
{
	EACH_PART
#ifdef __SSE2__
	x.part[i] = PART(madd_epi16, x.part[i], by);
#else
	{
		typedef int32_t ints __attribute__((vector_size(sizeof(part))));
		const ints product = (ints)((part_shorts)x.part[i] * by);
		x.part[i] = (part)(((ints)((part_ints)product << 16) >> 16) + (product >> 16));
	}
#endif
	return x;
}

/* Sums of pairs of cells. */
ALWAYS_INLINE struct shorts shorts_pairs(struct shorts x)
{
	return shorts_dot(x, (part_shorts){PER_LINE(1, 1, 1, 1, 1, 1, 0, 0)});
}

/* Adds sums of pairs. */
ALWAYS_INLINE struct shorts pairs_plus(struct shorts a, struct shorts b)
{
	EACH_PART
	a.part[i] = (part)((part_ints)a.part[i] + (part_ints)b.part[i]);
	return a;
}

/* Returns two ints for each line, whose sum is that of its four ints. */
ALWAYS_INLINE ways pairs_fold(struct shorts x)
{
#ifdef __AVX512VBMI__
	const part_ints sums = (part_ints)x.part[0] + (part_ints)(x.part[0] >> 32);
	return (ways)_mm512_cvtepi64_epi32((__m512i)sums);
#elif defined __AVX2__
	return WAYS(hadd_epi32, x.part[0], x.part[1]);
#else
	return ints_plus(((ways){x.part[0][0], x.part[1][0]}),
			 ((ways){x.part[0][1], x.part[1][1]}));
#endif
}

/* The disorder within lines of ROWS and COLUMNS cells, in sums of pairs. */
ALWAYS_INLINE struct shorts lines_disorder(struct shorts power, int rows, int columns)
{
	(void)rows, (void)columns;
	struct shorts next = power;
#ifdef __AVX2__
	/* POWER gets in the eighth place the first short; NEXT has the next, there the last. */
#define BYTES(at) (uint8_t)(at), (uint8_t)((at) + 1)
#define NEXT(n, j) BYTES((j) < (n)-1 ? 2 * (j) + 2 : 0x80)
#define NEXTS(n)                                                                                   \
	NEXT(n, 0), NEXT(n, 1), NEXT(n, 2), NEXT(n, 3), NEXT(n, 4), NEXT(n, 5), NEXT(n, 6),        \
	    BYTES(2 * (n)-2)
	typedef uint8_t bytes __attribute__((vector_size(sizeof(part))));
#ifdef __AVX512VBMI__
	const bytes nexts = {NEXTS(rows), NEXTS(rows), NEXTS(columns), NEXTS(columns)};
#else
	const bytes nexts = {NEXTS(rows), NEXTS(columns)};
#endif
	const bytes self = {PER_LINE(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 0, 1)};
	const part_shorts sign = {PER_LINE(1, 1, 1, 1, 1, 1, 1, UINT16_MAX)};
#undef BYTES
#undef NEXT
#undef NEXTS
	EACH_PART
	{
		next.part[i] = PART(shuffle_epi8, power.part[i], nexts);
		power.part[i] = PART(shuffle_epi8, power.part[i], self);
	}
#else
	const part_shorts none = {0}, sign = {1, 1, 1, 1, 1, 0, UINT16_MAX, 0};
	EACH_PART
	next.part[i] =
	    (part)__builtin_shufflevector((part_shorts)next.part[i], none, 1, 2, 3, 4, 5, 6, 7, 8);
#endif
	return shorts_dot(shorts_above(next, power), sign);
}

/* -1 in tiles that are equal to the next of their line, which has no gaps. */
ALWAYS_INLINE ways lines_pairs(ways x)
{
	return ways_equal(x, x >> 8) & ~ways_equal(x, (ways){0});
}

/* Whether any line has PAIRS. */
ALWAYS_INLINE bool pairs_some(ways pairs)
{
#ifdef __AVX2__
	return !_mm256_testz_si256((__m256i)pairs, (__m256i)pairs);
#else
	return pairs[0] | pairs[1];
#endif
}

/*
 * Merges X, whose lines_pairs() are PAIRS, and adds to GAIN what the sum over cells gains: back as
 * much as forth, from the same merges in another order.
 */
ALWAYS_INLINE ways lines_merge(ways x, ways pairs, const int64_t *gains, ways *gain)
{
	do {
		/* The pair next to the wall: 1 and 255 in its first cell, -1 in cells before. */
		const ways one = pairs & -pairs, cell = (one << 8) - one, before = one - 1;
		const ways tile = ways_sums(x & cell);
		*gain += ways_pairs((uint64_t)gains[tile[0]], (uint64_t)gains[tile[2 * PAIRS - 2]]);
		x = ((x & before) | (x >> 8 & ~before)) + one;
		pairs = pairs >> 8 & ~(before | cell);
	} while (pairs_some(pairs));
	return x;
}

/* The scan across lines: the nearest tile, 1 where it is in no run, tiles in runs so far. */
struct scan {
	ways near, alone, runs;
};

ALWAYS_INLINE struct scan scan_next(struct scan scan, ways x)
{
	const ways none = ways_equal(x, (ways){0}), same = ways_equal(x, scan.near);
	const ways alone = BYTEWISE(none | same, +, bytes_all(1));
	scan.runs = BYTEWISE(scan.runs, -, same);
	scan.runs = BYTEWISE(scan.runs, +, same & scan.alone);
	scan.alone = (scan.alone & none) | alone;
	scan.near = x | (scan.near & none);
	return scan;
}

/* Sets RUNS[r] to the tiles in runs across before line r plus those after it. */
ALWAYS_INLINE void node_scan(struct node *node, const ways *x, int lines, ways *runs)
{
	const ways none = {0};
	struct scan scan = {bytes_all(NONE_ABOVE), none, none};
	UNROLL
	for (int r = 0; r < lines; r++) {
		node->line[r].above = scan.near;
		node->line[r].above_alone = scan.alone;
		runs[r] = scan.runs;
		scan = scan_next(scan, x[r]);
	}
	scan = (struct scan){bytes_all(NONE_BELOW), none, none};
	UNROLL
	for (int r = lines - 1; r >= 0; r--) {
		struct node_line *line = &node->line[r];
		line->below = scan.near;
		line->below_alone = scan.alone;
		line->joined =
		    ways_equal(line->above, scan.near) & BYTEWISE(line->above_alone, +, scan.alone);
		runs[r] = BYTEWISE(runs[r], +, scan.runs);
		scan = scan_next(scan, x[r]);
	}
}

/* Sets the largest corner and tile outside each line. */
ALWAYS_INLINE void node_corners(struct node *node, const ways *x, int rows, int cols, int cells)
{
	const ways first = lines_ends(x[0], cells, rows),
		   last = lines_ends(ways_axes(x[rows - 1], x[cols - 1]), cells, rows),
		   both = ways_max(first, last);
	ways before = {0}, after = before;
	UNROLL
	for (int r = 0; r < cols; r++) {
		node->line[r].others = before;
		node->line[r].corner =
		    r == 0 ? last
			   : ways_axes(r == rows - 1 ? first : both, r == cols - 1 ? first : both);
		before = ways_max(before, x[r]);
	}
	UNROLL
	for (int r = cols - 2; r >= 0; r--) {
		after = ways_max(after, x[r + 1]);
		node->line[r].others = ways_max(node->line[r].others, after);
	}
}

/* Terms to be summed over the lines of all images. */
struct node_sums {
	ways x[SIDE_MAX]; /* the lines, merged */
	/* The gains of the merges of a line minus the cost of its inner tiles; its cells in runs. */
	ways worth[SIDE_MAX], runs[SIDE_MAX];
	/* Two ints per line: the disorder within it, and the rises to it from the line before. */
	ways within[SIDE_MAX], rise[SIDE_MAX + 1];
};

/* Lines of eight bytes for the first and the last pair, in the first line of each. */
ALWAYS_INLINE ways lines_load(const uint8_t *first, const uint8_t *last)
{
#ifdef __AVX2__
	return (ways)_mm256_set_m128i(_mm_loadl_epi64((const void *)last),
				      _mm_loadl_epi64((const void *)first));
#else
	(void)last;
	return (ways){row_load(first)};
#endif
}

/*
 * Returns the first lines of X forth and back without gaps; ROW and COLUMN are the tiles of the
 * first and last pair, a bit each.
 */
ALWAYS_INLINE ways lines_close(const struct strong_leaf_tables *tables, ways x, uint64_t row,
			       uint64_t column)
{
#ifdef __AVX2__
	const __m128i forth = _mm_loadu_si128((const void *)tables->close[row & 63]),
		      back = _mm_loadu_si128((const void *)tables->close[column & 63]);
	return WAYS(shuffle_epi8, x, _mm256_set_m128i(back, forth));
#else
	uint64_t closed = 0;
	int end = 0;
	(void)tables, (void)row, (void)column;
	UNROLL
	for (int c = 0; c < SIDE_MAX; c++) {
		closed |= CELL(x[0], c) << end;
		end += CELL(x[0], c) ? 8 : 0;
	}
	return (ways){closed, __builtin_bswap64(closed << 8) >> (56 - end)};
#endif
}

/* 1 in the cells of X, without gaps, that are in a run. */
ALWAYS_INLINE ways lines_runs(ways x)
{
	const ways pairs = lines_pairs(x);
	return BYTEWISE((ways){0}, -, pairs | pairs << 8);
}

/* -1 in the inner cells of lines of ROWS and COLUMNS cells. */
ALWAYS_INLINE ways lines_inside(int rows, int columns)
{
#define INSIDE(n) (~(uint64_t)0 >> (80 - 8 * (n)) << 8)
	return ways_pairs(INSIDE(rows), INSIDE(columns));
#undef INSIDE
}

/* Moves line R, and computes the terms within it. */
ALWAYS_INLINE void node_line_make(struct node *node, struct node_sums *sums,
				  const struct lines *lines, int axis, int r, int rows, int cols,
				  int cells, int pieces)
{
	const struct strong_leaf_tables *tables = node->tables;
	const int first = axis + 1 - PAIRS;
	ways x = lines_load(lines->line[first][r], lines->line[1][r]), worth = {0};
	x = lines_close(tables, x, lines->full[first] >> 8 * r, lines->full[1] >> 8 * r);
	const ways pairs = lines_pairs(x);
	node->merging |= (ways)(pairs != 0) & ways_all((uint64_t)0xff << 8 * r);
	x = lines_merge(x, pairs, tables->gain, &worth);
	sums->runs[r] = lines_runs(x);
	const struct shorts power = powers_look_up(tables, x, pieces, cells);
	node->power[r + 1] = power;
	sums->within[r] = pairs_fold(lines_disorder(power, cells, rows));
	sums->x[r] = x;
	if (r > 0 && r < cols - 1 && tables->inside.count) {
		ways inside = lines_inside(cells, rows);
		if (r == rows - 1)
			inside = ways_axes((ways){0}, inside);
		worth -= numbers_sum(&tables->inside, x & inside, pieces, 1, cells - 1);
	}
	sums->worth[r] = worth;
}

/* Sets `rise`; returns the sum of `within` and `rise` over all lines. */
ALWAYS_INLINE ways node_order(const struct node *node, struct node_sums *sums, int cols)
{
	ways all = sums->within[0];
	sums->rise[0] = sums->rise[cols] = (ways){0};
	UNROLL
	for (int r = 1; r < cols; r++) {
		sums->rise[r] =
		    pairs_fold(shorts_pairs(shorts_above(node->power[r + 1], node->power[r])));
		all = ints_plus(all, ints_plus(sums->within[r], sums->rise[r]));
	}
	return all;
}

/* Returns in the low half of each number the sum of both halves. */
ALWAYS_INLINE ways halves_plus(ways x)
{
	return ints_plus(x, x >> 32);
}

/* Sets BASE of each line: START plus all terms but its own; RUNS has those across without it. */
ALWAYS_INLINE void node_bases(struct node *node, struct node_sums *sums, ways start,
			      const ways *runs, int rows, int cols)
{
	const struct shorts first = node->power[1],
			    last = shorts_axes(node->power[rows], node->power[cols]);
	const ways order = node_order(node, sums, cols);
	const ways ends = pairs_fold(shorts_pairs(shorts_above(last, first))),
		   missed = pairs_fold(shorts_pairs(shorts_above(shorts_all(POWER_MOST), first)));
	const ways inside = ints_minus(order, ends), end = ints_minus(order, missed);
	ways all_runs = {0};
	UNROLL
	for (int r = 0; r < cols; r++) {
		start += sums->worth[r];
		all_runs = BYTEWISE(all_runs, +, sums->runs[r]);
	}
	UNROLL
	for (int r = 0; r < cols; r++) {
		const ways all =
		    r == 0 ? order
			   : ways_axes(r == rows - 1 ? end : inside, r == cols - 1 ? end : inside);
		const ways line =
		    ints_plus(sums->within[r], ints_plus(sums->rise[r], sums->rise[r + 1]));
		const ways disorder = halves_plus(ints_minus(all, line));
		const ways others = BYTEWISE(runs[r], +, BYTEWISE(all_runs, -, sums->runs[r]));
		node->line[r].base = start - sums->worth[r] +
				     ways_times(ways_sums(others), node->tables->merge) -
				     ways_times(disorder, node->tables->mono);
	}
}

/* The cells of LINES of LENGTH: bit 8 line + cell. */
ALWAYS_INLINE uint64_t cells_all(int lines, int length)
{
	return (~(uint64_t)0 >> (64 - 8 * lines)) &
	       ((((uint64_t)1 << length) - 1) * 0x0101010101010101u);
}

/* -1 in the bytes of images in which at most this line moves, by MOVING, not 0 where it does. */
ALWAYS_INLINE ways lines_alone(ways moving)
{
	const ways moves = BYTEWISE(~ways_equal(moving, (ways){0}), &, bytes_all(1));
	ways all = ways_sums(moves);
	all |= all << 8;
	all |= all << 16;
	return ways_equal(moves, all | all << 32);
}

/*
 * Sets the cells in which a tile that does not merge leaves no move forth, or back: no other line
 * moves, and in its own there are no empty cells between the wall and tiles. Forth, that is the
 * first empty cell, if it closes its line. Back, it is the last, if the empty cells that remain are
 * the first of the line.
 */
ALWAYS_INLINE void node_stuck(struct node *node, const struct lines *lines, int axis, int rows,
			      int cols, int cells)
{
	const int at = axis + 1 - PAIRS;
	const uint64_t first = 0x0101010101010101u;
	const ways none = {0}, one = bytes_all(1), forth = ways_both(~(uint64_t)0, 0),
		   full = ways_pairs(lines->full[at], lines->full[1]),
		   empty = full ^ ways_pairs(cells_all(rows, cells), cells_all(cols, rows)),
		   wall = (one & forth) |
			  (ways_pairs(first << (cells - 1), first << (rows - 1)) & ~forth);
	const ways nearer = (full << 1 & forth) | (full >> 1 & ~forth);
	const ways alone = lines_alone(node->merging | (full & ~(nearer | wall)));
	/* Forth: the first empty cell, and whether tiles follow it. */
	const ways next = BYTEWISE(full, +, one) & empty, filled = full | next,
		   after = filled & BYTEWISE(filled, +, one);
	/* Back: empty cells beyond the first tile; if none, the last empty cell. */
	const ways beyond = empty & BYTEWISE(empty, +, one),
		   last =
		       beyond | (BYTEWISE(empty, +, one) >> 1 & empty & ways_equal(beyond, none)),
		   more = beyond & BYTEWISE(beyond, -, one);
	node->stuck = alone & ((forth & next & ways_equal(after, none)) |
			       (~forth & last & ways_equal(more, none)));
}

/* Returns START minus the costs of all cells. */
ALWAYS_INLINE uint32_t cells_sum(const struct strong_leaf_tables *tables, const struct lines *lines,
				 int pieces)
{
	ways cost = {0};
	UNROLL
	for (int r = 0; r < ROW_BYTES; r += 2 * PAIRS)
		cost += numbers_sum(&tables->cost, *(const ways *)(const void *)lines->line[0][r],
				    pieces, 0, ROW_BYTES);
	uint32_t start = tables->start;
	UNROLL
	for (int i = 0; i < 2 * PAIRS; i++)
		start -= (uint32_t)cost[i];
	return start;
}

/* Makes the images along both axes, of ROWS and COLS lines, or along AXIS, of COLS lines. */
ALWAYS_INLINE void node_make(struct node *node, const struct strong_leaf_tables *tables,
			     const struct lines *lines, uint32_t start, int axis, int rows,
			     int cols, int cells, int pieces)
{
	struct node_sums sums; /* not cleared, for speed */
	ways runs[SIDE_MAX];
	node->tables = tables;
	node->merging = (ways){0};
	for (int r = 0; r < cols; r++)
		node_line_make(node, &sums, lines, axis, r, rows, cols, cells, pieces);
	node_stuck(node, lines, axis, rows, cols, cells);
	node_scan(node, sums.x, cols, runs);
	if (tables->corner)
		node_corners(node, sums.x, rows, cols, cells);
	node_bases(node, &sums, ways_all(start), runs, rows, cols);
	/* The powers around the lines of an axis; see unit_disorder(). */
	const struct shorts after = shorts_all(POWER_MOST);
	node->power[SIDE_MAX + 2] = shorts_all(0);
	node->power[0] = shorts_all(0xffff);
	node->power[cols + 1] = after;
	if (rows < cols)
		node->power[rows + 1] = shorts_axes(after, node->power[rows + 1]);
}

/*
 * The disorder that the cells P of a unit cause across, in sums of pairs. For an inner line, that
 * is max(0, p - before) + max(0, after - p). A line at an end has one neighbour, and the end
 * OPPOSITE takes part: the first line adds max(p, after) - max(p, opposite), the last max(0, p -
 * before) - max(p, opposite) and a constant. max(p, x) is p + max(0, x - p). With the powers in
 * place of missing lines, and 0 for the opposite of inner lines, one term covers all cases.
 */
ALWAYS_INLINE struct shorts unit_disorder(const struct node *node, struct shorts p, int axis, int r,
					  int lines)
{
	const int at = r == 0 ? lines : r == lines - 1 ? 1 : SIDE_MAX + 2;
	const struct shorts before = shorts_axis(&node->power[r], axis),
			    after = shorts_axis(&node->power[r + 2], axis),
			    opposite = shorts_axis(&node->power[at], axis);
	const struct shorts less = shorts_above(opposite, p), more = shorts_above(after, p);
	p = shorts_above(p, before);
	EACH_PART
	p.part[i] =
	    (part)((part_shorts)p.part[i] + (part_shorts)more.part[i] - (part_shorts)less.part[i]);
	return shorts_pairs(p);
}

/* The number of tiles that a unit adds to the runs across, by cell. */
ALWAYS_INLINE ways unit_runs(const struct node_line *line, ways x, int axis)
{
	const ways above = ways_equal(x, ways_axis(&line->above, axis)),
		   below = ways_equal(x, ways_axis(&line->below, axis)),
		   none = ways_equal(x, (ways){0});
	const ways joins = BYTEWISE(above & ways_axis(&line->above_alone, axis), +,
				    below & ways_axis(&line->below_alone, axis));
	const ways through = none & ways_axis(&line->joined, axis);
	return BYTEWISE(BYTEWISE(joins, +, through), -, above | below);
}

/* -1 where a largest tile is in a corner. */
ALWAYS_INLINE ways unit_corner(const struct node_line *line, ways x, int axis, bool inner,
			       int length)
{
	typedef int8_t bytes __attribute__((vector_size(sizeof(ways))));
	ways corner = ways_axis(&line->corner, axis);
	const ways most = ways_max(x, ways_axis(&line->others, axis));
	if (!inner)
		corner = ways_max(corner, lines_ends(x, length, length));
	return (ways)((bytes)most > (bytes)corner) == 0;
}

/* Returns the values of a unit; VALUE has the terms of its own merges. */
ALWAYS_INLINE ways unit_value(const struct node *node, ways x, ways value, int axis, int r,
			      int lines, int length, int pieces)
{
	const struct strong_leaf_tables *tables = node->tables;
	const struct node_line *line = &node->line[r];
	const bool inner = r > 0 && r < lines - 1;
	const struct shorts power = powers_look_up(tables, x, pieces, length);
	const ways disorder = halves_plus(pairs_fold(pairs_plus(
	    unit_disorder(node, power, axis, r, lines), lines_disorder(power, length, length))));
	const ways runs = ways_sums(BYTEWISE(unit_runs(line, x, axis), +, lines_runs(x)));
	value += ways_axis(&line->base, axis);
	value += ways_times(runs, tables->merge) - ways_times(disorder, tables->mono);
	if (inner && tables->inside.count)
		value -= numbers_sum(&tables->inside, x & lines_inside(length, length), pieces, 1,
				     length - 1);
	if (tables->corner)
		value +=
		    unit_corner(line, x, axis, inner, length) & ways_all((uint64_t)tables->corner);
	return value;
}

/* The values of a spawn by kind, in the first number of each pair. */
#ifdef __AVX2__
typedef ways leaf;
#define leaf_max(a, b) WAYS(max_epu32, a, b)
#define LEAF_OF(values, i) (values)[2 * (i)]
#else
typedef uint64_t leaf;
#define leaf_max(a, b) ((a) > (b) ? (a) : (b))
#define LEAF_OF(values, i) (values)
#endif

/* Returns the better way of VALUE. */
ALWAYS_INLINE leaf better_way(ways value)
{
#ifdef __AVX2__
	return leaf_max(value, (ways)_mm256_bsrli_epi128((__m256i)value, 8));
#else
	return leaf_max(value[0], value[1]);
#endif
}

/* Returns the better way of VALUE in CELL; in lines that are STILL, -1, without the STUCK. */
ALWAYS_INLINE leaf cell_value(ways value, ways still, const uint64_t *stuck, int cell)
{
	static const _Alignas(32)
	    int64_t masks[2][2][4] = {{{0}, {0, -1, 0, -1}}, {{-1, 0, -1, 0}, {-1, -1, -1, -1}}};
	const int64_t *mask = masks[stuck[0] >> cell & 1][stuck[1] >> cell & 1];
	return better_way(value & ~(still & *(const ways *)(const void *)mask));
}

/* Along axis 0, stores VALUE for CELL in BEST; along axis 1, returns that of the better axis. */
ALWAYS_INLINE leaf cell_put(leaf *best, int axis, int cell, leaf value)
{
	if (axis == 1)
		return leaf_max(value, best[(cell * 65 >> 3) & 63]);
	best[cell] = value;
	return (leaf){0};
}

/* Puts VALUE into the cells of GAP and sums the results. Most gaps have one or two: no branch. */
ALWAYS_INLINE leaf gap_put(leaf *best, int axis, uint64_t gap, ways value, const uint64_t *stuck,
			   ways still)
{
	const int first = __builtin_ctzll(gap), last = 63 - __builtin_clzll(gap);
	value &= 0xffffffff;
	leaf sum = cell_put(best, axis, last, cell_value(value, still, stuck, last));
	sum &= -(uint64_t)(first < last);
	sum += cell_put(best, axis, first, cell_value(value, still, stuck, first));
	for (int cell = first + 1; cell < last; cell++)
		sum += cell_put(best, axis, cell, better_way(value));
	return sum;
}

/* The line of AXIS of LINES with a tile of each kind in the cell AT, gaps closed. */
ALWAYS_INLINE ways line_fill(const struct strong_leaf_tables *tables, const struct lines *lines,
			     ways kinds, int axis, int at)
{
	const uint64_t tiles = (lines->full[axis] | (uint64_t)1 << at) >> (at & 56);
	const uint8_t *line = lines->line[axis][at >> 3];
	return lines_close(tables, lines_load(line, line) | kinds << (at & 7) * 8, tiles, tiles);
}

/* Evaluates the units of an axis for spawns of exponents KINDS. */
ALWAYS_INLINE leaf axis_units(const struct node *node, const struct lines *lines, leaf *best,
			      ways kinds, ways prices, int axis, int count, int length, int pieces)
{
	const struct strong_leaf_tables *tables = node->tables;
	const uint64_t *stuck = (const uint64_t *)&node->stuck + 2 * (axis % PAIRS);
	leaf sum = {0};
	uint64_t next;
	for (uint64_t left = lines->full[axis] ^ cells_all(count, length); left; left = next) {
		const int at = __builtin_ctzll(left), r = at >> 3;
		next = left & (left + (left & -left));
		ways value = prices, x = line_fill(tables, lines, kinds, axis, at);
		const ways pairs = lines_pairs(x);
		x = lines_merge(x, pairs, tables->gain, &value);
		value = unit_value(node, x, value, axis, r, count, length, pieces);
		sum += gap_put(best, axis, left ^ next, value, stuck, (ways)(pairs == 0));
	}
	return sum;
}

/* The kernel of a shape, ROWS <= COLS. A vector has the units of PAIRS kinds of spawn. */
ALWAYS_INLINE void leaves_body(const struct strong_leaf_tables *tables, const struct lines *lines,
			       const uint8_t *k, int kinds, int64_t *sums, int rows, int cols,
			       int pieces)
{
	const int leaves = rows * cols - __builtin_popcountll(lines->full[0]);
	const uint32_t start = cells_sum(tables, lines, pieces);
	struct node node[2]; /* not cleared, for speed */
	leaf best[SIDE_MAX * ROW_BYTES];
	UNROLL
	for (int axis = PAIRS - 1; axis < 2; axis++) {
		const int last = axis ? cols : rows, first = PAIRS == 1 ? last : rows;
		node_make(&node[axis], tables, lines, start, axis, first, last, rows + cols - first,
			  pieces);
	}
	for (int j = 0; j < kinds; j += PAIRS) {
		const uint8_t a = k[j], b = k[j + 1 < kinds ? j + 1 : j];
		const ways kind = ways_pairs(a, b), prices = ways_pairs((uint64_t)tables->price[a],
									(uint64_t)tables->price[b]);
		axis_units(&node[PAIRS - 1], lines, best, kind, prices, 0, rows, cols, pieces);
		const leaf values =
		    axis_units(&node[1], lines, best, kind, prices, 1, cols, rows, pieces);
		for (int i = 0; i < PAIRS && j + i < kinds; i++) {
			const int64_t sum = (int64_t)LEAF_OF(values, i);
			sums[j + i] =
			    leaves == 1 && !sum ? STRONG_LOST : sum - ((int64_t)leaves << 31);
		}
	}
}

/* A bit for each byte of two lines that is not 0. */
ALWAYS_INLINE unsigned bytes_full(const words16 *x)
{
#ifdef __SSE2__
	return (unsigned)_mm_movemask_epi8((__m128i)((bytes16)*x != 0));
#else
	uint64_t full = 0;
	for (int i = 0; i < 2; i++) {
		const uint64_t empty = zero_bytes(row_load((const uint8_t *)x + 8 * i), 8);
		full |= (~empty >> 7 & 0x0101010101010101) * 0x0102040810204080 >> 56 << 8 * i;
	}
	return (unsigned)full;
#endif
}

/* Whether a tile of BOARD is larger than 2^MOST. */
ALWAYS_INLINE bool board_exceeds(const struct lines_board *board, uint8_t most)
{
	const words16 above = (words16)((bytes16)board->row[0] > most) |
			      (words16)((bytes16)board->row[1] > most) |
			      (words16)((bytes16)board->row[2] > most);
	return above[0] | above[1];
}

/* Cuts AFTER into lines; axis TURNED gets its rows. */
ALWAYS_INLINE void lines_make(const struct board *after, int turned, struct lines *lines)
{
	struct lines_board board;
	lines_open(after, &board, SIDE_MAX, SIDE_MAX);
	lines->full[0] = lines->full[1] = 0;
	memcpy(lines->line[turned], board.row, sizeof board.row);
	memcpy(lines->line[!turned], board.column, sizeof board.column);
	memset(lines->line[0][SIDE_MAX], 0, 2 * ROW_BYTES); /* for cells_sum() */
	UNROLL
	for (int i = 0; i < SIDE_MAX / 2; i++) {
		lines->full[turned] |= (uint64_t)bytes_full(&board.row[i]) << 16 * i;
		lines->full[!turned] |= (uint64_t)bytes_full(&board.column[i]) << 16 * i;
	}
	lines->largest = board_exceeds(&board, 30) ? 31 : board_exceeds(&board, 14) ? 30 : 14;
}

#define LEAVES_BY(rows, cols, pieces)                                                              \
	static __attribute__((noinline)) void leaves_##rows##x##cols##_##pieces(                   \
	    const struct strong_leaf_tables *tables, const struct lines *lines, const uint8_t *k,  \
	    int kinds, int64_t *sums)                                                              \
	{                                                                                          \
		leaves_body(tables, lines, k, kinds, sums, rows, cols, pieces);                    \
	}
#if defined __AVX512VBMI__ || !defined __AVX2__
#define LEAVES_MADE(rows, cols) LEAVES_BY(rows, cols, 1)
#define LEAVES_OF(rows, cols, largest) leaves_##rows##x##cols##_1
#else
#define LEAVES_MADE(rows, cols) LEAVES_BY(rows, cols, 1) LEAVES_BY(rows, cols, 2)
#define LEAVES_OF(rows, cols, largest)                                                             \
	((largest) > 14 ? leaves_##rows##x##cols##_2 : leaves_##rows##x##cols##_1)
#endif

/* Declines boards with tiles that look-ups do not reach; a merge adds one to an exponent. */
#define LEAVES(rows, cols, name, turned)                                                           \
	static bool leaves_##name(const struct strong_leaf_tables *tables,                         \
				  const struct board *after, const uint8_t *k, int kinds,          \
				  int64_t *sums)                                                   \
	{                                                                                          \
		struct lines lines;                                                                \
		lines_make(after, turned, &lines);                                                 \
		if (lines.largest > 30)                                                            \
			return false;                                                              \
		LEAVES_OF(rows, cols, lines.largest)(tables, &lines, k, kinds, sums);              \
		return true;                                                                       \
	}
LEAVES_MADE(4, 6)
LEAVES_MADE(5, 5)
LEAVES_MADE(5, 6)
LEAVES_MADE(6, 6)
LEAVES(4, 6, 4x6, 0)
LEAVES(4, 6, 6x4, 1)
LEAVES(5, 5, 5x5, 0)
LEAVES(5, 6, 5x6, 0)
LEAVES(5, 6, 6x5, 1)
LEAVES(6, 6, 6x6, 0)

#ifdef __AVX512VBMI__ /* a batch has twice as many boards and is as fast there */
#define LEAVES_TWENTY
#else
LEAVES_MADE(4, 5)
LEAVES(4, 5, 4x5, 0)
LEAVES(4, 5, 5x4, 1)
#define LEAVES_TWENTY {4, 5, leaves_4x5}, {5, 4, leaves_5x4},
#endif

/* clang-format off */
LEAVES_TABLE = {
    LEAVES_TWENTY
    {4, 6, leaves_4x6}, {6, 4, leaves_6x4}, {5, 5, leaves_5x5}, {5, 6, leaves_5x6},
    {6, 5, leaves_6x5}, {6, 6, leaves_6x6}, {0},
};
