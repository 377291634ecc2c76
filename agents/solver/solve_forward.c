/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The forward pass of the solver: enumerates all positions, layer by layer.
 *
 * Enumeration by the tile sum and backward induction over it: Lees-Miller, The Mathematics of 2048:
 * Optimal Play with Markov Decision Processes (2018); Yamashita, Kaneko, Nakayashiki, 3x3 2048
 * (2022). Our version folds symmetric images by delta swaps on keys, keeps sets in the order of an
 * invertible hash, and stores layers in a file, so memory holds two or three of them.
 *
 * 	states(s) = starts(s) + successors of afterstates(s - 2^k) by spawns of 2^k, all kinds k
 * 	afterstates(s) = successors of states(s) by legal moves
 *
 * Threads take chunks of positions and put the codes of their successors into one set. Memory holds
 * the states of one layer, and the after-states of as many layers as the largest spawn spans. The
 * file gets both, but states only if values are wanted.
 *
 * Codes are spread evenly over [0, 2^width), so their first bits distribute them evenly over parts
 * and slots. Other codes make sets slower.
 *
 * A part of a key_set is a table with linear probing that keeps its codes in ascending order (Amble
 * and Knuth, Ordered hash tables, The Computer Journal 17(2), 1974, with an order that the hash
 * function respects): the bits of a code after those of its part give its home slot, and a new
 * code shifts larger codes to later slots. So extracting the set needs no sorting. Invariant: no
 * slot between the home of a code and the code is free, and the codes in a table are ascending.
 *
 * Check value: 3x3 has 48,713,519 states and 31,431,374 after-states.
 */
#include "agents/solver/solving.h"
#include "base/array.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
	PART_BITS_MAX = 12,
	PARTS_MAX = 1 << PART_BITS_MAX,
	PART_CODES = 4096, /* expected codes per part: its table fits in the cache */
	SLACK = 64,	   /* slots after the last home, for codes that are shifted */
	FIRST_BITS = 8,	   /* home_bits of a new table */
};

struct key_part {
	struct buffer slots; /* (1 << home_bits) + SLACK slots; 0 is free */
	int home_bits;
	size_t used;
	size_t end; /* index after the last used slot */
};

/*
 * A set of codes that many threads fill. The first bits of a code determine its part. Each worker
 * appends codes to its own bucket of each part, without a lock; then one worker merges all buckets
 * of a part into its table.
 */
struct key_set {
	struct budget *budget;
	struct thread_team *team;
	int width, workers;
	int part_bits, parts; /* 2^part_bits */
	struct key_part *part;
	struct buffer *bucket; /* [worker * PARTS_MAX + part] */
	size_t *bucket_used;
};

static void key_set_fini(struct key_set *set)
{
	for (int i = 0; set->part && i < PARTS_MAX; i++)
		buffer_free(set->budget, &set->part[i].slots);
	for (int i = 0; set->bucket && i < set->workers * PARTS_MAX; i++)
		buffer_free(set->budget, &set->bucket[i]);
	free(set->part);
	free(set->bucket);
	free(set->bucket_used);
}

/* Announces that about EXPECTED codes will be added to an empty set; affects only speed. */
static void key_set_expect(struct key_set *set, uint64_t expected)
{
	int bits = 1;
	while (bits < PART_BITS_MAX && bits < set->width - FIRST_BITS &&
	       expected >> bits > PART_CODES)
		bits++;
	set->part_bits = bits;
	set->parts = 1 << bits;
}

/* Initialises an empty set of nonzero codes of WIDTH bits, filled by WORKERS threads of TEAM. */
static enum status key_set_init(struct key_set *set, struct budget *budget,
				struct thread_team *team, int width, int workers, struct why *why)
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

/*
 * Adds N codes found by WORKER; if memory runs out, drops the rest and sets budget.wish. Different
 * workers may call it concurrently.
 */
