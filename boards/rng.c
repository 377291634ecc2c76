/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Philox4x32-10 through Random123 (Salmon et al., SC 2011); see rng.h.
 *
 * Counter words: block number, stream, game (low, high). Key: seed (low, high). A block gives four
 * draws; 2^32 blocks outlast any game. Check value, from Random123's kat_vectors: counter and key
 * all zero give 6627e8d5 e169c58d bc57ac4c 9b00dbd8.
 */
#include "boards/rng.h"

#include <Random123/philox.h>

void rng_init(struct rng *rng, uint64_t seed, enum rng_stream stream, uint64_t game)
{
	*rng = (struct rng){
	    .key = {(uint32_t)seed, (uint32_t)(seed >> 32)},
	    .counter = {0, (uint32_t)stream, (uint32_t)game, (uint32_t)(game >> 32)},
	    .used = 4,
	};
}

void rng_refill(struct rng *rng)
{
	philox4x32_key_t key = {{rng->key[0], rng->key[1]}};
	philox4x32_ctr_t counter = {
	    {rng->counter[0], rng->counter[1], rng->counter[2], rng->counter[3]}};
	philox4x32_ctr_t bits = philox4x32(counter, key);
	for (int i = 0; i < 4; i++)
		rng->block[i] = bits.v[i];
	rng->counter[0]++;
	rng->used = 0;
}

uint64_t rng_draws(const struct rng *rng)
{
	return (uint64_t)rng->counter[0] * 4 + rng->used - 4;
}

void rng_skip(struct rng *rng, uint64_t draws)
{
	rng->counter[0] = (uint32_t)(draws / 4);
	if (draws % 4)
		rng_refill(rng);
	rng->used = draws % 4 ? (unsigned)(draws % 4) : 4;
}
