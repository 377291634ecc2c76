/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sets of codes; see code_set.h.
 *
 * A part is a table with linear probing that keeps its codes in ascending order (Amble and Knuth,
 * Ordered hash tables, The Computer Journal 17(2), 1974, with an order that the hash function
 * respects): the home of a code is its first bits, and a newcomer pushes larger codes on.
 *
 * Invariant: from the home of a code to the code itself no slot is free, and read from the first
 * slot to the last a table is ascending.
 */
#include "agents/solver/code_set.h"

#include <stdlib.h>

enum {
	PART_BITS_MAX = 12,
	PARTS_MAX = 1 << PART_BITS_MAX,
	PART_CODES = 4096, /* expected in a part: its table stays near the processor */
	SLACK = 64,	   /* slots behind the last home, for those that are pushed on */
	FIRST_BITS = 8,	   /* of the homes of a new table */
};

struct code_part {
	struct buffer slots; /* (1 << home_bits) + SLACK of them; 0 is free */
	int home_bits;
	size_t used;
};

enum status code_set_init(struct code_set *set, struct budget *budget, struct thread_team *team,
			  int width, int workers, struct why *why)
{
	const size_t buckets = (size_t)workers * PARTS_MAX;
	*set =
	    (struct code_set){.budget = budget, .team = team, .width = width, .workers = workers};
	set->part = calloc(PARTS_MAX, sizeof *set->part);
	set->bucket = calloc(buckets, sizeof *set->bucket);
	set->bucket_used = calloc(buckets, sizeof *set->bucket_used);
	if (!set->part || !set->bucket || !set->bucket_used) {
		code_set_fini(set);
		return why_set(why, STATUS_SYSTEM, "out of memory for a set of positions");
	}
	code_set_expect(set, 0);
	return STATUS_OK;
}

void code_set_fini(struct code_set *set)
{
	for (int i = 0; set->part && i < PARTS_MAX; i++)
		buffer_free(set->budget, &set->part[i].slots);
	for (int i = 0; set->bucket && i < set->workers * PARTS_MAX; i++)
		buffer_free(set->budget, &set->bucket[i]);
	free(set->part);
	free(set->bucket);
	free(set->bucket_used);
	set->part = NULL;
	set->bucket = NULL;
	set->bucket_used = NULL;
}

void code_set_expect(struct code_set *set, uint64_t expected)
{
	int bits = 1;
	while (bits < PART_BITS_MAX && bits < set->width - FIRST_BITS &&
	       expected >> bits > PART_CODES)
		bits++;
	set->part_bits = bits;
	set->parts = 1 << bits;
}

void code_set_add(struct code_set *set, int worker, const uint64_t *code, size_t n)
{
	const int shift = set->width - set->part_bits;
	struct buffer *bucket = set->bucket + (size_t)worker * PARTS_MAX;
	size_t *used = set->bucket_used + (size_t)worker * PARTS_MAX;
	for (size_t i = 0; i < n; i++) {
		const size_t part = code[i] >> shift;
		if ((used[part] + 1) * sizeof *code > bucket[part].size &&
		    !buffer_reserve(set->budget, &bucket[part], 2 * used[part] + 64,
				    sizeof *code)) {
			set->failed = true;
			return;
		}
		((uint64_t *)bucket[part].data)[used[part]++] = code[i];
	}
}

/* Where a code of SET has its home among 2^HOME_BITS slots of its part. */
static size_t code_home(const struct code_set *set, int home_bits, uint64_t code)
{
	const int below = set->width - set->part_bits;
	return code >> (below - home_bits) & (((size_t)1 << home_bits) - 1);
}

/* Inserts CODE; the slots used behind the last home are watched by the caller. */
static size_t part_insert(struct code_part *part, size_t home, uint64_t code)
{
	uint64_t *slot = part->slots.data;
	size_t i = home;
	while (slot[i] && slot[i] < code)
		i++;
	if (slot[i] == code)
		return i;
	part->used++;
	do {
		const uint64_t next = slot[i];
		slot[i++] = code;
		code = next;
	} while (code);
	return i;
}

/* Room for 2^home_bits homes; what is in the table moves. */
static bool part_resize(struct code_set *set, struct code_part *part, int home_bits)
{
	struct code_part larger = {.home_bits = home_bits};
	const size_t slots = part->used ? ((size_t)1 << part->home_bits) + SLACK : 0;
	const uint64_t *slot = part->slots.data;
	if (!buffer_reserve(set->budget, &larger.slots, ((uint64_t)1 << home_bits) + SLACK,
			    sizeof *slot))
		return false;
	for (size_t i = 0; i < slots; i++)
		if (slot[i])
			part_insert(&larger, code_home(set, home_bits, slot[i]), slot[i]);
	buffer_free(set->budget, &part->slots);
	*part = larger;
	return true;
}

/* The bits of a code behind those that tell its part: the most homes a table can do with. */
static int home_bits_max(const struct code_set *set)
{
	return set->width - set->part_bits;
}

/* A table is to be at most half full, and its last slot free. */
static bool part_full(const struct code_set *set, const struct code_part *part, size_t end)
{
	const size_t homes = (size_t)1 << part->home_bits;
	return (2 * part->used > homes || end >= homes + SLACK - 1) &&
	       part->home_bits < home_bits_max(set);
}

/* A table for an empty part, if it has none that fits. */
static bool part_begin(struct code_set *set, struct code_part *part)
{
	const int most = home_bits_max(set), bits = most < FIRST_BITS ? most : FIRST_BITS;
	if (part->used || (part->slots.size && part->home_bits <= most))
		return true;
	buffer_free(set->budget, &part->slots);
	return part_resize(set, part, bits);
}

static bool part_add(struct code_set *set, struct code_part *part, const uint64_t *code, size_t n)
{
	if (!part_begin(set, part))
		return false;
	for (size_t i = 0; i < n; i++) {
		size_t end = part_insert(part, code_home(set, part->home_bits, code[i]), code[i]);
		if (part_full(set, part, end) && !part_resize(set, part, part->home_bits + 1))
			return false;
	}
	return true;
}

static void part_merge(void *context, size_t task, int worker)
{
	struct code_set *set = context;
	(void)worker;
	for (int w = 0; w < set->workers; w++) {
		const size_t i = (size_t)w * PARTS_MAX + task;
		if (!set->failed &&
		    !part_add(set, &set->part[task], set->bucket[i].data, set->bucket_used[i]))
			set->failed = true;
		set->bucket_used[i] = 0;
	}
}

bool code_set_merge(struct code_set *set)
{
	thread_team_run(set->team, part_merge, set, (size_t)set->parts);
	return !set->failed;
}

size_t code_set_count(const struct code_set *set)
{
	size_t count = 0;
	for (int i = 0; i < set->parts; i++)
		count += set->part[i].used;
	return count;
}

struct take {
	struct code_set *set;
	uint64_t *code;
	size_t before[PARTS_MAX];
};

static void part_take(void *context, size_t task, int worker)
{
	const struct take *take = context;
	struct code_part *part = &take->set->part[task];
	(void)worker;
	uint64_t *slot = part->slots.data, *out = take->code + take->before[task];
	for (size_t left = part->used; left > 0; slot++)
		if (*slot) {
			*out++ = *slot;
			*slot = 0;
			left--;
		}
	part->used = 0;
}

void code_set_take(struct code_set *set, uint64_t *code)
{
	struct take take = {.set = set, .code = code};
	for (int i = 1; i < set->parts; i++)
		take.before[i] = take.before[i - 1] + set->part[i - 1].used;
	thread_team_run(set->team, part_take, &take, (size_t)set->parts);
}
