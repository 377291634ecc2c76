/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A table of weights so large that only what was updated can exist.
 *
 * Index i stands for entry i % 64 of box i / 64. A box gets a block of 64 entries (512 bytes) when
 * one of them is first updated; blocks lie side by side in that order, and reading an entry without
 * a block gives 0. All is in anonymous mappings without reservation, so resident memory follows the
 * blocks, and the pages of `slot` that hold them, whatever the size of the table.
 *
 * Callers choose indices such that entries used together share boxes (agents/ntuple/tuples.h).
 */
#ifndef NXN_LAZY_H
#define NXN_LAZY_H

#include "agents/model.h"

enum { LAZY_BITS = 6, LAZY_BLOCK = 1 << LAZY_BITS };

/* What was learned beside how often, so that one cache line serves an update. */
struct entry {
	float weight;
	uint32_t count; /* updates so far */
};

struct lazy {
	uint64_t boxes;
	uint32_t *slot;			   /* slot[box]: its block, 0 as long as it has none */
	struct entry (*block)[LAZY_BLOCK]; /* block[b], b < blocks; block[0] stays zero */
	uint64_t *box;			   /* box[b]: whose block it is */
	uint64_t blocks;		   /* in use, block[0] included */
	uint64_t capacity;
};

/* An empty table for indices below SIZE. STATUS_SYSTEM if the address space cannot be had. */
MUST_USE enum status lazy_init(struct lazy *table, uint64_t size, struct why *why);

/* Of a zeroed struct, too. */
void lazy_fini(struct lazy *table);

/* Gives BOX, which has no block yet, a block. */
void lazy_grow(struct lazy *table, uint64_t box);

/* The entry for reading; zero if it was never updated. Any number of threads while none writes. */
static inline const struct entry *lazy_entry(const struct lazy *table, uint64_t index)
{
	return &table->block[table->slot[index >> LAZY_BITS]][index % LAZY_BLOCK];
}

/* The entry for writing. */
static inline struct entry *lazy_touch(struct lazy *table, uint64_t index)
{
	uint64_t box = index >> LAZY_BITS;
	if (table->slot[box] == 0)
		lazy_grow(table, box);
	return &table->block[table->slot[box]][index % LAZY_BLOCK];
}

/* Fetch what lazy_entry() will need, in two steps because the second depends on the first. */
static inline void lazy_prefetch_slot(const struct lazy *table, uint64_t index)
{
	__builtin_prefetch(&table->slot[index >> LAZY_BITS]);
}

static inline void lazy_prefetch_entry(const struct lazy *table, uint64_t index)
{
	__builtin_prefetch(lazy_entry(table, index));
}

/*
 * The blocks as one section of FILE. Equal histories give equal bytes. It is read into an empty table,
 * which gets the very same blocks. STATUS_INPUT if a weight is not finite, because learning diverged,
 * or for what this does not write; STATUS_SYSTEM if it claims more than the machine's memory. After a
 * failure to read it the table is good for lazy_fini() alone.
 */
enum status lazy_section(struct lazy *table, struct model_file *file);

#endif
