/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The value strong of the leaves of a chance node: of all positions that an after-state becomes
 * when a tile appears in one of its empty cells, the best after-state of the next move. A batch of
 * boards (strong_template.h) computes each leaf by itself. Here the node is computed once, and a
 * leaf only where it differs from the node. For boards of 20 cells and more; needs AVX2 and BMI2.
 *
 * Axis 0 has the rows, axis 1 the columns; a board that is taller than wide is transposed first,
 * which changes no value. A line moves forth, to its first cell, or back, to its last. So there are
 * four images of the board, one per direction, in which each line begins at its wall. A vector has
 * line r of all images, eight bytes each: {forth, back} of axis 0, {forth, back} of axis 1.
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
 * unchanged; then, if no other line moves, that direction is not legal.
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

#include <immintrin.h>

typedef __m256i four; /* four lines of eight bytes, or a number of 64 bits for each */

/* Shorts of four lines: the ways forth and back in two vectors, or all in one. */
#ifdef __AVX512VBMI__
enum { PARTS = 1 };
typedef __m512i part;
#define PART(name, ...) _mm512_##name(__VA_ARGS__)
#else
enum { PARTS = 2 };
typedef __m256i part;
#define PART(name, ...) _mm256_##name(__VA_ARGS__)
#endif

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
	four closed;		       /* its tiles, gaps closed, not merged */
	four above, below;	       /* the nearest tiles across */
	four above_alone, below_alone; /* 1 where such a tile is in no run yet */
	four joined;		       /* of both, those that an empty cell joins to a run */
	four others;		       /* across: the largest tile of the other lines */
	four corner;		       /* the largest corner of the other lines, in all bytes */
	four base;		       /* the value of everything else */
};

/* Constants of lines on the border, or of inner lines. */
struct line_kind {
	four inside;	  /* -1 in the cells that are not on the border */
	four first, last; /* shuffles that spread the corner cells, if the line has any */
};

enum { LINE_BORDER, LINE_INSIDE, LINE_KINDS };

struct node {
	const struct strong_leaf_tables *tables;
	uint64_t full[2];      /* bit 8 line + cell of each axis: a tile */
	uint64_t moving[2][2]; /* by axis and way: bits in the lines that move */
	struct line_kind kind[LINE_KINDS];
	struct node_line line[SIDE_MAX];
	/* Powers: of line r at r + 1, around them 2^16 - 1 and POWER_MOST. `zero` is 0. */
	struct shorts power[SIDE_MAX + 2], zero;
	four best[SIDE_MAX * ROW_BYTES]; /* of rows, by cell */
};

/* The after-state by lines of each axis. */
struct lines {
	_Alignas(16) uint64_t line[2][ROW_BYTES];
	uint64_t full[2];
	int largest;
};

/* Returns the half of FROM that belongs to AXIS, twice. */
ALWAYS_INLINE four four_axis(const four *from, int axis)
{
	return _mm256_broadcastsi128_si256(
	    _mm_load_si128((const __m128i *)(const void *)from + axis));
}

/* Returns ROWS for axis 0 and COLUMNS for axis 1. */
ALWAYS_INLINE four four_axes(four rows, four columns)
{
	return _mm256_blend_epi32(rows, columns, 0xf0);
}

ALWAYS_INLINE four four_equal(four a, four b)
{
	return _mm256_cmpeq_epi8(a, b);
}

/* The sums of bytes of each line. */
ALWAYS_INLINE four four_sums(four x)
{
	return _mm256_sad_epu8(x, _mm256_setzero_si256());
}

/* The shuffle that spreads a byte of each line, number ROWS or COLUMNS, over all its bytes. */
ALWAYS_INLINE four four_spread(int rows, int columns)
{
	const int64_t ones = 0x0101010101010101;
	return _mm256_setr_epi64x(ones * rows, ones * (rows + 8), ones * columns,
				  ones * (columns + 8));
}

/* Indices into a table of bytes, which AVX2 looks up in pieces of sixteen. */
struct places {
	four piece[2];
};

ALWAYS_INLINE struct places places_find(four x, int pieces)
{
	struct places places = {{x, x}};
#ifndef __AVX512VBMI__
	if (pieces > 1) { /* an index with the highest bit finds 0 */
		places.piece[0] = _mm256_adds_epu8(x, _mm256_set1_epi8(0x70));
		places.piece[1] = _mm256_sub_epi8(x, _mm256_set1_epi8(16));
	}
#else
	(void)pieces;
#endif
	return places;
}

ALWAYS_INLINE four bytes_look_up(const uint8_t table[EXPONENTS], const struct places *places,
				 int pieces)
{
	const __m128i *sixteen = (const __m128i *)(const void *)table;
#ifdef __AVX512VBMI__
	(void)pieces;
	return _mm256_permutexvar_epi8(places->piece[0], _mm256_loadu_si256((const void *)sixteen));
#else
	four found = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(_mm_loadu_si128(sixteen)),
					 places->piece[0]);
	if (pieces > 1) {
		const four more = _mm256_broadcastsi128_si256(_mm_loadu_si128(sixteen + 1));
		found = _mm256_or_si256(found, _mm256_shuffle_epi8(more, places->piece[1]));
	}
	return found;
