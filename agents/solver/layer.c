/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Layers; see layer.h.
 *
 * Codes are spread evenly, so with a start for every one or two of them the entry is next to
 * where the directory points; behind the last one stands a code that no other exceeds, so that a
 * search ends. Look-ups come in batches, whose cache misses overlap: of the directory first, then
 * of the entries.
 */
#include "agents/solver/layer.h"

bool layer_reserve(struct budget *budget, struct layer *layer, size_t n, bool values)
{
	if (n >= UINT32_MAX) {
		atomic_store(&budget->wish, (uint64_t)n * (sizeof(uint64_t) + sizeof(double)));
		return false;
	}
	return buffer_reserve(budget, &layer->codes, n + 1, sizeof(uint64_t)) &&
	       (!values || buffer_reserve(budget, &layer->values, n + 1, sizeof(double)));
}

bool layer_index(struct budget *budget, struct layer *layer, int width)
{
	int bits = 0;
	while (bits < width - 1 && layer->n >> (bits + 1))
		bits++;
	const size_t buckets = (size_t)1 << bits;
	if (!buffer_reserve(budget, &layer->starts, buckets + 1, sizeof(uint32_t)))
		return false;
	layer->shift = width - bits;
	uint32_t *starts = layer->starts.data;
	uint64_t *code = layer_codes(layer);
	size_t next = 0;
	code[layer->n] = UINT64_MAX;
	for (size_t i = 0; i < layer->n; i++) {
		/* A width of 64 and no bits would be a shift by 64; then all are in the only bucket. */
		const size_t bucket = bits ? code[i] >> layer->shift : 0;
		while (next <= bucket)
			starts[next++] = (uint32_t)i;
	}
	while (next <= buckets)
		starts[next++] = (uint32_t)layer->n;
	return true;
}

static const uint32_t *layer_start(const struct layer *layer, uint64_t code)
{
	const uint32_t *starts = layer->starts.data;
	return &starts[layer->shift < 64 ? code >> layer->shift : 0];
}

size_t layer_seek(const struct layer *layer, uint64_t code)
{
	const uint64_t *codes = layer_codes(layer);
	size_t i = *layer_start(layer, code);
	while (i < layer->n && codes[i] < code)
		i++;
	return i < layer->n && codes[i] == code ? i : SIZE_MAX;
}

void layer_find(const struct layer *layer, const uint64_t *code, size_t n, double *out)
{
	enum { BATCH = 64 };
	const uint64_t *codes = layer_codes(layer);
	const double *values = layer_values(layer);
	for (; n > 0; code += BATCH, out += BATCH) {
		const size_t some = n < BATCH ? n : BATCH;
		size_t at[BATCH];
		for (size_t i = 0; i < some; i++)
			__builtin_prefetch(layer_start(layer, code[i]));
		for (size_t i = 0; i < some; i++) {
			at[i] = *layer_start(layer, code[i]);
			__builtin_prefetch(codes + at[i]);
			__builtin_prefetch(values + at[i]);
		}
		for (size_t i = 0; i < some; i++) {
			while (codes[at[i]] < code[i])
				at[i]++;
			out[i] = values[at[i]];
		}
		n -= some;
	}
}

void layer_free(struct budget *budget, struct layer *layer)
{
	buffer_free(budget, &layer->codes);
	buffer_free(budget, &layer->values);
	buffer_free(budget, &layer->starts);
	*layer = (struct layer){0};
}
