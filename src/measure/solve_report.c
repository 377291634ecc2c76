/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nxn solve: exact values of a board, or of an agent's play on it. Results are printed in words, or
 * with --full as lines of a key, a tab and a value, after `#` lines with their provenance.
 * docs/solver.md has the keys, which are those of tests/vectors/exact.txt: counts are of one
 * position per symmetry class unless the key ends with _raw. Layers come first, so that the totals
 * stay visible on a terminal.
 */
#include "src/measure/solve_report.h"

#include "agents/solver/exact_play.h"
#include "agents/solver/optimum.h"
#include "analysis/tables/record.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/number.h"
#include "base/stop.h"
#include "base/text.h"
#include "src/cli/provenance.h"
#include "src/games/progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

enum { STARTS_SHOWN = 200, HEAD_TEXT_MAX = 4096 };

const char *const solve_goals[GOALS] = {"score", "target", "moves", "best-score", "best-moves"};

/* Tolerance for values of a table, which are sums in another order. */
static const double tie = 1e-9;

static void game_add(struct record *record, const struct game *game)
{
	char start[BOARD_TEXT_MAX];
	board_format(game, &game->start, start);
	record_text(record, "board", game->name);
	record_text(record, "spawn", game->spawn.text);
	if (game->has_start)
		record_text(record, "start", start);
	else
		record_number(record, "start_tiles", (uint64_t)game->start_tiles);
}

/* The hash of the rules of GAME and of WHAT, which has all else that determines a result. */
static uint64_t config_hash(const struct game *game, const char *what)
{
	char start[BOARD_TEXT_MAX], text[HEAD_TEXT_MAX];
	board_format(game, &game->start, start);
	if (!game->has_start)
		snprintf(start, sizeof start, "%d", game->start_tiles);
	snprintf(text, sizeof text, "%s %s %s\t%s %s", game->name, game->spawn.text,
		 game->has_start ? "start" : "start_tiles", start, what);
	return XXH3_64bits(text, strlen(text));
}

#define LAYER(title, member) TABLE_COLUMN(struct solve_layer, title, NUMBER, member)

static void layer_rows(const struct table_out *out, const void *data)
{
	const struct solve_result *result = data;
	for (size_t i = 0; i < result->layer_count; i++)
		table_put(out, &result->layers[i]);
}

static void layers_print(const void *data)
{
	const struct solve_result *result = data;
	static const struct table_column columns[] = {
	    LAYER("sum", sum),
	    LAYER("states", states),
	    LAYER("states_raw", states_raw),
	    LAYER("live", live),
	    LAYER("live_raw", live_raw),
	    LAYER("afterstates", afterstates),
	    LAYER("afterstates_raw", afterstates_raw),
	    LAYER("move_pairs", pairs),
	    LAYER("move_pairs_raw", pairs_raw),
	    {0},
	};
	/* All columns are wider than a terminal. */
	if (isatty(STDOUT_FILENO))
		table_view_print(
		    stdout, &(struct table_view){
				.columns = columns, .left = 1, .rows = layer_rows, .data = result});
	else
		table_stream(
		    stdout,
		    &(struct table){.name = "layers", .columns = columns, .rows = layer_rows},
		    result);
	fputs("\n\n", stdout);
}

static void totals_add(struct record *record, const struct game *game,
		       const struct solve_result *result)
{
	const struct solve_layer *total = &result->total;
	record_number(record, "symmetries", (uint64_t)game->symmetries);
	record_number(record, "states", total->states);
	record_number(record, "states_canonical", total->states);
	record_number(record, "states_raw", total->states_raw);
	record_number(record, "live", total->live);
	record_number(record, "live_raw", total->live_raw);
	record_number(record, "terminal", total->states - total->live);
	record_number(record, "terminal_raw", total->states_raw - total->live_raw);
	record_number(record, "afterstates", total->afterstates);
	record_number(record, "afterstates_raw", total->afterstates_raw);
	record_number(record, "move_pairs", total->pairs);
	record_number(record, "move_pairs_raw", total->pairs_raw);
	record_number(record, "layers", result->layer_count);
	record_number(record, "max_sum", total->sum);
	record_number(record, "max_tile", (uint64_t)1 << result->max_exponent);
}