#endif
}

/* The sums over each line of numbers that are kept as digits. */
ALWAYS_INLINE four digits_sum(const struct strong_leaf_digits *digits, const struct places *places,
			      int pieces)
{
	four sum = four_sums(bytes_look_up(digits->digit[0], places, pieces));
	for (int d = 1; d < digits->count; d++)
		sum = _mm256_add_epi64(_mm256_slli_epi64(sum, 8),
				       four_sums(bytes_look_up(digits->digit[d], places, pieces)));
	return sum;
}

ALWAYS_INLINE struct shorts powers_look_up(const struct strong_leaf_tables *tables, four x,
					   const struct places *places, int pieces)
{
#ifdef __AVX512VBMI__
	(void)places;
	(void)pieces;
	const __m512i table = _mm512_loadu_si512(tables->powers);
	return (struct shorts){{_mm512_permutexvar_epi16(_mm512_cvtepu8_epi16(x), table)}};
#else
	(void)x;
	const four low = bytes_look_up(tables->power[0], places, pieces),
		   high = bytes_look_up(tables->power[1], places, pieces);
	return (struct shorts){{_mm256_unpacklo_epi8(low, high), _mm256_unpackhi_epi8(low, high)}};
#endif
}

ALWAYS_INLINE struct shorts shorts_all(int x)
{
	struct shorts all;
	EACH_PART
	all.part[i] = PART(set1_epi16, (short)x);
	return all;
}

ALWAYS_INLINE struct shorts shorts_axis(const struct shorts *from, int axis)
{
#ifdef __AVX512VBMI__
	return (struct shorts){{_mm512_broadcast_i64x4(
	    _mm256_load_si256((const __m256i *)(const void *)from->part + axis))}};
#else
	return (struct shorts){{four_axis(&from->part[0], axis), four_axis(&from->part[1], axis)}};
#endif
}

ALWAYS_INLINE struct shorts shorts_axes(struct shorts rows, struct shorts columns)
{
#ifdef __AVX512VBMI__
	return (struct shorts){{_mm512_mask_mov_epi64(rows.part[0], 0xf0, columns.part[0])}};
#else
	return (struct shorts){
	    {four_axes(rows.part[0], columns.part[0]), four_axes(rows.part[1], columns.part[1])}};
#endif
}

ALWAYS_INLINE struct shorts shorts_max(struct shorts a, struct shorts b)
{
	EACH_PART
	a.part[i] = PART(max_epu16, a.part[i], b.part[i]);
	return a;
}

/* Returns A - B where A is greater, else 0. */
ALWAYS_INLINE struct shorts shorts_above(struct shorts a, struct shorts b)
{
	EACH_PART
	a.part[i] = PART(subs_epu16, a.part[i], b.part[i]);
	return a;
}

ALWAYS_INLINE struct shorts shorts_plus(struct shorts a, struct shorts b)
{
	EACH_PART
	a.part[i] = PART(add_epi16, a.part[i], b.part[i]);
	return a;
}

ALWAYS_INLINE struct shorts shorts_minus(struct shorts a, struct shorts b)
{
	EACH_PART
	a.part[i] = PART(sub_epi16, a.part[i], b.part[i]);
	return a;
}

/* Sums of pairs of signed shorts. */
ALWAYS_INLINE struct shorts shorts_pairs(struct shorts x)
{
	EACH_PART
	x.part[i] = PART(madd_epi16, x.part[i], PART(set1_epi16, 1));
	return x;
}

/* Adds sums of pairs. */
ALWAYS_INLINE struct shorts pairs_plus(struct shorts a, struct shorts b)
{
	EACH_PART
	a.part[i] = PART(add_epi32, a.part[i], b.part[i]);
	return a;
}

/* Returns two ints for each line, whose sum is that of its four ints. */
ALWAYS_INLINE four pairs_fold(struct shorts x)
{
#ifdef __AVX512VBMI__
	return _mm512_cvtepi64_epi32(_mm512_add_epi32(x.part[0], _mm512_srli_epi64(x.part[0], 32)));
#else
	return _mm256_hadd_epi32(x.part[0], x.part[1]);
#endif
}