static void key_set_add(struct key_set *set, int worker, const uint64_t *code, size_t n)
{
	const int shift = set->width - set->part_bits;
	struct buffer *bucket = set->bucket + (size_t)worker * PARTS_MAX;
	size_t *used = set->bucket_used + (size_t)worker * PARTS_MAX;
	for (size_t i = 0; i < n; i++) {
		const size_t part = code[i] >> shift;
		if ((used[part] + 1) * sizeof *code > bucket[part].size &&
		    !buffer_reserve(set->budget, &bucket[part], 2 * used[part] + 64, sizeof *code))
			return;
		((uint64_t *)bucket[part].data)[used[part]++] = code[i];
	}
}

/* Returns the home of a code among 2^HOME_BITS slots of its part. */
static size_t code_home(const struct key_set *set, int home_bits, uint64_t code)
{
	const int below = set->width - set->part_bits;
	return code >> (below - home_bits) & (((size_t)1 << home_bits) - 1);
}

static void part_insert(struct key_part *part, size_t home, uint64_t code)
{
	uint64_t *slot = part->slots.data;
	size_t i = home;
	while (slot[i] && slot[i] < code)
		i++;
	if (slot[i] == code)
		return;
	part->used++;
	do {
		const uint64_t next = slot[i];
		slot[i++] = code;
		code = next;
	} while (code);
	if (i > part->end)
		part->end = i;
}

/* Resizes the table to 2^home_bits homes and moves its codes. */
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

/* Returns the bits of a code after those of its part, which limit the number of homes. */
static int home_bits_max(const struct key_set *set)
{
	return set->width - set->part_bits;
}

/* Whether the table can grow and is more than half full, or its last slot is used. */
static bool part_full(const struct key_set *set, const struct key_part *part)
{
	const size_t homes = (size_t)1 << part->home_bits;
	return (2 * part->used > homes || part->end >= homes + SLACK - 1) &&
	       part->home_bits < home_bits_max(set);
}

/* Allocates a table for an empty part if it has no suitable one. */
static bool part_begin(struct key_set *set, struct key_part *part)
{
	const int most = home_bits_max(set), bits = most < FIRST_BITS ? most : FIRST_BITS;
	if (part->used || (part->slots.size && part->home_bits <= most))
		return true;
	buffer_free(set->budget, &part->slots);
	return part_resize(set, part, bits);
}

/* Adds N codes to a part; if memory runs out, drops the rest and sets budget.wish. */
static void part_add(struct key_set *set, struct key_part *part, const uint64_t *code, size_t n)
{
	if (!part_begin(set, part))
		return;
	for (size_t i = 0; i < n; i++) {
		part_insert(part, code_home(set, part->home_bits, code[i]), code[i]);
		/* Codes that share their first bits may fill the end of the larger table, too. */
		while (part_full(set, part))
			if (!part_resize(set, part, part->home_bits + 1))
				return;
	}
}

static void part_merge(void *context, size_t task, int worker)
{
	struct key_set *set = context;
	(void)worker;
	for (int w = 0; w < set->workers; w++) {
		const size_t i = (size_t)w * PARTS_MAX + task;
		if (!set->budget->wish)
			part_add(set, &set->part[task], set->bucket[i].data, set->bucket_used[i]);
		set->bucket_used[i] = 0;
	}
}

/* Merges the codes added since the last merge. False if the budget does not suffice. */
static bool key_set_merge(struct key_set *set)
{
	thread_team_run(set->team, part_merge, set, (size_t)set->parts);
	return !set->budget->wish;
}

/* Returns the number of codes at the last merge. */
static size_t key_set_count(const struct key_set *set)
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
	part->used = part->end = 0;
}

/* Moves the codes in ascending order to CODE, which is large enough, and empties the set. */
static void key_set_take(struct key_set *set, uint64_t *code)
{
	struct take take = {.set = set, .code = code};
	for (int i = 1; i < set->parts; i++)
		take.before[i] = take.before[i - 1] + set->part[i - 1].used;
	thread_team_run(set->team, part_take, &take, (size_t)set->parts);
}

/* Chunks between two merges, at most; until the merge, their successors are in buckets. */
enum { ROUND_CHUNKS = 4096 };