/* A sum of probabilities may be rounded to more than 1. */
static void value_add(struct record *record, const struct solve_options *options, const char *key,
		      double value)
{
	record_real(record, key, options->target ? fmin(value, 1) : value);
}

static void values_add(struct record *record, const struct solve_options *options,
		       const struct game *game, const struct solve_result *result)
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
		value_add(record, options, key, result->starts[i].value);
	}
	if (options->target)
		snprintf(key, sizeof key, "%s.%" PRIu64, keys[options->goal], options->target);
	else
		snprintf(key, sizeof key, "%s", keys[options->goal]);
	value_add(record, options, key, result->value);
}

/*
 * Prints RECORD after the provenance of CONFIG, and frees it; as text, with ROWS of RESULT in
 * between unless that is NULL. Errors as provenance_init().
 */
static enum status record_result(struct record *record, const struct invocation *call,
				 uint64_t config, void (*rows)(const void *result),
				 const void *result, struct why *why)
{
	struct tables tables;
	struct provenance head = {0};
	enum status status = provenance_init(&head, call->provenance, config, "none", NULL, why);
	record_tables(record, &tables);
	if (!status && call->printer.format == FORMAT_TEXT) {
		table_comments(stdout, provenance_lines(&head));
		if (rows)
			rows(result);
	}
	if (!status)
		tables_print(&call->printer, &tables, record->name, record, false,
			     provenance_lines(&head));
	record_fini(record);
	provenance_fini(&head);
	return status;
}

/* Prints the rules in a line. */
static void rules_print(FILE *file, const struct game *game, uint64_t max_sum)
{
	char start[BOARD_TEXT_MAX];
	board_format(game, &game->start, start);
	fprintf(file, "%s, spawns %s, ", game->name, game->spawn.text);
	if (game->has_start)
		fprintf(file, "games from %s", start);
	else
		fprintf(file, "games from %d tile%s", game->start_tiles,
			game->start_tiles == 1 ? "" : "s");
	if (max_sum)
		fprintf(file, " until the tiles sum to more than %" PRIu64, max_sum);
	fputs("\n\n", file);
}

/* Prints the optimum in words. */
static void value_print(FILE *file, const struct solve_options *options,
			const struct solve_result *result)
{
	const double value = result->value;
	if (options->count)
		text_printf(file, "Positions were counted; they have no values.");
	else if (options->goal == GOAL_SCORE)
		text_printf(file,
			    "Perfect play scores %.3f points on average: no player has a higher "
			    "expected score.",
			    value);
	else if (options->goal == GOAL_TARGET)
		text_printf(file,
			    "Perfect play reaches the tile %" PRIu64
			    " in %.6g%% of games: no player does so more often.",
			    options->target, 100 * fmin(value, 1));
	else if (options->goal == GOAL_MOVES)
		text_printf(file,
			    "Perfect play makes %.3f moves on average: no player is expected to "
			    "last longer.",
			    value);
	else
		text_printf(file,
			    "No game %s more than %.12g %s: that takes the best play and the best "
			    "luck.",
			    options->goal == GOAL_BEST_SCORE ? "scores" : "lasts", value,
			    options->goal == GOAL_BEST_SCORE ? "points" : "moves");
}

/* Prints time and memory, and the places of other results. */
static void footer_print(FILE *file, const struct solve_options *options, double seconds,
			 uint64_t memory, const char *rows)
{
	putc('\n', file);
	if (!options->no_times) {
		char time[GRID_TEXT_MAX];
		time_text(1e3 * seconds, time);
		text_printf(file, "It took %s and %.1f MiB of memory.", time,
			    fmax(0.1, (double)memory / 0x1p20));
	}
	if (options->out)
		text_printf(file, "The agent optimal:%s plays from the table %s.", options->out,
			    options->out);
	if (options->work)
		text_printf(file, "The layers are in %s.", options->work);
	text_printf(file, "--full prints all values%s; --format=tsv or json is for programs.",
		    rows);
}

