/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ascending codes, packed; see packed_keys.h. */
#include "agents/solver/packed_keys.h"

#include <assert.h>

bool packed_keys_fit(int width, uint64_t count)
{
	return width >= 1 && width <= 64 && count <= UINT32_MAX &&
	       (width == 64 || count <= (uint64_t)1 << width);
}

void packed_keys_plan(struct packed_keys *packed, int width, uint64_t count)
{
	assert(packed_keys_fit(width, count));
	int prefix = count < 16 ? 0 : 63 - __builtin_clzll(count) - 3;
	const uint64_t buckets = (uint64_t)1 << prefix, rest = (uint64_t)(width - prefix);
	*packed = (struct packed_keys){
	    .width = width,
	    .rest = (int)rest,
	    .count = count,
	    .buckets = buckets,
	    .directory = (buckets + 2) / 2 * 8,
	    .rests = ((count * rest + 63) / 64 + 1) * 8,
	};
}

void packed_keys_put_directory(const struct packed_keys *packed, const uint64_t *code,
			       struct outflow *out)
{
	uint64_t begun = 0; /* buckets whose first code is known */
	for (uint64_t i = 0; i < packed->count; i++)
		for (uint64_t b = packed_keys_bucket(packed, code[i]); begun <= b; begun++)
			outflow_u32(out, (uint32_t)i);
	for (; begun <= packed->buckets; begun++)
		outflow_u32(out, (uint32_t)packed->count);
	if (packed->buckets % 2 == 0)
		outflow_u32(out, 0);
}

void packed_keys_put_rests(const struct packed_keys *packed, const uint64_t *code,
			   struct outflow *out)
{
	const int rest = packed->rest;
	const uint64_t mask = low_bits(rest);
	uint64_t word = 0;
	int used = 0;
	for (uint64_t i = 0; i < packed->count; i++) {
		const uint64_t x = code[i] & mask;
		word |= x << used;
		used += rest;
		if (used >= 64) {
			outflow_u64(out, word);
			used -= 64;
			word = used ? x >> (rest - used) : 0;
		}
	}
	if (used)
		outflow_u64(out, word);
	outflow_u64(out, 0);
}