/* Folds and mixes the COUNT keys in worker->key, and adds them to the set. */
static void chunk_close(struct solving *solving, int worker, size_t count)
{
	uint64_t *key = solving->workers[worker].key;
	keys_fold(&solving->keys, key, count);
	keys_mix(&solving->keys, key, count);
	key_set_add(solving->set, worker, key, count);
}

static void spawn_chunk(void *context, size_t task, int number)
{
	const struct solve_pass *pass = context;
	struct solving *solving = pass->solving;
	struct solve_worker *worker = &solving->workers[number];
	const size_t n = solving_chunk(pass, task, worker);
	size_t count = 0;
	for (size_t i = 0; i < n; i++)
		count +=
		    key_spawns(&solving->keys, worker->source[i], pass->kind, worker->key + count);
	chunk_close(solving, number, count);
}

/*
 * Appends the after-states of KEY without the target to the COUNT keys in worker->key; returns the
 * new count. Updates worker->counts, by all legal moves, and worker->max_exponent.
 */
static size_t move_key(const struct solving *solving, struct solve_worker *worker, uint64_t key,
		       size_t count)
{
	struct board board;
	struct moves moves;
	uint64_t after[DIRECTIONS];
	keys_unpack(&solving->keys, key, &board);
	solving->game->moves(&board, &moves);
	keys_pack_moves(&solving->keys, &moves, after);
	for (unsigned legal = moves.legal; legal; legal &= legal - 1) {
		worker->key[count] = after[__builtin_ctz(legal)];
		count += !solving_won(solving, worker->key[count]);
	}
	worker->counts.live += moves.legal != 0;
	worker->counts.pairs += (uint64_t)__builtin_popcount(moves.legal);
	const int most = board_max(&board);
	worker->max_exponent = most > worker->max_exponent ? most : worker->max_exponent;
	return count;
}

/* Adds to worker->counts the raw counts of N positions, the i-th with MOVES[i] legal moves. */
static void count_raw(const struct solving *solving, struct solve_worker *worker, size_t n,
		      const uint8_t *moves)
{
	uint64_t some[SOLVE_CHUNK];
	for (int m = 0; m <= DIRECTIONS; m++) {
		size_t count = 0;
		for (size_t i = 0; i < n; i++) {
			some[count] = worker->source[i];
			count += moves[i] == m;
		}
		const uint64_t raw = keys_raw(&solving->keys, some, count);
		worker->counts.states_raw += raw;
		worker->counts.live_raw += m ? raw : 0;
		worker->counts.pairs_raw += (uint64_t)m * raw;
	}
}

static void move_chunk(void *context, size_t task, int number)
{
	const struct solve_pass *pass = context;
	struct solving *solving = pass->solving;
	struct solve_worker *worker = &solving->workers[number];
	const size_t n = solving_chunk(pass, task, worker);
	uint8_t moves[SOLVE_CHUNK];
	size_t count = 0;
	for (size_t i = 0; i < n; i++) {
		const uint64_t before = worker->counts.pairs;
		count = move_key(solving, worker, worker->source[i], count);
		moves[i] = (uint8_t)(worker->counts.pairs - before);
	}
	worker->counts.states += n;
	count_raw(solving, worker, n, moves);
	chunk_close(solving, number, count);
}

static void after_chunk(void *context, size_t task, int number)
{
	const struct solve_pass *pass = context;
	struct solve_worker *worker = &pass->solving->workers[number];
	const size_t n = solving_chunk(pass, task, worker);
	worker->counts.afterstates += n;
	worker->counts.afterstates_raw += keys_raw(&pass->solving->keys, worker->source, n);
}

/*
 * Runs CHUNK on all of LAYER, in rounds; KIND as in struct solve_pass. If COLLECTS, CHUNK adds
 * successors to the set, and each round ends with a merge. False if memory runs out.
 */
