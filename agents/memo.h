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
 * hash is stored mixed with the rest (Hyatt and Mann, A lock-less transposition table implementation
 * for parallel search, ICGA Journal 25, 2002).
 */
#ifndef NXN_MEMO_H
#define NXN_MEMO_H

#include "boards/board.h"

struct memo {
	struct memo_bucket *buckets;
	uint64_t all;  /* buckets - 1 */
	uint64_t mask; /* the same of those in use */
	uint32_t now;  /* generation of new entries */
	bool forgets;  /* entries of older generations are not there */
};

/* A value, the path probabilities it is true for, and whether more depth could change it. */
struct span {
	double value, low, high;
	bool limited;
};

struct memo_key {
	uint64_t bucket, check;
};

/* At most BYTES of memory, at least one bucket. STATUS_SYSTEM when it cannot be had. */
MUST_USE enum status memo_init(struct memo *memo, int64_t bytes, struct why *why);
void memo_fini(struct memo *memo);

/* Entries made before this call are the first to be replaced. No other thread may be using it. */
void memo_age(struct memo *memo);

/*
 * Uses as much of the table as suits ENTRIES, so that a small search stays in the caches of the
 * processor. Most entries are lost when that changes. No other thread may be using it.
 */
void memo_suit(struct memo *memo, uint64_t entries);

/* Asks for the cache line of the bucket as well. DEPTH is below 256. */
struct memo_key memo_key(const struct memo *memo, const struct board *after, int depth);

/* True, and the entry in SPAN, if one is there for path probability P. */
bool memo_probe(struct memo *memo, struct memo_key key, double p, struct span *span);

/* Files SPAN, replacing an older or shallower entry when the bucket is full. */
void memo_store(struct memo *memo, struct memo_key key, int depth, const struct span *span);

#endif
