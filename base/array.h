/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrays that grow by one element at a time. */
#ifndef NXN_ARRAY_H
#define NXN_ARRAY_H

#include <stddef.h>
#include <stdlib.h>

/*
 * ARRAY, on the heap, with space for one element of SIZE bytes more than the COUNT that it has:
 * where ROOM is full it doubles. NULL without memory; then ARRAY is as it was.
 */
static inline void *array_grow(void *array, size_t count, size_t *room, size_t size)
{
	if (count < *room)
		return array;
	const size_t more = *room ? 2 * *room : 64;
	void *grown = reallocarray(array, more, size);
	if (grown)
		*room = more;
	return grown;
}

#endif
