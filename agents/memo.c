/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The transposition table: buckets of one cache line; see memo.h. */
#include "agents/memo.h"

#include "boards/bytes.h"

#include <math.h>
#include <sys/mman.h>

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

__extension__ typedef unsigned __int128 wide;

/* Odd constants without structure: the first digits of pi after the point, in hexadecimal. */
static const uint64_t digits[SIDE_MAX + 2] = {
    0x243f6a8885a308d3u, 0x13198a2e03707345u, 0xa4093822299f31d1u, 0x082efa98ec4e6c89u,
    0x452821e638d01377u, 0xbe5466cf34e90c6du, 0xc0ac29b7c97c50ddu, 0x3f84d5b5b5470917u,
};

/*
 * The NH family (Black, Halevi, Krawczyk, Krovetz, Rogaway: UMAC, CRYPTO 1999): two different
 * boards get the same 128-bit sum with probability 2^-64 over its constants. The depth goes into a
 * byte that no shape uses. Bucket and check are two different compressions of the sum.
 */
struct memo_key memo_key(const struct memo *memo, const struct board *after, int depth)
{
	wide sum = 0;
	uint64_t row[SIDE_MAX];
	for (int r = 0; r < SIDE_MAX; r++)
		row[r] = row_load(after->cell[r]);
	row[0] |= (uint64_t)depth << 56;
	for (int r = 0; r < SIDE_MAX; r += 2)
		sum += (wide)(row[r] + digits[r]) * (row[r + 1] + digits[r + 1]);
	uint64_t low = (uint64_t)sum, high = (uint64_t)(sum >> 64);
	uint64_t bucket = (low * digits[SIDE_MAX] ^ high * digits[SIDE_MAX + 1]) >> 24;
	uint64_t check = high ^ (low << 32 | low >> 32);
	struct memo_key key = {bucket & memo->mask, check ? check : 1};
	__builtin_prefetch(&memo->buckets[key.bucket]);
	return key;
}

bool memo_probe(struct memo *memo, struct memo_key key, double p, struct span *span)
{
	struct memo_entry *entry = memo->buckets[key.bucket].entry;
	for (int i = 0; i < BUCKET_ENTRIES; i++)
		if (entry[i].check == key.check && p >= (double)entry[i].low &&
		    p < (double)entry[i].high) {
			entry[i].generation = memo->now;
			*span = (struct span){entry[i].value, (double)entry[i].low,
					      (double)entry[i].high};
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
