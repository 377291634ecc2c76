/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Positions by their codes, and contributions to them; see exact_table.h. */
#include "agents/exact_table.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM_LEAST = 16 };

void *exact_take(struct exact_memory *memory, void *block, size_t old, size_t size)
{
	const uint64_t more = size - old, used = atomic_fetch_add(&memory->used, more) + more;
	void *made = NULL;
	if (memory->limit && used > memory->limit)
		memory->over = true;
	if (!memory->over && !memory->denied) {
		made = realloc(block, size);
		if (!made)
			memory->denied = true;
	}
	if (!made) {
		atomic_fetch_sub(&memory->used, more);
		return NULL;
	}
	uint64_t peak = memory->peak;
	while (used > peak && !atomic_compare_exchange_weak(&memory->peak, &peak, used))
		;
	return made;
}

void exact_give(struct exact_memory *memory, void *block, size_t size)
{
	free(block);
	atomic_fetch_sub(&memory->used, size);
}

void exact_table_clear(struct exact_table *table)
{
	table->n = 0;
	if (table->slot)
		memset(table->slot, 0, 2 * table->room * sizeof *table->slot);
}

void exact_table_fini(struct exact_memory *memory, struct exact_table *table)
{
	exact_give(memory, table->code, table->room * sizeof *table->code);
	exact_give(memory, table->mass, table->room * sizeof *table->mass);
	exact_give(memory, table->slot, 2 * table->room * sizeof *table->slot);
	*table = (struct exact_table){0};
}

/* The slot of CODE, or the free one where it belongs: found by the bits behind those of the part. */
static inline uint32_t *slot_find(const struct exact_table *table, int width, uint64_t code)
{
	const size_t last = 2 * table->room - 1;
	const uint64_t bits = code << (64 - width) << EXACT_PART_BITS;
	size_t at = (size_t)(bits >> __builtin_clzll(last));
	while (table->slot[at] && table->code[table->slot[at] - 1] != code)
		at = (at + 1) & last;
	return &table->slot[at];
}

/* Room for twice as many positions, or for the first; false if there is none. */
static bool table_grow(struct exact_memory *memory, struct exact_table *table, int width)
{
	const size_t old = table->room, room = old ? 2 * old : ROOM_LEAST;
	/* Slots are numbered with 32 bits. */
	if (room > UINT32_MAX / 2) {
		memory->over = true;
		return false;
	}
	uint64_t *code = exact_take(memory, table->code, old * sizeof *code, room * sizeof *code);
	table->code = code ? code : table->code;
	struct exact_mass *mass =
	    exact_take(memory, table->mass, old * sizeof *mass, room * sizeof *mass);
	table->mass = mass ? mass : table->mass;
	uint32_t *slot =
	    exact_take(memory, table->slot, 2 * old * sizeof *slot, 2 * room * sizeof *slot);
	table->slot = slot ? slot : table->slot;
	if (!code || !mass || !slot)
		return false;
	table->room = room;
	memset(slot, 0, 2 * room * sizeof *slot);
	for (size_t i = 0; i < table->n; i++)
		*slot_find(table, width, code[i]) = (uint32_t)i + 1;
	return true;
}

void exact_table_add(struct exact_memory *memory, struct exact_table *table, int width,
		     const uint64_t *code, const struct exact_mass *mass, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (table->n == table->room && !table_grow(memory, table, width))
			return;
		uint32_t *slot = slot_find(table, width, code[i]);
		if (!*slot) {
			table->code[table->n] = code[i];
			table->mass[table->n] = mass[i];
			*slot = (uint32_t)++table->n;
			continue;
		}
		struct exact_mass *sum = &table->mass[*slot - 1];
		sum->p += mass[i].p;
		sum->score += mass[i].score;
		sum->squares += mass[i].squares;
	}
}

bool exact_draft_init(struct exact_memory *memory, struct exact_draft *draft, size_t room)
{
	*draft = (struct exact_draft){
	    .code = exact_take(memory, NULL, 0, room * sizeof *draft->code),
	    .mass = exact_take(memory, NULL, 0, room * sizeof *draft->mass),
	    .room = room,
	};
	return draft->code && draft->mass;
}

void exact_draft_fini(struct exact_memory *memory, struct exact_draft *draft)
{
	exact_give(memory, draft->code, draft->room * sizeof *draft->code);
	exact_give(memory, draft->mass, draft->room * sizeof *draft->mass);
	*draft = (struct exact_draft){0};
}

static bool spill_grow(struct exact_memory *memory, struct exact_spill *spill, size_t room)
{
	const size_t old = spill->room;
	if (room <= old)
		return true;
	uint64_t *code = exact_take(memory, spill->code, old * sizeof *code, room * sizeof *code);
	spill->code = code ? code : spill->code;
	struct exact_mass *mass =
	    exact_take(memory, spill->mass, old * sizeof *mass, room * sizeof *mass);
	spill->mass = mass ? mass : spill->mass;
	spill->room = code && mass ? room : old;
	return code && mass;
}

void exact_spill_sort(struct exact_memory *memory, struct exact_spill *spill,
		      const struct exact_draft *draft, int width)
{
	uint32_t next[EXACT_PARTS + 1] = {0};
	memset(spill->start, 0, sizeof spill->start);
	if (!spill_grow(memory, spill, draft->n))
		return;
	for (size_t i = 0; i < draft->n; i++)
		next[exact_part(draft->code[i], width) + 1]++;
	for (int i = 0; i < EXACT_PARTS; i++) {
		next[i + 1] += next[i];
		spill->start[i + 1] = next[i + 1];
	}
	for (size_t i = 0; i < draft->n; i++) {
		const uint32_t to = next[exact_part(draft->code[i], width)]++;
		spill->code[to] = draft->code[i];
		spill->mass[to] = draft->mass[i];
	}
}

void exact_spill_fini(struct exact_memory *memory, struct exact_spill *spill)
{
	exact_give(memory, spill->code, spill->room * sizeof *spill->code);
	exact_give(memory, spill->mass, spill->room * sizeof *spill->mass);
	*spill = (struct exact_spill){0};
}
