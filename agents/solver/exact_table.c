/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Positions by their codes, and contributions to them; see exact_table.h. */
#include "agents/solver/exact_table.h"

#include <string.h>

enum { ROOM_LEAST = 16 };

void exact_table_clear(struct exact_table *table)
{
	table->n = 0;
	if (table->slot)
		memset(table->slot, 0, 2 * table->room * sizeof *table->slot);
}

void exact_table_fini(struct budget *budget, struct exact_table *table)
{
	room_free(budget, &table->codes);
	room_free(budget, &table->masses);
	room_free(budget, &table->slots);
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

/* Room for twice as many positions, or for the first; false, with all as it was, if there is none. */
static bool table_grow(struct budget *budget, struct exact_table *table, int width)
{
	const size_t room = table->room ? 2 * table->room : ROOM_LEAST;
	struct room slots = {0};
	/* Slots hold 32 bits. */
	if (room > UINT32_MAX / 2 || !room_reserve(budget, &slots, 2 * room, sizeof *table->slot) ||
	    !room_reserve(budget, &table->codes, room, sizeof *table->code) ||
	    !room_reserve(budget, &table->masses, room, sizeof *table->mass)) {
		room_free(budget, &slots);
		return false;
	}
	room_free(budget, &table->slots);
	table->slots = slots;
	table->slot = slots.data;
	table->code = table->codes.data;
	table->mass = table->masses.data;
	table->room = room;
	for (size_t i = 0; i < table->n; i++)
		*slot_find(table, width, table->code[i]) = (uint32_t)i + 1;
	return true;
}

void exact_table_add(struct budget *budget, struct exact_table *table, int width,
		     const uint64_t *code, const struct exact_mass *mass, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (table->n == table->room && !table_grow(budget, table, width))
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

bool exact_draft_init(struct budget *budget, struct exact_draft *draft, size_t room)
{
	*draft = (struct exact_draft){0};
	if (!room_reserve(budget, &draft->codes, room, sizeof *draft->code) ||
	    !room_reserve(budget, &draft->masses, room, sizeof *draft->mass))
		return false;
	draft->code = draft->codes.data;
	draft->mass = draft->masses.data;
	return true;
}

void exact_draft_fini(struct budget *budget, struct exact_draft *draft)
{
	room_free(budget, &draft->codes);
	room_free(budget, &draft->masses);
}

void exact_spill_sort(struct budget *budget, struct exact_spill *spill,
		      const struct exact_draft *draft, int width)
{
	uint32_t next[EXACT_PARTS + 1] = {0};
	memset(spill->start, 0, sizeof spill->start);
	if (!room_reserve(budget, &spill->codes, draft->n, sizeof *draft->code) ||
	    !room_reserve(budget, &spill->masses, draft->n, sizeof *draft->mass))
		return;
	uint64_t *code = spill->codes.data;
	struct exact_mass *mass = spill->masses.data;
	for (size_t i = 0; i < draft->n; i++)
		next[exact_part(draft->code[i], width) + 1]++;
	for (int i = 0; i < EXACT_PARTS; i++) {
		next[i + 1] += next[i];
		spill->start[i + 1] = next[i + 1];
	}
	for (size_t i = 0; i < draft->n; i++) {
		const uint32_t to = next[exact_part(draft->code[i], width)]++;
		code[to] = draft->code[i];
		mass[to] = draft->mass[i];
	}
}

void exact_spill_fini(struct budget *budget, struct exact_spill *spill)
{
	room_free(budget, &spill->codes);
	room_free(budget, &spill->masses);
}
