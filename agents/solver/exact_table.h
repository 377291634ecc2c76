/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What exact_play() keeps: positions by their codes, with how games come to them; and contributions to
 * positions on their way to where these are kept.
 *
 * A layer is divided into EXACT_PARTS by the first bits of the codes, which thus share out work evenly.
 * Everything is kept and sent in an order that does not depend on threads, so that sums come to the
 * same bits.
 */
#ifndef NXN_EXACT_TABLE_H
#define NXN_EXACT_TABLE_H

#include "agents/solver/budget.h"

enum { EXACT_PART_BITS = 6, EXACT_PARTS = 1 << EXACT_PART_BITS };

/* How games come to a position: the sums over all ways, each with its probability p, ... */
struct exact_mass {
	double p;	/* ... of p */
	double score;	/* ... of p times the points made on the way */
	double squares; /* ... of p times their square */
};

/* Positions in the order in which they came. All zero: empty. */
struct exact_table {
	uint64_t *code;
	struct exact_mass *mass;
	uint32_t *slot; /* open addressing: number + 1; 0 is free */
	size_t n, room; /* two slots a position that there is room for */
	struct room codes, masses, slots;
};

/* What is in it is forgotten; its room stays. */
void exact_table_clear(struct exact_table *table);
void exact_table_fini(struct budget *budget, struct exact_table *table);

/*
 * Adds MASS[i] to position CODE[i], i < n, in this order; codes have WIDTH bits, the first
 * EXACT_PART_BITS of them alike, or else it is slower. Contributions are lost when memory runs out,
 * which budget->wish then says.
 */
void exact_table_add(struct budget *budget, struct exact_table *table, int width,
		     const uint64_t *code, const struct exact_mass *mass, size_t n);

/* Contributions to positions, in the order in which they were made. */
struct exact_draft {
	uint64_t *code;
	struct exact_mass *mass;
	size_t n;
	struct room codes, masses;
};

/* False if there is no room for ROOM of them. */
bool exact_draft_init(struct budget *budget, struct exact_draft *draft, size_t room);
void exact_draft_fini(struct budget *budget, struct exact_draft *draft);

/* The same by parts: those to part i are start[i] to start[i + 1] - 1. All zero: empty. */
struct exact_spill {
	struct room codes, masses;
	uint32_t start[EXACT_PARTS + 1];
};

/* SPILL becomes what is in DRAFT, or empty when memory runs out, which budget->wish then says. */
void exact_spill_sort(struct budget *budget, struct exact_spill *spill,
		      const struct exact_draft *draft, int width);
void exact_spill_fini(struct budget *budget, struct exact_spill *spill);

/* The part that CODE of WIDTH bits, at least EXACT_PART_BITS, belongs to. */
static inline int exact_part(uint64_t code, int width)
{
	return (int)(code >> (width - EXACT_PART_BITS));
}

#endif
