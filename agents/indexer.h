/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the weights of what a board shows are: the mixed-radix indices of all features at once.
 *
 * A feature is an n-tuple seen in one symmetric image of the board: at most eight cells, in order.
 * Its index is its table's first plus sum of d_j * levels^j, where d_j is the exponent in cell j, or
 * levels - 1 if that is less. Compiled for each instruction set; all give the same.
 */
#ifndef NXN_INDEXER_H
#define NXN_INDEXER_H

#include "agents/patterns.h"

#include <stddef.h>

enum {
	FEATURES_MAX = 512,
	FEATURES_STEP = 8,   /* features come in groups of so many */
	INDEXER_LEVELS = 64, /* most levels */
};

/* Eight features: byte 8 f + j is for cell j of feature f. */
struct feature_group {
	_Alignas(
	    64) uint8_t place[8 * FEATURES_STEP]; /* in struct board; NO_PLACE behind the last */
	uint64_t first[FEATURES_STEP];		  /* of the feature's table */
};

enum { NO_PLACE = 0xff };

struct indexer {
	int levels;
	int features; /* those there are */
	int stride;   /* the same, filled up to whole groups with features that are always 0 */
	int chunks;   /* halves of two rows, 16 bytes each, that the shape has */
	/* out[i * stride + f] for boards[i], i < n, f < stride */
	void (*run)(const struct indexer *indexer, const struct board *boards, size_t n,
		    uint32_t *out);
	struct feature_group group[FEATURES_MAX / FEATURES_STEP];
};

/*
 * For the first SYMMETRIES of GAME's symmetric images of each pattern: feature p * SYMMETRIES + i is
 * image i of pattern p. Every pattern has a table of levels^length entries, one behind the other;
 * returns the number of all, which may be more than an index can tell (2^32): then the indexer is
 * not to be used. At most FEATURES_MAX features, levels from 2 to INDEXER_LEVELS.
 */
uint64_t indexer_init(struct indexer *indexer, const struct game *game,
		      const struct patterns *patterns, int symmetries, int levels);

/* The kernels. */
void indexer_portable(const struct indexer *indexer, const struct board *boards, size_t n,
		      uint32_t *out);
void indexer_avx2(const struct indexer *indexer, const struct board *boards, size_t n,
		  uint32_t *out);
void indexer_avx512(const struct indexer *indexer, const struct board *boards, size_t n,
		    uint32_t *out);

#endif
