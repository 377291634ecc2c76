/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The solver: what a task needs to begin, and what it comes to; see solver.h.
 *
 * Enumeration by the sum of tiles and backward induction over it: Lees-Miller, The Mathematics of
 * 2048: Optimal Play with Markov Decision Processes (2018); Yamashita, Kaneko, Nakayashiki, 3x3
 * 2048 (2022). Ours folds images by delta swaps on keys, keeps sets in the order of an invertible
 * hash, and puts layers on a shelf, so that memory holds two or three of them.
 */
#include "agents/solver/optimum.h"
#include "agents/solver/solving.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void solve_layer_add(struct solve_layer *sum, const struct solve_layer *more)
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

/*
 * Whether the codes of a layer that an earlier run wrote are those of positions of its sum,
 * ascending. Then whatever else is wrong with them, what they become stays within their layers.
 */
static bool codes_sound(const struct solving *solving, const struct layer *layer)
{
	const struct keys *keys = &solving->keys;
	const uint64_t *code = layer_codes(layer), cell = ((uint64_t)1 << keys->bits) - 1;
	for (size_t i = 0; i < layer->n; i++) {
		uint64_t key = code[i], sum = 0;
		if ((i && code[i - 1] >= key) || (keys->width < 64 && key >> keys->width))
			return false;
		keys_unmix(keys, &key, 1);
		for (int c = 0; c < solving->game->cells; c++)
			sum += ((uint64_t)1 << (key >> c * keys->bits & cell)) & ~(uint64_t)1;
		if (sum != layer->sum)
			return false;
	}
	return true;
}

enum status solving_load(struct solving *solving, enum piece kind, uint64_t sum, bool values,
			 struct layer *layer, struct why *why)
{
	const size_t n = shelf_count(solving->shelf, kind, sum);
	layer->sum = sum;
	layer->n = 0;
	if (!layer_reserve(&solving->budget, layer, n, values))
		return solving_short(solving, sum, why);
	layer->n = n;
	enum status status = shelf_get_codes(solving->shelf, kind, sum, solving->keys.width,
					     layer_codes(layer), why);
	if (!status && shelf_found(solving->shelf, kind, sum) && !codes_sound(solving, layer))
		status = solving_refuse(solving, sum, why);
	if (status)
		layer->n = 0;
	return status;
}

size_t solving_chunk(const struct solving *solving, const uint64_t *code, size_t n, size_t chunk,
		     struct solve_worker *worker)
{
	const size_t begin = chunk * SOLVE_CHUNK, left = n - begin;
	const size_t some = left < SOLVE_CHUNK ? left : SOLVE_CHUNK;
	memcpy(worker->source, code + begin, some * sizeof *code);
	keys_unmix(&solving->keys, worker->source, some);
	return some;
}

