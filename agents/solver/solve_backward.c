/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The solver backwards: values, from the last layer to the first.
 *
 *	V(after-state) = sum over kinds k of p_k * (sum over its e empty cells of V(state)) / e
 *	V(state) = max over legal moves of reward + V(after-state); 0 if there is none
 *
 * with the points of the move as its reward, or 1 where moves are counted, or nothing where the
 * target is all: then a state that has it is worth 1. With the best luck the sums are maxima. The
 * states stand in layers to come, the after-states in the same layer. Sums have a fixed order, so
 * values do not depend on threads. Only the values of after-states go to the file: those of
 * states follow from them, and are kept in memory for the layers in work.
 *
 * A key_layer has a start for every one or two of its codes, so the entry is next to where the
 * directory points; behind the last code is one that no other exceeds, so that a search ends.
 * Look-ups come in batches, whose cache misses overlap: of the directory first, then of the
 * entries.
 *
 * Check values: 2x2 66.9641494571 points, 3x3 5468.48679741.
 */
#include "agents/solver/solving.h"

#include <assert.h>
#include <math.h>

/* Makes the directory, when the codes, of WIDTH bits, are there. False if there is no memory. */
static bool key_layer_index(struct budget *budget, struct key_layer *layer, int width)
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

/* The entry of CODE, or SIZE_MAX. */
static size_t key_layer_seek(const struct key_layer *layer, uint64_t code)
{
	const uint64_t *codes = key_layer_codes(layer);
	size_t i = *layer_start(layer, code);
	while (i < layer->n && codes[i] < code)
		i++;
	return i < layer->n && codes[i] == code ? i : SIZE_MAX;
}

/* OUT[i] = the value of CODE[i], i < n, all of which must be in the layer. */
static void key_layer_find(const struct key_layer *layer, const uint64_t *code, size_t n,
			   double *out)
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

static double larger(double a, double b)
{
	return a > b ? a : b;
}

/* Sets worker->value[i] to the value in LAYER of worker->key[i], i < count. */
static void values_find(const struct solving *solving, const struct key_layer *layer,
			struct solve_worker *worker, size_t count)
{
	keys_fold(&solving->keys, worker->key, count);
	keys_mix(&solving->keys, worker->key, count);
	key_layer_find(layer, worker->key, count, worker->value);
}

/*
 * Adds to OUT what N after-states are worth by spawns of KIND with probability P, which lead to
 * NEXT. NEXT is NULL if all of these are worth BEYOND.
 */
static void spawn_values(const struct solving *solving, struct solve_worker *worker, size_t n,
			 int kind, double p, const struct key_layer *next, double beyond,
			 double *out)
{
	const bool lucky = goal_lucky(solving->task->goal);
	uint8_t cells[SOLVE_CHUNK];
	size_t count = 0;
	for (size_t i = 0; i < n; i++) {
		cells[i] = (uint8_t)key_spawns(&solving->keys, worker->source[i], kind,
					       worker->key + count);
		count += cells[i];
	}
	if (next)
		values_find(solving, next, worker, count);
	const double *value = worker->value;
	for (size_t i = 0; i < n; i++) {
		double sum = next ? 0 : beyond * cells[i];
		for (int c = 0; next && c < cells[i]; c++, value++)
			sum = lucky ? larger(sum, *value) : sum + *value;
		out[i] = lucky ? larger(out[i], sum) : out[i] + p * (sum / cells[i]);
	}
}

static void after_values(void *context, size_t task, int number)
{
	const struct solve_pass *pass = context;
	const struct solving *solving = pass->solving;
	const struct spawn_rule *spawn = &solving->game->spawn;
	struct solve_worker *worker = &solving->workers[number];
	const size_t n = solving_chunk(pass, task, worker);
	double *out = key_layer_values(pass->layer) + task * SOLVE_CHUNK;
	for (size_t i = 0; i < n; i++)
		out[i] = 0;
	for (int i = 0; i < spawn->kinds; i++) {
		const int kind = spawn->exponent[i];
		const bool won = solving->task->target && kind >= solving->task->target;
		const struct key_layer *next =
		    solving_near(solving, pass->layer->sum + ((uint64_t)1 << kind));
		spawn_values(solving, worker, n, kind, spawn->probability[i], won ? NULL : next,
			     won, out);
	}
}

/* A legal move of a state: of which one, its points, and whether it makes the target. */
struct solve_move {
	uint32_t state;
	bool won;
	double reward;
};

/* Lists the moves of N states: their after-states as keys in worker->key, the rest in OPTIONS. */
static size_t options_list(const struct solving *solving, struct solve_worker *worker, size_t n,
			   struct solve_move *options)
{
	size_t count = 0;
	for (size_t i = 0; i < n; i++) {
		struct board board;
		struct moves moves;
		uint64_t after[DIRECTIONS];
		keys_unpack(&solving->keys, worker->source[i], &board);
		solving->game->moves(&board, &moves);
		keys_pack_moves(&solving->keys, &moves, after);
		for (unsigned legal = moves.legal; legal; legal &= legal - 1) {
			const int d = __builtin_ctz(legal);
			worker->key[count] = after[d];
			options[count++] = (struct solve_move){
			    .state = (uint32_t)i,
			    .won = solving_won(solving, after[d]),
			    .reward = goal_gain(solving->task->goal, moves.reward[d])};
		}
	}
	return count;
}

