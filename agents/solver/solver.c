/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The solver: a running task with its memory, threads, file of layers and starting positions; the
 * backward pass, result and table file. See solver.h; the forward pass is in solve_forward.c.
 */
#include "agents/solver/solving.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * ---- The backward pass: values, from the last layer to the first.
 *
 * 	V(after-state) = sum over kinds k of p_k * (sum over its e empty cells of V(state)) / e
 * 	V(state) = max over legal moves of reward + V(after-state); 0 if there is none
 *
 * The reward is the points of the move, or 1 if the goal counts moves, or 0 for a target; a state
 * with the target has the value 1. With the best luck, maxima replace the sums. The states in the
 * first equation are in later layers, the after-states in the second in the same layer. Sums have a
 * fixed order, so values do not depend on threads. Of the values, the file gets those of
 * after-states; memory holds those of states, of as many layers as the largest spawn spans.
 *
 * The directory of a key_layer has a start for every one or two codes, so a search begins next to
 * its code. The last code is followed by UINT64_MAX, so every search ends. Look-ups come in batches
 * whose cache misses overlap: first those of the directory, then those of codes and values.
 *
 * Check values: 2x2 66.9641494571 points, 3x3 5468.48679741.
 */

/* Makes the directory of LAYER, whose codes have WIDTH bits. False if memory runs out. */
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
		 * With width 64 and no bits, the shift would be 64; all codes are in one bucket.
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

/* Returns the index of CODE, or SIZE_MAX. */
static size_t key_layer_seek(const struct key_layer *layer, uint64_t code)
{
	const uint64_t *codes = key_layer_codes(layer);
	size_t i = *layer_start(layer, code);
	while (i < layer->n && codes[i] < code)
		i++;
	return i < layer->n && codes[i] == code ? i : SIZE_MAX;
}

/* Sets OUT[i] to the value of CODE[i], i < n. All codes must be in the layer. */
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
 * Adds to OUT the values of N after-states for spawns of KIND with probability P, which lead to
 * NEXT. If NEXT is NULL, each of these positions has the value BEYOND.
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

/* A legal move without the target: the index of its state, what it adds to the goal. */
struct solve_move {
	uint32_t state;
	double reward;
};

/*
 * Lists the moves of N states: after-states as keys in worker->key, the rest in OPTIONS. Moves that
 * make the target lead to no layer; sets OUT to 1 for states with such a move, to 0 for others.
 */
