/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sets of positions; see key_sets.h.
 *
 * A part of a key_set is a table with linear probing that keeps its codes in ascending order
 * (Amble and Knuth, Ordered hash tables, The Computer Journal 17(2), 1974, with an order that the
 * hash function respects): the home of a code is its first bits, and a newcomer pushes larger
 * codes on. So taking the set out needs no sorting. Invariant: from the home of a code to the
 * code itself no slot is free, and read from the first slot to the last a table is ascending.
 *
 * A key_layer has a start for every one or two of its codes, so the entry is next to where the
 * directory points; behind the last code is one that no other exceeds, so that a search ends.
 * Look-ups come in batches, whose cache misses overlap: of the directory first, then of the
 * entries.
 *
 * packed_keys are the high-bits, low-bits split of Elias (Efficient storage and retrieval by
 * content and address of static files, J. ACM 21, 1974), with plain counts instead of a unary
 * code, which can be looked up at once:
 *
 *	directory  buckets + 1 numbers of 32 bits: how many codes lie in the buckets before; a zero
 *	           fills it up to 8 bytes
 *	rests      code i from bit i * rest on, first bits lowest, in words of 64 bits; one word
 *	           more, so that two may be read wherever a code begins
 */
#include "agents/solver/key_sets.h"

#include <assert.h>
#include <stdlib.h>

enum {
	PART_BITS_MAX = 12,
	PARTS_MAX = 1 << PART_BITS_MAX,
	PART_CODES = 4096, /* expected in a part: its table stays near the processor */
	SLACK = 64,	   /* slots behind the last home, for those that are pushed on */
	FIRST_BITS = 8,	   /* of the homes of a new table */
};

struct key_part {
	struct buffer slots; /* (1 << home_bits) + SLACK of them; 0 is free */
	int home_bits;
	size_t used;
};

enum status key_set_init(struct key_set *set, struct budget *budget, struct thread_team *team,
			 int width, int workers, struct why *why)
{
	const size_t buckets = (size_t)workers * PARTS_MAX;
	*set = (struct key_set){.budget = budget, .team = team, .width = width, .workers = workers};
	set->part = calloc(PARTS_MAX, sizeof *set->part);
	set->bucket = calloc(buckets, sizeof *set->bucket);
	set->bucket_used = calloc(buckets, sizeof *set->bucket_used);
	if (!set->part || !set->bucket || !set->bucket_used) {
		key_set_fini(set);
		return why_set(why, STATUS_SYSTEM, "out of memory for a set of positions");
	}
	key_set_expect(set, 0);
	return STATUS_OK;
}

void key_set_fini(struct key_set *set)
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

void key_set_expect(struct key_set *set, uint64_t expected)
{
	int bits = 1;
	while (bits < PART_BITS_MAX && bits < set->width - FIRST_BITS &&
	       expected >> bits > PART_CODES)
		bits++;
	set->part_bits = bits;
	set->parts = 1 << bits;
}

void key_set_add(struct key_set *set, int worker, const uint64_t *code, size_t n)
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
static size_t code_home(const struct key_set *set, int home_bits, uint64_t code)
{
	const int below = set->width - set->part_bits;
	return code >> (below - home_bits) & (((size_t)1 << home_bits) - 1);
}

/* Inserts CODE; the slots used behind the last home are watched by the caller. */
static size_t part_insert(struct key_part *part, size_t home, uint64_t code)
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
static bool part_resize(struct key_set *set, struct key_part *part, int home_bits)
{
	struct key_part larger = {.home_bits = home_bits};
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
static int home_bits_max(const struct key_set *set)
{
	return set->width - set->part_bits;
}

/* A table is to be at most half full, and its last slot free. */
static bool part_full(const struct key_set *set, const struct key_part *part, size_t end)
{
	const size_t homes = (size_t)1 << part->home_bits;
	return (2 * part->used > homes || end >= homes + SLACK - 1) &&
	       part->home_bits < home_bits_max(set);
}

/* A table for an empty part, if it has none that fits. */
static bool part_begin(struct key_set *set, struct key_part *part)
{
	const int most = home_bits_max(set), bits = most < FIRST_BITS ? most : FIRST_BITS;
	if (part->used || (part->slots.size && part->home_bits <= most))
		return true;
	buffer_free(set->budget, &part->slots);
	return part_resize(set, part, bits);
}

static bool part_add(struct key_set *set, struct key_part *part, const uint64_t *code, size_t n)
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
	struct key_set *set = context;
	(void)worker;
	for (int w = 0; w < set->workers; w++) {
		const size_t i = (size_t)w * PARTS_MAX + task;
		if (!set->failed &&
		    !part_add(set, &set->part[task], set->bucket[i].data, set->bucket_used[i]))
			set->failed = true;
		set->bucket_used[i] = 0;
	}
}

