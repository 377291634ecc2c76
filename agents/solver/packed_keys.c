/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writing, reading and finding numbers and packed codes; see packed_keys.h.
 *
 * Arrays bypass the buffer: they are hashed and written in steps so small that the bytes are still
 * in the cache when they are written.
 */
#include "agents/solver/packed_keys.h"

#include "agents/fields.h"
#include "base/file.h"

#include <assert.h>
#include <errno.h>
#include <unistd.h>

/* Writes all bytes, or records the error. */
static void out_write(struct outflow *out, const unsigned char *data, size_t size)
{
	XXH3_64bits_update(&out->hash, data, size);
	while (size > 0 && !out->error) {
		ssize_t n = pwrite(out->fd, data, size, out->at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			out->error = n < 0 ? errno : ENOSPC;
			break;
		}
		data += n;
		size -= (size_t)n;
		out->at += n;
	}
}

void outflow_init(struct outflow *out, int fd, off_t at)
{
	out->fd = fd;
	out->error = 0;
	out->at = at;
	out->used = 0;
	XXH3_64bits_reset(&out->hash);
}

void outflow_flush(struct outflow *out)
{
	out_write(out, out->buffer, out->used);
	out->used = 0;
}

void outflow_bytes(struct outflow *out, const void *data, size_t size)
{
	outflow_flush(out);
	for (const unsigned char *from = data; size > 0;) {
		size_t step = size < STEP ? size : STEP;
		out_write(out, from, step);
		from += step;
		size -= step;
	}
}

void outflow_doubles(struct outflow *out, const double *x, size_t n)
{
	if (htole64(1) == 1) {
		outflow_bytes(out, x, n * sizeof *x);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		uint64_t bits;
		memcpy(&bits, &x[i], sizeof bits);
		outflow_u64(out, bits);
	}
}

uint64_t outflow_hash(struct outflow *out)
{
	outflow_flush(out);
	uint64_t hash = XXH3_64bits_digest(&out->hash);
	XXH3_64bits_reset(&out->hash);
	return hash;
}

void inflow_init(struct inflow *in, int fd, off_t at, off_t end)
{
	in->fd = fd;
	in->error = in->drained = 0;
	in->at = at;
	in->end = end;
	in->next = in->filled = 0;
	XXH3_64bits_reset(&in->hash);
}

/* Reads up to SIZE of the remaining bytes. Returns their number, 0 at the end or on error. */
static size_t inflow_read(struct inflow *in, unsigned char *data, size_t size)
{
	size = (off_t)size < in->end - in->at ? size : (size_t)(in->end - in->at);
	const ssize_t n = in->error ? 0 : file_read_at(in->fd, data, size, in->at);
	if (n < 0) {
		in->error = errno;
		return 0;
	}
	in->at += n;
	XXH3_64bits_update(&in->hash, data, (size_t)n);
	return (size_t)n;
}

void inflow_bytes(struct inflow *in, void *data, size_t size)
{
	assert(in->filled == 0);
	for (unsigned char *to = data; size > 0;) {
		const size_t step = size < STEP ? size : STEP;
		if (inflow_read(in, to, step) != step) {
			in->drained = 1;
			memset(to, 0, size);
			return;
		}
		to += step;
		size -= step;
	}
}

void inflow_doubles(struct inflow *in, double *x, size_t n)
{
	inflow_bytes(in, x, n * sizeof *x);
	for (size_t i = 0; htole64(1) != 1 && i < n; i++)
		x[i] = field_get_double((const unsigned char *)&x[i]);
}

uint64_t inflow_hash(struct inflow *in)
{
	while (inflow_read(in, in->buffer, BUFFERED_FILE_BYTES) > 0)
		;
	return XXH3_64bits_digest(&in->hash);
}

/* Reads a number of SIZE bytes, 0 after the end. All numbers of an inflow have the same size. */
static inline void inflow_number(struct inflow *in, void *x, size_t size)
{
	if (in->next + size > in->filled) {
		const size_t got = inflow_read(in, in->buffer, BUFFERED_FILE_BYTES);
		memset(in->buffer + got, 0, BUFFERED_FILE_BYTES - got);
		in->drained |= got == 0;
		in->next = 0;
		in->filled = BUFFERED_FILE_BYTES;
	}
	memcpy(x, in->buffer + in->next, size);
	in->next += size;
}

static inline uint32_t inflow_u32(struct inflow *in)
{
	uint32_t x;
	inflow_number(in, &x, sizeof x);
	return le32toh(x);
}

static inline void outflow_u32(struct outflow *out, uint32_t x)
{
	if (out->used + sizeof x > BUFFERED_FILE_BYTES)
		outflow_flush(out);
	x = htole32(x);
	memcpy(out->buffer + out->used, &x, sizeof x);
	out->used += sizeof x;
}

bool packed_keys_fit(int width, uint64_t count)
{
	return width >= 1 && width <= 64 && count <= UINT32_MAX &&
	       (width == 64 || count <= (uint64_t)1 << width);
}