static size_t options_list(const struct solving *solving, struct solve_worker *worker, size_t n,
			   struct solve_move *options, double *out)
{
	size_t count = 0;
	for (size_t i = 0; i < n; i++) {
		struct board board;
		struct moves moves;
		uint64_t after[DIRECTIONS];
		out[i] = 0;
		keys_unpack(&solving->keys, worker->source[i], &board);
		solving->game->moves(&board, &moves);
		keys_pack_moves(&solving->keys, &moves, after);
		for (unsigned legal = moves.legal; legal; legal &= legal - 1) {
			const int d = __builtin_ctz(legal);
			if (solving_won(solving, after[d])) {
				out[i] = 1;
				continue;
			}
			worker->key[count] = after[d];
			options[count++] = (struct solve_move){
			    (uint32_t)i, goal_gain(solving->task->goal, moves.reward[d])};
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
	double *out = key_layer_values(pass->layer) + task * SOLVE_CHUNK;
	const size_t n = solving_chunk(pass, task, worker);
	const size_t count = options_list(solving, worker, n, options, out);
	values_find(solving, &solving->present, worker, count);
	for (size_t i = 0; i < count; i++) {
		double *best = &out[options[i].state];
		*best = larger(*best, options[i].reward + worker->value[i]);
	}
}

static void layer_value(struct solving *solving, const struct key_layer *layer,
			thread_team_task *chunk)
{
	struct solve_pass pass = {.solving = solving, .layer = layer};
	thread_team_run(solving->team, chunk, &pass, solving_chunks(layer));
}

/* Loads the codes of KIND of layer SUM, with room for values, and makes their directory. */
static enum status layer_load(struct solving *solving, enum piece_kind kind, uint64_t sum,
			      struct key_layer *layer, struct why *why)
{
	enum status status = solving_load(solving, kind, sum, true, layer, why);
	if (!status && !key_layer_index(&solving->budget, layer, solving->keys.width))
		status = solving_short(solving, sum, why);
	return status;
}

/* Reads the values of the after-states AFTER and checks that they are finite. */
static enum status values_get(struct solving *solving, const struct key_layer *after,
			      struct why *why)
{
	const double *value = key_layer_values(after);
	if (layer_file_count(solving->file, PIECE_VALUES, after->sum) != after->n)
		return solving_refuse(solving, after->sum, why);
	enum status status =
	    layer_file_get(solving->file, PIECE_VALUES, after->sum, key_layer_values(after), why);
	for (size_t i = 0; !status && i < after->n; i++)
		if (!isfinite(value[i]))
			status = solving_refuse(solving, after->sum, why);
	return status;
}

/* Gets the after-states of layer SUM with their values: reads them, or computes and writes them. */
static enum status after_layer(struct solving *solving, uint64_t sum, struct why *why)
{
	struct key_layer *after = &solving->present;
	enum status status = layer_load(solving, PIECE_AFTERSTATES, sum, after, why);
	if (status)
		return status;
	if (layer_file_count(solving->file, PIECE_VALUES, sum) != SIZE_MAX)
		return values_get(solving, after, why);
	layer_value(solving, after, after_values);
	return layer_file_put(solving->file, PIECE_VALUES, sum, key_layer_values(after), after->n,
			      why);
}

static enum status starts_value(struct solving *solving, const struct key_layer *states,
				struct why *why)
{
	for (size_t i = 0; i < solving->start_count; i++) {
		struct solve_start *start = &solving->starts[i];
		if (start->sum != states->sum)
			continue;
		const size_t place = key_layer_seek(states, start->code);
		if (place == SIZE_MAX)
			return solving_refuse(solving, states->sum, why);
		start->value = key_layer_values(states)[place];
	}
	return STATUS_OK;
}

/* Solves layer SUM; its states stay in the ring for the layers below. */
static enum status layer_solve(struct solving *solving, uint64_t sum, struct why *why)
{
	struct key_layer *states = solving_ring(solving, sum);
	enum status status = after_layer(solving, sum, why);
	if (!status)
		status = layer_load(solving, PIECE_STATES, sum, states, why);
	if (status)
		return status;
	layer_value(solving, states, state_values);
	return starts_value(solving, states, why);
}

/* Whether layer SUM has values, and neither lower layers nor starts need those of its states. */
static bool layer_done(const struct solving *solving, uint64_t sum)
{
	const uint64_t reach = sum - solving->widest;
	return sum > solving->starts[solving->start_count - 1].sum && reach >= solving->first &&
	       reach < sum && layer_file_count(solving->file, PIECE_VALUES, sum) != SIZE_MAX &&
	       layer_file_count(solving->file, PIECE_VALUES, reach) != SIZE_MAX;
}

/*
 * Computes the values of all layers, descending, writes them to the file, and computes those of the
 * starts. Errors of solve().
 */
static enum status solve_backward(struct solving *solving, struct why *why)
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

enum status solving_short(const struct solving *solving, uint64_t sum, struct why *why)
{
	const double mebi = 1 << 20;
	if (solving->budget.wish <= solving->budget.limit)
		return why_set(why, STATUS_SYSTEM,
			       "out of memory for positions with tiles that sum to %" PRIu64, sum);
	return why_set(why, STATUS_INPUT,
		       "positions with tiles that sum to %" PRIu64
		       " take more than %.0f MiB of memory: allow more (--memory), or "
		       "solve up to a sum only (nxn solve --max-sum)",
		       sum, (double)solving->budget.limit / mebi);
}

enum status solving_refuse(const struct solving *solving, uint64_t sum, struct why *why)
{
	return why_set(why, STATUS_INPUT,
		       "%s: damaged in layer %" PRIu64
		       ", expected what nxn solve wrote; without the file solving begins anew",
		       solving->task->work ? solving->task->work : "layers", sum);
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

size_t solving_chunk(const struct solve_pass *pass, size_t task, struct solve_worker *worker)
{
	const size_t begin = (pass->first + task) * SOLVE_CHUNK, left = pass->layer->n - begin;
	const size_t n = left < SOLVE_CHUNK ? left : SOLVE_CHUNK;
	memcpy(worker->source, key_layer_codes(pass->layer) + begin, n * sizeof(uint64_t));
	keys_unmix(&pass->solving->keys, worker->source, n);
	return n;
}

static int starts_ascend(const void *a, const void *b)
{
	const struct solve_start *x = a, *y = b;
	if (x->sum != y->sum)
		return x->sum < y->sum ? -1 : 1;
	return (x->code > y->code) - (x->code < y->code);
}

/* Sorts starts by sum and code, and joins equal ones. Returns their number. */
static size_t starts_join(struct solve_start *starts, size_t n)
{
	size_t kept = 0;
	qsort(starts, n, sizeof *starts, starts_ascend);
	for (size_t i = 0; i < n; i++) {
		if (kept && starts_ascend(&starts[kept - 1], &starts[i]) == 0)
			starts[kept - 1].probability += starts[i].probability;
		else
			starts[kept++] = starts[i];
	}
	return kept;
}

/* Writes to NEXT all folded positions of START with one more tile. Returns their number. */
static size_t start_spawn(const struct solving *solving, const struct solve_start *start,
			  struct solve_start *next)
{
	const struct spawn_rule *spawn = &solving->game->spawn;
	const struct keys *keys = &solving->keys;
	uint64_t code[CELLS_MAX];
	size_t count = 0;
	for (int i = 0; i < spawn->kinds; i++) {
		const int kind = spawn->exponent[i];
		const size_t cells = key_spawns(keys, start->code, kind, code);
		keys_fold(keys, code, cells);
		for (size_t c = 0; c < cells; c++)
			next[count++] = (struct solve_start){
			    .code = code[c],
			    .sum = start->sum + ((uint64_t)1 << kind),
			    .probability =
				start->probability * spawn->probability[i] / (double)cells};
	}
	return count;
}

/* Adds one more tile to every start. */
static enum status starts_spawn(struct solving *solving, struct why *why)
{
	const struct game *game = solving->game;
	const size_t most = (size_t)game->cells * (size_t)game->spawn.kinds;
	const size_t capacity = solving->start_count * most;
	size_t count = 0;
	assert(capacity > 0);
	if (capacity > solving->budget.limit / sizeof *solving->starts)
		return why_set(
		    why, STATUS_INPUT,
		    "%s: what games start from takes more than %.0f MiB of memory: allow "
		    "more (--memory), or fewer start tiles than %d",
		    game->name, (double)solving->budget.limit / 0x1p20, game->start_tiles);
	struct solve_start *next = calloc(capacity, sizeof *next);
	if (!next)
		return why_set(why, STATUS_SYSTEM, "out of memory for the starts of games");
	for (size_t i = 0; i < solving->start_count; i++)
		count += start_spawn(solving, &solving->starts[i], next + count);
	free(solving->starts);
	solving->starts = next;
	solving->start_count = starts_join(next, count);
	return STATUS_OK;
}

/* Returns the largest exponent of starting positions. */
static int start_exponent(const struct game *game)
{
	return game->has_start ? board_max(&game->start)
			       : game->spawn.exponent[game->spawn.kinds - 1];
}

/*
 * Finds the starting positions, folded, with their probabilities: the given one, or start tiles
 * spawned one after the other on an empty board.
 */
static enum status starts_make(struct solving *solving, struct why *why)
{
	const struct game *game = solving->game;
	const int tiles = game->has_start ? 0 : game->start_tiles;
	const int target = solving->task->target;
	enum status status = STATUS_OK;
	if (target && start_exponent(game) >= target)
		return why_set(why, STATUS_INPUT,
			       "games can start with the tile %" PRIu64
			       ", expected a target above that",
			       UINT64_C(1) << start_exponent(game));
	solving->start_count = 1;
	solving->starts = calloc(1, sizeof *solving->starts);
	if (!solving->starts)
		return why_set(why, STATUS_SYSTEM, "out of memory for the starts of games");
	solving->starts[0] = (struct solve_start){.code = keys_pack(&solving->keys, &game->start),
						  .sum = board_sum(&game->start),
						  .probability = 1};
	keys_fold(&solving->keys, &solving->starts[0].code, 1);
	for (int i = 0; !status && i < tiles; i++)
		status = starts_spawn(solving, why);
	if (status)
		return status;
	for (size_t i = 0; i < solving->start_count; i++) {
		struct solve_start *start = &solving->starts[i];
		keys_unpack(&solving->keys, start->code, &start->board);
		keys_mix(&solving->keys, &start->code, 1);
		start->value = NAN;
	}
	solving->first = solving->starts[0].sum;
	assert(solving->starts[solving->start_count - 1].sum <= solving->last);
	return STATUS_OK;
}

/* Returns the largest exponent that a key must represent. */
static int exponent_most(const struct solve_task *task)
{
	const int most = 63 - __builtin_clzll(sum_last(task->game, task->max_sum));
	return task->target && task->target < most ? task->target : most;
}

/* Formats the line that identifies the task of a folder. */
static void task_format(const struct solve_task *task, char text[LAYER_TASK_MAX])
{
	const struct game *game = task->game;
	char start[BOARD_TEXT_MAX] = "";
	if (game->has_start)
		board_format(game, &game->start, start);
	snprintf(text, LAYER_TASK_MAX,
		 "solve 1 board %s spawn %s tiles %d start '%s' goal %s target %d max-sum %" PRIu64
		 "%s",
		 game->name, game->spawn.text, game->start_tiles, start, goal_name(task->goal),
		 task->target, task->max_sum, task->count ? " count" : "");
}

static enum status keys_make(struct keys *keys, const struct solve_task *task, struct why *why)
{
	if (keys_init(keys, task->game, exponent_most(task), true, NULL) == STATUS_OK)
		return STATUS_OK;
	return why_set(
	    why, STATUS_INPUT,
	    "%s is too large to be solved%s; expected a board such as 3x3, or games that end "
	    "earlier, by a smaller --max-sum or --target",
	    task->game->name, task->max_sum || task->target ? " that far" : " in full");
}

enum status solve_check(const struct solve_task *task, struct why *why)
{
	struct keys keys;
	return keys_make(&keys, task, why);
}

/* Prepares TASK and finds the starts. Errors of solve(). Call solving_fini() in either case. */
static enum status solving_init(struct solving *solving, const struct solve_task *task,
				struct why *why)
{
	const struct game *game = task->game;
	const int kinds = game->spawn.kinds;
	char text[LAYER_TASK_MAX];
	*solving = (struct solving){
	    .task = task,
	    .game = game,
	    .threads = task->threads,
	    .budget = {.limit = task->memory},
	    .step = (uint64_t)1 << game->spawn.exponent[0],
	    .widest = (uint64_t)1 << game->spawn.exponent[kinds - 1],
	    .last = sum_last(game, task->max_sum),
	};
	enum status status = keys_make(&solving->keys, task, why);
	if (status)
		return status;
	status = thread_team_new(task->threads, &solving->team, why);
	if (status)
		return status;
	solving->ring_size = solving->widest / solving->step + 1;
	solving->ring = calloc(solving->ring_size, sizeof *solving->ring);
	solving->workers = calloc((size_t)task->threads, sizeof *solving->workers);
	if (!solving->ring || !solving->workers)
		return why_set(why, STATUS_SYSTEM, "out of memory for %d threads", task->threads);
	task_format(task, text);
	status = layer_file_open(&solving->file, task->work, text, solving->keys.width, why);
	return status ? status : starts_make(solving, why);
}

static void key_layer_free(struct budget *budget, struct key_layer *layer)
{
	buffer_free(budget, &layer->codes);
	buffer_free(budget, &layer->values);
	buffer_free(budget, &layer->starts);
	*layer = (struct key_layer){0};
}

static void solving_fini(struct solving *solving)
{
	for (size_t i = 0; solving->ring && i < solving->ring_size; i++)
		key_layer_free(&solving->budget, &solving->ring[i]);
	key_layer_free(&solving->budget, &solving->present);
	thread_team_free(solving->team);
	layer_file_close(solving->file);
	free(solving->ring);
	free(solving->workers);
	free(solving->starts);
	free(solving->layers);
}

/* Copies the after-states and values of every layer from the file of layers to the table file. */
static enum status table_layers(struct solving *solving, const struct solve_result *result,
				struct optimum_writer *writer, struct why *why)
{
	struct key_layer *after = &solving->present;
	enum status status = STATUS_OK;
	for (size_t i = result->layer_count; !status && i-- > 0;) {
		const uint64_t sum = result->layers[i].sum;
		status = solving_load(solving, PIECE_AFTERSTATES, sum, true, after, why);
		if (!status)
			status = values_get(solving, after, why);
		if (!status && after->n)
			status = optimum_put(writer, sum, key_layer_codes(after),
					     key_layer_values(after), after->n, why);
	}
	return status;
}

/* Fills in the header of the table; RESULT may be all zero. */
static void table_header(const struct solving *solving, const struct solve_result *result,
			 struct optimum_header *header)
{
	const struct solve_task *task = solving->task;
	*header = (struct optimum_header){
	    .goal = task->goal,
	    .target = task->target,
	    .max_sum = task->max_sum,
	    .max_exponent = exponent_most(task),
	    .value = result->value,
	    .states = result->total.states,
	};
	snprintf(header->made, sizeof header->made, "%s", task->made ? task->made : "");
	optimum_header_game(header, task->game);
}

/* Checks before long work that the table can be written. */
static enum status table_try(const struct solving *solving, struct why *why)
{
	const struct solve_result nothing = {0};
	struct optimum_header header;
	struct optimum_writer *writer;
	table_header(solving, &nothing, &header);
	enum status status = optimum_create(&writer, solving->task->out, &header, why);
	if (!status)
		status = optimum_finish(writer, NULL, why);
	return status;
}

static enum status table_write(struct solving *solving, const struct solve_result *result,
			       struct why *why)
{
	struct optimum_header header;
	struct optimum_writer *writer;
	table_header(solving, result, &header);
	enum status status = optimum_create(&writer, solving->task->out, &header, why);
	if (status)
		return status;
	status = table_layers(solving, result, writer, why);
	const enum status end = optimum_finish(writer, status ? NULL : &header, why);
	return status ? status : end;
}

/*
 * Moves layers and starts to RESULT, and sets totals and the value, the mean (with luck the
 * maximum) over the starts.
 */
static void result_fill(struct solving *solving, struct solve_result *result)
{
	const bool lucky = goal_lucky(solving->task->goal);
	double value = 0;
	*result = (struct solve_result){
	    .layers = solving->layers,
	    .layer_count = solving->layer_count,
	    .starts = solving->starts,
	    .start_count = solving->start_count,
	    .max_exponent = solving->max_exponent,
	    .disk = layer_file_bytes(solving->file),
	};
	solving->layers = NULL;
	solving->starts = NULL;
	for (size_t i = 0; i < result->start_count; i++) {
		const struct solve_start *start = &result->starts[i];
		value =
		    lucky ? fmax(value, start->value) : value + start->probability * start->value;
	}
	result->value = solving->task->count ? NAN : value;
	for (size_t i = 0; i < result->layer_count; i++) {
		solve_layer_add(&result->total, &result->layers[i]);
		result->total.sum = result->layers[i].sum;
	}
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
		result_fill(solving, &found);
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
	assert((task->goal == GOAL_TARGET) == (task->target > 0));
	assert(task->target <= task->game->max_exponent && !(task->count && task->out));
	enum status status = solving_init(&solving, task, why);
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
