/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Packed codes; see codes.h.
 *
 *	directory  buckets + 1 numbers of 32 bits: how many codes lie in the buckets before; a zero
 *	           fills it up to 8 bytes
 *	rests      code i from bit i * rest on, first bits lowest, in words of 64 bits; one word more,
 *	           so that two may be read wherever a code begins
 *
 * This is the high-bits, low-bits split of Elias (Efficient storage and retrieval by content and
 * address of static files, J. ACM 21, 1974), with plain counts instead of a unary code, for they
 * are looked up at once.
 */
#include "agents/solver/codes.h"

#include <assert.h>

bool codes_fit(int width, uint64_t count)
{
	return width >= 1 && width <= 64 && count <= UINT32_MAX &&
	       (width == 64 || count <= (uint64_t)1 << width);
}

void codes_plan(struct codes *codes, int width, uint64_t count)
{
	assert(codes_fit(width, count));
	int prefix = count < 16 ? 0 : 63 - __builtin_clzll(count) - 3;
	const uint64_t buckets = (uint64_t)1 << prefix, rest = (uint64_t)(width - prefix);
	*codes = (struct codes){
	    .width = width,
	    .rest = (int)rest,
	    .count = count,
	    .buckets = buckets,
	    .directory = (buckets + 2) / 2 * 8,
	    .rests = ((count * rest + 63) / 64 + 1) * 8,
	};
}

void codes_put_directory(const struct codes *codes, const uint64_t *code, struct outflow *out)
{
	uint64_t begun = 0; /* buckets whose first code is known */
	for (uint64_t i = 0; i < codes->count; i++)
		for (uint64_t b = codes_bucket(codes, code[i]); begun <= b; begun++)
			outflow_u32(out, (uint32_t)i);
	for (; begun <= codes->buckets; begun++)
		outflow_u32(out, (uint32_t)codes->count);
	if (codes->buckets % 2 == 0)
		outflow_u32(out, 0);
}

static uint64_t low_bits(int n)
{
	return ~(uint64_t)0 >> (64 - n);
}

void codes_put_rests(const struct codes *codes, const uint64_t *code, struct outflow *out)
{
	const int rest = codes->rest;
	const uint64_t mask = low_bits(rest);
	uint64_t word = 0;
	int used = 0;
	for (uint64_t i = 0; i < codes->count; i++) {
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

/* Bits as they flow in. */
struct bits {
	struct inflow *in;
	uint64_t word; /* the next bits, lowest first */
	int have;
};

static inline uint64_t bits_take(struct bits *bits, int n)
{
	uint64_t x = bits->word;
	if (bits->have >= n) {
		bits->word = n < 64 ? x >> n : 0;
		bits->have -= n;
		return x & low_bits(n);
	}
	const int missing = n - bits->have;
	const uint64_t next = inflow_u64(bits->in);
	x |= next << bits->have;
	bits->word = missing < 64 ? next >> missing : 0;
	bits->have = 64 - missing;
	return x & low_bits(n);
}

bool codes_get(const struct codes *codes, struct inflow *directory, struct inflow *rests,
	       uint64_t *code)
{
	struct bits bits = {.in = rests};
	uint64_t i = 0;
	if (inflow_u32(directory) != 0)
		return false;
	for (uint64_t b = 0; b < codes->buckets; b++) {
		const uint64_t end = inflow_u32(directory);
		const uint64_t first = codes->buckets > 1 ? b << codes->rest : 0;
		if (end < i || end > codes->count)
			return false;
		for (; i < end; i++)
			code[i] = first | bits_take(&bits, codes->rest);
	}
	return i == codes->count;
}

static inline uint64_t rest_at(const uint64_t *words, uint64_t i, int rest)
{
	const uint64_t bit = i * (uint64_t)rest;
	const uint64_t *at = words + bit / 64;
	const int shift = (int)(bit % 64);
	const uint64_t x = le64toh(at[0]) >> shift | le64toh(at[1]) << 1 << (63 - shift);
	return x & low_bits(rest);
}

uint64_t codes_find(const struct codes *codes, const void *directory, const void *rests,
		    uint64_t code)
{
	const uint32_t *starts = directory;
	const uint64_t bucket = codes_bucket(codes, code);
	const uint64_t x = code & low_bits(codes->rest);
	if (bucket >= codes->buckets)
		return codes->count;
	uint64_t end = le32toh(starts[bucket + 1]);
	end = end < codes->count ? end : codes->count;
	for (uint64_t i = le32toh(starts[bucket]); i < end; i++) {
		const uint64_t y = rest_at(rests, i, codes->rest);
		if (y >= x)
			return y == x ? i : codes->count;
	}
	return codes->count;
}