static void state_values(void *context, size_t task, int number)
{
	const struct solve_pass *pass = context;
	const struct solving *solving = pass->solving;
	struct solve_worker *worker = &solving->workers[number];
	struct solve_move options[SOLVE_CHUNK * DIRECTIONS];
	const size_t n = solving_chunk(pass, task, worker);
	const size_t count = options_list(solving, worker, n, options);
	double *out = key_layer_values(pass->layer) + task * SOLVE_CHUNK;
	size_t stored = 0, next = 0;
	/* What makes the target is in no layer. */
	for (size_t i = 0; i < count; i++) {
		worker->key[stored] = worker->key[i];
		stored += !options[i].won;
	}
	values_find(solving, &solving->present, worker, stored);
	for (size_t i = 0; i < n; i++)
		out[i] = 0;
	for (size_t i = 0; i < count; i++) {
		const double value = options[i].won ? 1 : worker->value[next];
		next += !options[i].won;
		out[options[i].state] = larger(out[options[i].state], options[i].reward + value);
	}
}

static void layer_value(struct solving *solving, const struct key_layer *layer,
			thread_team_task *chunk)
{
	struct solve_pass pass = {.solving = solving, .layer = layer};
	thread_team_run(solving->team, chunk, &pass, solving_chunks(layer));
}

/* Loads the codes of KIND of layer SUM, and gets ready for values. */
static enum status layer_load(struct solving *solving, enum piece_kind kind, uint64_t sum,
			      struct key_layer *layer, struct why *why)
{
	enum status status = solving_load(solving, kind, sum, true, layer, why);
	if (!status && !key_layer_index(&solving->budget, layer, solving->keys.width))
		status = solving_short(solving, sum, why);
	return status;
}

/* Reads the values of the after-states AFTER. */
static enum status values_get(struct solving *solving, const struct key_layer *after,
			      struct why *why)
{
	const double *value = key_layer_values(after);
	if (solving_pieces(solving, PIECE_VALUES, after->sum) != after->n)
		return solving_refuse(solving, after->sum, why);
	enum status status =
	    layer_file_get(solving->file, PIECE_VALUES, after->sum, key_layer_values(after), why);
	for (size_t i = 0; !status && i < after->n; i++)
		if (!isfinite(value[i]))
			status = solving_refuse(solving, after->sum, why);
	return status;
}

/*
 * Gets the after-states of layer SUM with their values: from the file, or computed and put there.
 */
static enum status after_layer(struct solving *solving, uint64_t sum, struct why *why)
{
	struct key_layer *after = &solving->present;
	enum status status = layer_load(solving, PIECE_AFTERSTATES, sum, after, why);
	if (status)
		return status;
	if (solving_pieces(solving, PIECE_VALUES, sum) != SIZE_MAX)
		return values_get(solving, after, why);
	layer_value(solving, after, after_values);
	return layer_file_put(solving->file, PIECE_VALUES, sum, key_layer_values(after), after->n,
			      why);
}

static enum status seeds_value(struct solving *solving, const struct key_layer *states,
			       struct why *why)
{
	for (size_t i = 0; i < solving->seed_count; i++) {
		struct solve_seed *seed = &solving->seeds[i];
		if (seed->sum != states->sum)
			continue;
		const size_t place = key_layer_seek(states, seed->code);
		if (place == SIZE_MAX)
			return solving_refuse(solving, states->sum, why);
		seed->value = key_layer_values(states)[place];
	}
	return STATUS_OK;
}

/* Layer SUM, and its states in the ring for those before it. */
static enum status layer_solve(struct solving *solving, uint64_t sum, struct why *why)
{
	struct key_layer *states = solving_ring(solving, sum);
	enum status status = after_layer(solving, sum, why);
	if (!status)
		status = layer_load(solving, PIECE_STATES, sum, states, why);
	if (status)
		return status;
	layer_value(solving, states, state_values);
	return seeds_value(solving, states, why);
}

/* Whether layer SUM has its values, and no layer to come and no seed needs those of its states. */
static bool layer_done(const struct solving *solving, uint64_t sum)
{
	const uint64_t reach = sum - solving->widest;
	return sum > solving->seeds[solving->seed_count - 1].sum && reach >= solving->first &&
	       reach < sum && solving_pieces(solving, PIECE_VALUES, sum) != SIZE_MAX &&
	       solving_pieces(solving, PIECE_VALUES, reach) != SIZE_MAX;
}

enum status solve_backward(struct solving *solving, struct why *why)
{
	struct solve_progress progress = {
	    .backward = true, .last = solving->last, .states = solving->states};
	enum status status = STATUS_OK;
	assert(solving->ring_size > 0);
	for (size_t i = 0; i < solving->ring_size; i++)
		solving->ring[i].n = 0;
	for (size_t i = solving->layer_count; !status && i-- > 0;) {
		progress.sum = solving->layers[i].sum;
		progress.done += solving->layers[i].states;
		if (layer_done(solving, progress.sum))
			continue;
		status = layer_solve(solving, progress.sum, why);
		if (!status && solving->task->tell &&
		    !solving->task->tell(solving->task->context, &progress))
			status = why_set(why, STATUS_STOPPED, "stopped");
	}
	return status;
}