/* The disorder within lines of ROWS and COLUMNS cells, in sums of pairs. */
ALWAYS_INLINE struct shorts lines_disorder(struct shorts power, int rows, int columns)
{
	/* SELVES has each short, in the eighth place the first; NEXTS the next, there the last. */
#define BYTES(at) (uint8_t)(at), (uint8_t)((at) + 1)
#define NEXT(n, j) BYTES((j) < (n)-1 ? 2 * (j) + 2 : 0x80)
#define NEXTS(n)                                                                                   \
	NEXT(n, 0), NEXT(n, 1), NEXT(n, 2), NEXT(n, 3), NEXT(n, 4), NEXT(n, 5), NEXT(n, 6),        \
	    BYTES(2 * (n)-2)
#define SELVES 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 0, 1
#define SIGNS 1, 1, 1, 1, 1, 1, 1, -1
	typedef uint8_t bytes __attribute__((vector_size(sizeof(part))));
	typedef int16_t signs __attribute__((vector_size(sizeof(part))));
#ifdef __AVX512VBMI__
	const bytes next = {NEXTS(rows), NEXTS(rows), NEXTS(columns), NEXTS(columns)};
	const bytes self = {SELVES, SELVES, SELVES, SELVES};
	const signs sign = {SIGNS, SIGNS, SIGNS, SIGNS};
#else
	const bytes next = {NEXTS(rows), NEXTS(columns)};
	const bytes self = {SELVES, SELVES};
	const signs sign = {SIGNS, SIGNS};
#endif
#undef BYTES
#undef NEXT
#undef NEXTS
#undef SELVES
#undef SIGNS
	EACH_PART
	{
		const part x = power.part[i];
		const part rise = PART(subs_epu16, PART(shuffle_epi8, x, (part)next),
				       PART(shuffle_epi8, x, (part)self));
		power.part[i] = PART(madd_epi16, rise, (part)sign);
	}
	return power;
}

/* -1 in tiles that are equal to the next of their line, which has no gaps. */
ALWAYS_INLINE four lines_pairs(four x)
{
	const four none = four_equal(x, _mm256_setzero_si256());
	return _mm256_andnot_si256(none, four_equal(x, _mm256_srli_epi64(x, 8)));
}

/* -1 in tiles of runs. */
ALWAYS_INLINE four lines_runs(four x)
{
	const four pairs = lines_pairs(x);
	return _mm256_or_si256(pairs, _mm256_slli_epi64(pairs, 8));
}

ALWAYS_INLINE bool four_some(four x)
{
	return !_mm256_testz_si256(x, x);
}

/* Merges X, whose lines_pairs() are PAIRS, and adds to GAIN what the sum over cells gains. */
ALWAYS_INLINE four lines_merge(four x, four pairs, const int64_t *gains, four *gain)
{
	do {
		/* The pair next to the wall: 1 and 255 in its first cell, -1 in cells before. */
		const four one =
		    _mm256_and_si256(pairs, _mm256_sub_epi64(_mm256_setzero_si256(), pairs));
		const four cell = _mm256_sub_epi64(_mm256_slli_epi64(one, 8), one);
		const four before = _mm256_sub_epi64(one, _mm256_set1_epi64x(1));
		const four tile = four_sums(_mm256_and_si256(x, cell));
		const four kept = _mm256_and_si256(x, before);
		const four closed = _mm256_andnot_si256(before, _mm256_srli_epi64(x, 8));
		*gain = _mm256_add_epi64(*gain,
					 _mm256_i64gather_epi64((const long long *)gains, tile, 8));
		x = _mm256_add_epi64(_mm256_or_si256(kept, closed), one);
		pairs =
		    _mm256_andnot_si256(_mm256_or_si256(before, cell), _mm256_srli_epi64(pairs, 8));
	} while (four_some(pairs));
	return x;
}

/* The scan across lines: the nearest tile, 1 where it is in no run, tiles in runs so far. */
struct scan {
	four near, alone, runs;
};

ALWAYS_INLINE struct scan scan_next(struct scan scan, four x)
{
	const four none = four_equal(x, _mm256_setzero_si256()), same = four_equal(x, scan.near);
	const four alone = _mm256_andnot_si256(same, _mm256_set1_epi8(1));
	scan.runs = _mm256_sub_epi8(scan.runs, same);
	scan.runs = _mm256_add_epi8(scan.runs, _mm256_and_si256(same, scan.alone));
	scan.alone = _mm256_blendv_epi8(alone, scan.alone, none);
	scan.near = _mm256_blendv_epi8(x, scan.near, none);
	return scan;
}

/* Sets RUNS[r] to the tiles in runs across before line r plus those after it. */
ALWAYS_INLINE void node_scan(struct node *node, const four *x, int lines, four *runs)
{
	const four none = _mm256_setzero_si256();
	struct scan scan = {_mm256_set1_epi8((char)NONE_ABOVE), none, none};
	UNROLL
	for (int r = 0; r < lines; r++) {
		node->line[r].above = scan.near;
		node->line[r].above_alone = scan.alone;
		runs[r] = scan.runs;
		scan = scan_next(scan, x[r]);
	}
	scan = (struct scan){_mm256_set1_epi8((char)NONE_BELOW), none, none};
	UNROLL
	for (int r = lines - 1; r >= 0; r--) {
		struct node_line *line = &node->line[r];
		line->below = scan.near;
		line->below_alone = scan.alone;
		line->joined = _mm256_and_si256(four_equal(line->above, scan.near),
						_mm256_add_epi8(line->above_alone, scan.alone));
		runs[r] = _mm256_add_epi8(runs[r], scan.runs);
		scan = scan_next(scan, x[r]);
	}
}

