/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random streams that need no state kept between games.
 *
 * Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3, SC 2011)
 * maps key and counter to 128 random bits. Here the key is the seed and the counter is (draw,
 * stream, game): what a game draws depends on (seed, stream, game index) alone, whatever the number
 * of threads or the order of the games, and two players of game i see the same spawn draws.
 */
#ifndef NXN_RNG_H
#define NXN_RNG_H

#include <stdint.h>

/* Separate uses of one (seed, game) do not share draws. */
enum rng_stream {
	RNG_SPAWN,
	RNG_AGENT,
	RNG_TRAIN,
	RNG_TEST = 4, /* another number is another stream */
	RNG_SAMPLE,
	RNG_PLAYOUT,
	RNG_WEIGHTS, /* of a network before it learns */
	RNG_SHUFFLE, /* of training positions */
	RNG_TUNE,
	RNG_LAYOUT, /* that training games start from */
};

struct rng {
	uint32_t key[2];
	uint32_t counter[4];
	uint32_t block[4];
	unsigned used; /* words of block handed out */
};

void rng_init(struct rng *rng, uint64_t seed, enum rng_stream stream, uint64_t game);

uint32_t rng_u32(struct rng *rng);

/* The words that have been drawn; at most 2^34, which outlasts any game. */
#define RNG_DRAWS_MAX (UINT64_C(1) << 34)
uint64_t rng_draws(const struct rng *rng);

/* RNG, just begun, as it is after DRAWS <= RNG_DRAWS_MAX words. */
void rng_skip(struct rng *rng, uint64_t draws);

/* Uniform on 0 .. n-1, without bias. n > 0. */
uint32_t rng_below(struct rng *rng, uint32_t n);

/* Uniform on [0, 1), 53 bits. */
double rng_real(struct rng *rng);

#endif
