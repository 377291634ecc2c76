/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The solver: a task while it is solved, with its memory, threads, file of layers and the positions
 * that games start from; forwards, backwards, and then the result and the table file. See solver.h.
 */
#include "agents/solver/solving.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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

static int seeds_ascend(const void *a, const void *b)
{
	const struct solve_seed *x = a, *y = b;
	if (x->sum != y->sum)
		return x->sum < y->sum ? -1 : 1;
	return (x->code > y->code) - (x->code < y->code);
}

/* Sorts seeds by sum and code, and joins those that are equal; their number. */
static size_t seeds_join(struct solve_seed *seeds, size_t n)
{
	size_t kept = 0;
	qsort(seeds, n, sizeof *seeds, seeds_ascend);
	for (size_t i = 0; i < n; i++) {
		if (kept && seeds_ascend(&seeds[kept - 1], &seeds[i]) == 0)
			seeds[kept - 1].probability += seeds[i].probability;
		else
			seeds[kept++] = seeds[i];
	}
	return kept;
}

/* All positions that one more tile makes of SEED, at NEXT; their number. */
static size_t seed_spawn(const struct solving *solving, const struct solve_seed *seed,
			 struct solve_seed *next)
{
	const struct spawn_rule *spawn = &solving->game->spawn;
	const struct keys *keys = &solving->keys;
	uint64_t code[CELLS_MAX];
	size_t count = 0;
	for (int i = 0; i < spawn->kinds; i++) {
		const int kind = spawn->exponent[i];
		const size_t cells = key_spawns(keys, seed->code, kind, code);
		keys_fold(keys, code, cells);
		for (size_t c = 0; c < cells; c++)
			next[count++] = (struct solve_seed){
			    .code = code[c],
			    .sum = seed->sum + ((uint64_t)1 << kind),
			    .probability =
				seed->probability * spawn->probability[i] / (double)cells};
	}
	return count;
}

/* One more tile on every seed. */
static enum status seeds_spawn(struct solving *solving, struct why *why)
{
	const struct game *game = solving->game;
	const size_t most = (size_t)game->cells * (size_t)game->spawn.kinds;
	const size_t capacity = solving->seed_count * most;
	size_t count = 0;
	assert(capacity > 0);
	if (capacity > solving->budget.limit / sizeof *solving->seeds)
		return why_set(
		    why, STATUS_INPUT,
		    "%s: what games start from takes more than %.0f MiB of memory: allow "
		    "more (--memory), or fewer start tiles than %d",
		    game->name, (double)solving->budget.limit / 0x1p20, game->start_tiles);
	struct solve_seed *next = calloc(capacity, sizeof *next);
	if (!next)
		return why_set(why, STATUS_SYSTEM, "out of memory for the starts of games");
	for (size_t i = 0; i < solving->seed_count; i++)
		count += seed_spawn(solving, &solving->seeds[i], next + count);
	free(solving->seeds);
	solving->seeds = next;
	solving->seed_count = seeds_join(next, count);
	return STATUS_OK;
}

/* The largest exponent that a start can have. */
static int start_exponent(const struct game *game)
{
	return game->has_start ? board_max(&game->start)
			       : game->spawn.exponent[game->spawn.kinds - 1];
}

static enum status seeds_check(const struct solving *solving, struct why *why)
{
	const struct solve_task *task = solving->task;
	const struct solve_seed *largest = &solving->seeds[solving->seed_count - 1];
	if (largest->sum > solving->last)
		return why_set(why, STATUS_INPUT,
			       "games start with tiles that sum to %" PRIu64
			       ", expected a largest sum of at least that, and not %" PRIu64,
			       largest->sum, solving->last);
	if (task->target && start_exponent(task->game) >= task->target)
		return why_set(why, STATUS_INPUT,
			       "games can start with the tile %" PRIu64
			       ", expected a target above that",
			       UINT64_C(1) << start_exponent(task->game));
	return STATUS_OK;
}

/*
 * Finds the positions that games start from, images folded, with their probabilities: a given
 * one, or start tiles spawned one after the other on an empty board.
 */
static enum status seeds_make(struct solving *solving, struct why *why)
{
	const struct game *game = solving->game;
	enum status status = STATUS_OK;
	solving->seed_count = 1;
	solving->seeds = calloc(1, sizeof *solving->seeds);
	if (!solving->seeds)
		return why_set(why, STATUS_SYSTEM, "out of memory for the starts of games");
	solving->seeds[0].probability = 1;
	if (game->has_start) {
		solving->seeds[0].code = keys_pack(&solving->keys, &game->start);
		solving->seeds[0].sum = board_sum(&game->start);
		keys_fold(&solving->keys, &solving->seeds[0].code, 1);
	}
	for (int i = 0; !status && !game->has_start && i < game->start_tiles; i++)
		status = seeds_spawn(solving, why);
	if (status)
		return status;
	for (size_t i = 0; i < solving->seed_count; i++)
		keys_mix(&solving->keys, &solving->seeds[i].code, 1);
	solving->first = solving->seeds[0].sum;
	return seeds_check(solving, why);
}

/* The largest exponent that a key has to hold. */
static int exponent_most(const struct solve_task *task)
{
	int most = task->game->max_exponent;
	if (task->target && task->target < most)
		most = task->target;
	while (task->max_sum && (uint64_t)1 << most > task->max_sum)
		most--;
	return most;
}

/* The line that tells whether a folder holds this task. */
static void task_format(const struct solve_task *task, char text[LAYER_TASK_MAX])
{
	const struct game *game = task->game;
	char spawn[SPAWN_TEXT_MAX], start[BOARD_TEXT_MAX] = "";
	spawn_format(&game->spawn, spawn);
	if (game->has_start)
		board_format(game, &game->start, start);
	snprintf(text, LAYER_TASK_MAX,
		 "solve 1 board %s spawn %s tiles %d start '%s' goal %s target %d max-sum %" PRIu64
		 "%s",
		 game->name, spawn, game->start_tiles, start, goal_name(task->goal), task->target,
		 task->max_sum, task->count ? " count" : "");
}

/* Opens all that TASK needs, and finds the starts. Errors of solve(); solving_fini() either way. */
static enum status solving_init(struct solving *solving, const struct solve_task *task,
				struct why *why)
{
	const struct game *game = task->game;
	const int kinds = game->spawn.kinds;
	char text[LAYER_TASK_MAX];
	*solving = (struct solving){
	    .task = task,
	    .game = game,
	    .max_exponent_key = exponent_most(task),
	    .threads = task->threads,
	    .budget = {.limit = task->memory},
	    .step = (uint64_t)1 << game->spawn.exponent[0],
	    .widest = (uint64_t)1 << game->spawn.exponent[kinds - 1],
	    .last = sum_last(game, task->max_sum),
	};
	struct why wide;
	enum status status =
	    keys_init(&solving->keys, game, solving->max_exponent_key, true, &wide);
	if (status)
		return why_set(why, status,
			       "%s; --target and --max-sum of nxn solve end games earlier",
			       wide.text);
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
	return status ? status : seeds_make(solving, why);
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
	free(solving->seeds);
	free(solving->layers);
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
		status = optimum_finish(writer, NULL, why);
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
	const enum status end = optimum_finish(writer, status ? NULL : &head, why);
	return status ? status : end;
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
		solve_layer_add(&result->total, &solving->layers[i]);
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
