/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks of what is exact on small boards against an independent program: the solver by exact.txt
 * and layers.txt, which agree with the published figures where there are any
 * (docs/conformance.md), and the values of simple players, by following all their games at once
 * (agents/solver/exact_play.h). Games of a player that these files do not have are compared with
 * its exact value.
 */
#include "src/verify/verify.h"

#include "agents/play.h"
#include "agents/solver/exact_play.h"
#include "agents/solver/solver.h"
#include "base/stop.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { GAMES = 20000 };

static bool solve_on(void *context, const struct solve_progress *progress)
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
	task.tell = solve_on;
	return solve(&task, result, why);
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
		status = verify_fact(verify, shape, counts[i].key, (double)counts[i].found, 0, why);
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
	for (size_t i = 0; i < result->start_count; i++)
		start_compare(verify, game, &result->starts[i], &agreement);
	verify_tally(verify, &agreement, "%s: values of starts", game->name);
}

/* One goal, one figure. */
static enum status goal_check(struct verify *verify, const struct game *game, enum goal goal,
			      int target, const char *key, struct why *why)
{
	struct solve_result result;
	double expected;
	enum status status = facts_find(verify, game->name, key, &expected, why);
	if (!status)
		status = task_solve(
		    verify, (struct solve_task){.game = game, .goal = goal, .target = target},
		    &result, why);
	if (status)
		return status;
	verify_number(verify, result.value, expected, 1e-9, "%s: %s", game->name, key);
	solve_result_free(&result);
	return STATUS_OK;
}

/*
 * The probability of ever owning each of the tiles from 8 on, under the play that is best for it.
 */
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

