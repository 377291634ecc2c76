/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks of the solver against figures of an independent program, exact.txt and layers.txt, which agree
 * with the published ones where there are any (docs/conformance.md).
 */
#include "agents/solver/solver.h"

#include "base/stop.h"
#include "src/cli/options.h"
#include "src/verify/verify.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static bool go_on(void *context, const struct solve_progress *progress)
{
	(void)context;
	(void)progress;
	return !stop_requested();
}

/* TASK with what this run may use. */
static enum status task_solve(const struct verify *verify, struct solve_task task,
			      struct solve_result *result, struct why *why)
{
	task.memory = memory_default();
	task.threads = verify->threads;
	task.tell = go_on;
	return solve(&task, result, why);
}

/* A count of the solver and the same of exact.txt. */
static enum status count_check(struct verify *verify, const char *shape, const char *key,
			       uint64_t found, struct why *why)
{
	double expected;
	char what[80];
	enum status status = facts_find(verify, shape, key, &expected, why);
	snprintf(what, sizeof what, "%s: %s", shape, key);
	if (!status)
		verify_number(verify, what, (double)found, expected, 0);
	return status;
}

static enum status counts_check(struct verify *verify, const char *shape,
				const struct solve_result *result, struct why *why)
{
	const struct solve_layer *t = &result->total;
	const struct {
		const char *key;
		uint64_t found;
	} counts[] = {
	    {"states", t->states},
	    {"states_raw", t->states_raw},
	    {"terminal", t->states - t->live},
	    {"terminal_raw", t->states_raw - t->live_raw},
	    {"afterstates", t->afterstates},
	    {"afterstates_raw", t->afterstates_raw},
	    {"move_pairs", t->pairs},
	    {"move_pairs_raw", t->pairs_raw},
	    {"max_sum", t->sum},
	    {"max_tile", UINT64_C(1) << result->max_exponent},
	};
	enum status status = STATUS_OK;
	for (size_t i = 0; !status && i < sizeof counts / sizeof *counts; i++)
		status = count_check(verify, shape, counts[i].key, counts[i].found, why);
	return status;
}

/* A start's value, by whichever of its images exact.txt lists. */
static void start_compare(const struct verify *verify, const struct game *game,
			  const struct solve_start *start, struct agreement *agreement)
{
	char key[BOARD_TEXT_MAX + 16] = "";
	struct board image;
	double expected = NAN;
	for (int s = 0; isnan(expected) && s < game->symmetries; s++) {
		board_symmetry(game, s, &start->board, &image);
		snprintf(key, sizeof key, "start_value.");
		board_format(game, &image, key + strlen(key));
		if (facts_find(verify, game->name, key, &expected, NULL))
			expected = NAN;
	}
	agree_add(agreement, fabs(start->value - expected) <= 1e-9 * expected,
		  "%s is %.12g, not %.12g", key, start->value, expected);
}

static void starts_check(struct verify *verify, const struct game *game,
			 const struct solve_result *result)
{
	struct agreement agreement = {0};
	char what[80];
	for (size_t i = 0; i < result->start_count; i++)
		start_compare(verify, game, &result->starts[i], &agreement);
	snprintf(what, sizeof what, "%s: values of starts", game->name);
	verify_tally(verify, what, &agreement);
}

/* One goal, one figure. */
static enum status goal_check(struct verify *verify, const struct game *game, enum goal goal,
			      int target, const char *key, struct why *why)
{
	struct solve_result result;
	double expected;
	char what[80];
	enum status status = facts_find(verify, game->name, key, &expected, why);
	if (!status)
		status = task_solve(
		    verify, (struct solve_task){.game = game, .goal = goal, .target = target},
		    &result, why);
	if (status)
		return status;
	snprintf(what, sizeof what, "%s: %s", game->name, key);
	verify_number(verify, what, result.value, expected, 1e-9);
	solve_result_free(&result);
	return STATUS_OK;
}

/* The probability of ever owning each of the tiles from 8 on, under the play that is best for it. */
static enum status targets_check(struct verify *verify, const struct game *game, struct why *why)
{
	enum status status = STATUS_OK;
	for (int k = 3; !status && k <= game->max_exponent; k++) {
		char key[40];
		snprintf(key, sizeof key, "p_reach.%" PRIu64, UINT64_C(1) << k);
		status = goal_check(verify, game, GOAL_TARGET, k, key, why);
	}
	return status;
}

