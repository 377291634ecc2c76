/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random moves of many games, one game per byte lane, for every shape.
 *
 * A step of a lane draws one of four directions and slides. If that changed the board, a tile
 * appears; otherwise nothing happens. So the moves made are uniform among the legal ones. No branch
 * depends on the contents of a board. Instead of sliding in the drawn direction, the code turns the
 * board: moves and spawns have the same probabilities in all symmetric images, so a game may
 * continue in any image. A square is turned by mirrors at its diagonals and slides its rows to
 * the left. A rectangle is turned by half a turn or not; both its rows and its columns slide, and
 * one of the two results is used.
 *
 * Empty cells are numbered row by row, each row from its right end. After a slide to the left the
 * empty cells of a row are its last ones, so the counts of rows determine the cell of the spawn.
 *
 * Random bits of a lane: in every fourth step, eight for the turns of four steps, the highest two
 * first; in each step, 16 for the cell and 16 for the kind of the spawn, drawn even if unused. The
 * probability of a cell is a multiple of 2^-16 within 2^-16 of 1/n, where n is the number of empty
 * cells.
 *
 * A file that includes this one first includes boards/simd/kernel_template.h and a lane header
 * (boards/simd/lanes_wide*.h), and is compiled for one instruction set.
 *
 * Invariant: the result is the same for every width of vectors.
 */

/*
 * xoshiro256+ (Blackman and Vigna, Scrambled linear pseudorandom number generators, ACM TOMS 47(4),
 * 2021), one generator in each 64-bit lane.
 */
ALWAYS_INLINE wide_words random_next(wide_words s[4])
{
	const wide_words result = s[0] + s[3], t = s[1] << 17;
	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = s[3] << 45 | s[3] >> 19;
	return result;
}

/* Exchanges A and B in the lanes of MASK. */
ALWAYS_INLINE void lanes_swap(lanes_mask mask, lanes *a, lanes *b)
{
	const lanes old = *a;
	*a = lanes_blend(mask, *b, *a);
	*b = lanes_blend(mask, old, *b);
}

/*
 * Mirrors a square at the diagonal from its top left in the lanes of ONE, then at the other one in
 * the lanes of OTHER.
 */
ALWAYS_INLINE void square_turn(lanes *cell, int side, lanes_mask one, lanes_mask other)
{
	UNROLL
	for (int r = 0; r < side; r++)
		UNROLL
	for (int c = 0; c < r; c++)
		lanes_swap(one, &cell[r * side + c], &cell[c * side + r]);
	UNROLL
	for (int r = 0; r < side; r++)
		UNROLL
	for (int c = 0; c < side - 1 - r; c++)
		lanes_swap(other, &cell[r * side + c], &cell[(side - 1 - c) * side + side - 1 - r]);
}

/* Moves v[k+1..length-1] one cell towards the wall in the lanes of GAP, over v[k]. */
ALWAYS_INLINE void line_close(lanes *v, int length, int k, lanes_mask gap)
{
	UNROLL
	for (int i = k; i < length - 1; i++)
		v[i] = lanes_blend(gap, v[i + 1], v[i]);
	v[length - 1] = lanes_vacate(gap, v[length - 1]);
}

/*
 * Slides lines towards v[0] like slide_lines() of kernel_template.h, with PLAYOUT_EMPTY in place of
 * 0. Pairs of empty cells may count as merged, since raising and closing them changes nothing. A
 * merged pair is closed before the next pair is compared, so no tile merges twice.
 */
ALWAYS_INLINE void line_slide(lanes *v, int length)
{
	UNROLL
	for (int k = length - 2; k >= 0; k--)
		line_close(v, length, k, lanes_equal(v[k], lanes_all(PLAYOUT_EMPTY)));
	UNROLL
	for (int k = 0; k < length - 1; k++) {
		const lanes_mask pair = lanes_equal(v[k], v[k + 1]);
		v[k] = lanes_double(pair, v[k]);
		line_close(v, length, k + 1, pair);
	}
}

/*
 * Slides COUNT lines towards their first cells. Cells of a line are STEP apart, lines STRIDE apart.
 * The result is nonzero where the board changed.
 */
ALWAYS_INLINE lanes cells_slide(lanes *cell, int count, int stride, int length, int step)
{
	lanes changed = lanes_all(0);
	UNROLL
	for (int l = 0; l < count; l++) {
		lanes v[SIDE_MAX];
		UNROLL
		for (int k = 0; k < length; k++)
			v[k] = cell[l * stride + k * step];
		line_slide(v, length);
		UNROLL
		for (int k = 0; k < length; k++) {
			lanes *at = &cell[l * stride + k * step];
			changed = lanes_differ(changed, *at, v[k]);
			*at = v[k];
		}
	}
	return changed;
}