/* The largest sum of tiles that the bound of boards/game.h allows. */
static uint64_t sum_most(const struct game *game)
{
	uint64_t sum = 0;
	for (int i = 0; i < game->cells; i++)
		sum += (uint64_t)1 << (game->max_exponent - i);
	return sum;
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

/* The text that tells whether a folder holds this task. */
static void head_write(const struct solving *solving, struct shelf_head *head)
{
	const struct solve_task *task = solving->task;
	const struct game *game = task->game;
	char spawn[SPAWN_TEXT_MAX], start[BOARD_TEXT_MAX] = "";
	spawn_format(&game->spawn, spawn);
	if (game->has_start)
		board_format(game, &game->start, start);
	*head = (struct shelf_head){0};
	snprintf(head->text, sizeof head->text,
		 "solve 1 board %s spawn %s tiles %d start '%s' goal %s target %d max-sum %" PRIu64
		 "%s",
		 game->name, spawn, game->start_tiles, start, goal_name(task->goal), task->target,
		 task->max_sum, task->count ? " count" : "");
}

static enum status solving_init(struct solving *solving, const struct solve_task *task,
				struct why *why)
{
	const struct game *game = task->game;
	const int kinds = game->spawn.kinds;
	struct shelf_head head;
	*solving = (struct solving){
	    .task = task,
	    .game = game,
	    .threads = task->threads,
	    .budget = {.limit = task->memory},
	    .step = (uint64_t)1 << game->spawn.exponent[0],
	    .widest = (uint64_t)1 << game->spawn.exponent[kinds - 1],
	    .last =
		task->max_sum && task->max_sum < sum_most(game) ? task->max_sum : sum_most(game),
	};
	head_write(solving, &head);
	struct why wide;
	enum status status = keys_init(&solving->keys, game, exponent_most(task), true, &wide);
	if (status)
		return why_set(why, status,
			       "%s; --target and --max-sum of nxn solve end games earlier",
			       wide.text);
	status = thread_team_new(task->threads, &solving->team, why);
	if (!status)
		status = code_set_init(&solving->set, &solving->budget, solving->team,
				       solving->keys.width, task->threads, why);
	if (status)
		return status;
	solving->ring_size = solving->widest / solving->step + 1;
	solving->ring = calloc(solving->ring_size, sizeof *solving->ring);
	solving->workers = calloc((size_t)task->threads, sizeof *solving->workers);
	if (!solving->ring || !solving->workers)
		return why_set(why, STATUS_SYSTEM, "out of memory for %d threads", task->threads);
	return shelf_open(&solving->shelf, task->work, &head, why);
}

static void solving_fini(struct solving *solving)
{
	for (size_t i = 0; solving->ring && i < solving->ring_size; i++)
		layer_free(&solving->budget, &solving->ring[i]);
	layer_free(&solving->budget, &solving->present);
	if (solving->set.part)
		code_set_fini(&solving->set);
	thread_team_free(solving->team);
	shelf_close(solving->shelf);
	free(solving->ring);
	free(solving->workers);
	free(solving->seeds);
	free(solving->layers);
}

/* Every layer's after-states and values, out of the shelf into the table file. */
static enum status table_layers(struct solving *solving, const struct solve_result *result,
				struct optimum_writer *writer, struct why *why)
{
	struct layer *after = &solving->present;
	enum status status = STATUS_OK;
	for (size_t i = result->layer_count; !status && i-- > 0;) {
		const uint64_t sum = result->layers[i].sum;
		status = solving_load(solving, PIECE_AFTERSTATES, sum, true, after, why);
		if (!status)
			status = shelf_get_values(solving->shelf, PIECE_VALUES, sum,
						  layer_values(after), why);
		if (!status && after->n)
			status = optimum_put(writer, sum, layer_codes(after), layer_values(after),
					     after->n, why);
	}
	return status;
}

/* The head of the table, with what is known before the work as well as after it. */
static void table_head(const struct solve_task *task, const struct solve_result *result,
		       struct optimum_head *head)
{
	*head = (struct optimum_head){
	    .goal = task->goal,
	    .target = task->target,
	    .max_sum = task->max_sum,
	    .max_exponent = exponent_most(task),
	    .value = result->value,
	    .states = result->total.states,
	};
	snprintf(head->made, sizeof head->made, "%s", task->made ? task->made : "");
	optimum_head_game(head, task->game);
}

/* Whether the table can be written is to be known before long work, and not after it. */
static enum status table_try(const struct solve_task *task, struct why *why)
{
	const struct solve_result nothing = {0};
	struct optimum_head head;
	struct optimum_writer *writer;
	table_head(task, &nothing, &head);
	enum status status = optimum_create(&writer, task->out, &head, why);
	if (!status)
		optimum_abort(writer);
	return status;
}

static enum status table_write(struct solving *solving, const struct solve_result *result,
			       struct why *why)
{
	struct optimum_head head;
	struct optimum_writer *writer;
	table_head(solving->task, result, &head);
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
	    .disk = shelf_bytes(solving->shelf),
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
	enum status status = solve_seeds(solving, why);
	if (!status && task->out)
		status = table_try(task, why);
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
