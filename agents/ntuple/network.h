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
 */
#ifndef NXN_NETWORK_H
#define NXN_NETWORK_H

#include "agents/ntuple/indexer.h"
#include "boards/board.h"
#include "boards/simd/inline.h"

enum { STAGES_MAX = 8 };

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
	double start;		       /* v0, points */
};

struct network {
	const struct game *game;
	struct network_plan plan; /* its `tuples` is not to be used */
	struct patterns patterns;
	struct indexer indexer;
	uint64_t size;		     /* weights of a stage */
	float *weight;		     /* weight[s * size + i]  s < stages, i < size; points */
	struct coherence *coherence; /* likewise; NULL without */
};

/* The levels that a shape has by default: enough for the tiles that strong players reach. */
int network_levels(const struct game *game);

/*
 * Maps the tables of PLAN for GAME. STATUS_INPUT if the tuples cannot be read or there are too many
 * features or weights (2^32 a stage); STATUS_SYSTEM if the tables may outgrow the memory.
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

/* The stage of a board. */
int network_stage(const struct network *network, const struct board *board);

/*
 * Asks for what is needed to update the weights of the features. Always inlined: gcc 12 takes a
 * function that only prefetches for one without effect and drops calls of it.
 */
ALWAYS_INLINE void network_prefetch_coherence(const struct network *network, int stage,
					      const uint32_t *index)
{
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