void packed_keys_plan(struct packed_keys *packed, int width, uint64_t count)
{
	assert(packed_keys_fit(width, count));
	int prefix = count < 16 ? 0 : 63 - __builtin_clzll(count) - 3;
	const uint64_t buckets = (uint64_t)1 << prefix, rest = (uint64_t)(width - prefix);
	*packed = (struct packed_keys){
	    .width = width,
	    .rest = (int)rest,
	    .count = count,
	    .buckets = buckets,
	    .directory = (buckets + 2) / 2 * 8,
	    .rests = ((count * rest + 63) / 64 + 1) * 8,
	};
}

void packed_keys_put_directory(const struct packed_keys *packed, const uint64_t *code,
			       struct outflow *out)
{
	uint64_t begun = 0; /* number of buckets whose start is written */
	for (uint64_t i = 0; i < packed->count; i++)
		for (uint64_t b = packed_keys_bucket(packed, code[i]); begun <= b; begun++)
			outflow_u32(out, (uint32_t)i);
	for (; begun <= packed->buckets; begun++)
		outflow_u32(out, (uint32_t)packed->count);
	if (packed->buckets % 2 == 0)
		outflow_u32(out, 0);
}

void packed_keys_put_rests(const struct packed_keys *packed, const uint64_t *code,
			   struct outflow *out)
{
	const int rest = packed->rest;
	const uint64_t mask = low_bits(rest);
	uint64_t word = 0;
	int used = 0;
	for (uint64_t i = 0; i < packed->count; i++) {
		const uint64_t x = code[i] & mask;
		word |= x << used;
		used += rest;
		if (used >= 64) {
			outflow_u64(out, word);
			used -= 64;
			word = used ? x >> (rest - used) : 0;
		}
	}
	if (used)
		outflow_u64(out, word);
	outflow_u64(out, 0);
}

/* A stream of bits. */
struct bits {
	struct inflow *in;
	uint64_t word; /* next bits, lowest first */
	int have;      /* number of bits in WORD */
};

static inline uint64_t bits_take(struct bits *bits, int n)
{
	uint64_t x = bits->word, next = x;
	int used = n;
	if (bits->have < n) {
		inflow_number(bits->in, &next, sizeof next);
		next = le64toh(next);
		x |= next << bits->have;
		used = n - bits->have;
		bits->have += 64;
	}
	bits->word = used < 64 ? next >> used : 0;
	bits->have -= n;
	return x & low_bits(n);
}

bool packed_keys_get(const struct packed_keys *packed, struct inflow *directory,
		     struct inflow *rests, uint64_t *code)
{
	struct bits bits = {.in = rests};
	uint64_t i = 0;
	if (inflow_u32(directory) != 0)
		return false;
	for (uint64_t b = 0; b < packed->buckets; b++) {
		const uint64_t end = inflow_u32(directory);
		const uint64_t first = packed->buckets > 1 ? b << packed->rest : 0;
		if (end < i || end > packed->count)
			return false;
		for (; i < end; i++)
			code[i] = first | bits_take(&bits, packed->rest);
	}
	return i == packed->count;
}

/* Searches CODE from I, the start of its bucket. Returns its index, or packed->count. */
static uint64_t code_find(const struct packed_keys *packed, const uint32_t *starts,
			  const uint64_t *rests, uint64_t code, uint64_t i)
{
	const uint64_t x = code & low_bits(packed->rest);
	uint64_t end =
	    i < packed->count ? le32toh(starts[packed_keys_bucket(packed, code) + 1]) : 0;
	for (end = end < packed->count ? end : packed->count; i < end; i++) {
		const uint64_t bit = i * (uint64_t)packed->rest, *at = rests + bit / 64;
		const int shift = (int)(bit % 64);
		const uint64_t y = (le64toh(at[0]) >> shift | le64toh(at[1]) << 1 << (63 - shift)) &
				   low_bits(packed->rest);
		if (y >= x)
			return y == x ? i : packed->count;
	}
	return packed->count;
}

void packed_keys_find(const struct packed_keys *packed, const void *parts, const uint64_t *code,
		      size_t n, uint64_t *index)
{
	const uint32_t *starts = parts;
	const unsigned char *rests = (const unsigned char *)parts + packed->directory;
	for (size_t i = 0; i < n; i++)
		if (packed_keys_bucket(packed, code[i]) < packed->buckets)
			__builtin_prefetch(starts + packed_keys_bucket(packed, code[i]));
	for (size_t i = 0; i < n; i++) {
		const uint64_t bucket = packed_keys_bucket(packed, code[i]);
		const uint64_t first =
		    bucket < packed->buckets ? le32toh(starts[bucket]) : packed->count;
		index[i] = first < packed->count ? first : packed->count;
		__builtin_prefetch(rests + index[i] * (uint64_t)packed->rest / 8);
		__builtin_prefetch(rests + packed->rests + index[i] * sizeof(double));
	}
	for (size_t i = 0; i < n; i++)
		index[i] = code_find(packed, starts, (const uint64_t *)(const void *)rests, code[i],
				     index[i]);
}
