/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A layer of a solver: the codes (boards/simd/keys.h) of all positions whose tiles sum to the
 * same, in ascending order, with a value each, and a directory to find them.
 */
#ifndef NXN_LAYER_H
#define NXN_LAYER_H

#include "agents/solver/budget.h"

struct layer {
	uint64_t sum;
	size_t n;
	struct buffer codes;  /* uint64_t [n] */
	struct buffer values; /* double [n] */
	/* Private: starts[code >> shift] is the first entry with such bits, or a later one. */
	struct buffer starts; /* uint32_t */
	int shift;
};

static inline uint64_t *layer_codes(const struct layer *layer)
{
	return layer->codes.data;
}

static inline double *layer_values(const struct layer *layer)
{
	return layer->values.data;
}

/* Room for N codes, and with VALUES for as many values; at most 2^32 - 2. False if there is none. */
bool layer_reserve(struct budget *budget, struct layer *layer, size_t n, bool values);

/* To be called when the codes, of WIDTH bits, are there, before layer_find(). False: no room. */
bool layer_index(struct budget *budget, struct layer *layer, int width);

/* OUT[i] = the value of CODE[i], i < n, all of which are in the layer; of others it means nothing. */
void layer_find(const struct layer *layer, const uint64_t *code, size_t n, double *out);

/* The entry of CODE, or SIZE_MAX. */
size_t layer_seek(const struct layer *layer, uint64_t code);

void layer_free(struct budget *budget, struct layer *layer);

#endif
