/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrays that grow by one element at a time. */
#ifndef NXN_ARRAY_H
#define NXN_ARRAY_H

#include <stddef.h>
#include <stdlib.h>

/*
 * Returns ARRAY with room for at least COUNT + 1 elements of SIZE bytes; doubles *ROOM, the number
 * of elements that fit, if the array is full. NULL if memory runs out; ARRAY is then unchanged.
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
