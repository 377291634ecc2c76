/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory with a limit, for work of unknown size.
 *
 * A buffer is an array that can grow; it keeps its memory until buffer_free(). Any number of
 * threads may use a budget; one thread at a time may use a buffer.
 */
#ifndef NXN_BUDGET_H
#define NXN_BUDGET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct budget {
	uint64_t limit;	       /* bytes */
	_Atomic uint64_t used; /* bytes in use */
	_Atomic uint64_t peak; /* maximum so far */
	/* Bytes that would be in use without the limit, if a request was refused; otherwise 0. */
	_Atomic uint64_t wish;
};

struct buffer {
	void *data;  /* zero where never written */
	size_t size; /* bytes */
};

/*
 * Makes BUFFER at least COUNT elements of SIZE bytes large; keeps its contents. Returns false, with
 * BUFFER unchanged, if the budget or the machine does not have the memory.
 */
bool buffer_reserve(struct budget *budget, struct buffer *buffer, uint64_t count, size_t size);

void buffer_free(struct budget *budget, struct buffer *buffer);

#endif