/* -1 in the 64 bits of lines that are 0. */
ALWAYS_INLINE four four_zero(four x)
{
	return _mm256_cmpeq_epi64(x, _mm256_setzero_si256());
}

/* Sets the largest corner and tile outside each line. */
ALWAYS_INLINE void node_corners(struct node *node, const four *x, int rows, int cols)
{
	const struct line_kind *border = &node->kind[LINE_BORDER];
	four end[2] = {x[0], four_axes(x[rows - 1], x[cols - 1])};
	UNROLL
	for (int i = 0; i < 2; i++)
		end[i] = _mm256_max_epu8(_mm256_shuffle_epi8(end[i], border->first),
					 _mm256_shuffle_epi8(end[i], border->last));
	const four both = _mm256_max_epu8(end[0], end[1]);
	four before = _mm256_setzero_si256(), after = before;
	UNROLL
	for (int r = 0; r < cols; r++) {
		node->line[r].others = before;
		node->line[r].corner = r == 0 ? end[1]
					      : four_axes(r == rows - 1 ? end[0] : both,
							  r == cols - 1 ? end[0] : both);
		before = _mm256_max_epu8(before, x[r]);
	}
	UNROLL
	for (int r = cols - 2; r >= 0; r--) {
		after = _mm256_max_epu8(after, x[r + 1]);
		node->line[r].others = _mm256_max_epu8(node->line[r].others, after);
	}
}

/* Terms to be summed over the lines of all images. */
struct node_sums {
	four x[SIDE_MAX]; /* the lines, merged */
	/* The gains of the merges of a line plus its runs, minus the cost of its inner tiles. */
	four worth[SIDE_MAX];
	/* Two ints per line: the disorder within it, and the rises to it from the line before. */
	four within[SIDE_MAX], rise[SIDE_MAX + 1];
};

/* The tiles of line R of all images, gaps closed. */
ALWAYS_INLINE four lines_close(const struct strong_leaf_tables *tables, const struct lines *lines,
			       int r, int rows)
{
	__m128i closed[2] = {_mm_setzero_si128()};
	UNROLL
	for (int axis = r < rows ? 0 : 1; axis < 2; axis++) {
		const __m128i line = _mm_loadl_epi64((const void *)&lines->line[axis][r]);
		const void *close = tables->close[lines->full[axis] >> 8 * r & 63];
		closed[axis] = _mm_shuffle_epi8(line, _mm_loadu_si128(close));
	}
	return _mm256_inserti128_si256(_mm256_castsi128_si256(closed[0]), closed[1], 1);
}

/* Lines with PAIRS, which merge, move both ways. */
ALWAYS_INLINE void moving_note(struct node *node, four pairs, int r)
{
	const unsigned merging = (unsigned)_mm256_movemask_epi8(pairs);
	UNROLL
	for (int axis = 0; axis < 2; axis++) {
		const uint64_t moves = merging >> 16 * axis & 0xffff ? (uint64_t)1 << 8 * r : 0;
		node->moving[axis][0] |= moves;
		node->moving[axis][1] |= moves;
	}
}

/*
 * Merges X, whose lines_pairs() are PAIRS; adds to WORTH the gains of merges and the value of runs.
 */
ALWAYS_INLINE four lines_settle(const struct strong_leaf_tables *tables, four x, four pairs,
				four *worth)
{
	x = lines_merge(x, pairs, tables->gain, worth);
	const four runs = four_sums(_mm256_abs_epi8(lines_runs(x)));
	*worth = _mm256_add_epi64(*worth, _mm256_mul_epi32(runs, _mm256_set1_epi32(tables->merge)));
	return x;
}

/* Moves line R, and computes the terms within it. */
ALWAYS_INLINE void node_line_make(struct node *node, struct node_sums *sums,
				  const struct lines *lines, int r, int rows, int cols, int pieces)
{
	const struct strong_leaf_tables *tables = node->tables;
	four x = lines_close(tables, lines, r, rows), worth = _mm256_setzero_si256();
	const four pairs = lines_pairs(x);
	node->line[r].closed = x;
	if (four_some(pairs)) {
		moving_note(node, pairs, r);
		x = lines_settle(tables, x, pairs, &worth);
	}
	const struct places places = places_find(x, pieces);
	const struct shorts power = powers_look_up(tables, x, &places, pieces);
	node->power[r + 1] = power;
	sums->within[r] = pairs_fold(lines_disorder(power, cols, rows));
	sums->x[r] = x;
	if (r > 0 && r < cols - 1 && tables->inside.count) {
		four inside = node->kind[LINE_INSIDE].inside;
		if (r == rows - 1)
			inside = four_axes(_mm256_setzero_si256(), inside);
		const struct places inner = places_find(_mm256_and_si256(x, inside), pieces);
		worth = _mm256_sub_epi64(worth, digits_sum(&tables->inside, &inner, pieces));
	}
	sums->worth[r] = worth;
}

