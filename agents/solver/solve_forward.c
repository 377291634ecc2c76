/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The solver forwards: every layer out of those before it.
 *
 *	states(s) = starts(s) + what spawns of 2^k make of afterstates(s - 2^k), over the kinds k
 *	afterstates(s) = what legal moves make of states(s)
 *
 * Threads take chunks of positions, and put the codes of what they become into one set. Only
 * after-states are remembered, for as many layers as the largest spawn reaches; all goes to the
 * shelf.
 *
 * Check value: 3x3 has 48,713,519 states and 31,431,374 after-states.
 */
#include "agents/solver/solving.h"

#include <inttypes.h>
#include <stdlib.h>

/* Between merges at most so many chunks: what they become has to wait in memory. */
enum { ROUND_CHUNKS = 4096 };

/* Positions of a layer, and how they are expanded. */
struct expansion {
	struct solving *solving;
	const uint64_t *code;
	size_t n, first; /* of them; the chunk that the present round begins with */
	int kind;	 /* exponent of the spawn, or 0 for moves */
};

/* Chunk number TASK of the round as keys, in worker->source; their number. */
static size_t chunk_open(const struct expansion *expansion, size_t task,
			 struct solve_worker *worker)
{
	return solving_chunk(expansion->solving, expansion->code, expansion->n,
			     expansion->first + task, worker);
}

/* The COUNT keys in worker->key join the set. */
static void chunk_close(struct solving *solving, int worker, size_t count)
{
	uint64_t *key = solving->workers[worker].key;
	keys_fold(&solving->keys, key, count);
	keys_mix(&solving->keys, key, count);
	code_set_add(&solving->set, worker, key, count);
}

static void spawn_chunk(void *context, size_t task, int number)
{
	const struct expansion *expansion = context;
	struct solving *solving = expansion->solving;
	struct solve_worker *worker = &solving->workers[number];
	const size_t n = chunk_open(expansion, task, worker);
	size_t count = 0;
	for (size_t i = 0; i < n; i++)
		count += key_spawns(&solving->keys, worker->source[i], expansion->kind,
				    worker->key + count);
	chunk_close(solving, number, count);
}

/*
 * Appends what the legal moves of KEY become, but for what has the target; their number goes into
 * worker->counts.
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
	for (int k = worker->max_exponent + 1; k <= solving->highest; k++)
		if (key_has(&solving->keys, key, k))
			worker->max_exponent = k;
	return count;
}

/* Images apart: of all positions, and by the number of their moves. */
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
	const struct expansion *expansion = context;
	struct solving *solving = expansion->solving;
	struct solve_worker *worker = &solving->workers[number];
	const size_t n = chunk_open(expansion, task, worker);
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
	const struct expansion *expansion = context;
	struct solve_worker *worker = &expansion->solving->workers[number];
	const size_t n = chunk_open(expansion, task, worker);
	worker->counts.afterstates += n;
	worker->counts.afterstates_raw += keys_raw(&expansion->solving->keys, worker->source, n);
}

/* All chunks, by rounds; what they become, if anything, is in the set. False: no room for it. */
static bool expand(struct expansion *expansion, thread_team_task *chunk, bool collects)
{
	struct solving *solving = expansion->solving;
	const size_t chunks = (expansion->n + SOLVE_CHUNK - 1) / SOLVE_CHUNK;
	for (expansion->first = 0; expansion->first < chunks; expansion->first += ROUND_CHUNKS) {
		const size_t left = chunks - expansion->first;
		thread_team_run(solving->team, chunk, expansion,
				left < ROUND_CHUNKS ? left : ROUND_CHUNKS);
		if (collects && !code_set_merge(&solving->set))
			return false;
	}
	return true;
}

/* Empties the set into LAYER. */
static bool collect(struct solving *solving, struct layer *layer)
{
	const size_t n = code_set_count(&solving->set);
	if (!layer_reserve(&solving->budget, layer, n, false))
		return false;
	layer->n = n;
	code_set_take(&solving->set, layer_codes(layer));
	return true;
}

