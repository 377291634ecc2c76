/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The transposition table: what is not in the header for speed; see tt.h. */
#include "agents/search/tt.h"

#include <math.h>
#include <sys/mman.h>

enum { DEPTH_MASK = TT_LIMITED - 1 };

enum status tt_init(struct transposition_table *tt, const struct game *game, int64_t bytes,
		    struct why *why)
{
	uint64_t buckets = 1;
	while (buckets * 2 * sizeof(struct tt_bucket) <= (uint64_t)bytes)
		buckets *= 2;
	size_t size = buckets * sizeof(struct tt_bucket);
	void *made = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (made == MAP_FAILED)
		return why_errno(why, "transposition table of %zu bytes", size);
	(void)madvise(made, size, MADV_HUGEPAGE); /* only advice: small pages serve as well */
	*tt = (struct transposition_table){.buckets = made,
					   .all = buckets - 1,
					   .mask = buckets - 1,
					   .now = 1,
					   .narrow = game->cols * 2 <= ROW_BYTES};
	return STATUS_OK;
}

void tt_fini(struct transposition_table *tt)
{
	if (tt->buckets)
		munmap(tt->buckets, (tt->all + 1) * sizeof *tt->buckets);
	tt->buckets = NULL;
}

void tt_age(struct transposition_table *tt)
{
	tt->now++;
}

void tt_suit(struct transposition_table *tt, uint64_t entries)
{
	uint64_t mask = tt->all;
	while (mask && mask / 2 >= entries)
		mask /= 2;
	tt->mask = mask;
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

static void entry_write(struct tt_entry *entry, uint64_t check, uint64_t value, uint64_t interval,
			uint64_t rest)
{
	const uint64_t word[4] = {check ^ value ^ interval ^ rest, value, interval, rest};
#pragma GCC unroll 4
	for (int i = 0; i < 4; i++)
		atomic_store_explicit(&entry->word[i], word[i], memory_order_relaxed);
}

static uint64_t this_generation(const struct transposition_table *tt)
{
	return (uint64_t)tt->now << 32;
}

void tt_renew(struct transposition_table *tt, struct tt_key key, int entry, uint64_t value,
	      uint64_t interval, uint64_t rest)
{
	entry_write(&tt->buckets[key.bucket].entry[entry], key.check, value, interval,
		    this_generation(tt) | (uint32_t)rest);
}

/* How much an entry would be missed: an older one not at all, a shallow one less. */
static uint64_t entry_worth(const struct transposition_table *tt, const struct tt_entry *entry)
{
	const uint64_t rest = tt_word(entry, 3);
	return rest >> 32 == tt->now ? 1 + (rest & DEPTH_MASK) : 0;
}

void tt_store(struct transposition_table *tt, struct tt_key key, int depth, const struct span *span)
{
	struct tt_entry *entry = tt->buckets[key.bucket].entry;
	const float ends[2] = {float_above(span->low), float_below(span->high)};
	uint64_t value, interval;
	memcpy(&value, &span->value, sizeof value);
	memcpy(&interval, ends, sizeof interval);
	const int worst = entry_worth(tt, &entry[1]) < entry_worth(tt, &entry[0]);
	entry_write(&entry[worst], key.check, value, interval,
		    this_generation(tt) | (span->limited ? TT_LIMITED : 0) | (uint32_t)depth);
}