static void optimum_print(FILE *file, const struct solve_options *options, const struct game *game,
			  const struct solve_result *result, double seconds)
{
	const struct solve_layer *total = &result->total;
	rules_print(file, game, options->max_sum);
	value_print(file, options, result);
	fprintf(file,
		"\n"
		"positions      %" PRIu64 " (%" PRIu64 " with mirrored and turned ones)\n"
		"after-states   %" PRIu64 " (%" PRIu64 ")\n"
		"largest tile   %" PRIu64 "\n"
		"layers         %zu, by the sum of the tiles, which is at most %" PRIu64 "\n",
		total->states, total->states_raw, total->afterstates, total->afterstates_raw,
		(uint64_t)1 << result->max_exponent, result->layer_count, total->sum);
	footer_print(file, options, seconds, result->memory, " and a row for each layer");
}

static enum status optimum_report(const struct solve_options *options, const struct game *game,
				  const struct invocation *call, const struct solve_result *result,
				  double seconds, struct why *why)
{
	char what[128];
	struct record record = {.name = "solve"};
	const char *goal = options->count ? "count" : solve_goals[options->goal];
	if (call->printer.format == FORMAT_TEXT && !options->full) {
		optimum_print(call->printer.file, options, game, result, seconds);
		return STATUS_OK;
	}
	snprintf(what, sizeof what, "%s %" PRIu64 " %" PRIu64, goal, options->target,
		 options->max_sum);
	game_add(&record, game);
	record_text(&record, "goal", goal);
	if (options->target)
		record_number(&record, "target", options->target);
	if (options->max_sum)
		record_number(&record, "max_sum_asked", options->max_sum);
	totals_add(&record, game, result);
	values_add(&record, options, game, result);
	if (!options->no_times) {
		record_fixed(&record, "seconds", seconds, 3);
		record_number(&record, "memory", result->memory);
		record_number(&record, "disk", result->disk);
	}
	return record_result(&record, call, config_hash(game, what), layers_print, result, why);
}

/* The largest sum of tiles at the start of a game. */
static uint64_t start_sum(const struct game *game)
{
	const struct spawn_rule *spawn = &game->spawn;
	if (game->has_start)
		return board_sum(&game->start);
	return (uint64_t)game->start_tiles << spawn->exponent[spawn->kinds - 1];
}

static enum status sums_check(const struct solve_options *options, const struct game *game,
			      struct why *why)
{
	const uint64_t largest = (uint64_t)1 << game->max_exponent;
	if (options->target > largest)
		return why_set(why, STATUS_INPUT,
			       "--target: no game on %s reaches %" PRIu64
			       ", expected tiles up to %" PRIu64,
			       game->name, options->target, largest);
	if (options->max_sum && options->max_sum < start_sum(game))
		return why_set(why, STATUS_INPUT,
			       "--max-sum: %" PRIu64 " is less than the %" PRIu64
			       " that tiles may sum to when a game begins",
			       options->max_sum, start_sum(game));
	return STATUS_OK;
}

/* Locks a file, or refuses now, and not after hours of work, one that must not be replaced. */
static enum status out_lock(const char *path, const struct game *game, struct lock *lock,
			    struct why *why)
{
	struct optimum_header head;
	optimum_header_game(&head, game);
	enum status status = optimum_replace_check(path, &head, why);
	status = status ? status : lock_take(lock, path, why);
	if (!status)
		leftovers_remove(path);
	return status;
}

/* Solves GAME and prints the result. */
static enum status solve_optimum(const struct solve_options *options, const struct game *game,
				 const struct invocation *call, struct why *why)
{
	struct solve_show show = {
	    .forced = options->pace.progress,
	    /* The sum if all cells have the largest tile below the target. */
	    .most = options->target / 2 * (uint64_t)game->cells,
	    .what = options->count ? "counting" : NULL,
	};
	const struct solve_task task = {
	    .game = game,
	    .goal = options->goal,
	    .target = options->target ? __builtin_ctzll(options->target) : 0,
	    .max_sum = options->max_sum,
	    .count = options->count,
	    .memory = options->memory,
	    .threads = options->pace.threads,
	    .work = options->work,
	    .out = options->out,
	    .made = version_text,
	    .tell = solve_show,
	    .context = &show,
	};
	struct solve_result result;
	struct lock lock = {0};
	const double started = clock_seconds();
	enum status status = sums_check(options, game, why);
	if (!status && options->out)
		status = out_lock(options->out, game, &lock, why);
	if (status)
		return status;
	status = solve(&task, &result, why);
	solve_show_end(&show);
	lock_release(&lock);
	if (status)
		return status;
	status = optimum_report(options, game, call, &result, clock_seconds() - started, why);
	solve_result_free(&result);
	return status;
}