/* The states of layer SUM, in solving->present. */
static bool states_find(struct solving *solving, uint64_t sum)
{
	const struct spawn_rule *spawn = &solving->game->spawn;
	uint64_t expected = 0;
	for (int i = 0; i < spawn->kinds; i++) {
		const struct layer *from = solving_near(solving, sum - (1u << spawn->exponent[i]));
		expected += from ? 2 * from->n : 0;
	}
	code_set_expect(&solving->set, expected);
	for (int i = 0; i < spawn->kinds; i++) {
		const int kind = spawn->exponent[i];
		const struct layer *from = solving_near(solving, sum - (1u << kind));
		if (!from || (solving->task->target && kind >= solving->task->target))
			continue;
		struct expansion expansion = {
		    .solving = solving, .code = layer_codes(from), .n = from->n, .kind = kind};
		if (!expand(&expansion, spawn_chunk, true))
			return false;
	}
	for (size_t i = 0; i < solving->seed_count; i++)
		if (solving->seeds[i].sum == sum)
			code_set_add(&solving->set, 0, &solving->seeds[i].code, 1);
	const int cell = (1 << solving->keys.bits) - 1, log = 63 - __builtin_clzll(sum);
	solving->highest = log < cell ? log : cell;
	solving->present.sum = sum;
	return code_set_merge(&solving->set) && collect(solving, &solving->present);
}

/* The after-states of the states in solving->present, in the ring, and what there is to count. */
static bool afterstates_find(struct solving *solving)
{
	struct layer *states = &solving->present, *after = solving_ring(solving, states->sum);
	struct expansion expansion = {
	    .solving = solving, .code = layer_codes(states), .n = states->n};
	for (int w = 0; w < solving->threads; w++) {
		solving->workers[w].counts = (struct solve_layer){0};
		solving->workers[w].max_exponent = solving->max_exponent;
	}
	code_set_expect(&solving->set, states->n);
	after->sum = states->sum;
	after->n = 0;
	if (!expand(&expansion, move_chunk, true) || !collect(solving, after))
		return false;
	expansion =
	    (struct expansion){.solving = solving, .code = layer_codes(after), .n = after->n};
	return expand(&expansion, after_chunk, false);
}

/* What the threads counted. */
static struct solve_layer counts_sum(struct solving *solving)
{
	struct solve_layer sum = {.sum = solving->present.sum};
	for (int w = 0; w < solving->threads; w++) {
		const struct solve_worker *worker = &solving->workers[w];
		solve_layer_add(&sum, &worker->counts);
		if (worker->max_exponent > solving->max_exponent)
			solving->max_exponent = worker->max_exponent;
	}
	return sum;
}

/* What is on the shelf of a layer at the end, so that what is there with it is complete. */
struct record {
	struct solve_layer layer;
	int64_t max_exponent;
};

static enum status layer_put(struct solving *solving, const struct solve_layer *counts,
			     struct why *why)
{
	const uint64_t sum = counts->sum;
	const struct layer *states = &solving->present, *after = solving_ring(solving, sum);
	const struct record record = {.layer = *counts, .max_exponent = solving->max_exponent};
	enum status status = STATUS_OK;
	/* Only values need the states again. */
	if (!solving->task->count && shelf_count(solving->shelf, PIECE_STATES, sum) == SIZE_MAX)
		status = shelf_put_codes(solving->shelf, PIECE_STATES, sum, solving->keys.width,
					 layer_codes(states), states->n, why);
	if (!status && shelf_count(solving->shelf, PIECE_AFTERSTATES, sum) == SIZE_MAX)
		status = shelf_put_codes(solving->shelf, PIECE_AFTERSTATES, sum,
					 solving->keys.width, layer_codes(after), after->n, why);
	if (!status)
		status =
		    shelf_put_bytes(solving->shelf, PIECE_COUNTS, sum, &record, sizeof record, why);
	return status;
}

/* Layer SUM out of those before it. */
static enum status layer_find_new(struct solving *solving, uint64_t sum, struct solve_layer *counts,
				  struct why *why)
{
	if (!states_find(solving, sum) || !afterstates_find(solving))
		return solving_short(solving, sum, why);
	*counts = counts_sum(solving);
	return layer_put(solving, counts, why);
}

