/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random streams without state between games.
 *
 * Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3, SC 2011)
 * maps a key and a counter to 128 random bits. Here the key is the seed and the counter is (draw,
 * stream, game). So the random numbers of a game depend only on (seed, stream, game index),
 * not on the number of threads or the order of the games, and two players of game i get the same
 * spawn draws.
 */
#ifndef NXN_RNG_H
#define NXN_RNG_H

#include <stdint.h>

/* Uses of random numbers. Different streams of the same seed and game are independent. */
enum rng_stream {
	RNG_SPAWN,
	RNG_AGENT,
	RNG_TRAIN,
	RNG_TEST = 4, /* do not change these numbers: they select the streams */
	RNG_SAMPLE,
	RNG_PLAYOUT,
	RNG_WEIGHTS, /* first weights of a network */
	RNG_SHUFFLE, /* order of training positions */
	RNG_TUNE,
	RNG_LAYOUT, /* starting positions of training games */
};

struct rng {
	uint32_t key[2];
	uint32_t counter[4];
	uint32_t block[4];
	unsigned used; /* words of `block` that were drawn */
};

void rng_init(struct rng *rng, uint64_t seed, enum rng_stream stream, uint64_t game);

/* Draws the next four words. */
void rng_refill(struct rng *rng);

static inline uint32_t rng_u32(struct rng *rng)
{
	if (rng->used == 4)
		rng_refill(rng);
	return rng->block[rng->used++];
}

/* Returns the number of words drawn so far; at most 2^34, which is more than any game needs. */
#define RNG_DRAWS_MAX (UINT64_C(1) << 34)
uint64_t rng_draws(const struct rng *rng);

/* Advances RNG, which is at its beginning, by DRAWS <= RNG_DRAWS_MAX words. */
void rng_skip(struct rng *rng, uint64_t draws);

/*
 * A uniform integer in 0 .. n-1, without bias; n > 0. Lemire, Fast random integer generation in an
 * interval, ACM TOMACS 29(1), 2019.
 */
static inline uint32_t rng_below(struct rng *rng, uint32_t n)
{
	uint64_t product = (uint64_t)rng_u32(rng) * n;
	if ((uint32_t)product < n) {
		const uint32_t threshold = -n % n;
		while ((uint32_t)product < threshold)
			product = (uint64_t)rng_u32(rng) * n;
	}
	return (uint32_t)(product >> 32);
}

/* A uniform real in [0, 1) with 53 bits. */
static inline double rng_real(struct rng *rng)
{
	const uint64_t high = rng_u32(rng);
	return (double)((high << 32 | rng_u32(rng)) >> 11) * 0x1p-53;
}

#endif