/* Sets `rise`; returns the sum of `within` and `rise` over all lines. */
ALWAYS_INLINE four node_order(const struct node *node, struct node_sums *sums, int cols)
{
	four all = sums->within[0];
	sums->rise[0] = sums->rise[cols] = _mm256_setzero_si256();
	UNROLL
	for (int r = 1; r < cols; r++) {
		sums->rise[r] =
		    pairs_fold(shorts_pairs(shorts_above(node->power[r + 1], node->power[r])));
		all = _mm256_add_epi32(all, _mm256_add_epi32(sums->within[r], sums->rise[r]));
	}
	return all;
}

/* Sets BASE of each line: START plus all terms but its own; RUNS has those across without it. */
ALWAYS_INLINE void node_bases(struct node *node, struct node_sums *sums, four start,
			      const four *runs, int rows, int cols)
{
	const four merge = _mm256_set1_epi32(node->tables->merge),
		   mono = _mm256_set1_epi32(node->tables->mono);
	const struct shorts first = node->power[1],
			    last = shorts_axes(node->power[rows], node->power[cols]);
	const four order = node_order(node, sums, cols);
	const four ends = pairs_fold(shorts_pairs(shorts_above(last, first))),
		   constant = pairs_fold(shorts_pairs(shorts_minus(first, shorts_all(POWER_MOST))));
	const four inside = _mm256_sub_epi32(order, ends), end = _mm256_add_epi32(order, constant);
	UNROLL
	for (int r = 0; r < cols; r++)
		start = _mm256_add_epi64(start, sums->worth[r]);
	UNROLL
	for (int r = 0; r < cols; r++) {
		const four all =
		    r == 0 ? order
			   : four_axes(r == rows - 1 ? end : inside, r == cols - 1 ? end : inside);
		const four line = _mm256_add_epi32(
		    sums->within[r], _mm256_add_epi32(sums->rise[r], sums->rise[r + 1]));
		four disorder = _mm256_sub_epi32(all, line);
		disorder = _mm256_add_epi32(disorder, _mm256_srli_epi64(disorder, 32));
		four base = _mm256_sub_epi64(start, sums->worth[r]);
		base = _mm256_add_epi64(base, _mm256_mul_epi32(four_sums(runs[r]), merge));
		node->line[r].base = _mm256_sub_epi64(base, _mm256_mul_epi32(disorder, mono));
	}
}

/* Sets what depends on the shape alone. */
ALWAYS_INLINE void node_kinds(struct node *node, int rows, int cols)
{
#define INSIDE(n) (int64_t)(~(uint64_t)0 >> (80 - 8 * (n)) << 8)
	const four none = _mm256_setzero_si256(), nowhere = _mm256_set1_epi8(-128);
	node->kind[LINE_BORDER] =
	    (struct line_kind){none, four_spread(0, 0), four_spread(cols - 1, rows - 1)};
	node->kind[LINE_INSIDE] = (struct line_kind){
	    _mm256_setr_epi64x(INSIDE(cols), INSIDE(cols), INSIDE(rows), INSIDE(rows)), nowhere,
	    nowhere};
#undef INSIDE
}

/* A line moves if a tile has an empty cell next to it on the side of the wall. */
ALWAYS_INLINE void node_moving(struct node *node, const struct lines *lines, int rows, int cols)
{
	UNROLL
	for (int axis = 0; axis < 2; axis++) {
		const uint64_t full = lines->full[axis], firsts = 0x0101010101010101u;
		const uint64_t lasts = firsts << ((axis ? rows : cols) - 1);
		node->full[axis] = full;
		node->moving[axis][0] = full & ~(full << 1 | firsts);
		node->moving[axis][1] = full & ~(full >> 1 | lasts);
	}
}

/* Returns START minus the costs of all cells. */
ALWAYS_INLINE uint32_t cells_sum(const struct strong_leaf_tables *tables, const struct lines *lines,
				 int pieces)
{
	const __m128i *row = (const void *)lines->line[0];
	const struct places upper = places_find(_mm256_loadu_si256((const void *)row), pieces),
			    lower = places_find(_mm256_zextsi128_si256(_mm_load_si128(row + 2)),
						pieces);
	const four cost = _mm256_add_epi64(digits_sum(&tables->cost, &upper, pieces),
					   digits_sum(&tables->cost, &lower, pieces));
	const __m128i half =
	    _mm_add_epi64(_mm256_castsi256_si128(cost), _mm256_extracti128_si256(cost, 1));
	return tables->start - (uint32_t)_mm_cvtsi128_si32(half) -
	       (uint32_t)_mm_extract_epi32(half, 2);
}

