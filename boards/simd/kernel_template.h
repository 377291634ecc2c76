/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The four after-states of a position, whether any move is legal, and spawns, for every shape.
 *
 * The rules of 2048 are one routine for lines of any length: a vector v[k] of type `lines` holds
 * the k-th cells, counted from the wall, of all lines of the board in every direction, one line per
 * byte lane; groups of four or eight lanes are directions. A line shorter than LENGTH is padded
 * with empty cells at its far end, which sliding leaves empty. There are no tables, no branches,
 * and no limit on tiles.
 *
 * Each shape is the same always-inlined body with constant sides (shapes.def). A file that includes
 * this one first defines `lines`, `lines_mask` (the type of comparisons) and the operations used
 * here, and is compiled for one instruction set.
 *
 * Invariants: sliding preserves the sum of the tiles of a line, and earns the same points towards
 * either end, so up and down have equal rewards, and left and right have equal rewards.
 */
#include "boards/rng.h"
#include "boards/simd/bytes.h"
#include "boards/simd/kernel.h"

/* Moves v[k+1..length-1] one cell towards the wall in the lanes of GAP, over v[k]. */
ALWAYS_INLINE void close_gap(lines *v, int length, int k, lines_mask gap)
{
	UNROLL
	for (int i = k; i < length - 1; i++)
		v[i] = lines_blend(gap, v[i + 1], v[i]);
	v[length - 1] = lines_unless(gap, v[length - 1]);
}

/*
 * Slides and merges every line towards v[0]. made[k] holds the exponents that merging made in cell
 * k, numbered before the gaps of merging are closed; 0 where nothing merged.
 */
ALWAYS_INLINE void slide_lines(lines *v, int length, lines *made)
{
	lines_mask merged[SIDE_MAX];
	UNROLL
	for (int k = length - 2; k >= 0; k--)
		close_gap(v, length, k, lines_empty(v[k]));
	UNROLL
	for (int k = 0; k < length - 1; k++) {
		lines_mask equal = lines_equal(v[k], v[k + 1]), empty = lines_empty(v[k]);
		merged[k] =
		    k ? lines_neither(equal, empty, merged[k - 1]) : lines_and_not(equal, empty);
		v[k] = lines_increment(merged[k], v[k]);
		made[k] = lines_where(merged[k], v[k]);
	}
	UNROLL
	for (int k = length - 2; k >= 0; k--)
		close_gap(v, length, k + 1, merged[k]);
}

/* The points of all merges that built BOARD from 2s: a tile 2^k needed (k-1) 2^k points. */
static uint64_t board_points(const struct board *board)
{
	uint64_t sum = 0;
	for (int r = 0; r < SIDE_MAX; r++)
		for (int c = 0; c < SIDE_MAX; c++) {
			uint64_t exponent = board->cell[r][c];
			sum += exponent ? (exponent - 1) << exponent : 0;
		}
	return sum;
}

/* Computes the rewards slowly, for merges of any tiles. */
static __attribute__((noinline, cold)) void rewards_count(const struct board *board,
							  struct moves *moves)
{
	for (int d = 0; d < DIRECTIONS; d++)
		moves->reward[d] = board_points(&moves->after[d]) - board_points(board);
}

ALWAYS_INLINE void moves_body(const struct lines_map *map, const struct board *board,
			      struct moves *moves, int rows, int cols)
{
	const int length = SHAPE_LENGTH(rows, cols), passes = LINE_PASSES(rows, cols);
	struct lines_board from;
	lines v[DIRECTIONS / 2][SIDE_MAX], made[DIRECTIONS / 2][SIDE_MAX];
	unsigned legal = 0;
	lines_open(board, &from, rows, cols);
	UNROLL
	for (int pass = 0; pass < passes; pass++) {
		lines start[SIDE_MAX], changed = {0};
		lines_load(map, &from, start, pass, rows, cols);
		UNROLL
		for (int k = 0; k < length; k++)
			v[pass][k] = start[k];
		slide_lines(v[pass], length, made[pass]);
		UNROLL
		for (int k = 0; k < length; k++)
			changed |= v[pass][k] ^ start[k];
		legal |= lines_directions(changed, rows, cols) << pass * (DIRECTIONS / passes);
	}
	moves->legal = legal;
	lines_store(map, v, moves, rows, cols);
	if (__builtin_expect(!lines_rewards(made, moves, rows, cols), 0))
		rewards_count(board, moves);
}

/* Whether a byte of WORD under the byte mask MASK is zero. */
ALWAYS_INLINE bool has_zero(uint64_t word, uint64_t mask)
{
	word |= ~mask;
	return ((word - 0x0101010101010101u) & ~word & 0x8080808080808080u) != 0;
}

ALWAYS_INLINE bool over_body(const struct board *board, int rows, int cols)
{
	const uint64_t mask = ~(uint64_t)0 >> (64 - 8 * cols);
	uint64_t row[SIDE_MAX], any = 0;
	bool empty = false, pair = false;
	UNROLL
	for (int r = 0; r < rows; r++) {
		row[r] = row_load(board->cell[r]);
		any |= row[r];
		empty |= has_zero(row[r], mask);
		pair |= has_zero(row[r] ^ (row[r] >> 8), mask >> 8);
	}
	UNROLL
	for (int r = 0; r + 1 < rows; r++)
		pair |= has_zero(row[r] ^ row[r + 1], mask);
	/*
	 * Some tile next to an empty cell can slide, so a move is legal if the board has an empty
	 * cell and a tile.
	 */
	return empty ? !any : !pair;
}

ALWAYS_INLINE uint8_t spawn_kind(const struct spawn_rule *rule, struct rng *rng)
{
	double u = rng_real(rng);
	int kind = 0;
	while (kind < rule->kinds - 1 && u >= rule->probability[kind])
		u -= rule->probability[kind++];
	return rule->exponent[kind];
}

/*
 * Copies FROM to TO with a tile in the empty cell PLACE. Stores whole vectors, since the vector
 * loads of the next move would have to wait for the store of a byte.
 */
ALWAYS_INLINE void tile_add(const struct board *from, struct board *to, int place, uint8_t exponent)
{
	enum { SIZE = sizeof *from, WIDTH = sizeof(lines) };
	static const uint8_t one[2 * SIZE] = {[SIZE] = 0xff};
	UNROLL
	for (int at = SIZE - WIDTH; at > -WIDTH; at -= WIDTH) {
		const int begin = at > 0 ? at : 0;
		lines x, here;
		memcpy(&x, (const char *)from + begin, WIDTH);
		memcpy(&here, one + SIZE - place + begin, WIDTH);
		x |= here & exponent;
		memcpy((char *)to + begin, &x, WIDTH);
	}
}

static void spawn_into(const struct game *game, const struct board *from, struct board *to,
		       struct rng *rng)
{
	const uint64_t empty = places_empty(from) & game->places;
	const int place = places_find(empty, rng_below(rng, places_count(empty)));
	tile_add(from, to, place, spawn_kind(&game->spawn, rng));
}

#define SHAPE(r, c)                                                                                \
	static const struct lines_map map_##r##x##c = LINES_MAP(r, c);                             \
	static void moves_##r##x##c(const struct board *board, struct moves *moves)                \
	{                                                                                          \
		moves_body(&map_##r##x##c, board, moves, r, c);                                    \
	}                                                                                          \
	static bool over_##r##x##c(const struct board *board)                                      \
	{                                                                                          \
		return over_body(board, r, c);                                                     \
	}
#include "boards/shapes.def"
