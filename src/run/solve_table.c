/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What nxn solve prints; see solve_table.h and, for the keys, docs/solver.md. They are those of
 * tests/vectors/exact.txt, where counts are of one position a symmetry class unless they end with
 * _raw. Layers come first, so that on a terminal the totals are what remains to be seen.
 */
#include "src/run/solve_table.h"

#include "boards/board.h"
#include "base/text.h"
#include "src/cli/provenance.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

enum { STARTS_SHOWN = 200, HEAD_TEXT_MAX = 4096 };

void solve_real_print(const char *key, double x)
{
	char text[REAL_TEXT_MAX];
	real_format(x, text);
	printf("%s\t%s\n", key, text);
}

void solve_count_print(const char *key, uint64_t n)
{
	printf("%s\t%" PRIu64 "\n", key, n);
}

/* "start" and where games begin, or "start_tiles" and how many. */
static void start_format(const struct game *game, char *text, size_t size)
{
	char board[BOARD_TEXT_MAX];
	if (game->has_start) {
		board_format(game, &game->start, board);
		snprintf(text, size, "start\t%s", board);
	} else {
		snprintf(text, size, "start_tiles\t%d", game->start_tiles);
	}
}

void solve_game_print(const struct game *game)
{
	char spawn[SPAWN_TEXT_MAX], start[BOARD_TEXT_MAX + 16];
	spawn_format(&game->spawn, spawn);
	start_format(game, start, sizeof start);
	printf("board\t%s\nspawn\t%s\n%s\n", game->name, spawn, start);
}

enum status solve_head_print(const struct game *game, const char *command, const char *what,
			     struct why *why)
{
	char spawn[SPAWN_TEXT_MAX], start[BOARD_TEXT_MAX + 16], text[HEAD_TEXT_MAX];
	struct provenance provenance;
	spawn_format(&game->spawn, spawn);
	start_format(game, start, sizeof start);
	snprintf(text, sizeof text, "%s %s %s %s", game->name, spawn, start, what);
	enum status status =
	    provenance_init(&provenance, command, XXH3_64bits(text, strlen(text)), "none", why);
	if (status)
		return status;
	for (const char *const *line = provenance_lines(&provenance); *line; line++)
		printf("# %s\n", *line);
	provenance_fini(&provenance);
	return STATUS_OK;
}

static void layers_print(const struct solve_result *result)
{
	puts("\"sum\"\t\"states\"\t\"states_raw\"\t\"live\"\t\"live_raw\"\t\"afterstates\"\t"
	     "\"afterstates_raw\"\t\"move_pairs\"\t\"move_pairs_raw\"");
	for (size_t i = 0; i < result->layer_count; i++) {
		const struct solve_layer *l = &result->layers[i];
		printf("%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64
		       "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n",
		       l->sum, l->states, l->states_raw, l->live, l->live_raw, l->afterstates,
		       l->afterstates_raw, l->pairs, l->pairs_raw);
	}
	fputs("\n\n", stdout);
}

static void totals_print(const struct game *game, const struct solve_result *result)
{
	const struct solve_layer *total = &result->total;
	solve_count_print("symmetries", (uint64_t)game->symmetries);
	solve_count_print("states", total->states);
	solve_count_print("states_canonical", total->states);
	solve_count_print("states_raw", total->states_raw);
	solve_count_print("live", total->live);
	solve_count_print("live_raw", total->live_raw);
	solve_count_print("terminal", total->states - total->live);
	solve_count_print("terminal_raw", total->states_raw - total->live_raw);
	solve_count_print("afterstates", total->afterstates);
	solve_count_print("afterstates_raw", total->afterstates_raw);
	solve_count_print("move_pairs", total->pairs);
	solve_count_print("move_pairs_raw", total->pairs_raw);
	solve_count_print("layers", result->layer_count);
	solve_count_print("max_sum", total->sum);
	solve_count_print("max_tile", (uint64_t)1 << result->max_exponent);
}

/* A value as a line; sums of probabilities that round to more than 1 are 1. */
static void value_print(const struct solve_options *options, const char *key, double value)
{
	solve_real_print(key, options->target ? fmin(value, 1) : value);
}

static void values_print(const struct solve_options *options, const struct game *game,
			 const struct solve_result *result)
{
	static const char *const keys[] = {
	    [GOAL_SCORE] = "expected_score", [GOAL_TARGET] = "p_reach",
	    [GOAL_MOVES] = "expected_moves", [GOAL_BEST_SCORE] = "max_score",
	    [GOAL_BEST_MOVES] = "max_moves",
	};
	char key[BOARD_TEXT_MAX + 16], board[BOARD_TEXT_MAX];
	if (options->count)
		return;
	for (size_t i = 0; result->start_count <= STARTS_SHOWN && i < result->start_count; i++) {
		board_format(game, &result->starts[i].board, board);
		snprintf(key, sizeof key, "start_value.%s", board);
		value_print(options, key, result->starts[i].value);
	}
	if (options->target)
		snprintf(key, sizeof key, "%s.%" PRIu64, keys[options->goal], options->target);
	else
		snprintf(key, sizeof key, "%s", keys[options->goal]);
	value_print(options, key, result->value);
}

enum status solve_table_print(const struct solve_options *options, const struct game *game,
			      const char *command, const struct solve_result *result,
			      double seconds, struct why *why)
{
	static const char *const goals[] = {
	    [GOAL_SCORE] = "score",	      [GOAL_TARGET] = "target",
	    [GOAL_MOVES] = "moves",	      [GOAL_BEST_SCORE] = "best-score",
	    [GOAL_BEST_MOVES] = "best-moves",
	};
	char what[128];
	const char *goal = options->count ? "count" : goals[options->goal];
	snprintf(what, sizeof what, "%s %" PRIu64 " %" PRIu64, goal, options->target,
		 options->max_sum);
	enum status status = solve_head_print(game, command, what, why);
	if (status)
		return status;
	if (!options->no_layers)
		layers_print(result);
	solve_game_print(game);
	printf("goal\t%s\n", goal);
	if (options->target)
		solve_count_print("target", options->target);
	if (options->max_sum)
		solve_count_print("max_sum_asked", options->max_sum);
	totals_print(game, result);
	values_print(options, game, result);
	if (!options->no_times) {
		printf("seconds\t%.3f\n", seconds);
		solve_count_print("memory", result->memory);
		solve_count_print("disk", result->disk);
	}
	return STATUS_OK;
}
