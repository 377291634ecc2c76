/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mixed-radix indices of the weights of all features of a board.
 *
 * A feature is an n-tuple in one symmetric image of the board: at most eight cells, in order. Cell
 * j has the digit d_j, its exponent, or levels - 1 if that is less. Each digit is split: the low
 * bits of all n cells give a place in a box of 2^n weights, and the rest gives the number of the
 * box.
 *
 * 	index = first + 2^n * sum of (d_j / 2) half^(n-1-j) + sum of (d_j % 2) 2^(n-1-j),
 * 	half = (levels + 1) / 2
 *
 * So the weights of similar positions are close together: with the four 6-tuples of 4x4 a move
 * needs 16 lines of 64 bytes that are not in a cache of 1 MiB, compared with 25 with one digit per
 * cell (200 games after 20,000 of training, least recently used lines are replaced first).
 *
 * With the usual 16 levels the weights of a digit's values are multiples of a power of two apart,
 * so the weights of a move share few addresses modulo 4096 and few sets of the caches. In memory
 * blocks of 64 weights therefore change places, as index_place() says: training is 1.12 (4x6) to
 * 1.28 times (8x6) as fast (Zen 5, AVX-512). The smaller tables that are `shared` would only lose
 * the time for that, so they stay. Model files have the weights in the order of their indices.
 *
 * A symmetric form, such as a square, which has eight symmetries, shows the same cells in several
 * orders. With `shared` tables run() does not distinguish these: it takes the order whose digits
 * are the smallest number, the first cell being the most significant.
 */
#ifndef NXN_INDEXER_H
#define NXN_INDEXER_H

#include "boards/game.h"
#include "boards/simd/inline.h"

#include <stdbool.h>
#include <string.h>

enum {
	FEATURES_MAX = 512,
	FEATURES_STEP = 8,   /* number of features in a group */
	INDEXER_LEVELS = 64, /* maximal number of levels */
	ORDERS_MAX = 7,	     /* maximal number of other orders of a form */
};

/* Eight features: byte 8 f + j is for cell n - 1 - j of feature f. */
struct feature_group {
	/* Places in struct board; NO_PLACE after the last cell. */
	_Alignas(64) uint8_t place[8 * FEATURES_STEP];
	uint64_t first[FEATURES_STEP]; /* first index of the feature's table */
	uint64_t length[FEATURES_STEP];
};

enum { NO_PLACE = 0xff };

/* How the 64 bytes of a step hold the digits of its features, the last cell first. */
enum step_form {
	STEP_FOURS,  /* 16 features of up to four cells, four bytes each */
	STEP_HALVES, /* 8 features: the last four cells of each, then the four before them */
	STEP_EIGHTS, /* 8 features that have other orders, eight bytes each */
};

/* Features whose 32-bit indices are computed together, in registers of 32 or 64 bytes. */
struct feature_step {
	_Alignas(64) uint8_t place[64]; /* if dense: r * 4 + c */
	uint8_t order[ORDERS_MAX][64];	/* places in the 16 bytes that have the feature */
	uint32_t first[2 * FEATURES_STEP];
	uint32_t length[2 * FEATURES_STEP]; /* of 8 features twice */
	enum step_form form;
	int orders;
};

/* Another order of a group's cells: its byte 8 f + j is byte from[8 f + j] of feature f. */
struct feature_order {
	_Alignas(64) uint8_t from[8 * FEATURES_STEP];
};

struct indexer;

/*
 * For the features f < stride of BOARD, run() sets index[f] to the place of the index, run_wide()
 * to the index itself, in 64 bits where 32 are not enough; it has no shared tables. All instruction
 * sets give the same results.
 */
struct indexer_kernel {
	void (*run)(const struct indexer *indexer, const struct board *board, uint32_t *index);
	void (*run_wide)(const struct indexer *indexer, const struct board *board, uint64_t *index);
};

extern const struct indexer_kernel indexer_avx2, indexer_avx512;

struct indexer {
	int levels;
	int features;	/* number of features */
	int stride;	/* `features` rounded up to whole groups; the added ones have index 0 */
	int first_cold; /* tables of the features before are small, so caches hold them */
	int chunks;	/* number of 16-byte chunks, two rows each, of the shape */
	bool shared;	/* tables are for all tuples of a form */
	bool dense;	/* steps have places in four rows of four cells */
	struct indexer_kernel kernel;
	struct feature_group group[FEATURES_MAX / FEATURES_STEP];
	struct feature_step step[FEATURES_MAX / FEATURES_STEP];
	int steps;
	int orders[FEATURES_MAX / FEATURES_STEP]; /* most other orders of a feature, by group */
	struct feature_order order[FEATURES_MAX / FEATURES_STEP][ORDERS_MAX];
};

enum { PLACES_STEP = 1 << 16 }; /* weights that change places among each other */

/* Returns the index that has the place of INDEX, and the other way round. */
ALWAYS_INLINE uint64_t index_exchange(uint64_t index)
{
	return index ^ (index >> 10 & 0xffc0);
}

/* Returns the place of the weight of INDEX in memory; see the head of this file. */
ALWAYS_INLINE uint64_t index_place(const struct indexer *indexer, uint64_t index)
{
	return indexer->shared ? index : index_exchange(index);
}

/* Two indices in one load, since loads limit the speed of loops over indices. */
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
