/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory with a limit; see budget.h.
 *
 * Large rooms are mapped, on huge pages where the machine gives them: what is looked up at random in
 * them misses one cache less.
 *
 * A room grows by an eighth at least, so that layers that are each a little larger than the one before do
 * not move it each time. While it moves, old and new are both counted: both are there.
 */
#include "agents/solver/budget.h"

#include "base/virtual_memory.h"

#include <stdlib.h>
#include <string.h>

enum { MAPPED_BYTES = 8 << 20 }; /* from here on */

static void *bytes_new(size_t bytes)
{
	if (bytes < MAPPED_BYTES)
		return calloc(1, bytes);
	void *data = virtual_memory_reserve(bytes, 1);
	if (data)
		virtual_memory_widen(data, bytes, 1);
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

/* Moves ROOM to BYTES, of which it has fewer. */
static bool room_grow(struct budget *budget, struct room *room, size_t bytes)
{
	if (!budget_take(budget, bytes))
		return false;
	char *data = bytes_new(bytes);
	if (!data) {
		atomic_fetch_sub(&budget->used, bytes);
		return false;
	}
	if (room->size)
		memcpy(data, room->data, room->size);
	room_free(budget, room);
	*room = (struct room){.data = data, .size = bytes};
	return true;
}

bool room_reserve(struct budget *budget, struct room *room, uint64_t count, size_t size)
{
	uint64_t bytes, wish;
	if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 2) {
		atomic_store(&budget->wish, UINT64_MAX);
		return false;
	}
	if (bytes <= room->size)
		return true;
	const uint64_t roomy = room->size + room->size / 8;
	if ((roomy > bytes && room_grow(budget, room, roomy)) || room_grow(budget, room, bytes))
		return true;
	if (__builtin_add_overflow(atomic_load(&budget->used), bytes, &wish))
		wish = UINT64_MAX;
	atomic_store(&budget->wish, wish);
	return false;
}

void room_free(struct budget *budget, struct room *room)
{
	if (!room->data) /* as most of a set are: no need to contend for the budget */
		return;
	bytes_free(room->data, room->size);
	atomic_fetch_sub(&budget->used, room->size);
	*room = (struct room){0};
}