ALWAYS_INLINE void node_make(struct node *node, const struct strong_leaf_tables *tables,
			     const struct lines *lines, int rows, int cols, int pieces)
{
	struct node_sums sums; /* not cleared, for speed */
	four runs[SIDE_MAX];
	node->tables = tables;
	node_moving(node, lines, rows, cols);
	node_kinds(node, rows, cols);
	UNROLL
	for (int r = 0; r < cols; r++)
		node_line_make(node, &sums, lines, r, rows, cols, pieces);
	node_scan(node, sums.x, cols, runs);
	if (tables->corner)
		node_corners(node, sums.x, rows, cols);
	node_bases(node, &sums, _mm256_set1_epi64x(cells_sum(tables, lines, pieces)), runs, rows,
		   cols);
	/* The powers around the lines of an axis; see unit_disorder(). */
	const struct shorts after = shorts_all(POWER_MOST);
	node->zero = shorts_all(0);
	node->power[0] = shorts_all(0xffff);
	node->power[cols + 1] = after;
	if (rows < cols)
		node->power[rows + 1] = shorts_axes(after, node->power[rows + 1]);
}

/*
 * The disorder that the cells P of a unit cause across, in sums of pairs. For an inner line, that
 * is max(0, p - before) + max(0, after - p). A line at an end has one neighbour, and the end
 * OPPOSITE takes part: the first line adds max(p, after) - max(p, opposite), the last max(0, p -
 * before) - max(p, opposite) and a constant. With the powers in place of missing lines, and 0 for
 * the opposite of inner lines, one term covers all cases.
 */
ALWAYS_INLINE struct shorts unit_disorder(const struct node *node, struct shorts p, int axis, int r,
					  int lines)
{
	const struct shorts *at = r == 0	   ? &node->power[lines]
				  : r == lines - 1 ? &node->power[1]
						   : &node->zero;
	const struct shorts before = shorts_axis(&node->power[r], axis),
			    after = shorts_axis(&node->power[r + 2], axis),
			    opposite = shorts_axis(at, axis);
	return shorts_pairs(shorts_plus(
	    shorts_above(p, before), shorts_minus(shorts_max(p, after), shorts_max(p, opposite))));
}

/* The number of tiles that a unit adds to the runs across, by cell. */
ALWAYS_INLINE four unit_runs(const struct node_line *line, four x, int axis)
{
	const four above = four_equal(x, four_axis(&line->above, axis)),
		   below = four_equal(x, four_axis(&line->below, axis)),
		   none = four_equal(x, _mm256_setzero_si256());
	const four joins =
	    _mm256_add_epi8(_mm256_and_si256(above, four_axis(&line->above_alone, axis)),
			    _mm256_and_si256(below, four_axis(&line->below_alone, axis)));
	const four through = _mm256_and_si256(none, four_axis(&line->joined, axis));
	return _mm256_sub_epi8(_mm256_add_epi8(joins, through), _mm256_or_si256(above, below));
}

/* -1 where a largest tile is in a corner. */
ALWAYS_INLINE four unit_corner(const struct node_line *line, const struct line_kind *kind, four x,
			       int axis)
{
	const four own = _mm256_max_epu8(_mm256_shuffle_epi8(x, four_axis(&kind->first, axis)),
					 _mm256_shuffle_epi8(x, four_axis(&kind->last, axis)));
	const four corner = _mm256_max_epu8(own, four_axis(&line->corner, axis)),
		   most = _mm256_max_epu8(x, four_axis(&line->others, axis));
	return four_zero(_mm256_subs_epu8(most, corner));
}

/* Returns the values of a unit; VALUE has the terms of its own runs and merges. */
ALWAYS_INLINE four unit_value(const struct node *node, four x, four value, int axis, int r,
			      int lines, int length, int pieces)
{
	const struct strong_leaf_tables *tables = node->tables;
	const struct node_line *line = &node->line[r];
	const struct line_kind *kind = &node->kind[r > 0 && r < lines - 1];
	const struct places places = places_find(x, pieces);
	const struct shorts power = powers_look_up(tables, x, &places, pieces);
	four disorder = pairs_fold(pairs_plus(unit_disorder(node, power, axis, r, lines),
					      lines_disorder(power, length, length)));
	disorder = _mm256_add_epi32(disorder, _mm256_srli_epi64(disorder, 32));
	const four runs = four_sums(unit_runs(line, x, axis));
	value = _mm256_add_epi64(value, four_axis(&line->base, axis));
	value = _mm256_add_epi64(value, _mm256_mul_epi32(runs, _mm256_set1_epi32(tables->merge)));
	value =
	    _mm256_sub_epi64(value, _mm256_mul_epi32(disorder, _mm256_set1_epi32(tables->mono)));
	if (tables->inside.count) {
		const struct places inner =
		    places_find(_mm256_and_si256(x, four_axis(&kind->inside, axis)), pieces);
		value = _mm256_sub_epi64(value, digits_sum(&tables->inside, &inner, pieces));
	}
	if (tables->corner)
		value =
		    _mm256_add_epi64(value, _mm256_and_si256(unit_corner(line, kind, x, axis),
							     _mm256_set1_epi64x(tables->corner)));
	return value;
}

