/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Address space for tables that are mostly never touched: zeroed, without reservation, resident
 * page by page as it is written.
 */
#ifndef NXN_VIRTUAL_MEMORY_H
#define NXN_VIRTUAL_MEMORY_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/*
 * COUNT zeroed elements of SIZE bytes, however many; NULL, with errno, if there is no such space.
 * To be given back by virtual_memory_unmap() with the same COUNT and SIZE.
 */
void *virtual_memory_reserve(uint64_t count, size_t size);

/* On huge pages where the machine gives them; only a matter of speed. */
void virtual_memory_use_huge_pages(void *space, uint64_t count, size_t size);

/*
 * Half of the memory that this process can have, in bytes: of the machine's, or of the limit that
 * the control group of a container or `ulimit -v` sets. What is free at the moment does not count,
 * or the same command would fail at one time and not at another. What a model file may fill at
 * most. Any thread.
 */
uint64_t virtual_memory_half(void);

/*
 * STATUS_SYSTEM if COUNT elements of SIZE bytes are more than the machine's memory; WHAT names them
 * in the message.
 */
MUST_USE enum status virtual_memory_fits(uint64_t count, size_t size, const char *what,
					 struct why *why);

/*
 * COUNT zeroed elements of SIZE bytes, on huge pages where the machine gives them; WHAT names them
 * in messages. STATUS_SYSTEM if there is no such space, or all of it were more than the machine's
 * memory. To be given back by virtual_memory_unmap(), too.
 */
MUST_USE enum status virtual_memory_map(uint64_t count, size_t size, const char *what, void **space,
					struct why *why);

/* NULL is fine. */
void virtual_memory_unmap(void *space, uint64_t count, size_t size);

/* N elements of SIZE bytes, aligned to 64, for free(); sets *FAILED if there is no memory. */
static inline void *scratch_new(size_t n, size_t size, bool *failed)
{
	void *made = aligned_alloc(64, (n * size + 63) / 64 * 64);
	*failed |= !made;
	return made;
}

#endif
