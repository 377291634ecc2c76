/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Room for many things of a kind, as work on batches needs several of. */
#ifndef NXN_SCRATCH_H
#define NXN_SCRATCH_H

#include <stdbool.h>
#include <stdlib.h>

/* N elements of SIZE bytes, aligned for any of them, for free(); sets *FAILED if there is no memory. */
static inline void *scratch_new(size_t n, size_t size, bool *failed)
{
	void *made = aligned_alloc(64, (n * size + 63) / 64 * 64);
	*failed |= !made;
	return made;
}

#endif
