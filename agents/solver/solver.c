/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The solver: enumerates all positions forwards, lets solve_backward() value them, and makes the
 * result and the table file; see solver.h.
 *
 * Enumeration by the sum of tiles and backward induction over it: Lees-Miller, The Mathematics of
 * 2048: Optimal Play with Markov Decision Processes (2018); Yamashita, Kaneko, Nakayashiki, 3x3
 * 2048 (2022). Ours folds images by delta swaps on keys, keeps sets in the order of an invertible
 * hash, and puts layers into a file, so that memory holds two or three of them.
 *
 *	states(s) = starts(s) + what spawns of 2^k make of afterstates(s - 2^k), over the kinds k
 *	afterstates(s) = what legal moves make of states(s)
 *
 * Threads take chunks of positions, and put the codes of what they become into one set. Memory
 * keeps only after-states, for as many layers as the largest spawn reaches; everything goes to
 * the file.
 *
 * Check value: 3x3 has 48,713,519 states and 31,431,374 after-states.
 */
#include "agents/solver/solving.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void layer_add(struct solve_layer *sum, const struct solve_layer *more)
{
	sum->states += more->states;
	sum->states_raw += more->states_raw;
	sum->live += more->live;
	sum->live_raw += more->live_raw;
	sum->afterstates += more->afterstates;
	sum->afterstates_raw += more->afterstates_raw;
	sum->pairs += more->pairs;
	sum->pairs_raw += more->pairs_raw;
}

/* Between merges at most so many chunks: what they become has to wait in memory. */
enum { ROUND_CHUNKS = 4096 };

/* The COUNT keys in worker->key join the set. */
static void chunk_close(struct solving *solving, int worker, size_t count)
{
	uint64_t *key = solving->workers[worker].key;
	keys_fold(&solving->keys, key, count);
	keys_mix(&solving->keys, key, count);
	key_set_add(&solving->set, worker, key, count);
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
 * Runs CHUNK on all of LAYER, by rounds; what the positions become by KIND is in the set if CHUNK
 * COLLECTS it. False if there is no memory for it.
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
		if (collects && !key_set_merge(&solving->set))
			return false;
	}
	return true;
}

/* Empties the set into LAYER. */
static bool collect(struct solving *solving, struct key_layer *layer)
{
	const size_t n = key_set_count(&solving->set);
	if (!key_layer_reserve(&solving->budget, layer, n, false))
		return false;
	layer->n = n;
	key_set_take(&solving->set, key_layer_codes(layer));
	return true;
}

/* The states of layer SUM, in solving->present. */
static bool states_find(struct solving *solving, uint64_t sum)
{
	const struct spawn_rule *spawn = &solving->game->spawn;
	uint64_t expected = 0;
	for (int i = 0; i < spawn->kinds; i++) {
		const struct key_layer *from =
		    solving_near(solving, sum - (1u << spawn->exponent[i]));
		expected += from ? 2 * from->n : 0;
	}
	key_set_expect(&solving->set, expected);
	for (int i = 0; i < spawn->kinds; i++) {
		const int kind = spawn->exponent[i];
		const struct key_layer *from = solving_near(solving, sum - (1u << kind));
		if (!from || (solving->task->target && kind >= solving->task->target))
			continue;
		if (!expand(solving, from, kind, spawn_chunk, true))
			return false;
	}
	for (size_t i = 0; i < solving->seed_count; i++)
		if (solving->seeds[i].sum == sum)
			key_set_add(&solving->set, 0, &solving->seeds[i].code, 1);
	const int cell = (1 << solving->keys.bits) - 1, log = 63 - __builtin_clzll(sum);
	solving->highest = log < cell ? log : cell;
	solving->present.sum = sum;
	return key_set_merge(&solving->set) && collect(solving, &solving->present);
}

/* The after-states of the states in solving->present, in the ring, and what there is to count. */
static bool afterstates_find(struct solving *solving)
{
	struct key_layer *states = &solving->present, *after = solving_ring(solving, states->sum);
	for (int w = 0; w < solving->threads; w++) {
		solving->workers[w].counts = (struct solve_layer){0};
		solving->workers[w].max_exponent = solving->max_exponent;
	}
	key_set_expect(&solving->set, states->n);
	after->sum = states->sum;
	after->n = 0;
	return expand(solving, states, 0, move_chunk, true) && collect(solving, after) &&
	       expand(solving, after, 0, after_chunk, false);
}

/* What the threads counted. */
static struct solve_layer counts_sum(struct solving *solving)
{
	struct solve_layer sum = {.sum = solving->present.sum};
	for (int w = 0; w < solving->threads; w++) {
		const struct solve_worker *worker = &solving->workers[w];
		layer_add(&sum, &worker->counts);
		if (worker->max_exponent > solving->max_exponent)
			solving->max_exponent = worker->max_exponent;
	}
	return sum;
}