bool key_set_merge(struct key_set *set)
{
	thread_team_run(set->team, part_merge, set, (size_t)set->parts);
	return !set->failed;
}

size_t key_set_count(const struct key_set *set)
{
	size_t count = 0;
	for (int i = 0; i < set->parts; i++)
		count += set->part[i].used;
	return count;
}

struct take {
	struct key_set *set;
	uint64_t *code;
	size_t before[PARTS_MAX];
};

static void part_take(void *context, size_t task, int worker)
{
	const struct take *take = context;
	struct key_part *part = &take->set->part[task];
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

void key_set_take(struct key_set *set, uint64_t *code)
{
	struct take take = {.set = set, .code = code};
	for (int i = 1; i < set->parts; i++)
		take.before[i] = take.before[i - 1] + set->part[i - 1].used;
	thread_team_run(set->team, part_take, &take, (size_t)set->parts);
}

bool key_layer_reserve(struct budget *budget, struct key_layer *layer, size_t n, bool values)
{
	if (n >= UINT32_MAX) {
		atomic_store(&budget->wish, (uint64_t)n * (sizeof(uint64_t) + sizeof(double)));
		return false;
	}
	return buffer_reserve(budget, &layer->codes, n + 1, sizeof(uint64_t)) &&
	       (!values || buffer_reserve(budget, &layer->values, n + 1, sizeof(double)));
}

bool key_layer_index(struct budget *budget, struct key_layer *layer, int width)
{
	int bits = 0;
	while (bits < width - 1 && layer->n >> (bits + 1))
		bits++;
	const size_t buckets = (size_t)1 << bits;
	if (!buffer_reserve(budget, &layer->starts, buckets + 1, sizeof(uint32_t)))
		return false;
	layer->shift = width - bits;
	uint32_t *starts = layer->starts.data;
	uint64_t *code = key_layer_codes(layer);
	size_t next = 0;
	code[layer->n] = UINT64_MAX;
	for (size_t i = 0; i < layer->n; i++) {
		/*
		 * A width of 64 and no bits would be a shift by 64; then all are in the only
		 * bucket.
		 */
		const size_t bucket = bits ? code[i] >> layer->shift : 0;
		while (next <= bucket)
			starts[next++] = (uint32_t)i;
	}
	while (next <= buckets)
		starts[next++] = (uint32_t)layer->n;
	return true;
}

static const uint32_t *layer_start(const struct key_layer *layer, uint64_t code)
{
	const uint32_t *starts = layer->starts.data;
	return &starts[layer->shift < 64 ? code >> layer->shift : 0];
}

size_t key_layer_seek(const struct key_layer *layer, uint64_t code)
{
	const uint64_t *codes = key_layer_codes(layer);
	size_t i = *layer_start(layer, code);
	while (i < layer->n && codes[i] < code)
		i++;
	return i < layer->n && codes[i] == code ? i : SIZE_MAX;
}

void key_layer_find(const struct key_layer *layer, const uint64_t *code, size_t n, double *out)
{
	enum { BATCH = 64 };
	const uint64_t *codes = key_layer_codes(layer);
	const double *values = key_layer_values(layer);
	for (; n > 0; code += BATCH, out += BATCH) {
		const size_t some = n < BATCH ? n : BATCH;
		size_t at[BATCH];
		for (size_t i = 0; i < some; i++)
			__builtin_prefetch(layer_start(layer, code[i]));
		for (size_t i = 0; i < some; i++) {
			at[i] = *layer_start(layer, code[i]);
			__builtin_prefetch(codes + at[i]);
			__builtin_prefetch(values + at[i]);
		}
		for (size_t i = 0; i < some; i++) {
			while (codes[at[i]] < code[i])
				at[i]++;
			out[i] = values[at[i]];
		}
		n -= some;
	}
}

void key_layer_free(struct budget *budget, struct key_layer *layer)
{
	buffer_free(budget, &layer->codes);
	buffer_free(budget, &layer->values);
	buffer_free(budget, &layer->starts);
	*layer = (struct key_layer){0};
}

bool packed_keys_fit(int width, uint64_t count)
{
	return width >= 1 && width <= 64 && count <= UINT32_MAX &&
	       (width == 64 || count <= (uint64_t)1 << width);
}

void packed_keys_plan(struct packed_keys *packed, int width, uint64_t count)
{
	assert(packed_keys_fit(width, count));
	int prefix = count < 16 ? 0 : 63 - __builtin_clzll(count) - 3;
	const uint64_t buckets = (uint64_t)1 << prefix, rest = (uint64_t)(width - prefix);
	*packed = (struct packed_keys){
	    .width = width,
	    .rest = (int)rest,
	    .count = count,
	    .buckets = buckets,
	    .directory = (buckets + 2) / 2 * 8,
	    .rests = ((count * rest + 63) / 64 + 1) * 8,
	};
}

void packed_keys_put_directory(const struct packed_keys *packed, const uint64_t *code,
			       struct outflow *out)
{
	uint64_t begun = 0; /* buckets whose first code is known */
	for (uint64_t i = 0; i < packed->count; i++)
		for (uint64_t b = packed_keys_bucket(packed, code[i]); begun <= b; begun++)
			outflow_u32(out, (uint32_t)i);
	for (; begun <= packed->buckets; begun++)
		outflow_u32(out, (uint32_t)packed->count);
	if (packed->buckets % 2 == 0)
		outflow_u32(out, 0);
}

static uint64_t low_bits(int n)
{
	return ~(uint64_t)0 >> (64 - n);
}

void packed_keys_put_rests(const struct packed_keys *packed, const uint64_t *code,
			   struct outflow *out)
{
	const int rest = packed->rest;
	const uint64_t mask = low_bits(rest);
	uint64_t word = 0;
	int used = 0;
	for (uint64_t i = 0; i < packed->count; i++) {
		const uint64_t x = code[i] & mask;
		word |= x << used;
		used += rest;
		if (used >= 64) {
			outflow_u64(out, word);
			used -= 64;
			word = used ? x >> (rest - used) : 0;
		}
	}
	if (used)
		outflow_u64(out, word);
	outflow_u64(out, 0);
}

/* Bits as they flow in. */
struct bits {
	struct inflow *in;
	uint64_t word; /* the next bits, lowest first */
	int have;
};

static inline uint64_t bits_take(struct bits *bits, int n)
{
	uint64_t x = bits->word;
	if (bits->have >= n) {
		bits->word = n < 64 ? x >> n : 0;
		bits->have -= n;
		return x & low_bits(n);
	}
	const int missing = n - bits->have;
	const uint64_t next = inflow_u64(bits->in);
	x |= next << bits->have;
	bits->word = missing < 64 ? next >> missing : 0;
	bits->have = 64 - missing;
	return x & low_bits(n);
}

bool packed_keys_get(const struct packed_keys *packed, struct inflow *directory,
		     struct inflow *rests, uint64_t *code)
{
	struct bits bits = {.in = rests};
	uint64_t i = 0;
	if (inflow_u32(directory) != 0)
		return false;
	for (uint64_t b = 0; b < packed->buckets; b++) {
		const uint64_t end = inflow_u32(directory);
		const uint64_t first = packed->buckets > 1 ? b << packed->rest : 0;
		if (end < i || end > packed->count)
			return false;
		for (; i < end; i++)
			code[i] = first | bits_take(&bits, packed->rest);
	}
	return i == packed->count;
}

static inline uint64_t rest_at(const uint64_t *words, uint64_t i, int rest)
{
	const uint64_t bit = i * (uint64_t)rest;
	const uint64_t *at = words + bit / 64;
	const int shift = (int)(bit % 64);
	const uint64_t x = le64toh(at[0]) >> shift | le64toh(at[1]) << 1 << (63 - shift);
	return x & low_bits(rest);
}

uint64_t packed_keys_find(const struct packed_keys *packed, const void *directory,
			  const void *rests, uint64_t code)
{
	const uint32_t *starts = directory;
	const uint64_t bucket = packed_keys_bucket(packed, code);
	const uint64_t x = code & low_bits(packed->rest);
	if (bucket >= packed->buckets)
		return packed->count;
	uint64_t end = le32toh(starts[bucket + 1]);
	end = end < packed->count ? end : packed->count;
	for (uint64_t i = le32toh(starts[bucket]); i < end; i++) {
		const uint64_t y = rest_at(rests, i, packed->rest);
		if (y >= x)
			return y == x ? i : packed->count;
	}
	return packed->count;
}
