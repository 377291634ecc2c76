/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sets of positions in three forms: being collected by many threads (struct key_set), in memory
 * with a value each (struct key_layer), and packed in a file (struct packed_keys).
 *
 * All of them hold codes, which are mixed keys (boards/simd/keys.h), in ascending order. Codes
 * lie evenly in [0, 2^width), so the first bits of one tell where it is. Codes that lie unevenly
 * are kept and found as well, only more slowly.
 */
#ifndef NXN_KEY_SETS_H
#define NXN_KEY_SETS_H

#include "agents/solver/budget.h"
#include "agents/solver/buffered_file.h"
#include "base/thread_team.h"

#include <stdbool.h>

struct key_part;

/*
 * A set that many threads collect: each code is kept once. The first bits of a code tell its part
 * of the set. Workers put what they find into buckets, one for each worker and part, without a
 * lock; then one worker merges each part.
 */
struct key_set {
	struct budget *budget;
	struct thread_team *team;
	int width, workers;
	int part_bits, parts; /* 2^part_bits */
	struct key_part *part;
	struct buffer *bucket; /* [worker * parts_max + part] */
	size_t *bucket_used;
	_Atomic bool failed;
};

/*
 * An empty set of codes of WIDTH bits, none of them 0, found by WORKERS threads of TEAM.
 * STATUS_SYSTEM if there is no memory.
 */
MUST_USE enum status key_set_init(struct key_set *set, struct budget *budget,
				  struct thread_team *team, int width, int workers,
				  struct why *why);

/*
 * Before the first code of an empty set: about EXPECTED of them may come. It only matters for
 * speed.
 */
void key_set_expect(struct key_set *set, uint64_t expected);

/* Adds N codes found by WORKER. Different workers may call it at the same time. */
void key_set_add(struct key_set *set, int worker, const uint64_t *code, size_t n);

/*
 * Joins what was added since the last merge to the set. False if the budget was not enough for
 * that.
 */
bool key_set_merge(struct key_set *set);

/* The number of codes in it, as of the last merge. */
size_t key_set_count(const struct key_set *set);

/* Puts them in ascending order into CODE, which is large enough, and empties the set. */
void key_set_take(struct key_set *set, uint64_t *code);

void key_set_fini(struct key_set *set);

/*
 * All positions whose tiles have the same sum: their codes, a value each, a directory to find them.
 */
struct key_layer {
	uint64_t sum;
	size_t n;
	struct buffer codes;  /* uint64_t [n] */
	struct buffer values; /* double [n] */
	/* Private: starts[code >> shift] is the first entry with such bits, or a later one. */
	struct buffer starts; /* uint32_t */
	int shift;
};

static inline uint64_t *key_layer_codes(const struct key_layer *layer)
{
	return layer->codes.data;
}

static inline double *key_layer_values(const struct key_layer *layer)
{
	return layer->values.data;
}

/*
 * Takes memory for N codes, at most 2^32 - 2, and with VALUES for as many values. False: none left.
 */
bool key_layer_reserve(struct budget *budget, struct key_layer *layer, size_t n, bool values);

/* Makes the directory, when the codes, of WIDTH bits, are there. False if there is no memory. */
bool key_layer_index(struct budget *budget, struct key_layer *layer, int width);

/*
 * OUT[i] = the value of CODE[i], i < n, all of which must be in the layer. After key_layer_index().
 */
void key_layer_find(const struct key_layer *layer, const uint64_t *code, size_t n, double *out);

/* The entry of CODE, or SIZE_MAX. After key_layer_index(). */
size_t key_layer_seek(const struct key_layer *layer, uint64_t code);

void key_layer_free(struct budget *budget, struct key_layer *layer);

/*
 * How ascending codes are packed: into about three bytes instead of eight, and still to be looked
 * up one by one. A directory by their first bits says where each bucket of 8 to 16 codes begins;
 * of each code the other bits follow one another. So N codes take width - log2(N) + 3 bits each,
 * and 2 to 4 for the directory.
 */
struct packed_keys {
	int width, rest; /* bits: of a code, of what is left of it */
	uint64_t count, buckets;
	size_t directory, rests; /* bytes of the two parts, multiples of 8 */
};

/* For COUNT < 2^32 distinct codes of WIDTH bits, 1 to 64. */
void packed_keys_plan(struct packed_keys *packed, int width, uint64_t count);

/* Whether packed_keys_plan() may be called so. */
bool packed_keys_fit(int width, uint64_t count);

/* Writes the two parts, one after the other. */
void packed_keys_put_directory(const struct packed_keys *packed, const uint64_t *code,
			       struct outflow *out);
void packed_keys_put_rests(const struct packed_keys *packed, const uint64_t *code,
			   struct outflow *out);

/*
 * Reads codes from the two parts at the same time. False if the directory is not one; CODE is
 * undefined then. Each part must end where its flow does.
 */
bool packed_keys_get(const struct packed_keys *packed, struct inflow *directory,
		     struct inflow *rests, uint64_t *code);

/*
 * The place of CODE, or packed->count if it is not there. DIRECTORY and RESTS are the parts in
 * memory, aligned to 8 bytes; whatever they hold, nothing outside them is read. Any thread.
 */
uint64_t packed_keys_find(const struct packed_keys *packed, const void *directory,
			  const void *rests, uint64_t code);

static inline uint64_t packed_keys_bucket(const struct packed_keys *packed, uint64_t code)
{
	/* A single bucket is the only case in which all 64 bits may be left. */
	return packed->buckets > 1 ? code >> packed->rest : 0;
}

/*
 * Prefetch what packed_keys_find() will read: first the directory; when that may have come, the
 * rests. The second returns the place from which packed_keys_find() will look on, or 0.
 */
static inline void packed_keys_fetch_directory(const struct packed_keys *packed,
					       const void *directory, uint64_t code)
{
	const uint32_t *starts = (const uint32_t *)directory;
	const uint64_t bucket = packed_keys_bucket(packed, code);
	if (bucket < packed->buckets)
		__builtin_prefetch(starts + bucket);
}

static inline uint64_t packed_keys_fetch_rests(const struct packed_keys *packed,
					       const void *directory, const void *rests,
					       uint64_t code)
{
	const uint32_t *starts = (const uint32_t *)directory;
	const uint64_t bucket = packed_keys_bucket(packed, code);
	if (bucket >= packed->buckets)
		return 0;
	const uint64_t i = le32toh(starts[bucket]);
	if (i >= packed->count)
		return 0;
	__builtin_prefetch((const unsigned char *)rests + i * (uint64_t)packed->rest / 8);
	return i;
}

#endif