/* The last piece of a layer in the file: where it is, the others are complete. */
struct solve_record {
	struct solve_layer layer;
	int64_t max_exponent;
};

static enum status layer_put(struct solving *solving, const struct solve_layer *counts,
			     struct why *why)
{
	const uint64_t sum = counts->sum;
	const struct key_layer *states = &solving->present, *after = solving_ring(solving, sum);
	const struct solve_record record = {.layer = *counts,
					    .max_exponent = solving->max_exponent};
	enum status status = STATUS_OK;
	/* Only values need the states again. */
	if (!solving->task->count && solving_pieces(solving, PIECE_STATES, sum) == SIZE_MAX)
		status = layer_file_put(solving->file, PIECE_STATES, sum, key_layer_codes(states),
					states->n, why);
	if (!status && solving_pieces(solving, PIECE_AFTERSTATES, sum) == SIZE_MAX)
		status = layer_file_put(solving->file, PIECE_AFTERSTATES, sum,
					key_layer_codes(after), after->n, why);
	if (!status)
		status =
		    layer_file_put(solving->file, PIECE_COUNTS, sum, &record, sizeof record, why);
	return status;
}

/* Layer SUM out of those before it. */
static enum status layer_make(struct solving *solving, uint64_t sum, struct solve_layer *counts,
			      struct why *why)
{
	if (!states_find(solving, sum) || !afterstates_find(solving))
		return solving_short(solving, sum, why);
	*counts = counts_sum(solving);
	return layer_put(solving, counts, why);
}

/*
 * Whether the record of layer SUM can be: its counts are those of its pieces, and what they bound.
 */
static bool record_sound(const struct solving *solving, uint64_t sum,
			 const struct solve_record *record)
{
	const struct solve_layer *layer = &record->layer;
	const size_t states = solving_pieces(solving, PIECE_STATES, sum);
	return layer->sum == sum && layer->live <= layer->states &&
	       layer->afterstates == solving_pieces(solving, PIECE_AFTERSTATES, sum) &&
	       (solving->task->count || layer->states == states) && record->max_exponent >= 0 &&
	       record->max_exponent <= solving->game->max_exponent;
}

