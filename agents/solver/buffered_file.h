/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers on their way into a file and out of it: buffered, hashed, little-endian.
 *
 * For files of gigabytes that are written by many small pieces. Neither direction can fail on the way:
 * what went wrong is asked for at the end, and what is read behind an error, or behind the end, is
 * zeros. A flow belongs to one thread; several may flow in one file at a time.
 */
#ifndef NXN_BUFFERED_FILE_H
#define NXN_BUFFERED_FILE_H

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

enum { BUFFERED_FILE_BYTES = 1 << 16 };

/* Into FD from offset AT on. */
struct outflow {
	XXH3_state_t hash; /* of what has left the buffer */
	int fd;
	int error; /* errno of the first write that failed; nothing was written since */
	off_t at;  /* where the buffer goes */
	size_t used;
	unsigned char buffer[BUFFERED_FILE_BYTES];
};

/* Out of FD, from AT to before END. */
struct inflow {
	XXH3_state_t hash; /* of what came into the buffer */
	int fd;
	int error; /* errno; 0 and yet zeros were handed out: `drained` */
	int drained;
	off_t at, end; /* what has not come into the buffer */
	size_t next, filled;
	unsigned char buffer[BUFFERED_FILE_BYTES];
};

/*
 * Reads SIZE bytes of FD from AT on into DATA. Their number, less than SIZE only at the end of the file; -1
 * with errno.
 */
ssize_t file_read_at(int fd, void *data, size_t size, off_t at);

void outflow_init(struct outflow *out, int fd, off_t at);
void outflow_flush(struct outflow *out);
void outflow_bytes(struct outflow *out, const void *data, size_t size);
void outflow_doubles(struct outflow *out, const double *x, size_t n);
/* The XXH3 of everything since outflow_init() or the last call. Flushes. */
uint64_t outflow_hash(struct outflow *out);

static inline void outflow_u32(struct outflow *out, uint32_t x)
{
	if (out->used + sizeof x > BUFFERED_FILE_BYTES)
		outflow_flush(out);
	x = htole32(x);
	memcpy(out->buffer + out->used, &x, sizeof x);
	out->used += sizeof x;
}

static inline void outflow_u64(struct outflow *out, uint64_t x)
{
	if (out->used + sizeof x > BUFFERED_FILE_BYTES)
		outflow_flush(out);
	x = htole64(x);
	memcpy(out->buffer + out->used, &x, sizeof x);
	out->used += sizeof x;
}

/* Numbers of a flow have one size, so that none lies across the ends of two buffers. */
void inflow_init(struct inflow *in, int fd, off_t at, off_t end);
void inflow_refill(struct inflow *in);
/* Only from a flow out of which nothing else has come. */
void inflow_bytes(struct inflow *in, void *data, size_t size);
void inflow_doubles(struct inflow *in, double *x, size_t n);
/* The XXH3 of everything up to the end: reads what is left. */
uint64_t inflow_hash(struct inflow *in);

static inline uint32_t inflow_u32(struct inflow *in)
{
	uint32_t x;
	if (in->next + sizeof x > in->filled)
		inflow_refill(in);
	memcpy(&x, in->buffer + in->next, sizeof x);
	in->next += sizeof x;
	return le32toh(x);
}

static inline uint64_t inflow_u64(struct inflow *in)
{
	uint64_t x;
	if (in->next + sizeof x > in->filled)
		inflow_refill(in);
	memcpy(&x, in->buffer + in->next, sizeof x);
	in->next += sizeof x;
	return le64toh(x);
}

#endif
