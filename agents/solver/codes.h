/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ascending codes (boards/simd/keys.h), packed: about three bytes instead of eight, and still to be
 * looked up one by one.
 *
 * Codes lie evenly in [0, 2^width). A directory by their first bits says where each bucket of 8 to
 * 16 codes begins; of each code the other bits are left, one after another. So N codes take
 * width - log2(N) + 3 bits each, and 2 to 4 for the directory.
 *
 * Codes that lie unevenly are packed and found as well, only more slowly.
 */
#ifndef NXN_CODES_H
#define NXN_CODES_H

#include "base/buffered_file.h"

#include <stdbool.h>

/* How many codes are packed. */
struct codes {
	int width, rest; /* bits: of a code, of what is left of it */
	uint64_t count, buckets;
	size_t directory, rests; /* bytes of the two parts, multiples of 8 */
};

/* For COUNT < 2^32 distinct codes of WIDTH bits, 1 to 64. */
void codes_plan(struct codes *codes, int width, uint64_t count);

/* Whether codes_plan() may be asked. */
bool codes_fit(int width, uint64_t count);

/* The two parts, one after the other. */
void codes_put_directory(const struct codes *codes, const uint64_t *code, struct outflow *out);
void codes_put_rests(const struct codes *codes, const uint64_t *code, struct outflow *out);

/*
 * Codes out of the two parts, flowing at the same time. False if the directory is not one; what
 * CODE holds then means nothing. Each part must end where its flow does.
 */
bool codes_get(const struct codes *codes, struct inflow *directory, struct inflow *rests,
	       uint64_t *code);

/*
 * The place of CODE, or codes->count if it is not there. DIRECTORY and RESTS are the parts in
 * memory, aligned to 8 bytes; whatever they hold, nothing outside them is read. Any thread.
 */
uint64_t codes_find(const struct codes *codes, const void *directory, const void *rests,
		    uint64_t code);

static inline uint64_t codes_bucket(const struct codes *codes, uint64_t code)
{
	/* A single bucket is the only case in which all 64 bits may be left. */
	return codes->buckets > 1 ? code >> codes->rest : 0;
}

/*
 * Asks the memory for what codes_find() will read: first of the directory, then, when that may have
 * come, of the rests; the place from which on codes_find() will look, or 0.
 */
static inline void codes_fetch_directory(const struct codes *codes, const void *directory,
					 uint64_t code)
{
	const uint32_t *starts = (const uint32_t *)directory;
	const uint64_t bucket = codes_bucket(codes, code);
	if (bucket < codes->buckets)
		__builtin_prefetch(starts + bucket);
}

static inline uint64_t codes_fetch_rests(const struct codes *codes, const void *directory,
					 const void *rests, uint64_t code)
{
	const uint32_t *starts = (const uint32_t *)directory;
	const uint64_t bucket = codes_bucket(codes, code);
	if (bucket >= codes->buckets)
		return 0;
	const uint64_t i = le32toh(starts[bucket]);
	if (i >= codes->count)
		return 0;
	__builtin_prefetch((const unsigned char *)rests + i * (uint64_t)codes->rest / 8);
	return i;
}

#endif