/* Counts the empty cells among N adjacent cells. */
ALWAYS_INLINE lanes cells_empty(const lanes *cell, int n)
{
	lanes empty = lanes_vacant(cell[0]);
	UNROLL
	for (int i = 1; i < n; i++)
		empty = lanes_plus(empty, lanes_vacant(cell[i]));
	return empty;
}

/* The tile that appears after a move. */
struct spawn {
	lanes which; /* number of the empty cell, from 1; 0: no tile appears */
	lanes kind;  /* an exponent */
};

/* Draws the spawn of a step and counts it. EMPTY is the number of empty cells. */
ALWAYS_INLINE struct spawn spawn_draw(lanes changed, lanes empty, wide_words s[4],
				      struct playout_block *block, int first,
				      const struct playout_odds *odds)
{
	const lanes_mask idle = lanes_empty(changed);
	const wide_words a = random_next(s), b = random_next(s), c = random_next(s),
			 d = random_next(s);
	const lanes which = lanes_plus(lanes_scaled(empty, a, b), lanes_all(1));
	struct spawn spawn = {lanes_unless(idle, which), lanes_all(odds->exponent[0])};
	uint8_t *moves = &block->count[0][first];
	lanes_keep(moves, lanes_plus(lanes_get(moves), lanes_unless(idle, lanes_all(1))));
	for (int i = 1; i < odds->kinds; i++) {
		const lanes_mask higher =
		    lanes_and_not(lanes_drawn_above(c, d, odds->above[i]), idle);
		uint8_t *count = &block->count[i][first];
		lanes_keep(count, lanes_increment(higher, lanes_get(count)));
		spawn.kind = lanes_blend(higher, lanes_all(odds->exponent[i]), spawn.kind);
	}
	return spawn;
}

/* Puts the spawn on a square. The empty cells of a row, EMPTY[r] in row r, are its last ones. */
ALWAYS_INLINE void square_spawn(lanes *cell, int side, const lanes *empty, struct spawn spawn)
{
	lanes passed = empty[0], in_row = spawn.which, tile[SIDE_MAX];
	lanes rest = lanes_xor(spawn.kind, lanes_all(PLAYOUT_EMPTY));
	/* tile[r] turns the empty cell into the spawned tile, in the row of the spawn only. */
	UNROLL
	for (int r = 0; r + 1 < side; r++) {
		const lanes_mask beyond = lanes_signed_above(spawn.which, passed);
		tile[r] = lanes_unless(beyond, rest);
		rest = lanes_where(beyond, rest);
		in_row = lanes_blend(beyond, lanes_minus(spawn.which, passed), in_row);
		passed = lanes_plus(passed, empty[r + 1]);
	}
	tile[side - 1] = rest;
	UNROLL
	for (int c = 0; c < side; c++) {
		const lanes here = lanes_vector(lanes_equal(in_row, lanes_all(side - c)));
		UNROLL
		for (int r = 0; r < side; r++)
			cell[r * side + c] = lanes_flip(cell[r * side + c], tile[r], here);
	}
}

ALWAYS_INLINE void square_step(lanes *cell, int side, lanes_mask one, lanes_mask other,
			       wide_words s[4], struct playout_block *block, int first,
			       const struct playout_odds *odds)
{
	lanes empty[SIDE_MAX], all = lanes_all(0);
	square_turn(cell, side, one, other);
	const lanes changed = cells_slide(cell, side, side, side, 1);
	UNROLL
	for (int r = 0; r < side; r++) {
		empty[r] = cells_empty(cell + r * side, side);
		all = lanes_plus(all, empty[r]);
	}
	square_spawn(cell, side, empty, spawn_draw(changed, all, s, block, first, odds));
}

/*
 * Turns by half a turn in the lanes of HALF; slides columns in the lanes of UP, rows in the others.
 */
ALWAYS_INLINE lanes rectangle_slide(lanes *cell, int rows, int cols, lanes_mask half, lanes_mask up)
{
	lanes column[CELLS_MAX];
	UNROLL
	for (int r = 0; r < rows; r++)
		UNROLL
	for (int c = 0; c < cols; c++)
		if (2 * (r * cols + c) + 1 < rows * cols)
			lanes_swap(half, &cell[r * cols + c],
				   &cell[(rows - 1 - r) * cols + cols - 1 - c]);
	UNROLL
	for (int r = 0; r < rows; r++)
		UNROLL
	for (int c = 0; c < cols; c++)
		column[r * cols + c] = cell[r * cols + c];
	const lanes by_row = cells_slide(cell, rows, cols, cols, 1);
	const lanes by_column = cells_slide(column, cols, 1, rows, cols);
	UNROLL
	for (int r = 0; r < rows; r++)
		UNROLL
	for (int c = 0; c < cols; c++)
		cell[r * cols + c] = lanes_blend(up, column[r * cols + c], cell[r * cols + c]);
	return lanes_blend(up, by_column, by_row);
}

