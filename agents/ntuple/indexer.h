/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the weights of what a board shows are: the mixed-radix indices of all features at once.
 *
 * A feature is an n-tuple seen in one symmetric image of the board: at most eight cells, in order.
 * Cell j shows d_j, its exponent or levels - 1 if that is less, which is split: the low bits of all
 * n cells are a place in a box of 2^n weights, the rest is the number of the box.
 *
 *	index = first + 2^n * sum of (d_j / 2) half^(n-1-j) + sum of (d_j % 2) 2^(n-1-j),
 *	half = (levels + 1) / 2
 *
 * What differs little is then close together: with the four 6-tuples of 4x4 a move needs 16 lines
 * of 64 bytes that a cache of 1 MiB has not, against 25 with one digit a cell (200 games after
 * 20,000 of training, least recently used lines leaving first).
 *
 * A form that is like itself when it is turned or mirrored, as a square in eight ways, shows the
 * same in several orders. Where a table is to make no difference between them, the least order, its
 * first cell counting most, is the one that has an index.
 */
#ifndef NXN_INDEXER_H
#define NXN_INDEXER_H

#include "boards/game.h"
#include "boards/simd/inline.h"

#include <stdbool.h>
#include <string.h>

enum {
	FEATURES_MAX = 512,
	FEATURES_STEP = 8,   /* features come in groups of so many */
	INDEXER_LEVELS = 64, /* most levels */
	ORDERS_MAX = 7,	     /* of a form, besides its own */
};

/* Eight features: byte 8 f + j is for cell n - 1 - j of feature f. */
struct feature_group {
	/* In struct board; NO_PLACE behind the last. */
	_Alignas(64) uint8_t place[8 * FEATURES_STEP];
	uint64_t first[FEATURES_STEP]; /* index of the feature's table */
	uint64_t length[FEATURES_STEP];
};

enum { NO_PLACE = 0xff };

/*
 * The same group in 32 bits, for registers of 32 bytes: byte 4 f + j is for cell n - 1 - j of
 * feature f, byte 32 + 4 f + j for cell n - 5 - j.
 */
struct feature_quads {
	_Alignas(64) uint8_t place[8 * FEATURES_STEP]; /* in struct board; dense: r * 4 + c */
	uint32_t first[FEATURES_STEP];
	uint32_t length[FEATURES_STEP];
};

/*
 * Another order of a group's cells: byte 8 f + j of what it shows is byte from[8 f + j] of feature
 * f.
 */
struct feature_order {
	_Alignas(64) uint8_t from[8 * FEATURES_STEP];
};

struct indexer;

/*
 * Sets index[f] of BOARD, f < stride; run_wide() with all bits, where 32 are too few; run_least()
 * of the least order. All instruction sets give the same.
 */
struct indexer_kernel {
	void (*run)(const struct indexer *indexer, const struct board *board, uint32_t *index);
	void (*run_wide)(const struct indexer *indexer, const struct board *board, uint64_t *index);
	void (*run_least)(const struct indexer *indexer, const struct board *board,
			  uint32_t *index);
};

extern const struct indexer_kernel indexer_avx2, indexer_avx512;

struct indexer {
	int levels;
	int features; /* those there are */
	int stride;   /* the same, filled up to whole groups with features that are always 0 */
	int chunks;   /* halves of two rows, 16 bytes each, that the shape has */
	bool dense;   /* 4x4 or smaller: `quads` are for four rows of four cells */
	struct indexer_kernel kernel;
	struct feature_group group[FEATURES_MAX / FEATURES_STEP];
	struct feature_quads quads[FEATURES_MAX / FEATURES_STEP];
	int orders[FEATURES_MAX / FEATURES_STEP]; /* of each group */
	struct feature_order order[FEATURES_MAX / FEATURES_STEP][ORDERS_MAX];
};

/* Two indices in one load: loads are what loops over them wait for. */
struct index_pair {
	uint32_t a, b;
};

ALWAYS_INLINE struct index_pair index_two(const uint32_t *index)
{
	uint64_t both;
	memcpy(&both, index, sizeof both);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	both = both << 32 | both >> 32;
#endif
	return (struct index_pair){(uint32_t)both, (uint32_t)(both >> 32)};
}

#endif