static bool expand(struct solving *solving, const struct key_layer *layer, int kind,
		   thread_team_task *chunk, bool collects)
{
	const size_t chunks = solving_chunks(layer);
	struct solve_pass pass = {.solving = solving, .layer = layer, .kind = kind};
	for (; pass.first < chunks; pass.first += ROUND_CHUNKS) {
		const size_t left = chunks - pass.first;
		thread_team_run(solving->team, chunk, &pass,
				left < ROUND_CHUNKS ? left : ROUND_CHUNKS);
		if (collects && !key_set_merge(solving->set))
			return false;
	}
	return true;
}

/* Moves the set to LAYER. */
static bool collect(struct solving *solving, struct key_layer *layer)
{
	const size_t n = key_set_count(solving->set);
	if (!key_layer_reserve(&solving->budget, layer, n, false))
		return false;
	layer->n = n;
	key_set_take(solving->set, key_layer_codes(layer));
	return true;
}

/* Finds the states of layer SUM and stores them in solving->present. */
static bool states_find(struct solving *solving, uint64_t sum)
{
	const struct spawn_rule *spawn = &solving->game->spawn;
	uint64_t expected = 0;
	for (int i = 0; i < spawn->kinds; i++) {
		const struct key_layer *from =
		    solving_near(solving, sum - (1u << spawn->exponent[i]));
		expected += from ? 2 * from->n : 0;
	}
	key_set_expect(solving->set, expected);
	for (int i = 0; i < spawn->kinds; i++) {
		const int kind = spawn->exponent[i];
		const struct key_layer *from = solving_near(solving, sum - (1u << kind));
		if (!from || (solving->task->target && kind >= solving->task->target))
			continue;
		if (!expand(solving, from, kind, spawn_chunk, true))
			return false;
	}
	for (size_t i = 0; i < solving->start_count; i++)
		if (solving->starts[i].sum == sum)
			key_set_add(solving->set, 0, &solving->starts[i].code, 1);
	solving->present.sum = sum;
	return key_set_merge(solving->set) && collect(solving, &solving->present);
}

/* Finds the after-states of solving->present, stores them in the ring and counts. */
static bool afterstates_find(struct solving *solving)
{
	struct key_layer *states = &solving->present, *after = solving_ring(solving, states->sum);
	for (int w = 0; w < solving->threads; w++) {
		solving->workers[w].counts = (struct solve_layer){0};
		solving->workers[w].max_exponent = solving->max_exponent;
	}
	key_set_expect(solving->set, states->n);
	after->sum = states->sum;
	after->n = 0;
	return expand(solving, states, 0, move_chunk, true) && collect(solving, after) &&
	       expand(solving, after, 0, after_chunk, false);
}

/* The last piece of a layer in the file: if it exists, the layer is complete. */
struct solve_record {
	struct solve_layer layer;
	int64_t max_exponent;
};

/* Computes layer SUM from those before it, stores it, and sets COUNTS. */
static enum status layer_make(struct solving *solving, uint64_t sum, struct solve_layer *counts,
			      struct why *why)
{
	if (!states_find(solving, sum) || !afterstates_find(solving))
		return solving_short(solving, sum, why);
	for (int w = 0; w < solving->threads; w++) {
		const struct solve_worker *worker = &solving->workers[w];
		solve_layer_add(counts, &worker->counts);
		if (worker->max_exponent > solving->max_exponent)
			solving->max_exponent = worker->max_exponent;
	}
	const struct key_layer *states = &solving->present, *after = solving_ring(solving, sum);
	const struct solve_record record = {.layer = *counts,
					    .max_exponent = solving->max_exponent};
	enum status status = STATUS_OK;
	/* Only the backward pass needs states again. */
	if (!solving->task->count)
		status = layer_file_put(solving->file, PIECE_STATES, sum, key_layer_codes(states),
					states->n, why);
	if (!status)
		status = layer_file_put(solving->file, PIECE_AFTERSTATES, sum,
					key_layer_codes(after), after->n, why);
	if (!status)
		status =
		    layer_file_put(solving->file, PIECE_COUNTS, sum, &record, sizeof record, why);
	return status;
}

