/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * N-tuple networks: a position is worth the sum of the weights of what its tuples show.
 *
 *	V(b) = v0 + sum over features f of weight[stage(b)][index_f(b)]        (points)
 *
 * Features are the tuples in all symmetric images, or in one; images of one tuple share its table
 * (Szubert, Jaskowski: Temporal difference learning of n-tuple networks for the game 2048, CIG 2014).
 *
 * Exponents from `levels` on are above the tables: they are read as levels - 1, or, with `downgrade`,
 * tiles are halved as follows while one is too large: all tiles above the largest exponent that is
 * missing on the board below the largest (Guei, Chen, Wu: Optimistic temporal difference learning for
 * 2048, IEEE TG 2021, tile-downgrading).
 *
 * Stages (Yeh et al., IEEE TCIAIG 2017): a board belongs to stage s if its largest tile has reached
 * s of the thresholds; each stage has weights of its own. A weight of 0 was never learned and
 * stands for that of the stage before: weight promotion (Jaskowski, Mastering 2048 with delayed
 * temporal coherence learning, IEEE TG 2018), without copying what nobody visits.
 *
 * Weights on demand: all exponents of 6x6 have 10^11 indices. Such a network has a block of 64 weights
 * for a box of 64 indices (agents/ntuple/indexer.h) from when network_grow() first asks for one of them;
 * without a block they are worth 0. `index` is then the place in the blocks.
 */
#ifndef NXN_NETWORK_H
#define NXN_NETWORK_H

#include "agents/ntuple/indexer.h"
#include "boards/board.h"
#include "boards/simd/inline.h"

enum {
	STAGES_MAX = 8,
	NETWORK_BOX = 64, /* indices of a box, in a network on demand */
};

enum network_above { ABOVE_CAP, ABOVE_DOWNGRADE };

/* How far the updates of a weight agreed; see agents/ntuple/td.h. */
struct coherence {
	float sum, size; /* of updates, and of their absolute values */
};

/* What a network looks like, before it has weights. */
struct network_plan {
	const char *tuples; /* as patterns_read() reads them */
	int symmetries;	    /* 1, or game->symmetries */
	int levels;	    /* 0: as many as network_levels() says */
	enum network_above above;
	int stages;		       /* 1 .. STAGES_MAX */
	uint8_t threshold[STAGES_MAX]; /* threshold[s], s < stages - 1: exponent; ascending */
	bool coherence;		       /* there is to be a struct coherence for every weight */
	bool on_demand;		       /* weights in blocks that exist when asked for; one stage */
	bool visits;		       /* with on_demand: a number of updates for every weight */
	double start;		       /* v0, points */
};

struct network {
	const struct game *game;
	struct network_plan plan; /* its `tuples` is not to be used */
	struct patterns patterns;
	struct indexer indexer;
	uint64_t size;		     /* weights of a stage; on demand: of all blocks there can be */
	float *weight;		     /* weight[s * size + i]  s < stages, i < size; points */
	struct coherence *coherence; /* likewise; NULL without */
	/*
	 * On demand only. Weight j of the box i / 64, j = i % 64, is weight[block * directory[box] + j],
	 * and with visits the number of its updates is behind it by another 64.
	 */
	uint32_t block; /* floats of a block */
	uint64_t boxes; /* of all tuples */
	uint32_t *
	    directory; /* directory[box]: its block, 0 as long as it has none; NULL: not on demand */
	uint64_t *box;	   /* box[b]: whose block it is, 0 < b < blocks */
	uint64_t blocks;   /* in use; block 0 stays zero */
	uint64_t capacity; /* blocks that there can be */
};

/* The levels that a shape has by default: enough for the tiles that strong players reach. */
int network_levels(const struct game *game);

/*
 * Maps the tables of PLAN for GAME. STATUS_INPUT if the tuples cannot be read or there are too many
 * features or weights (2^32 a stage, but on demand); STATUS_SYSTEM if the tables may outgrow the memory,
 * or on demand the address space.
 */
MUST_USE enum status network_init(struct network *network, const struct game *game,
				  const struct network_plan *plan, struct why *why);

/* Of a zeroed struct, too. */
void network_fini(struct network *network);

/*
 * The indices of the features of BOARD, index[f], f < indexer.stride, and the stage that they are for.
 * Asks for their weights, to be used later.
 */
int network_look(const struct network *network, const struct board *board, uint32_t *index);

/*
 * For a network on demand: the same after all features of BOARD have got a block. False if no
 * more are to be had.
 */
bool network_grow(struct network *network, const struct board *board, uint32_t *index);

/* Gives BOX < boxes a block; false if it has one, or no more are to be had. */
bool network_box_add(struct network *network, uint64_t box);

/* The stage of a board. */
int network_stage(const struct network *network, const struct board *board);

/*
 * Asks for what is needed to update the weights of the features. Always inlined: gcc 12 takes a
 * function that only prefetches for one without effect and drops calls of it.
 */
ALWAYS_INLINE void network_prefetch_coherence(const struct network *network, int stage,
					      const uint32_t *index)
{
	for (int f = 0; network->plan.visits && f < network->indexer.features; f++)
		__builtin_prefetch(&network->weight[index[f] + NETWORK_BOX], 1);
	if (!network->coherence)
		return;
	const struct coherence *c = network->coherence + (uint64_t)stage * network->size;
	for (int f = 0; f < network->indexer.features; f++)
		__builtin_prefetch(&c[index[f]], 1);
}

/* The weight itself, or for want of it that of the stage before. */
RACES static inline float network_weight(const struct network *network, int stage, uint32_t index)
{
	const float *weight = network->weight + index;
	float w = weight[(uint64_t)stage * network->size];
	while (__builtin_expect(w == 0 && stage > 0, 0))
		w = weight[(uint64_t)--stage * network->size];
	return w;
}

/* FROM and the weights of a network on demand, added one after the other in double precision. */
static inline double network_sum_exact(const struct network *network, double from,
				       const uint32_t *index)
{
	for (int f = 0; f < network->indexer.features; f++)
		from += (double)network->weight[index[f]];
	return from;
}

/* network_sum() where weights may have to be promoted. */
RACES float network_sum_staged(const struct network *network, int stage, const uint32_t *index);

/*
 * V of what has these indices. Added up in four sums, so that one need not wait for another, and
 * the same on every machine.
 */
RACES static inline float network_sum(const struct network *network, int stage,
				      const uint32_t *index)
{
	const int features = network->indexer.features;
	const float *weight = network->weight;
	float a = 0, b = 0, c = 0, d = 0;
	int f = 0;
	if (__builtin_expect(stage > 0, 0))
		return network_sum_staged(network, stage, index);
	for (; f + 4 <= features; f += 4) {
		const struct index_pair ab = index_two(index + f), cd = index_two(index + f + 2);
		a += weight[ab.a];
		b += weight[ab.b];
		c += weight[cd.a];
		d += weight[cd.b];
	}
	for (; f < features; f++)
		a += weight[index[f]];
	return (float)network->plan.start + ((a + b) + (c + d));
}

/* out[i]: V(boards[i]), i < n. */
void network_eval(const struct network *network, const struct board *boards, size_t n, double *out);

#endif