/* Returns the better way, for each kind. */
ALWAYS_INLINE four better_way(four value)
{
	return _mm256_max_epu32(value, _mm256_shuffle_epi32(value, 0x4e));
}

/* Stores the VALUE of a spawn in CELL of row R; for a column, adds the maximum of both to SUM. */
ALWAYS_INLINE void cell_put(struct node *node, int axis, int r, int cell, four value, four *sum)
{
	if (axis == 0) {
		node->best[8 * r + cell] = value;
		return;
	}
	const four best = _mm256_max_epu32(value, node->best[8 * cell + r]);
	*sum = _mm256_add_epi64(*sum, _mm256_and_si256(best, _mm256_set1_epi64x(0xffffffff)));
}

/* A spawn in the first cell of a gap can leave nothing to move forth; in the last, nothing back. */
enum { STUCK_FORTH = 1, STUCK_BACK = 2 };

/* A gap of a line, and the numbers of tiles BEFORE and AFTER it. */
struct gap {
	int line, first, count, before, after;
	unsigned stuck;
};

/* Whether TILES, a bit each, are contiguous from the first cell on. */
ALWAYS_INLINE bool line_packed(unsigned tiles)
{
	return !(tiles & (tiles + 1));
}

/* The gap that begins at the lowest bit of LEFT. */
ALWAYS_INLINE struct gap gap_of(const struct node *node, uint64_t left, int axis, int length)
{
	const int at = __builtin_ctzll(left), start = at & 56;
	const unsigned all = (1u << length) - 1, full = (unsigned)(node->full[axis] >> start) & all;
	const uint64_t rest = ~((uint64_t)0xff << start);
	struct gap gap = {.line = at >> 3, .first = at & 7};
	gap.count = __builtin_ctzll(~(left >> at));
	const unsigned first = 1u << gap.first, last = first << (gap.count - 1);
	const bool forth = !(node->moving[axis][0] & rest) & line_packed(full | first),
		   back = !(node->moving[axis][1] & rest) & line_packed((full ^ all) & ~last);
	gap.stuck = (forth ? STUCK_FORTH : 0) | (back ? STUCK_BACK : 0);
	gap.before = __builtin_popcount(full & (first - 1));
	gap.after = __builtin_popcount(full) - gap.before;
	return gap;
}

/* The better way of VALUE, without those STUCK in lines that did not merge, where STILL is -1. */
ALWAYS_INLINE four way_legal(four value, four still, unsigned stuck)
{
	static const _Alignas(32)
	    int64_t ways[4][4] = {{0}, {-1, 0, -1, 0}, {0, -1, 0, -1}, {-1, -1, -1, -1}};
	const four illegal = _mm256_and_si256(still, _mm256_load_si256((const void *)ways[stuck]));
	return better_way(_mm256_andnot_si256(illegal, value));
}

/*
 * Puts VALUE into all cells of GAP, without illegal ways; MERGED is nonzero in lines that merged.
 */
ALWAYS_INLINE void gap_put(struct node *node, int axis, const struct gap *gap, four value,
			   four merged, four *sum)
{
	const four still = four_zero(merged), best = better_way(value);
	const int first = gap->first, last = first + gap->count - 1, r = gap->line;
	const unsigned both = gap->count == 1 ? STUCK_FORTH | STUCK_BACK : 0;
	cell_put(node, axis, r, first, way_legal(value, still, gap->stuck & (STUCK_FORTH | both)),
		 sum);
	for (int i = first + 1; i < last; i++)
		cell_put(node, axis, r, i, best, sum);
	if (first < last)
		cell_put(node, axis, r, last, way_legal(value, still, gap->stuck & STUCK_BACK),
			 sum);
}

/* Evaluates the units of an axis; KINDS has the exponents, one in the last byte of each line. */
ALWAYS_INLINE void axis_units(struct node *node, four kinds, four prices, int axis, int lines,
			      int length, int pieces, four *sum)
{
	const struct strong_leaf_tables *tables = node->tables;
	const uint64_t all = (~(uint64_t)0 >> (64 - 8 * lines)) &
			     ((((uint64_t)1 << length) - 1) * 0x0101010101010101u);
	for (uint64_t left = node->full[axis] ^ all; left; left &= left + (left & -left)) {
		const struct gap gap = gap_of(node, left, axis, length);
		const __m128i insert =
		    _mm_loadu_si128((const void *)tables->insert[gap.before][gap.after]);
		const four closed = four_axis(&node->line[gap.line].closed, axis);
		four x = _mm256_shuffle_epi8(_mm256_or_si256(closed, kinds),
					     _mm256_broadcastsi128_si256(insert));
		four value = prices;
		const four pairs = lines_pairs(x);
		if (four_some(pairs))
			x = lines_settle(tables, x, pairs, &value);
		value = unit_value(node, x, value, axis, gap.line, lines, length, pieces);
		gap_put(node, axis, &gap, value, pairs, sum);
	}
}

