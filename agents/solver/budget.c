/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory with a limit; see budget.h.
 *
 * Large buffers are mapped on huge pages if possible, which saves one cache miss per random
 * look-up.
 *
 * A buffer grows by an eighth at least, if the budget allows that, since each growth copies the
 * buffer. During the copy both the old and the new memory count.
 */
#include "agents/solver/budget.h"

#include "base/virtual_memory.h"

#include <stdlib.h>
#include <string.h>

enum { MAPPED_BYTES = 8 << 20 }; /* size from which buffers are mapped */

static void *bytes_new(size_t bytes)
{
	if (bytes < MAPPED_BYTES)
		return calloc(1, bytes);
	void *data = virtual_memory_reserve(bytes, 1);
	if (data)
		virtual_memory_use_huge_pages(data, bytes, 1);
	return data;
}

static void bytes_free(void *data, size_t bytes)
{
	if (bytes < MAPPED_BYTES)
		free(data);
	else
		virtual_memory_unmap(data, bytes, 1);
}

static bool budget_take(struct budget *budget, uint64_t bytes)
{
	const uint64_t used = atomic_fetch_add(&budget->used, bytes) + bytes;
	if (used > budget->limit) {
		atomic_fetch_sub(&budget->used, bytes);
		return false;
	}
	uint64_t peak = atomic_load(&budget->peak);
	while (used > peak && !atomic_compare_exchange_weak(&budget->peak, &peak, used))
		;
	return true;
}

/* Moves the contents of BUFFER to a new allocation of BYTES. */
static bool buffer_grow(struct budget *budget, struct buffer *buffer, size_t bytes)
{
	if (!budget_take(budget, bytes))
		return false;
	char *data = bytes_new(bytes);
	if (!data) {
		atomic_fetch_sub(&budget->used, bytes);
		return false;
	}
	if (buffer->size)
		memcpy(data, buffer->data, buffer->size);
	buffer_free(budget, buffer);
	*buffer = (struct buffer){.data = data, .size = bytes};
	return true;
}

bool buffer_reserve(struct budget *budget, struct buffer *buffer, uint64_t count, size_t size)
{
	uint64_t bytes, wish;
	if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 2) {
		atomic_store(&budget->wish, UINT64_MAX);
		return false;
	}
	if (bytes <= buffer->size)
		return true;
	const uint64_t more = buffer->size + buffer->size / 8;
	if ((more > bytes && buffer_grow(budget, buffer, more)) ||
	    buffer_grow(budget, buffer, bytes))
		return true;
	if (__builtin_add_overflow(atomic_load(&budget->used), bytes, &wish))
		wish = UINT64_MAX;
	atomic_store(&budget->wish, wish);
	return false;
}

void buffer_free(struct budget *budget, struct buffer *buffer)
{
	if (!buffer->data) /* Most buffers of a set are empty: do not contend for the budget. */
		return;
	bytes_free(buffer->data, buffer->size);
	atomic_fetch_sub(&budget->used, buffer->size);
	*buffer = (struct buffer){0};
}
