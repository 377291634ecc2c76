/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The transposition table: buckets of one cache line; see memo.h. */
#include "agents/memo.h"

#include <math.h>
#include <sys/mman.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

/* The interval is kept in float, rounded inwards, so that an entry never claims too much. */
struct memo_entry {
	uint64_t check; /* 0: empty */
	double value;
	float low, high;
	uint32_t generation;
	int32_t depth;
};

enum { BUCKET_ENTRIES = 2 };

struct memo_bucket {
	_Alignas(64) struct memo_entry entry[BUCKET_ENTRIES];
};

enum status memo_init(struct memo *memo, int rows, int64_t bytes, struct why *why)
{
	uint64_t buckets = 1;
	while (buckets * 2 * sizeof(struct memo_bucket) <= (uint64_t)bytes)
		buckets *= 2;
	struct memo_bucket *made =
	    aligned_alloc(sizeof(struct memo_bucket), buckets * sizeof(struct memo_bucket));
	if (!made)
		return why_set(why, STATUS_SYSTEM, "out of memory for a table of %lld bytes",
			       (long long)bytes);
	memset(made, 0, buckets * sizeof *made);
	*memo = (struct memo){.buckets = made, .mask = buckets - 1, .now = 1, .rows = rows};
	return STATUS_OK;
}

void memo_fini(struct memo *memo)
{
	if (memo->buckets)
		munmap(memo->buckets, (memo->mask + 1) * sizeof *memo->buckets);
	memo->buckets = NULL;
}

void memo_age(struct memo *memo)
{
	memo->now++;
}

struct memo_key memo_key(const struct memo *memo, const struct board *after, int depth)
{
	size_t bytes = (size_t)memo->rows * ROW_BYTES;
	XXH128_hash_t hash = XXH3_128bits_withSeed(after, bytes, (uint64_t)depth);
	struct memo_key key = {hash.low64 & memo->mask, hash.high64 ? hash.high64 : 1};
	__builtin_prefetch(&memo->buckets[key.bucket]);
	return key;
}

bool memo_probe(struct memo *memo, struct memo_key key, double p, struct span *span)
{
	struct memo_entry *entry = memo->buckets[key.bucket].entry;
	memo->probes++;
	for (int i = 0; i < BUCKET_ENTRIES; i++)
		if (entry[i].check == key.check && p >= (double)entry[i].low &&
		    p < (double)entry[i].high) {
			entry[i].generation = memo->now;
			*span = (struct span){entry[i].value, (double)entry[i].low,
					      (double)entry[i].high};
			memo->hits++;
			return true;
		}
	return false;
}

static float float_above(double x)
{
	float y = (float)x;
	return (double)y < x ? nextafterf(y, INFINITY) : y;
}

static float float_below(double x)
{
	float y = (float)x;
	return (double)y > x ? nextafterf(y, 0) : y;
}

void memo_store(struct memo *memo, struct memo_key key, int depth, const struct span *span)
{
	struct memo_entry *entry = memo->buckets[key.bucket].entry, *worst = entry;
	for (int i = 1; i < BUCKET_ENTRIES; i++)
		if (entry[i].generation < worst->generation ||
		    (entry[i].generation == worst->generation && entry[i].depth < worst->depth))
			worst = &entry[i];
	*worst = (struct memo_entry){
	    key.check, span->value, float_above(span->low), float_below(span->high),
	    memo->now, depth};
}