enum status verify_solver(struct verify *verify, const struct verify_board *board, struct why *why)
{
	const char *shape = board->shape;
	struct game game;
	struct solve_result result;
	double expected;
	enum status status = game_init(&game, &(struct game_options){.shape = shape}, why);
	if (!status)
		status = facts_find(verify, shape, "optimal_score", &expected, why);
	if (!status)
		status = task_solve(verify, (struct solve_task){.game = &game, .goal = GOAL_SCORE},
				    &result, why);
	if (status)
		return status;
	status = counts_check(verify, shape, &result, why);
	if (!status) {
		verify_number(verify, result.value, expected, 1e-9, "%s: optimal_score", shape);
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

/* A board whose layers are compared with layers.txt. */
struct layers_read {
	const struct verify *verify;
	const struct verify_board *board;
	const struct solve_result *result;
	struct agreement tally;
};

static enum status layer_line(void *context, char *line, int number, struct why *why)
{
	struct layers_read *l = context;
	char *word[WORDS_MAX];
	uint64_t row[7];
	bool sound = words_split(line, word) == 8;
	for (int i = 0; sound && i < 7; i++)
		sound = word_count(word[1 + i], &row[i]);
	if (!sound)
		return facts_refuse(l->verify, "layers.txt", number,
				    "SHAPE and seven whole numbers", why);
	if (strcmp(word[0], l->board->shape) == 0 &&
	    (!l->board->max_sum || row[0] <= l->board->max_sum))
		layer_compare(l->result, row, number, &l->tally);
	return STATUS_OK;
}

/* A partial enumeration has a last sum; in a complete one no layer may be missing in the file. */
enum status verify_layers(struct verify *verify, const struct verify_board *board, struct why *why)
{
	struct game game;
	struct solve_result result;
	struct layers_read l = {.verify = verify, .board = board, .result = &result};
	char up_to[40] = "";
	enum status status = game_init(&game, &(struct game_options){.shape = board->shape}, why);
	if (!status)
		status = task_solve(
		    verify,
		    (struct solve_task){.game = &game, .count = true, .max_sum = board->max_sum},
		    &result, why);
	if (status)
		return status;
	status = facts_each(verify, "layers.txt", layer_line, &l, why);
	if (!status && l.tally.all != 6 * result.layer_count)
		agree_add(&l.tally, false, "%zu layers, not %" PRIu64, result.layer_count,
			  l.tally.all / 6);
	if (board->max_sum)
		snprintf(up_to, sizeof up_to, ", up to %" PRIu64, board->max_sum);
	if (!status)
		verify_tally(verify, &l.tally, "%s: counts by sum%s", board->shape, up_to);
	solve_result_free(&result);
	return status;
}

static bool follow_on(void *context, uint64_t sum, uint64_t last, uint64_t states)
{
	(void)context;
	(void)sum;
	(void)last;
	(void)states;
	return !stop_requested();
}

static enum status player_follow(const struct verify *verify, const struct game *game,
				 const char *agent, struct exact_play *play, struct why *why)
{
	const struct exact_play_task task = {.game = game,
					     .agent = agent,
					     .memory = memory_default(),
					     .threads = verify->threads,
					     .tell = follow_on};
	return exact_play(&task, play, why);
}

/* The probabilities of the largest tiles, those that exact.txt lists. */
static void tiles_compare(struct verify *verify, const struct game *game, const char *policy,
			  const struct exact_play *play)
{
	struct agreement tiles = {0};
	for (int k = 1; k <= game->max_exponent; k++) {
		char key[80];
		double expected;
		snprintf(key, sizeof key, "policy.%s.p_max_tile.%" PRIu64, policy,
			 UINT64_C(1) << k);
		if (facts_find(verify, game->name, key, &expected, NULL) == STATUS_OK)
			agree_add(&tiles,
				  fabs(play->max_tile[k] - expected) <= 1e-9 * fabs(expected),
				  "%s is %.12g, not %.12g", key, play->max_tile[k], expected);
	}
	verify_tally(verify, &tiles, "%s: policy.%s.p_max_tile", game->name, policy);
}

static enum status policy_check(struct verify *verify, const char *shape, const char *agent,
				const char *policy, struct why *why)
{
	struct game game;
	struct exact_play play = {0};
	enum status status = game_init(&game, &(struct game_options){.shape = shape}, why);
	if (!status)
		status = player_follow(verify, &game, agent, &play, why);
	const struct {
		const char *key;
		double found, relative;
	} figures[] = {{"score", play.score, 1e-9},
		       {"sd", play.sd, 1e-7}, /* out of a difference: half the digits */
		       {"moves", play.moves, 1e-9},
		       {"states", (double)play.states, 0}};
	for (int i = 0; !status && i < 4; i++) {
		char key[80];
		snprintf(key, sizeof key, "policy.%s.%s", policy, figures[i].key);
		status =
		    verify_fact(verify, shape, key, figures[i].found, figures[i].relative, why);
	}
	if (!status)
		tiles_compare(verify, &game, policy, &play);
	return status;
}

/* Games of the corner player, of which exact.txt has no figures. */
static enum status corners_check(struct verify *verify, const char *shape, struct why *why)
{
	struct game game;
	struct agent *agent;
	struct exact_play play;
	double score = 0;
	enum status status = game_init(&game, &(struct game_options){.shape = shape}, why);
	const struct agent_env env = {.game = &game};
	if (!status)
		status = player_follow(verify, &game, "corners", &play, why);
	if (!status)
		status = agent_new("corners", &env, &agent, why);
	if (status)
		return status;
	for (uint64_t i = 0; i < GAMES; i++) {
		struct outcome outcome;
		play_game(agent, verify->seed, i, NULL, &outcome);
		score += (double)outcome.score;
	}
	agent_free(agent);
	mean_tell(verify, shape, "corners", score / GAMES, GAMES, play.score, play.sd);
	return STATUS_OK;
}

enum status verify_policies(struct verify *verify, const struct verify_board *board,
			    struct why *why)
{
	enum status status = STATUS_OK;
	for (const struct known_player *p = known_players; !status && p->agent; p++)
		status = policy_check(verify, board->shape, p->agent, p->policy, why);
	return status ? status : corners_check(verify, board->shape, why);
}
