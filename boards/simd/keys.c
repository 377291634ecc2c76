/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The layout of keys, and the exchanges of cells that produce symmetric images; see keys.h. */
#include "boards/simd/keys.h"

#include <inttypes.h>

static uint64_t cell_bits(const struct keys *keys, int r, int c)
{
	const uint64_t ones = ((uint64_t)1 << keys->bits) - 1;
	return ones << (r * keys->game->cols + c) * keys->bits;
}

static void mirror_add(struct key_mirror *mirror, uint64_t mask, int shift)
{
	mirror->swap[mirror->swaps++] = (struct key_swap){.mask = mask, .shift = shift};
}

/* Mirrors left to right by exchanging columns, or top to bottom by exchanging rows. */
static void mirror_lines(const struct keys *keys, bool columns, struct key_mirror *mirror)
{
	const int rows = keys->game->rows, cols = keys->game->cols;
	const int lines = columns ? cols : rows, length = columns ? rows : cols;
	for (int i = 0; i < lines / 2; i++) {
		uint64_t mask = 0;
		for (int k = 0; k < length; k++)
			mask |= columns ? cell_bits(keys, k, i) : cell_bits(keys, i, k);
		mirror_add(mirror, mask, (lines - 1 - 2 * i) * (columns ? 1 : cols) * keys->bits);
	}
}

/*
 * Mirrors a square at the diagonal: exchanges the cells D to its right with the cells D below it.
 */
static void mirror_diagonal(const struct keys *keys, struct key_mirror *mirror)
{
	const int side = keys->game->rows;
	for (int d = 1; d < side; d++) {
		uint64_t mask = 0;
		for (int r = 0; r + d < side; r++)
			mask |= cell_bits(keys, r, r + d);
		mirror_add(mirror, mask, d * (side - 1) * keys->bits);
	}
}

/*
 * The inverse of an odd number modulo 2^64 by Newton's iteration. X itself has three correct bits,
 * and each round doubles their number.
 */
static uint64_t odd_inverse(uint64_t x)
{
	uint64_t inverse = x;
	for (int correct = 3; correct < 64; correct *= 2)
		inverse *= 2 - x * inverse;
	return inverse;
}

enum status keys_init(struct keys *keys, const struct game *game, int max_exponent, bool fold,
		      struct why *why)
{
	const int bits = 32 - __builtin_clz((unsigned)max_exponent), width = game->cells * bits;
	if (width > 64)
		return why_set(why, STATUS_INPUT,
			       "%s: positions with tiles up to 2^%d take %d bits, expected at most "
			       "64: a smaller board, or no tiles above %" PRIu64,
			       game->name, max_exponent, width,
			       (uint64_t)1 << ((1 << 64 / game->cells) - 1) % 64);
	*keys = (struct keys){
	    .game = game,
	    .bits = bits,
	    .width = width,
	    .images = fold ? game->symmetries : 1,
	    .mask = ~(uint64_t)0 >> (64 - width),
	    .bytes = 0x0101010101010101 * (((uint64_t)1 << bits) - 1),
	    .factor = {0x9e3779b97f4a7c15, 0xd6e8feb86659fd93},
	    .kernel = game->keys,
	};
	for (int i = 0; i < 2; i++)
		keys->back[i] = odd_inverse(keys->factor[i]);
	for (int i = 0; i < game->cells; i++)
		keys->low |= (uint64_t)1 << i * bits;
	mirror_lines(keys, true, &keys->mirror[0]);
	if (game->symmetries == 8)
		mirror_diagonal(keys, &keys->mirror[1]);
	else
		mirror_lines(keys, false, &keys->mirror[1]);
	return STATUS_OK;
}