static enum status shape_check(struct verify *verify, const char *shape, struct why *why)
{
	struct game game;
	struct solve_result result;
	double expected;
	char what[80];
	enum status status = game_init(&game, &(struct game_options){.shape = shape}, why);
	if (!status)
		status = facts_find(verify, shape, "optimal_score", &expected, why);
	if (!status)
		status = task_solve(verify, (struct solve_task){.game = &game, .goal = GOAL_SCORE},
				    &result, why);
	if (status)
		return status;
	status = counts_check(verify, shape, &result, why);
	snprintf(what, sizeof what, "%s: optimal_score", shape);
	if (!status) {
		verify_number(verify, what, result.value, expected, 1e-9);
		starts_check(verify, &game, &result);
	}
	solve_result_free(&result);
	if (!status)
		status = targets_check(verify, &game, why);
	if (!status)
		status = goal_check(verify, &game, GOAL_BEST_SCORE, 0, "max_score", why);
	if (!status)
		status = goal_check(verify, &game, GOAL_BEST_MOVES, 0, "max_moves", why);
	return status;
}

enum status verify_solver(struct verify *verify, struct why *why)
{
	enum status status = shape_check(verify, "2x2", why);
	return status ? status : shape_check(verify, "2x3", why);
}

enum status verify_solver_long(struct verify *verify, struct why *why)
{
	return shape_check(verify, "3x3", why);
}

/* Compares the layer of SUM with a row of layers.txt, count by count. */
static void layer_compare(const struct solve_result *result, const uint64_t row[7], int line,
			  struct agreement *tally)
{
	static const char *const names[] = {"states",	"states_raw",  "live",
					    "live_raw", "afterstates", "afterstates_raw"};
	struct solve_layer none = {0};
	const struct solve_layer *layer = &none;
	for (size_t i = 0; i < result->layer_count; i++)
		if (result->layers[i].sum == row[0])
			layer = &result->layers[i];
	const uint64_t found[] = {layer->states,   layer->states_raw,  layer->live,
				  layer->live_raw, layer->afterstates, layer->afterstates_raw};
	for (int i = 0; i < 6; i++)
		agree_add(tally, found[i] == row[1 + i],
			  "layers.txt:%d: %s are %" PRIu64 ", not %" PRIu64, line, names[i],
			  found[i], row[1 + i]);
}

/* The rows of SHAPE, up to MAX_SUM unless that is 0. */
static enum status layers_read(const struct verify *verify, const char *shape, uint64_t max_sum,
			       const struct solve_result *result, struct agreement *tally,
			       struct why *why)
{
	FILE *file;
	char *line = NULL, name[8];
	size_t size = 0;
	int number = 0;
	enum status status = facts_open(verify, "layers.txt", &file, why);
	if (status)
		return status;
	while (!status && facts_next(file, &line, &size, &number)) {
		uint64_t r[7];
		char rest;
		if (sscanf(line,
			   "%7s %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
			   " %" SCNu64 " %" SCNu64 " %c",
			   name, &r[0], &r[1], &r[2], &r[3], &r[4], &r[5], &r[6], &rest) != 8)
			status = why_set(why, STATUS_INPUT,
					 "%s/layers.txt:%d: expected SHAPE and seven whole numbers",
					 verify->vectors, number);
		else if (strcmp(name, shape) == 0 && (!max_sum || r[0] <= max_sum))
			layer_compare(result, r, number, tally);
	}
	status = status ? status : facts_end(verify, "layers.txt", file, why);
	free(line);
	fclose(file);
	return status;
}

/* A partial enumeration has a last sum; in a complete one no layer may be missing in the file. */
static enum status layers_check(struct verify *verify, const char *shape, uint64_t max_sum,
				struct why *why)
{
	struct game game;
	struct solve_result result;
	struct agreement tally = {0};
	char what[80];
	enum status status = game_init(&game, &(struct game_options){.shape = shape}, why);
	if (!status)
		status = task_solve(
		    verify, (struct solve_task){.game = &game, .count = true, .max_sum = max_sum},
		    &result, why);
	if (status)
		return status;
	status = layers_read(verify, shape, max_sum, &result, &tally, why);
	if (max_sum)
		snprintf(what, sizeof what, "%s: counts by sum, up to %" PRIu64, shape, max_sum);
	else
		snprintf(what, sizeof what, "%s: counts by sum", shape);
	if (!status && tally.all != 6 * result.layer_count)
		agree_add(&tally, false, "%zu layers, not %" PRIu64, result.layer_count,
			  tally.all / 6);
	if (!status)
		verify_tally(verify, what, &tally);
	solve_result_free(&result);
	return status;
}

enum status verify_layers(struct verify *verify, struct why *why)
{
	enum status status = layers_check(verify, "2x2", 0, why);
	if (!status)
		status = layers_check(verify, "2x3", 0, why);
	if (!status)
		status = layers_check(verify, "4x3", 40, why);
	if (!status)
		status = layers_check(verify, "4x4", 30, why);
	return status;
}

enum status verify_layers_long(struct verify *verify, struct why *why)
{
	enum status status = layers_check(verify, "3x3", 0, why);
	if (!status)
		status = layers_check(verify, "4x3", 60, why);
	if (!status)
		status = layers_check(verify, "4x4", 50, why);
	return status;
}
