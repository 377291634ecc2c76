/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writing, reading and finding packed codes; see packed_keys.h.
 *
 * Arrays bypass the buffer of an outflow: they are hashed and written in steps so small that the
 * bytes are still in the cache when they are written.
 */
#include "agents/solver/packed_keys.h"

#include "base/file.h"

#include <assert.h>
#include <errno.h>

/* Writes all bytes, or records the error. */
static void out_write(struct outflow *out, const void *data, size_t size)
{
	XXH3_64bits_update(&out->hash, data, size);
	if (!out->error && !file_write_at(out->fd, data, size, out->at))
		out->error = errno;
	out->at += (off_t)size;
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
		outflow_number(out, bits, 8);
	}
}

uint64_t outflow_hash(struct outflow *out)
{
	outflow_flush(out);
	uint64_t hash = XXH3_64bits_digest(&out->hash);
	XXH3_64bits_reset(&out->hash);
	return hash;
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
			outflow_number(out, i, 4);
	for (; begun <= packed->buckets; begun++)
		outflow_number(out, packed->count, 4);
	if (packed->buckets % 2 == 0)
		outflow_number(out, 0, 4);
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
			outflow_number(out, word, 8);
			used -= 64;
			word = used ? x >> (rest - used) : 0;
		}
	}
	if (used)
		outflow_number(out, word, 8);
	outflow_number(out, 0, 8);
}

static inline uint64_t rest_at(const struct packed_keys *packed, const uint64_t *rests, uint64_t i)
{
	const uint64_t bit = i * (uint64_t)packed->rest, *at = rests + bit / 64;
	const int shift = (int)(bit % 64);
	return (le64toh(at[0]) >> shift | le64toh(at[1]) << 1 << (63 - shift)) &
	       low_bits(packed->rest);
}

static const uint64_t *rests_of(const struct packed_keys *packed, const void *parts)
{
	return (const uint64_t *)parts + packed->directory / sizeof(uint64_t);
}

bool packed_keys_get(const struct packed_keys *packed, const void *parts, uint64_t *code)
{
	const uint32_t *starts = parts;
	const uint64_t *rests = rests_of(packed, parts);
	uint64_t i = 0;
	if (starts[0] != 0)
		return false;
	for (uint64_t b = 0; b < packed->buckets; b++) {
		const uint64_t end = le32toh(starts[b + 1]);
		const uint64_t first = packed->buckets > 1 ? b << packed->rest : 0;
		if (end < i || end > packed->count)
			return false;
		for (; i < end; i++)
			code[i] = first | rest_at(packed, rests, i);
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
		const uint64_t y = rest_at(packed, rests, i);
		if (y >= x)
			return y == x ? i : packed->count;
	}
	return packed->count;
}

void packed_keys_find(const struct packed_keys *packed, const void *parts, const uint64_t *code,
		      size_t n, uint64_t *index)
{
	const uint32_t *starts = parts;
	const unsigned char *rests = (const unsigned char *)rests_of(packed, parts);
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
		index[i] = code_find(packed, starts, rests_of(packed, parts), code[i], index[i]);
}