/* The moves of an agent on positions with the largest tile TILE. */
struct phase_row {
	uint64_t tile;
	struct exact_phase phase;
};

#define PHASE(title, kind, member) TABLE_COLUMN(struct phase_row, title, kind, member)

/* Rounds X to 12 digits; further ones depend on the order of sums. */
static double digits_kept(double x)
{
	char text[REAL_TEXT_MAX];
	snprintf(text, sizeof text, "%.12g", x);
	return strtod(text, NULL);
}

static void phase_rows(const struct table_out *out, const void *data)
{
	const struct exact_play *play = data;
	for (int k = 0; k < EXACT_EXPONENTS; k++) {
		const struct exact_phase *p = &play->phase[k];
		if (p->visits > 0)
			table_put(out, &(struct phase_row){(uint64_t)1 << k,
							   {digits_kept(p->visits),
							    digits_kept(p->optimal),
							    digits_kept(p->loss)}});
	}
}

static void phases_print(const void *play)
{
	static const struct table_column columns[] = {
	    PHASE("tile", NUMBER, tile),
	    PHASE("moves", REAL, phase.visits),
	    PHASE("optimal", REAL, phase.optimal),
	    PHASE("loss", REAL, phase.loss),
	    {0},
	};
	table_stream(stdout,
		     &(struct table){.name = "phases", .columns = columns, .rows = phase_rows},
		     play);
	fputs("\n\n", stdout);
}

static void tiles_add(struct record *record, const struct exact_play *play)
{
	char key[64];
	double reach[EXACT_EXPONENTS + 1] = {0};
	for (int k = EXACT_EXPONENTS - 1; k >= 0; k--)
		reach[k] = reach[k + 1] + play->max_tile[k];
	for (int k = 0; k < EXACT_EXPONENTS; k++) {
		if (!(play->max_tile[k] > 0))
			continue;
		snprintf(key, sizeof key, "p_max_tile.%" PRIu64, (uint64_t)1 << k);
		record_real(record, key, play->max_tile[k]);
	}
	for (int k = 1; k < EXACT_EXPONENTS; k++) {
		if (!(reach[k] > 0))
			break;
		snprintf(key, sizeof key, "p_reach.%" PRIu64, (uint64_t)1 << k);
		record_real(record, key, fmin(1, reach[k])); /* except for rounding */
	}
}

static void gap_add(struct record *record, const struct exact_play *play, double best)
{
	double loss = 0, optimal = 0;
	for (int k = 0; k < EXACT_EXPONENTS; k++) {
		loss += play->phase[k].loss;
		optimal += play->phase[k].optimal;
	}
	record_real(record, "optimal_score", best);
	if (best > 0)
		record_real(record, "fraction", play->score / best);
	record_real(record, "loss", loss);
	if (play->moves > 0)
		record_real(record, "optimal_share", optimal / play->moves);
}

/* Prints the largest tiles in descending order, with the share of games that end with each. */
static void tiles_print(FILE *file, const struct exact_play *play)
{
	char text[1024] = "Largest tile at the end: ";
	size_t used = strlen(text);
	bool some = false;
	for (int k = EXACT_EXPONENTS - 1; k >= 0 && used < sizeof text; k--) {
		if (!(play->max_tile[k] > 0))
			continue;
		used += (size_t)snprintf(text + used, sizeof text - used, "%s%" PRIu64 " in %.3g%%",
					 some ? ", " : "", (uint64_t)1 << k,
					 100 * fmin(play->max_tile[k], 1));
		some = true;
	}
	text_printf(file, "%s of games.", text);
}

