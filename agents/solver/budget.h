/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory with a limit, for work whose size is not known beforehand.
 *
 * A buffer is an array that grows and is used again, until buffer_free(). Any number of threads
 * may use a budget, one at a time a buffer.
 */
#ifndef NXN_BUDGET_H
#define NXN_BUDGET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct budget {
	uint64_t limit;	       /* bytes */
	_Atomic uint64_t used; /* at present */
	_Atomic uint64_t peak; /* at most so far */
	/* What would have been used had it not been refused; 0: nothing was. */
	_Atomic uint64_t wish;
};

struct buffer {
	void *data;  /* zeroed where it was never written */
	size_t size; /* bytes */
};

/*
 * Makes BUFFER hold at least COUNT elements of SIZE bytes; it keeps its contents. False, with
 * BUFFER as it was, if that is more than the budget or the machine has.
 */
bool buffer_reserve(struct budget *budget, struct buffer *buffer, uint64_t count, size_t size);

void buffer_free(struct budget *budget, struct buffer *buffer);

#endif
