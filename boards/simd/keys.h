/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Positions as 64-bit keys, for computations on millions of them: packing, folding by symmetry,
 * mixing.
 *
 * A key has cell (r, c) at bit (r*C + c) * bits, with as many bits per cell as the largest exponent
 * in question needs. Apart from packing and unpacking, everything works on keys directly, many at a
 * time (boards/simd/keys_template.h).
 *
 * A code is a mixed key. Mixing is one-to-one and spreads the positions of a game evenly over [0,
 * 2^width). So the first bits of a code give its approximate place in a sorted array, and divide
 * work evenly.
 */
#ifndef NXN_KEYS_H
#define NXN_KEYS_H

#include "boards/board.h"

#include <stddef.h>

/* An exchange of cells: those of MASK with those SHIFT bits higher. */
struct key_swap {
	uint64_t mask;
	int shift;
};

/* A mirror image of a position, by at most SIDE_MAX - 1 exchanges. */
struct key_mirror {
	struct key_swap swap[SIDE_MAX - 1];
	int swaps;
};

struct keys;

/* The functions that keys_*() below call, compiled for each instruction set. */
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
	int bits;     /* per cell */
	int width;    /* bits per key: cells * bits, at most 64 */
	int images;   /* symmetric images that a folded key represents: game->symmetries, or 1 */
	uint64_t low; /* the lowest bit of every cell */

	/* Private. Applying the two mirrors alternately yields all images of a position. */
	struct key_mirror mirror[2];
	uint64_t mask;		     /* the bits of a key */
	uint64_t bytes;		     /* the bits of a cell, in every byte */
	uint64_t factor[2], back[2]; /* odd factors, and their inverses modulo 2^64 */
	const struct keys_kernel *kernel;
};

/*
 * Prepares keys for positions of GAME without a tile above 2^MAX_EXPONENT. GAME must outlive KEYS.
 * With FOLD, all symmetric images of a position share one key. STATUS_INPUT if a key needs more
 * than 64 bits.
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
 * Writes to OUT the keys of the positions with a tile 2^K in one of the empty cells of KEY, in the
 * order of the cells. Returns their number. The keys are invalid if K does not fit into a cell.
 */
static inline size_t key_spawns(const struct keys *keys, uint64_t key, int k, uint64_t *out)
{
	size_t count = 0;
	for (uint64_t empty = key_empty(keys, key); empty; empty &= empty - 1)
		out[count++] = key + (empty & -empty) * (uint64_t)k;
	return count;
}

/* Whether KEY has a tile 2^K; K must fit into a cell. */
static inline bool key_has(const struct keys *keys, uint64_t key, int k)
{
	return key_empty(keys, key ^ keys->low * (uint64_t)k) != 0;
}

/* Convert between a position and its key, without folding. */
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

/* Packs all four after-states of MOVES, legal or not. */
static inline void keys_pack_moves(const struct keys *keys, const struct moves *moves,
				   uint64_t key[DIRECTIONS])
{
	keys->kernel->pack(keys, moves->after, DIRECTIONS, key);
}

/* Folds N keys: replaces each by the smallest key among its symmetric images. */
static inline void keys_fold(const struct keys *keys, uint64_t *key, size_t n)
{
	keys->kernel->fold(keys, key, n);
}

/* Returns the total number of different symmetric images of N folded keys. */
static inline uint64_t keys_raw(const struct keys *keys, const uint64_t *key, size_t n)
{
	return keys->kernel->raw(keys, key, n);
}

/* Convert N keys to codes, and back. */
static inline void keys_mix(const struct keys *keys, uint64_t *key, size_t n)
{
	keys->kernel->mix(keys, key, n);
}

static inline void keys_unmix(const struct keys *keys, uint64_t *code, size_t n)
{
	keys->kernel->unmix(keys, code, n);
}

#endif