ALWAYS_INLINE void rectangle_step(lanes *cell, int rows, int cols, lanes_mask half, lanes_mask up,
				  wide_words s[4], struct playout_block *block, int first,
				  const struct playout_odds *odds)
{
	const lanes changed = rectangle_slide(cell, rows, cols, half, up);
	lanes empty = lanes_all(0);
	UNROLL
	for (int r = 0; r < rows; r++)
		empty = lanes_plus(empty, cells_empty(cell + r * cols, cols));
	struct spawn spawn = spawn_draw(changed, empty, s, block, first, odds);
	const lanes tile = lanes_xor(spawn.kind, lanes_all(PLAYOUT_EMPTY));
	UNROLL
	for (int r = 0; r < rows; r++)
		UNROLL
	for (int c = cols - 1; c >= 0; c--) {
		lanes *at = &cell[r * cols + c];
		spawn.which = lanes_minus(spawn.which, lanes_vacant(*at));
		const lanes_mask here =
		    lanes_and(lanes_empty(spawn.which), lanes_equal(*at, lanes_all(PLAYOUT_EMPTY)));
		*at = lanes_flip(*at, tile, lanes_vector(here));
	}
}

/* The boards that are full and have no equal neighbours. */
ALWAYS_INLINE uint64_t boards_over(const lanes *cell, int rows, int cols)
{
	lanes least = lanes_all(PLAYOUT_EMPTY);
	UNROLL
	for (int r = 0; r < rows; r++)
		UNROLL
	for (int c = 0; c < cols; c++) {
		const lanes x = cell[r * cols + c];
		least = lanes_min(least, lanes_xor(x, lanes_all(PLAYOUT_EMPTY)));
		if (c + 1 < cols)
			least = lanes_min(least, lanes_xor(x, cell[r * cols + c + 1]));
		if (r + 1 < rows)
			least = lanes_min(least, lanes_xor(x, cell[(r + 1) * cols + c]));
	}
	return ~lanes_bits(lanes_empty(least)) & ~(uint64_t)0 >> (64 - WIDE);
}

ALWAYS_INLINE void lanes_run(struct playout_block *block, int first,
			     const struct playout_odds *odds, int steps, lanes *cell, int rows,
			     int cols)
{
	wide_words s[4];
	UNROLL
	for (int i = 0; i < 4; i++)
		memcpy(&s[i], &block->random[i][first / 8], sizeof s[i]);
	for (int step = 0; step < steps; step += 4) {
		lanes turns = (lanes)random_next(s);
		for (int i = 0; i < 4; i++) {
			const lanes_mask one = lanes_negative(turns);
			turns = lanes_plus(turns, turns);
			const lanes_mask other = lanes_negative(turns);
			turns = lanes_plus(turns, turns);
			if (rows == cols)
				square_step(cell, rows, one, other, s, block, first, odds);
			else
				rectangle_step(cell, rows, cols, one, other, s, block, first, odds);
		}
	}
	UNROLL
	for (int i = 0; i < 4; i++)
		memcpy(&block->random[i][first / 8], &s[i], sizeof s[i]);
}

ALWAYS_INLINE uint64_t block_run(struct playout_block *block, const struct playout_odds *odds,
				 int steps, int rows, int cols)
{
	uint64_t over = 0;
	for (int first = 0; first < PLAYOUT_LANES; first += WIDE) {
		lanes cell[CELLS_MAX];
		UNROLL
		for (int r = 0; r < rows; r++)
			UNROLL
		for (int c = 0; c < cols; c++)
			cell[r * cols + c] = lanes_get(&block->cell[r * cols + c][first]);
		lanes_run(block, first, odds, steps, cell, rows, cols);
		UNROLL
		for (int r = 0; r < rows; r++)
			UNROLL
		for (int c = 0; c < cols; c++)
			lanes_keep(&block->cell[r * cols + c][first], cell[r * cols + c]);
		over |= boards_over(cell, rows, cols) << first;
	}
	return over;
}

#define SHAPE(r, c)                                                                                \
	static uint64_t run_##r##x##c(struct playout_block *block,                                 \
				      const struct playout_odds *odds, int steps)                  \
	{                                                                                          \
		return block_run(block, odds, steps, r, c);                                        \
	}
#include "boards/shapes.def"

static const struct kernel shape_kernels[] = {
#define SHAPE(r, c) {r, c, moves_##r##x##c, over_##r##x##c, run_##r##x##c},
#include "boards/shapes.def"
};