/* Reads layer SUM; its after-states too if layers to come are made of them. */
static enum status layer_get(struct solving *solving, uint64_t sum, struct solve_layer *counts,
			     struct why *why)
{
	struct solve_record record;
	struct key_layer *after = solving_ring(solving, sum);
	if (solving_pieces(solving, PIECE_COUNTS, sum) != sizeof record ||
	    solving_pieces(solving, PIECE_AFTERSTATES, sum) == SIZE_MAX)
		return why_set(why, STATUS_INPUT,
			       "%s: layer %" PRIu64
			       " is not whole: expected a folder that nxn solve wrote",
			       solving->task->work, sum);
	enum status status = layer_file_get(solving->file, PIECE_COUNTS, sum, &record, why);
	if (!status && !record_sound(solving, sum, &record))
		status = solving_refuse(solving, sum, why);
	if (status)
		return status;
	*counts = record.layer;
	solving->max_exponent = (int)record.max_exponent;
	*after = (struct key_layer){.sum = sum, .codes = after->codes};
	if (solving_pieces(solving, PIECE_COUNTS, sum + solving->widest) != SIZE_MAX)
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

/* Enumerates all layers, ascending, into the file. Errors of solve(). */
static enum status solve_forward(struct solving *solving, struct why *why)
{
	enum status status = STATUS_OK;
	for (uint64_t sum = solving->first; !status && layers_left(solving, sum);
	     sum += solving->step) {
		struct solve_layer counts = {.sum = sum};
		if (solving_pieces(solving, PIECE_COUNTS, sum) != SIZE_MAX)
			status = layer_get(solving, sum, &counts, why);
		else
			status = layer_make(solving, sum, &counts, why);
		if (!status && counts.states && !layer_note(solving, &counts))
			status = why_set(why, STATUS_SYSTEM, "out of memory for %zu layers",
					 solving->layer_count);
		if (!status && counts.states && !layer_tell(solving, &counts))
			status = why_set(why, STATUS_STOPPED, "stopped");
	}
	/* The way back needs none. */
	key_set_fini(&solving->set);
	return status;
}

static enum status task_check(const struct solve_task *task, struct why *why)
{
	const struct game *game = task->game;
	if ((task->goal == GOAL_TARGET) != (task->target > 0))
		return why_set(why, STATUS_INPUT, "a target goes with the goal of reaching it");
	if (task->count && task->out)
		return why_set(why, STATUS_INPUT, "%s: a table needs values, not counts",
			       task->out);
	if (task->target > game->max_exponent)
		return why_set(why, STATUS_INPUT,
			       "%s: no game reaches 2^%d, expected a target up to 2^%d", game->name,
			       task->target, game->max_exponent);
	return STATUS_OK;
}

/* Copies every layer's after-states and values from the file of layers into the table file. */
static enum status table_layers(struct solving *solving, const struct solve_result *result,
				struct optimum_writer *writer, struct why *why)
{
	struct key_layer *after = &solving->present;
	enum status status = STATUS_OK;
	for (size_t i = result->layer_count; !status && i-- > 0;) {
		const uint64_t sum = result->layers[i].sum;
		status = solving_load(solving, PIECE_AFTERSTATES, sum, true, after, why);
		if (!status)
			status = layer_file_get(solving->file, PIECE_VALUES, sum,
						key_layer_values(after), why);
		if (!status && after->n)
			status = optimum_put(writer, sum, key_layer_codes(after),
					     key_layer_values(after), after->n, why);
	}
	return status;
}

/* The head of the table, with what is known before the work as well as after it. */
static void table_head(const struct solving *solving, const struct solve_result *result,
		       struct optimum_head *head)
{
	const struct solve_task *task = solving->task;
	*head = (struct optimum_head){
	    .goal = task->goal,
	    .target = task->target,
	    .max_sum = task->max_sum,
	    .max_exponent = solving->max_exponent_key,
	    .value = result->value,
	    .states = result->total.states,
	};
	snprintf(head->made, sizeof head->made, "%s", task->made ? task->made : "");
	optimum_head_game(head, task->game);
}

/* Whether the table can be written is to be known before long work, and not after it. */
static enum status table_try(const struct solving *solving, struct why *why)
{
	const struct solve_result nothing = {0};
	struct optimum_head head;
	struct optimum_writer *writer;
	table_head(solving, &nothing, &head);
	enum status status = optimum_create(&writer, solving->task->out, &head, why);
	if (!status)
		optimum_abort(writer);
	return status;
}

static enum status table_write(struct solving *solving, const struct solve_result *result,
			       struct why *why)
{
	struct optimum_head head;
	struct optimum_writer *writer;
	table_head(solving, result, &head);
	enum status status = optimum_create(&writer, solving->task->out, &head, why);
	if (status)
		return status;
	status = table_layers(solving, result, writer, why);
	if (!status)
		return optimum_commit(writer, &head, why);
	optimum_abort(writer);
	return status;
}

/* The value over the starts, which become part of RESULT. */
static void result_starts(const struct solving *solving, struct solve_result *result)
{
	const bool lucky = goal_lucky(solving->task->goal);
	double value = 0;
	for (size_t i = 0; i < solving->seed_count; i++) {
		const struct solve_seed *seed = &solving->seeds[i];
		struct solve_start *start = &result->starts[i];
		uint64_t key = seed->code;
		keys_unmix(&solving->keys, &key, 1);
		keys_unpack(&solving->keys, key, &start->board);
		start->probability = seed->probability;
		start->value = solving->task->count ? NAN : seed->value;
		value = lucky ? fmax(value, seed->value) : value + seed->probability * seed->value;
	}
	result->start_count = solving->seed_count;
	result->value = solving->task->count ? NAN : value;
}

/* Layers, totals and starts; the lists move over. */
static enum status result_fill(struct solving *solving, struct solve_result *result,
			       struct why *why)
{
	*result = (struct solve_result){
	    .layer_count = solving->layer_count,
	    .max_exponent = solving->max_exponent,
	    .disk = layer_file_bytes(solving->file),
	    .starts = calloc(solving->seed_count, sizeof *result->starts),
	};
	if (!result->starts)
		return why_set(why, STATUS_SYSTEM, "out of memory for %zu starts",
			       solving->seed_count);
	result_starts(solving, result);
	for (size_t i = 0; i < solving->layer_count; i++) {
		layer_add(&result->total, &solving->layers[i]);
		result->total.sum = solving->layers[i].sum;
	}
	result->layers = solving->layers;
	solving->layers = NULL;
	return STATUS_OK;
}

static enum status solve_through(struct solving *solving, struct solve_result *result,
				 struct why *why)
{
	struct solve_result found = {0};
	const struct solve_task *task = solving->task;
	enum status status = task->out ? table_try(solving, why) : STATUS_OK;
	if (!status)
		status = solve_forward(solving, why);
	if (!status && !task->count)
		status = solve_backward(solving, why);
	if (!status)
		status = result_fill(solving, &found, why);
	if (!status && task->out)
		status = table_write(solving, &found, why);
	if (status) {
		solve_result_free(&found);
		return status;
	}
	found.memory = solving->budget.peak;
	*result = found;
	return STATUS_OK;
}

enum status solve(const struct solve_task *task, struct solve_result *result, struct why *why)
{
	struct solving solving = {0};
	enum status status = task_check(task, why);
	if (status)
		return status;
	status = solving_init(&solving, task, why);
	if (!status)
		status = solve_through(&solving, result, why);
	solving_fini(&solving);
	return status;
}

void solve_result_free(struct solve_result *result)
{
	free(result->layers);
	free(result->starts);
	*result = (struct solve_result){0};
}
