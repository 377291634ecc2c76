/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writing numbers and packed codes; see packed_keys.h.
 *
 * Long arrays of doubles bypass the buffer: they are hashed and written in steps that stay in the
 * cache between the two.
 */
#include "agents/solver/packed_keys.h"

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
	uint64_t begun = 0; /* number of buckets whose first code is known */
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
