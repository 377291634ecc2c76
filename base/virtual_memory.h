/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Zeroed address space for large tables that are mostly untouched. A page takes no memory until it
 * is first written.
 */
#ifndef NXN_VIRTUAL_MEMORY_H
#define NXN_VIRTUAL_MEMORY_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Returns COUNT zeroed elements of SIZE bytes, even more than the machine's memory; NULL with errno
 * if the address space is too small. Unmap with the same COUNT and SIZE.
 */
void *virtual_memory_reserve(uint64_t count, size_t size);

/* Asks for huge pages, which only affect speed. */
void virtual_memory_use_huge_pages(void *space, uint64_t count, size_t size);

/*
 * Half of the memory that this process can have, in bytes: of the machine's memory, or of the limit
 * set by the control group of a container or by `ulimit -v`. Ignores how much memory is free at the
 * moment, so that the same command does not succeed at one time and fail at another. Model files
 * are limited to this size. Any thread.
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

/* SPACE may be NULL. */
void virtual_memory_unmap(void *space, uint64_t count, size_t size);

#endif
