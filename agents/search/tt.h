/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A transposition table of fixed size for the chance nodes of a search with a probability cutoff.
 *
 * What a memoised value means. With a cutoff, the value of an after-state depends on the remaining
 * depth and also on the probability p of the path that led to it, because p decides which of its
 * descendants are cut off. But only through that: for all p in an interval [low, high) the same
 * descendants are cut off and the value is the same. A search knows the interval when it returns,
 * so an entry holds it, and a probe succeeds only for a p inside. A search with the table therefore
 * returns exactly what the recurrence without it returns, in whatever order positions come, and an
 * entry stays true for ever, across moves and games.
 *
 * Entries are filed under a 64-bit hash of the position and depth besides the bits that choose the
 * bucket (about 2^-64 a probe for two positions to be confused).
 *
 * Threads share a table without locks: the words of an entry are read and written one by one, and
 * an entry of which another thread has changed some words meanwhile is not recognised, because the
 * hash is stored mixed with the rest (Hyatt and Mann, A lock-less transposition table
 * implementation for parallel search, ICGA Journal 25, 2002).
 */
#ifndef NXN_TT_H
#define NXN_TT_H

#include "boards/board.h"
#include "boards/simd/bytes.h"

#include <stdatomic.h>

enum { TT_ENTRIES = 2, TT_LIMITED = 1 << 8 };

/*
 * word[0]: the hash, exclusive-or the other words; word[1]: the value; word[2]: the interval in
 * float, rounded inwards, so that an entry never claims too much; word[3]: generation << 32 |
 * TT_LIMITED | depth. All 0: empty.
 */
struct tt_entry {
	_Atomic uint64_t word[4];
};

/* A line of the cache. */
struct tt_bucket {
	_Alignas(64) struct tt_entry entry[TT_ENTRIES];
};

struct transposition_table {
	struct tt_bucket *buckets;
	uint64_t all;  /* buckets - 1 */
	uint64_t mask; /* the same of those in use */
	uint32_t now;  /* generation of new entries */
	bool forgets;  /* entries of older generations are not there */
	bool narrow;   /* two rows of the game fit into a word */
};

/* A value, the path probabilities it is true for, and whether more depth could change it. */
struct span {
	double value, low, high;
	bool limited;
};

struct tt_key {
	uint64_t bucket, check;
};

/*
 * For after-states of GAME: at most BYTES of memory, at least one bucket. STATUS_SYSTEM when it
 * cannot be had.
 */
MUST_USE enum status tt_init(struct transposition_table *tt, const struct game *game, int64_t bytes,
			     struct why *why);
void tt_fini(struct transposition_table *tt);

/* Entries made before this call are the first to be replaced. No other thread may be using it. */
void tt_age(struct transposition_table *tt);

/*
 * Uses as much of the table as suits ENTRIES, so that a small search stays in the caches of the
 * processor. Most entries are lost when that changes. No other thread may be using it.
 */
void tt_suit(struct transposition_table *tt, uint64_t entries);

/* Files SPAN, replacing an older or shallower entry when the bucket is full. */
void tt_store(struct transposition_table *tt, struct tt_key key, int depth,
	      const struct span *span);

__extension__ typedef unsigned __int128 tt_sum;

/*
 * The NH family (Black, Halevi, Krawczyk, Krovetz, Rogaway: UMAC, CRYPTO 1999) over the rows and
 * the depth (below 256): two different inputs get the same 128-bit sum with probability 2^-64 over
 * its constants. Bucket and check are two different compressions of the sum. Asks for the cache
 * line of the bucket as well.
 */
static inline struct tt_key tt_key(const struct transposition_table *tt, const struct board *after,
				   int depth)
{
	/* Odd, without structure: the first digits of pi after the point, in hexadecimal. */
	const uint64_t d0 = 0x243f6a8885a308d3u, d1 = 0x13198a2e03707345u, d2 = 0xa4093822299f31d1u,
		       d3 = 0x082efa98ec4e6c89u, d4 = 0x452821e638d01377u, d5 = 0xbe5466cf34e90c6du,
		       d6 = 0x3f84d5b5b5470917u;
	uint64_t row[SIDE_MAX];
	tt_sum sum;
#pragma GCC unroll 8
	for (int r = 0; r < SIDE_MAX; r++)
		row[r] = row_load(after->cell[r]);
	if (tt->narrow)
		sum = (tt_sum)((row[0] | row[1] << 32) + d0) * ((row[2] | row[3] << 32) + d1) +
		      (tt_sum)((row[4] | row[5] << 32) + d2) * ((uint64_t)depth + d3);
	else
		sum = (tt_sum)((row[0] | (uint64_t)depth << 56) + d0) * (row[1] + d1) +
		      (tt_sum)(row[2] + d2) * (row[3] + d3) + (tt_sum)(row[4] + d4) * (row[5] + d5);
	const uint64_t low = (uint64_t)sum, high = (uint64_t)(sum >> 64);
	const uint64_t turned = high ^ (low << 32 | low >> 32);
	struct tt_key key = {((low ^ (high << 32 | high >> 32)) * d6 >> 24) & tt->mask,
			     turned ? turned : 1};
	__builtin_prefetch(&tt->buckets[key.bucket]);
	return key;
}

static inline uint64_t tt_word(const struct tt_entry *entry, int i)
{
	return atomic_load_explicit(&entry->word[i], memory_order_relaxed);
}

/* Files an entry that was found in this generation, too. */
void tt_renew(struct transposition_table *tt, struct tt_key key, int entry, uint64_t value,
	      uint64_t interval, uint64_t rest);

/* True, and the entry in SPAN, if one is there for path probability P. */
static inline bool tt_probe(struct transposition_table *tt, struct tt_key key, double p,
			    struct span *span)
{
	const struct tt_entry *entry = tt->buckets[key.bucket].entry;
#pragma GCC unroll 2
	for (int i = 0; i < TT_ENTRIES; i++) {
		const uint64_t value = tt_word(&entry[i], 1), interval = tt_word(&entry[i], 2),
			       rest = tt_word(&entry[i], 3);
		if ((tt_word(&entry[i], 0) ^ value ^ interval ^ rest) != key.check)
			continue;
		float ends[2];
		memcpy(ends, &interval, sizeof ends);
		const bool old = (uint32_t)(rest >> 32) != tt->now;
		if (p < (double)ends[0] || p >= (double)ends[1] || (old && tt->forgets))
			continue;
		memcpy(&span->value, &value, sizeof value);
		span->low = (double)ends[0];
		span->high = (double)ends[1];
		span->limited = rest & TT_LIMITED;
		if (old)
			tt_renew(tt, key, i, value, interval, rest);
		return true;
	}
	return false;
}

#endif