/* Whether the record of layer SUM agrees with its pieces and with bounds. */
static bool record_valid(const struct solving *solving, uint64_t sum,
			 const struct solve_record *record)
{
	const struct solve_layer *layer = &record->layer;
	const size_t states = layer_file_count(solving->file, PIECE_STATES, sum);
	return layer->sum == sum && layer->live <= layer->states &&
	       layer->afterstates == layer_file_count(solving->file, PIECE_AFTERSTATES, sum) &&
	       (solving->task->count || layer->states == states) && record->max_exponent >= 0 &&
	       record->max_exponent <= solving->game->max_exponent;
}

/* Reads the counts of layer SUM, and its after-states if a layer not yet in the file needs them. */
static enum status layer_get(struct solving *solving, uint64_t sum, struct solve_layer *counts,
			     struct why *why)
{
	struct solve_record record;
	struct key_layer *after = solving_ring(solving, sum);
	if (layer_file_count(solving->file, PIECE_COUNTS, sum) != sizeof record ||
	    layer_file_count(solving->file, PIECE_AFTERSTATES, sum) == SIZE_MAX)
		return why_set(why, STATUS_INPUT,
			       "%s: layer %" PRIu64
			       " is not whole: expected a folder that nxn solve wrote",
			       solving->task->work, sum);
	enum status status = layer_file_get(solving->file, PIECE_COUNTS, sum, &record, why);
	if (!status && !record_valid(solving, sum, &record))
		status = solving_refuse(solving, sum, why);
	if (status)
		return status;
	*counts = record.layer;
	solving->max_exponent = (int)record.max_exponent;
	*after = (struct key_layer){.sum = sum, .codes = after->codes};
	if (layer_file_count(solving->file, PIECE_COUNTS, sum + solving->widest) != SIZE_MAX)
		return STATUS_OK;
	return solving_load(solving, PIECE_AFTERSTATES, sum, false, after, why);
}

/* Appends the counts of a layer. */
static bool layer_append(struct solving *solving, const struct solve_layer *counts)
{
	struct solve_layer *layers =
	    array_grow(solving->layers, solving->layer_count, &solving->layers_max, sizeof *layers);
	if (!layers)
		return false;
	solving->layers = layers;
	solving->layers[solving->layer_count++] = *counts;
	solving->states += counts->states;
	return true;
}

/* Whether positions with tile sum SUM can follow from the layers found, or be starts. */
static bool layers_remain(const struct solving *solving, uint64_t sum)
{
	uint64_t reach = solving->starts[solving->start_count - 1].sum;
	if (solving->layer_count) {
		const uint64_t found = solving->layers[solving->layer_count - 1].sum;
		reach = found + solving->widest > reach ? found + solving->widest : reach;
	}
	return sum <= reach && sum <= solving->last;
}

static enum status layers_enumerate(struct solving *solving, struct why *why)
{
	enum status status = STATUS_OK;
	for (uint64_t sum = solving->first; !status && layers_remain(solving, sum);
	     sum += solving->step) {
		struct solve_layer counts = {.sum = sum};
		if (layer_file_count(solving->file, PIECE_COUNTS, sum) != SIZE_MAX)
			status = layer_get(solving, sum, &counts, why);
		else
			status = layer_make(solving, sum, &counts, why);
		if (!status && counts.states && !layer_append(solving, &counts))
			status = why_set(why, STATUS_SYSTEM, "out of memory for %zu layers",
					 solving->layer_count);
		const struct solve_progress progress = {
		    .sum = sum, .last = solving->last, .states = solving->states, .layer = &counts};
		if (!status && counts.states && solving->task->tell &&
		    !solving->task->tell(solving->task->context, &progress))
			status = why_set(why, STATUS_STOPPED, "stopped");
	}
	return status;
}

enum status solve_forward(struct solving *solving, struct why *why)
{
	struct key_set set;
	enum status status = key_set_init(&set, &solving->budget, solving->team,
					  solving->keys.width, solving->threads, why);
	if (status)
		return status;
	solving->set = &set;
	status = layers_enumerate(solving, why);
	solving->set = NULL;
	key_set_fini(&set);
	return status;
}