static void policy_print(FILE *file, const struct solve_options *options, const struct game *game,
			 const struct optimum *optimum, const struct exact_play *play,
			 double seconds)
{
	double optimal = 0;
	rules_print(file, game, options->max_sum);
	text_printf(file,
		    "%s scores %.3f points on average over all its games, with a standard "
		    "deviation of %.3f, in %.3f moves.",
		    options->policy, play->score, play->sd, play->moves);
	for (int k = 0; k < EXACT_EXPONENTS; k++)
		optimal += play->phase[k].optimal;
	const double best = optimum ? optimum_header(optimum)->value : 0;
	if (best > 0 && play->moves > 0)
		text_printf(file,
			    "Perfect play scores %.3f: %s has %.4g%% of that, and %.4g%% of its "
			    "moves are as good as the best.",
			    best, options->policy, 100 * play->score / best,
			    100 * optimal / play->moves);
	else if (optimum)
		text_printf(file, "Perfect play scores %.3f.", best);
	tiles_print(file, play);
	footer_print(file, options, seconds, play->peak,
		     optimum ? ", and what moves lose for each largest tile" : "");
}

static enum status policy_report(const struct solve_options *options, const struct game *game,
				 const struct invocation *call, const struct optimum *optimum,
				 const struct exact_play *play, double seconds, struct why *why)
{
	char agent[SPEC_MAX], what[SPEC_MAX + 64];
	struct record record = {.name = "solve"};
	if (call->printer.format == FORMAT_TEXT && !options->full) {
		policy_print(call->printer.file, options, game, optimum, play, seconds);
		return STATUS_OK;
	}
	enum status status = agent_canonical(options->policy, agent, why);
	if (status)
		return status;
	snprintf(what, sizeof what, "policy %s %" PRIu64, agent, options->max_sum);
	game_add(&record, game);
	record_text(&record, "policy", agent);
	if (options->max_sum)
		record_number(&record, "max_sum_asked", options->max_sum);
	record_number(&record, "symmetric", play->folded);
	record_number(&record, "states", play->states);
	record_real(&record, "expected_score", play->score);
	record_real(&record, "sd", play->sd);
	record_real(&record, "moves", play->moves);
	tiles_add(&record, play);
	if (optimum)
		gap_add(&record, play, optimum_header(optimum)->value);
	if (!options->no_times) {
		record_fixed(&record, "seconds", seconds, 3);
		record_number(&record, "memory", play->peak);
	}
	return record_result(&record, call, config_hash(game, what), optimum ? phases_print : NULL,
			     play, why);
}

/* Evaluates the play of options->policy, and compares it with options->table if there is one. */
static enum status solve_policy(const struct solve_options *options, const struct game *game,
				const struct invocation *call, struct why *why)
{
	struct solve_show show = {.forced = options->pace.progress, .what = options->policy};
	struct optimum *optimum = NULL;
	struct exact_play play;
	const double started = clock_seconds();
	enum status status = sums_check(options, game, why);
	if (!status && !options->untrained)
		status = agent_trained_of(game, options->policy, "add --untrained", why);
	if (!status && options->table)
		status = optimum_open(options->table, game, true, &optimum, why);
	if (!status)
		status = exact_play(&(struct exact_play_task){.game = game,
							      .agent = options->policy,
							      .optimum = optimum,
							      .tie = tie,
							      .max_sum = options->max_sum,
							      .memory = options->memory,
							      .threads = options->pace.threads,
							      .tell = solve_show,
							      .context = &show},
				    &play, why);
	solve_show_end(&show);
	if (!status)
		status = policy_report(options, game, call, optimum, &play,
				       clock_seconds() - started, why);
	optimum_close(optimum);
	return status;
}

/* Prints how to resume after Ctrl-C. */
static void resume_print(const struct invocation *call, const struct solve_options *options)
{
	const bool anew = options->policy, kept = options->work;
	fprintf(stderr, "%s: stopped; to %s:\n%s%s\n", call->name,
		anew   ? "begin anew"
		: kept ? "resume"
		       : "begin anew, as nothing was kept, and keep layers",
		call->resume, anew || kept ? "" : " --work DIR");
}

enum status solve_report(const struct solve_options *options, const struct invocation *call,
			 struct why *why)
{
	struct game game;
	enum status status = game_init(&game, &options->game, why);
	if (status)
		return status;
	stop_catch();
	stop_after(options->pace.budget);
	status = (options->policy ? solve_policy : solve_optimum)(options, &game, call, why);
	if (status == STATUS_STOPPED)
		resume_print(call, options);
	return status;
}