/* Whether the record of layer SUM can be: its counts are those of its pieces, and what they bound. */
static bool record_sound(const struct solving *solving, uint64_t sum, const struct record *record)
{
	const struct solve_layer *layer = &record->layer;
	const size_t states = shelf_count(solving->shelf, PIECE_STATES, sum);
	return layer->sum == sum && layer->live <= layer->states &&
	       layer->afterstates == shelf_count(solving->shelf, PIECE_AFTERSTATES, sum) &&
	       (solving->task->count || layer->states == states) && record->max_exponent >= 0 &&
	       record->max_exponent <= solving->game->max_exponent;
}

/* Layer SUM from the shelf; its after-states if layers to come are made of them. */
static enum status layer_get(struct solving *solving, uint64_t sum, struct solve_layer *counts,
			     struct why *why)
{
	struct record record;
	struct layer *after = solving_ring(solving, sum);
	if (shelf_count(solving->shelf, PIECE_COUNTS, sum) != sizeof record ||
	    shelf_count(solving->shelf, PIECE_AFTERSTATES, sum) == SIZE_MAX)
		return why_set(why, STATUS_INPUT,
			       "%s: layer %" PRIu64
			       " is not whole: expected a folder that nxn solve wrote",
			       solving->task->work, sum);
	enum status status = shelf_get_bytes(solving->shelf, PIECE_COUNTS, sum, &record, why);
	if (!status && !record_sound(solving, sum, &record))
		status = solving_refuse(solving, sum, why);
	if (status)
		return status;
	*counts = record.layer;
	solving->max_exponent = (int)record.max_exponent;
	*after = (struct layer){.sum = sum, .codes = after->codes};
	if (shelf_count(solving->shelf, PIECE_COUNTS, sum + solving->widest) != SIZE_MAX)
		return STATUS_OK;
	return solving_load(solving, PIECE_AFTERSTATES, sum, false, after, why);
}

/* Adds the counts of a layer to what is known. */
static bool layer_note(struct solving *solving, const struct solve_layer *counts)
{
	if (solving->layer_count == solving->layers_max) {
		const size_t more = 2 * solving->layers_max + 64;
		struct solve_layer *layers =
		    realloc(solving->layers, more * sizeof *solving->layers);
		if (!layers)
			return false;
		solving->layers = layers;
		solving->layers_max = more;
	}
	solving->layers[solving->layer_count++] = *counts;
	solving->states += counts->states;
	return true;
}

static bool layer_tell(const struct solving *solving, const struct solve_layer *counts)
{
	const struct solve_progress progress = {
	    .sum = counts->sum, .last = solving->last, .states = solving->states, .layer = counts};
	return !solving->task->tell || solving->task->tell(solving->task->context, &progress);
}

/* Whether positions whose tiles sum to SUM can still come of what was found. */
static bool layers_left(const struct solving *solving, uint64_t sum)
{
	uint64_t reach = solving->seeds[solving->seed_count - 1].sum;
	if (solving->layer_count) {
		const uint64_t found = solving->layers[solving->layer_count - 1].sum;
		reach = found + solving->widest > reach ? found + solving->widest : reach;
	}
	return sum <= reach && sum <= solving->last;
}

enum status solve_forward(struct solving *solving, struct why *why)
{
	enum status status = STATUS_OK;
	for (uint64_t sum = solving->first; !status && layers_left(solving, sum);
	     sum += solving->step) {
		struct solve_layer counts = {.sum = sum};
		if (shelf_count(solving->shelf, PIECE_COUNTS, sum) != SIZE_MAX)
			status = layer_get(solving, sum, &counts, why);
		else
			status = layer_find_new(solving, sum, &counts, why);
		if (!status && counts.states && !layer_note(solving, &counts))
			status = why_set(why, STATUS_SYSTEM, "out of memory for %zu layers",
					 solving->layer_count);
		if (!status && counts.states && !layer_tell(solving, &counts))
			status = why_set(why, STATUS_STOPPED, "stopped");
	}
	/* The way back needs none. */
	code_set_fini(&solving->set);
	return status;
}
