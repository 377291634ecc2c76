/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers into files and out of them; see buffered_file.h.
 *
 * Long runs of doubles do not pass through the buffer: they are hashed and handed to the system in
 * steps that stay in the cache between the two.
 */
#include "agents/solver/buffered_file.h"

#include <assert.h>
#include <errno.h>
#include <unistd.h>

enum { STEP = 1 << 18 };

/* Writes all of it, or notes why not. */
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

ssize_t file_read_at(int fd, void *data, size_t size, off_t at)
{
	size_t got = 0;
	while (got < size) {
		const ssize_t n = pread(fd, (char *)data + got, size - got, at + (off_t)got);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		got += (size_t)n;
	}
	return (ssize_t)got;
}

/* Up to SIZE bytes of what has not been read; their number, which is 0 at the end or with an error. */
static size_t in_read(struct inflow *in, unsigned char *data, size_t size)
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

void inflow_refill(struct inflow *in)
{
	size_t got = in_read(in, in->buffer, BUFFERED_FILE_BYTES);
	if (got < BUFFERED_FILE_BYTES)
		memset(in->buffer + got, 0, BUFFERED_FILE_BYTES - got);
	in->drained |= got == 0;
	in->next = 0;
	in->filled = BUFFERED_FILE_BYTES;
}

void inflow_bytes(struct inflow *in, void *data, size_t size)
{
	assert(in->filled == 0);
	for (unsigned char *to = data; size > 0;) {
		size_t step = size < STEP ? size : STEP;
		if (in_read(in, to, step) != step) {
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
	for (size_t i = 0; htole64(1) != 1 && i < n; i++) {
		uint64_t bits;
		memcpy(&bits, &x[i], sizeof bits);
		bits = le64toh(bits);
		memcpy(&x[i], &bits, sizeof bits);
	}
}

uint64_t inflow_hash(struct inflow *in)
{
	while (in_read(in, in->buffer, BUFFERED_FILE_BYTES) > 0)
		;
	return XXH3_64bits_digest(&in->hash);
}
