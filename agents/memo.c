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

enum status memo_init(struct memo *memo, int64_t bytes, struct why *why)
{
	uint64_t buckets = 1;
	while (buckets * 2 * sizeof(struct memo_bucket) <= (uint64_t)bytes)
		buckets *= 2;
	size_t size = buckets * sizeof(struct memo_bucket);
	void *made = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (made == MAP_FAILED)
		return why_errno(why, "transposition table of %zu bytes", size);
	(void)madvise(made, size, MADV_HUGEPAGE); /* only advice: small pages serve as well */
	*memo = (struct memo){.buckets = made, .mask = buckets - 1, .now = 1};
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
	/* The depth goes into a byte that no shape uses: as a seed it would cancel against cells.
	 */
	struct board keyed = *after;
	keyed.cell[0][ROW_BYTES - 1] = (uint8_t)depth;
	XXH128_hash_t hash = XXH3_128bits(&keyed, sizeof keyed);
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
