/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Encoding of the solver's files: little-endian numbers, buffered and hashed, and packed ascending
 * codes.
 *
 * An outflow writes files of gigabytes in many small pieces. Its functions cannot fail; the first
 * error stays in `error`. It belongs to one thread; several outflows may write to one file.
 *
 * Ascending codes are packed into about three bytes each instead of eight, and single codes can be
 * looked up. A directory, indexed by the first bits of a code, has the start of each bucket of 8 to
 * 16 codes on average; the other bits of the codes, the rests, follow one another. So N codes take
 * width - log2(N) + 3 bits each, plus 2 to 4 for the directory.
 *
 * This is the split into high and low bits of Elias (Efficient storage and retrieval by content and
 * address of static files, J. ACM 21, 1974), with plain counts instead of a unary code, so that a
 * look-up is immediate:
 *
 *   directory  buckets + 1 numbers of 32 bits: the number of codes in all buckets before; padded
 *              with a zero to a multiple of 8 bytes
 *   rests      code i from bit i * rest on, lowest bits first, in words of 64 bits; one more word,
 *              so that a look-up can always read two
 */
#ifndef NXN_PACKED_KEYS_H
#define NXN_PACKED_KEYS_H

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

enum {
	BUFFERED_FILE_BYTES = 1 << 16,
	STEP = 1 << 18, /* bytes hashed and written at a time */
};

/* Writes to FD from offset AT on. */
struct outflow {
	XXH3_state_t hash; /* of the bytes that left the buffer */
	int fd;
	int error; /* errno of the first failed write; nothing is written after it */
	off_t at;  /* file offset of the buffer */
	size_t used;
	unsigned char buffer[BUFFERED_FILE_BYTES];
};

void outflow_init(struct outflow *out, int fd, off_t at);
void outflow_flush(struct outflow *out);
void outflow_bytes(struct outflow *out, const void *data, size_t size);
void outflow_doubles(struct outflow *out, const double *x, size_t n);
/* Flushes, and returns the XXH3 of everything since outflow_init() or the last call. */
uint64_t outflow_hash(struct outflow *out);

/* Appends the SIZE lowest bytes of X, at most 8. */
static inline void outflow_number(struct outflow *out, uint64_t x, size_t size)
{
	if (out->used + size > BUFFERED_FILE_BYTES)
		outflow_flush(out);
	x = htole64(x);
	memcpy(out->buffer + out->used, &x, size);
	out->used += size;
}

struct packed_keys {
	int width, rest; /* bits of a code, and of its rest */
	uint64_t count, buckets;
	size_t directory, rests; /* bytes of the two parts, multiples of 8 */
};

static inline uint64_t packed_keys_bucket(const struct packed_keys *packed, uint64_t code)
{
	/* Only with a single bucket can the rest have all 64 bits. */
	return packed->buckets > 1 ? code >> packed->rest : 0;
}

/* Returns a mask of the N lowest bits, 1 <= N <= 64. */
static inline uint64_t low_bits(int n)
{
	return ~(uint64_t)0 >> (64 - n);
}

/* Plans the packing of COUNT < 2^32 distinct codes of WIDTH bits, 1 to 64. */
void packed_keys_plan(struct packed_keys *packed, int width, uint64_t count);

/* Whether packed_keys_plan() accepts these arguments. */
bool packed_keys_fit(int width, uint64_t count);

/* Write the two parts. */
void packed_keys_put_directory(const struct packed_keys *packed, const uint64_t *code,
			       struct outflow *out);
void packed_keys_put_rests(const struct packed_keys *packed, const uint64_t *code,
			   struct outflow *out);

/*
 * Reads the codes from PARTS, the two parts in memory, aligned to 8 bytes. False, with CODE
 * undefined, if the directory is invalid.
 */
bool packed_keys_get(const struct packed_keys *packed, const void *parts, uint64_t *code);

/*
 * Sets INDEX[i] to the index of CODE[i], i < n, or to packed->count if it is missing. PARTS as
 * for packed_keys_get(); whatever they contain, nothing outside them is read. The cache misses of
 * all look-ups overlap, also those of the doubles that follow PARTS. Any thread.
 */
void packed_keys_find(const struct packed_keys *packed, const void *parts, const uint64_t *code,
		      size_t n, uint64_t *index);

#endif
