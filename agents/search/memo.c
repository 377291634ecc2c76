/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The transposition table: what is not in the header for speed; see memo.h. */
#include "agents/search/memo.h"

#include <math.h>
#include <sys/mman.h>

enum { DEPTH_MASK = MEMO_LIMITED - 1 };

enum status memo_init(struct memo *memo, const struct game *game, int64_t bytes, struct why *why)
{
	uint64_t buckets = 1;
	while (buckets * 2 * sizeof(struct memo_bucket) <= (uint64_t)bytes)
		buckets *= 2;
	size_t size = buckets * sizeof(struct memo_bucket);
	void *made = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (made == MAP_FAILED)
		return why_errno(why, "transposition table of %zu bytes", size);
	(void)madvise(made, size, MADV_HUGEPAGE); /* only advice: small pages serve as well */
	*memo = (struct memo){.buckets = made,
			      .all = buckets - 1,
			      .mask = buckets - 1,
			      .now = 1,
			      .narrow = game->cols * 2 <= ROW_BYTES};
	return STATUS_OK;
}

void memo_fini(struct memo *memo)
{
	if (memo->buckets)
		munmap(memo->buckets, (memo->all + 1) * sizeof *memo->buckets);
	memo->buckets = NULL;
}

void memo_age(struct memo *memo)
{
	memo->now++;
}

void memo_suit(struct memo *memo, uint64_t entries)
{
	uint64_t mask = memo->all;
	while (mask && mask / 2 >= entries)
		mask /= 2;
	memo->mask = mask;
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

static void entry_write(struct memo_entry *entry, uint64_t check, uint64_t value, uint64_t interval,
			uint64_t rest)
{
	const uint64_t word[4] = {check ^ value ^ interval ^ rest, value, interval, rest};
#pragma GCC unroll 4
	for (int i = 0; i < 4; i++)
		atomic_store_explicit(&entry->word[i], word[i], memory_order_relaxed);
}

static uint64_t this_generation(const struct memo *memo)
{
	return (uint64_t)memo->now << 32;
}

void memo_renew(struct memo *memo, struct memo_key key, int entry, uint64_t value,
		uint64_t interval, uint64_t rest)
{
	entry_write(&memo->buckets[key.bucket].entry[entry], key.check, value, interval,
		    this_generation(memo) | (uint32_t)rest);
}

/* How much an entry would be missed: an older one not at all, a shallow one less. */
static uint64_t entry_worth(const struct memo *memo, const struct memo_entry *entry)
{
	const uint64_t rest = memo_word(entry, 3);
	return rest >> 32 == memo->now ? 1 + (rest & DEPTH_MASK) : 0;
}

void memo_store(struct memo *memo, struct memo_key key, int depth, const struct span *span)
{
	struct memo_entry *entry = memo->buckets[key.bucket].entry;
	const float ends[2] = {float_above(span->low), float_below(span->high)};
	uint64_t value, interval;
	memcpy(&value, &span->value, sizeof value);
	memcpy(&interval, ends, sizeof interval);
	const int worst = entry_worth(memo, &entry[1]) < entry_worth(memo, &entry[0]);
	entry_write(&entry[worst], key.check, value, interval,
		    this_generation(memo) | (span->limited ? MEMO_LIMITED : 0) | (uint32_t)depth);
}