/* The sums of two kinds of spawn, plus 2^31 for each leaf. */
ALWAYS_INLINE void node_sum(struct node *node, uint8_t a, uint8_t b, int rows, int cols, int pieces,
			    uint64_t sums[2])
{
	const int64_t price_a = node->tables->price[a], price_b = node->tables->price[b];
	const int64_t last_a = (int64_t)a << 56, last_b = (int64_t)b << 56;
	const four kinds = _mm256_setr_epi64x(last_a, last_a, last_b, last_b),
		   prices = _mm256_setr_epi64x(price_a, price_a, price_b, price_b);
	four sum = _mm256_setzero_si256();
	axis_units(node, kinds, prices, 0, rows, cols, pieces, &sum);
	axis_units(node, kinds, prices, 1, cols, rows, pieces, &sum);
	sums[0] = (uint64_t)_mm256_extract_epi64(sum, 0);
	sums[1] = (uint64_t)_mm256_extract_epi64(sum, 2);
}

/* The kernel of a shape, ROWS <= COLS. */
ALWAYS_INLINE void leaves_body(const struct strong_leaf_tables *tables, const struct lines *lines,
			       const uint8_t *k, int kinds, int64_t *sums, int rows, int cols,
			       int pieces)
{
	const int leaves = rows * cols - __builtin_popcountll(lines->full[0]);
	struct node node; /* not cleared, for speed */
	node_make(&node, tables, lines, rows, cols, pieces);
	for (int j = 0; j < kinds; j += 2) {
		const bool two = j + 1 < kinds;
		uint64_t two_sums[2];
		node_sum(&node, k[j], k[j + two], rows, cols, pieces, two_sums);
		for (int i = 0; i <= two; i++)
			sums[j + i] = leaves == 1 && !two_sums[i]
					  ? STRONG_LOST
					  : (int64_t)two_sums[i] - ((int64_t)leaves << 31);
	}
}

/* Cuts AFTER into lines; axis TURNED gets its rows. */
ALWAYS_INLINE void lines_make(const struct board *after, int turned, struct lines *lines)
{
	const __m128i none = _mm_setzero_si128(),
		      pair = _mm_setr_epi8(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
	__m128i row[3], two[3], column[3], most = none;
	lines->full[0] = lines->full[1] = 0;
	UNROLL
	for (int i = 0; i < 3; i++) {
		row[i] = _mm_loadu_si128((const __m128i *)(const void *)after->cell + i);
		two[i] = _mm_shuffle_epi8(row[i], pair);
		most = _mm_max_epu8(most, row[i]);
	}
	const __m128i left = _mm_unpacklo_epi16(two[0], two[1]),
		      right = _mm_unpackhi_epi16(two[0], two[1]);
	column[0] = _mm_unpacklo_epi32(left, _mm_unpacklo_epi16(two[2], none));
	column[1] = _mm_unpackhi_epi32(left, _mm_unpacklo_epi16(two[2], none));
	column[2] = _mm_unpacklo_epi32(right, _mm_unpackhi_epi16(two[2], none));
	UNROLL
	for (int i = 0; i < 3; i++) {
		const unsigned rows = (unsigned)_mm_movemask_epi8(_mm_cmpgt_epi8(row[i], none)),
			       cols = (unsigned)_mm_movemask_epi8(_mm_cmpgt_epi8(column[i], none));
		_mm_store_si128((__m128i *)(void *)lines->line[turned] + i, row[i]);
		_mm_store_si128((__m128i *)(void *)lines->line[!turned] + i, column[i]);
		lines->full[turned] |= (uint64_t)rows << 16 * i;
		lines->full[!turned] |= (uint64_t)cols << 16 * i;
	}
	lines->largest = _mm_movemask_epi8(_mm_cmpgt_epi8(most, _mm_set1_epi8(30)))   ? 31
			 : _mm_movemask_epi8(_mm_cmpgt_epi8(most, _mm_set1_epi8(14))) ? 30
										      : 14;
}

#define LEAVES_BY(rows, cols, pieces)                                                              \
	static __attribute__((noinline)) void leaves_##rows##x##cols##_##pieces(                   \
	    const struct strong_leaf_tables *tables, const struct lines *lines, const uint8_t *k,  \
	    int kinds, int64_t *sums)                                                              \
	{                                                                                          \
		leaves_body(tables, lines, k, kinds, sums, rows, cols, pieces);                    \
	}
#ifdef __AVX512VBMI__
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
