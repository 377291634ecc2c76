/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Zeroed address space for large tables that are mostly untouched. Nothing is reserved: a page
 * takes memory when it is first written.
 */
#ifndef NXN_VIRTUAL_MEMORY_H
#define NXN_VIRTUAL_MEMORY_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/*
 * Returns COUNT zeroed elements of SIZE bytes, however many; NULL with errno if there is no such
 * address space. The caller passes the same COUNT and SIZE to virtual_memory_unmap().
 */
void *virtual_memory_reserve(uint64_t count, size_t size);

/* Asks for huge pages, which only affect speed. */
void virtual_memory_use_huge_pages(void *space, uint64_t count, size_t size);

/*
 * Half of the memory that this process can have, in bytes: of the machine's memory, or of the limit
 * set by the control group of a container or by `ulimit -v`. Ignores how much memory is free at the
 * moment, so that the same command does not succeed at one time and fail at another. The limit for
 * the contents of a model file. Any thread.
 */
uint64_t virtual_memory_half(void);

/* STATUS_SYSTEM, with WHAT, if COUNT elements of SIZE bytes exceed the machine's memory. */
MUST_USE enum status virtual_memory_fits(uint64_t count, size_t size, const char *what,
					 struct why *why);

/*
 * Maps COUNT zeroed elements of SIZE bytes to *SPACE, on huge pages if possible. WHAT names them in
 * messages. STATUS_SYSTEM if there is no address space, or the machine's memory is smaller. To be
 * freed by virtual_memory_unmap().
 */
MUST_USE enum status virtual_memory_map(uint64_t count, size_t size, const char *what, void **space,
					struct why *why);

/* NULL is fine. */
void virtual_memory_unmap(void *space, uint64_t count, size_t size);

/*
 * Allocates N elements of SIZE bytes, aligned to 64, for free(). Sets *FAILED if memory runs out.
 */
static inline void *scratch_new(size_t n, size_t size, bool *failed)
{
	void *made = aligned_alloc(64, (n * size + 63) / 64 * 64);
	*failed |= !made;
	return made;
}

#endif
