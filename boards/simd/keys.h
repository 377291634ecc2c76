/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Positions as 64-bit keys, for work on millions of them: packed, folded by the symmetries, mixed.
 *
 * A key has cell (r, c) at bit (r*C + c) * bits, as struct packed has, with as many bits a cell as
 * the largest exponent in question asks for. Except for packing and unpacking all work is done on
 * keys as they are, many at a time (boards/simd/keys_template.h).
 *
 * A code is a mixed key: one-to-one, and the codes of the positions of a game lie evenly in
 * [0, 2^width). So the first bits of a code tell where in a sorted array it stands, and share out
 * work evenly.
 */
#ifndef NXN_KEYS_H
#define NXN_KEYS_H

#include "boards/board.h"

#include <stddef.h>

/* Cells that a mirror exchanges: those of MASK with those SHIFT bits higher. */
struct key_swap {
	uint64_t mask;
	int shift;
};

/* An image of a position: at most SIDE_MAX - 1 exchanges. */
struct key_mirror {
	struct key_swap swap[SIDE_MAX - 1];
	int swaps;
};

struct keys;

/* Work on keys, compiled for each instruction set; the functions of keys_*() below. */
struct keys_kernel {
	void (*pack)(const struct keys *keys, const struct board *boards, size_t n, uint64_t *key);
	void (*unpack)(const struct keys *keys, uint64_t key, struct board *board);
	void (*fold)(const struct keys *keys, uint64_t *key, size_t n);
	uint64_t (*raw)(const struct keys *keys, const uint64_t *key, size_t n);
	void (*mix)(const struct keys *keys, uint64_t *key, size_t n);
	void (*unmix)(const struct keys *keys, uint64_t *code, size_t n);
};

struct keys {
	const struct game *game;
	int bits;     /* a cell */
	int width;    /* a key: cells * bits, at most 64 */
	int images;   /* that one key stands for: game->symmetries, or 1 */
	uint64_t low; /* the lowest bit of every cell */

	/* Private. Applied in turn, the two mirrors lead through all images of a position. */
	struct key_mirror mirror[2];
	uint64_t mask;		     /* the bits of a key */
	uint64_t bytes;		     /* those of a cell, in every byte */
	uint64_t factor[2], back[2]; /* odd, and their inverses modulo 2^64 */
	const struct keys_kernel *kernel;
};

/*
 * Keys of positions without a tile above 2^MAX_EXPONENT, of a game that outlives them; FOLD: one
 * key for all images of a position. STATUS_INPUT if a key takes more than 64 bits.
 */
MUST_USE enum status keys_init(struct keys *keys, const struct game *game, int max_exponent,
			       bool fold, struct why *why);

/* The lowest bit of every empty cell of KEY. */
static inline uint64_t key_empty(const struct keys *keys, uint64_t key)
{
	uint64_t any = key;
	for (int b = 1; b < keys->bits; b++)
		any |= key >> b;
	return ~any & keys->low;
}

/*
 * What KEY becomes by a tile 2^K in each of its empty cells, in their order, at OUT; the number of
 * these keys, which mean nothing where K does not fit into a cell.
 */
static inline size_t key_spawns(const struct keys *keys, uint64_t key, int k, uint64_t *out)
{
	size_t count = 0;
	for (uint64_t empty = key_empty(keys, key); empty; empty &= empty - 1)
		out[count++] = key + (empty & -empty) * (uint64_t)k;
	return count;
}

/* Whether KEY has a tile 2^k; K fits into a cell. */
static inline bool key_has(const struct keys *keys, uint64_t key, int k)
{
	return key_empty(keys, key ^ keys->low * (uint64_t)k) != 0;
}

/* The key of a position as it stands, and back. */
static inline uint64_t keys_pack(const struct keys *keys, const struct board *board)
{
	uint64_t key;
	keys->kernel->pack(keys, board, 1, &key);
	return key;
}

static inline void keys_unpack(const struct keys *keys, uint64_t key, struct board *board)
{
	keys->kernel->unpack(keys, key, board);
}

/* The keys of all four after-states of MOVES, legal or not. */
static inline void keys_pack_moves(const struct keys *keys, const struct moves *moves,
				   uint64_t key[DIRECTIONS])
{
	keys->kernel->pack(keys, moves->after, DIRECTIONS, key);
}

/* Each of N keys becomes the least among those of its images. */
static inline void keys_fold(const struct keys *keys, uint64_t *key, size_t n)
{
	keys->kernel->fold(keys, key, n);
}

/* How many different images N folded keys have, added up. */
static inline uint64_t keys_raw(const struct keys *keys, const uint64_t *key, size_t n)
{
	return keys->kernel->raw(keys, key, n);
}

/* N keys become codes; and back. */
static inline void keys_mix(const struct keys *keys, uint64_t *key, size_t n)
{
	keys->kernel->mix(keys, key, n);
}

static inline void keys_unmix(const struct keys *keys, uint64_t *code, size_t n)
{
	keys->kernel->unmix(keys, code, n);
}

#endif
