/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks of what is exact on small boards against an independent program, whose figures are in
 * exact.txt, layers.txt and expectimax.txt and agree with the published ones where there are any
 * (docs/conformance.md): the solver; the values of simple players, by following all their games at
 * once (agents/solver/exact_play.h), and the means of their games; the values of searches. Games of
 * a player that these files do not have are compared with its exact value.
 */
#include "src/verify/verify.h"

#include "agents/play.h"
#include "agents/solver/exact_play.h"
#include "agents/solver/solver.h"
#include "analysis/stats/stats.h"
#include "base/stop.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { PLAYER_GAMES = 20032, EXPONENTS = CELLS_MAX + 2 };

/* The line of numbers that agree up to a RELATIVE difference. */
static void number_tell(struct verify *verify, double found, double expected, double relative,
			const char *shape, const char *what)
{
	char is[32], should[32];
	snprintf(is, sizeof is, "%.12g", found);
	snprintf(should, sizeof should, "%.12g", expected);
	verify_tell(verify, fabs(found - expected) <= relative * fabs(expected), is, should,
		    "%s: %s", shape, what);
}

/* The line of FOUND and the fact KEY of SHAPE. Errors of facts_find(). */
static enum status verify_fact(struct verify *verify, const char *shape, const char *key,
			       double found, double relative, struct why *why)
{
	double expected;
	enum status status = facts_find(verify, shape, key, &expected, why);
	if (!status)
		number_tell(verify, found, expected, relative, shape, key);
	return status;
}

/* ---- Games of simple players. */

/* Agents whose exact values are in exact.txt, and their names there. */
static const struct known_player {
	const char *agent, *policy;
} known_players[] = {{"random", "random"},
		     {"greedy", "greedy_URDL"},
		     {"greedy:ties=random", "greedy_random_ties"},
		     {NULL, NULL}};

/*
 * The line of the mean score of GAMES: within four standard errors of the EXACT one, SD being
 * the exact standard deviation of a game.
 */
static void mean_tell(struct verify *verify, const char *shape, const char *player,
		      const struct played_games *games, double exact, double sd)
{
	char found[40], expected[60];
	const double mean = games->score / (double)games->n, error = sd / sqrt((double)games->n);
	snprintf(found, sizeof found, "%.3f (%+.1f SE)", mean, (mean - exact) / error);
	snprintf(expected, sizeof expected, "%.3f +- %.3f", exact, 4 * error);
	verify_tell(verify, fabs(mean - exact) <= 4 * error, found, expected,
		    "%s: mean of %" PRIu64 " games of %s", shape, games->n, player);
}

static enum status mean_check(struct verify *verify, const struct game *game, const char *player,
			      const char *policy, const struct played_games *games, struct why *why)
{
	char key[80];
	double exact, sd;
	snprintf(key, sizeof key, "policy.%s.score", policy);
	enum status status = facts_find(verify, game->name, key, &exact, why);
	snprintf(key, sizeof key, "policy.%s.sd", policy);
	if (!status)
		status = facts_find(verify, game->name, key, &sd, why);
	if (!status)
		mean_tell(verify, game->name, player, games, exact, sd);
	return status;
}

/* The largest tiles: chi-squared, with those of which fewer than five are expected in one bin. */
static enum status tiles_check(struct verify *verify, const struct game *game, const char *player,
			       const char *policy, const struct played_games *games,
			       struct why *why)
{
	uint64_t count[EXPONENTS + 1] = {0};
	double p[EXPONENTS + 1] = {0}, sum = 0;
	size_t bins = 1; /* the first is for the rare */
	for (int k = 1; k <= game->max_exponent; k++) {
		char key[80];
		double exact;
		snprintf(key, sizeof key, "policy.%s.p_max_tile.%" PRIu64, policy,
			 UINT64_C(1) << k);
		if (facts_find(verify, game->name, key, &exact, NULL))
			exact = 0; /* those that never are the largest are not listed */
		sum += exact;
		const bool rare = exact * (double)games->n < 5;
		count[rare ? 0 : bins] += games->largest[k];
		p[rare ? 0 : bins] += exact;
		bins += !rare;
	}
	if (fabs(sum - 1) > 1e-9)
		return why_set(why, STATUS_INPUT,
			       "%s/exact.txt: policy.%s.p_max_tile of %s add up to %.12g",
			       verify->vectors, policy, game->name, sum);
	/* What cannot be expected a tenth of a time is left out; it must not happen. */
	const bool some = p[0] * (double)games->n >= 0.1;
	const double least = count[0] && !some ? 0
			     : some	       ? stats_chi_squared(count, p, bins)
					       : stats_chi_squared(count + 1, p + 1, bins - 1);
	verify_p(verify, least, 1, "%s: their largest tiles, %s", game->name, player);
	return STATUS_OK;
}

enum status games_check(struct verify *verify, const struct game *game, const char *player,
			const char *policy, const struct played_games *games, struct why *why)
{
	enum status status = mean_check(verify, game, player, policy, games, why);
	return status ? status : tiles_check(verify, game, player, policy, games, why);
}

/* Plays games of the agent SPEC. */
static enum status player_play(const struct verify *verify, const struct game *game,
			       const char *spec, struct played_games *games, struct why *why)
{
	struct agent *agent;
	const struct agent_env env = {.game = game};
	enum status status = agent_new(spec, &env, &agent, why);
	if (status)
		return status;
	for (games->n = 0; games->n < PLAYER_GAMES; games->n++) {
		struct outcome outcome;
		play_game(agent, verify->seed, games->n, NULL, &outcome);
		games->score += (double)outcome.score;
		games->largest[outcome.max_exponent]++;
	}
	agent_free(agent);
	return STATUS_OK;
}

static enum status verify_simulations(struct verify *verify, const struct verify_board *board,
				      struct why *why)
{
	struct game game;
	enum status status = game_init(&game, &(struct game_options){.shape = board->shape}, why);
	for (const struct known_player *p = known_players; !status && p->agent; p++) {
		struct played_games games = {0};
		status = player_play(verify, &game, p->agent, &games, why);
		if (!status)
			status = games_check(verify, &game, p->agent, p->policy, &games, why);
	}
	return status;
}

/* ---- The solver. */

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
	memory_initial(&task.memory);
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
static void start_compare(struct verify *verify, const struct game *game,
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
		  "%s is %.12g, expected %.12g", key, start->value, expected);
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
	number_tell(verify, result.value, expected, 1e-9, game->name, key);
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

static enum status verify_solver(struct verify *verify, const struct verify_board *board,
				 struct why *why)
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
		number_tell(verify, result.value, expected, 1e-9, shape, "optimal_score");
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

/* ---- Layers. */

/* Compares a layer with its row of layers.txt, count by count. */
static void layer_compare(const struct solve_result *result, const struct fact *row,
			  struct agreement *tally)
{
	static const char *const names[] = {"states",	"states_raw",  "live",
					    "live_raw", "afterstates", "afterstates_raw"};
	struct solve_layer none = {0};
	const struct solve_layer *layer = &none;
	for (size_t i = 0; i < result->layer_count; i++)
		if (result->layers[i].sum == row->count[1])
			layer = &result->layers[i];
	const uint64_t found[] = {layer->states,   layer->states_raw,  layer->live,
				  layer->live_raw, layer->afterstates, layer->afterstates_raw};
	for (int i = 0; i < 6; i++)
		agree_add(tally, found[i] == row->count[2 + i],
			  "layers.txt:%d: %s are %" PRIu64 ", expected %" PRIu64, row->line,
			  names[i], found[i], row->count[2 + i]);
}

/* A partial enumeration has a last sum; in a complete one no layer may be missing in the file. */
static enum status verify_layers(struct verify *verify, const struct verify_board *board,
				 struct why *why)
{
	struct game game;
	struct solve_result result;
	struct agreement tally = {0};
	const struct facts *facts;
	char up_to[40] = "";
	enum status status = facts_read(verify, FACTS_LAYERS, &facts, why);
	if (!status)
		status = game_init(&game, &(struct game_options){.shape = board->shape}, why);
	if (!status)
		status = task_solve(
		    verify,
		    (struct solve_task){.game = &game, .count = true, .max_sum = board->limit},
		    &result, why);
	if (status)
		return status;
	for (size_t i = 0; i < facts->n; i++) {
		const struct fact *row = &facts->fact[i];
		if (strcmp(row->word[0], board->shape) == 0 &&
		    (!board->limit || row->count[1] <= board->limit))
			layer_compare(&result, row, &tally);
	}
	if (tally.all != 6 * result.layer_count)
		agree_add(&tally, false, "%zu layers, expected %" PRIu64, result.layer_count,
			  tally.all / 6);
	if (board->limit)
		snprintf(up_to, sizeof up_to, ", up to %" PRIu64, board->limit);
	verify_tally(verify, &tally, "%s: counts by sum%s", board->shape, up_to);
	solve_result_free(&result);
	return STATUS_OK;
}

/* ---- Simple players, exactly. */

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
	struct exact_play_task task = {
	    .game = game, .agent = agent, .threads = verify->threads, .tell = follow_on};
	memory_initial(&task.memory);
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
				  "%s is %.12g, expected %.12g", key, play->max_tile[k], expected);
	}
	verify_tally(verify, &tiles, "%s: policy.%s.p_max_tile", game->name, policy);
}

static enum status policy_check(struct verify *verify, const struct game *game, const char *agent,
				const char *policy, struct why *why)
{
	struct exact_play play = {0};
	enum status status = player_follow(verify, game, agent, &play, why);
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
		status = verify_fact(verify, game->name, key, figures[i].found, figures[i].relative,
				     why);
	}
	if (!status)
		tiles_compare(verify, game, policy, &play);
	return status;
}

/* Games of the corner player, of which exact.txt has no figures. */
static enum status corners_check(struct verify *verify, const struct game *game, struct why *why)
{
	struct exact_play play;
	struct played_games games = {0};
	enum status status = player_follow(verify, game, "corners", &play, why);
	if (!status)
		status = player_play(verify, game, "corners", &games, why);
	if (!status)
		mean_tell(verify, game->name, "corners", &games, play.score, play.sd);
	return status;
}

static enum status verify_policies(struct verify *verify, const struct verify_board *board,
				   struct why *why)
{
	struct game game;
	enum status status = game_init(&game, &(struct game_options){.shape = board->shape}, why);
	for (const struct known_player *p = known_players; !status && p->agent; p++)
		status = policy_check(verify, &game, p->agent, p->policy, why);
	return status ? status : corners_check(verify, &game, why);
}

/* ---- Values of searches. */

/* A full-depth search of points decides in the start of GAME: its values and its move, or -1. */
static enum status search_decide(const struct game *game, const char *value, uint64_t depth,
				 double q[DIRECTIONS], int *move, struct why *why)
{
	char spec[160];
	struct agent *agent;
	struct turn turn;
	struct decision decision;
	struct rng rng;
	const struct agent_env env = {.game = game};
	snprintf(spec, sizeof spec,
		 "expectimax:depth=%" PRIu64 ",cutoff=0,terminal=0,rewards=1,value=%s", depth,
		 value);
	enum status status = agent_new(spec, &env, &agent, why);
	if (status)
		return status;
	rng_init(&rng, 0, RNG_AGENT, 0);
	decision_init(&decision);
	turn_init(&turn, game, &game->start, 0);
	*move = turn.moves.legal ? agent->class->act(agent->self, &turn, &rng, &decision) : -1;
	memcpy(q, decision.value, sizeof decision.value);
	status = agent_check(agent, why);
	agent_free(agent);
	return status;
}

/* Rounded to 12 digits in the file. */
static bool real_agrees(double got, double wanted)
{
	return isnan(wanted) ? isnan(got) : fabs(got - wanted) <= 1e-9 * fmax(1, fabs(wanted));
}

/* Compares the values of the moves and the move that is played with a row of expectimax.txt. */
static enum status search_compare(const struct fact *row, struct agreement *tally, struct why *why)
{
	const char *leaf = row->word[0], *best = row->word[5];
	struct game game;
	double q[DIRECTIONS];
	int move;
	enum status status = game_init(&game, &(struct game_options){.start = row->word[2]}, why);
	if (!status)
		status = search_decide(&game, strcmp(leaf, "zero") == 0 ? "score" : leaf,
				       row->count[3], q, &move, why);
	if (status)
		return status;
	for (int d = 0; d < DIRECTIONS; d++)
		agree_add(tally, real_agrees(q[d], row->real[6 + d]),
			  "expectimax.txt:%d: %c is worth %.12g, expected %.12g", row->line,
			  "URDL"[d], q[d], row -> real[6 + d]);
	const char played = move < 0 ? '-' : "URDL"[move];
	agree_add(tally, strchr(best, played) != NULL,
		  "expectimax.txt:%d: plays %c, expected one of %s", row->line, played, best);
	return STATUS_OK;
}

static enum status verify_expectimax(struct verify *verify, const struct verify_board *board,
				     struct why *why)
{
	const struct facts *facts;
	enum status status = facts_read(verify, FACTS_EXPECTIMAX, &facts, why);
	struct agreement tally = {0};
	for (size_t i = 0; !status && i < facts->n; i++)
		if (strcmp(facts->fact[i].word[1], board->shape) == 0)
			status = search_compare(&facts->fact[i], &tally, why);
	if (!status)
		verify_tally(verify, &tally, "%s: values of moves and moves, to 1e-9",
			     board->shape);
	return status;
}

/*
 * The optimum, by searches to the end of the game: none lasts longer than max_moves. On 2x3 one
 * start stands for all, since each takes a second.
 */
static enum status verify_search(struct verify *verify, const struct verify_board *board,
				 struct why *why)
{
	static const char prefix[] = "start_value.";
	const struct facts *facts;
	struct agreement tally = {0};
	double longest = 0;
	enum status status = facts_find(verify, board->shape, "max_moves", &longest, why);
	if (!status)
		status = facts_read(verify, FACTS_EXACT, &facts, why);
	for (size_t i = 0; !status && i < facts->n && tally.all < board->limit; i++) {
		const struct fact *row = &facts->fact[i];
		const char *start = row->word[1] + strlen(prefix);
		struct game game;
		double q[DIRECTIONS], best = 0;
		int move;
		if (strcmp(row->word[0], board->shape) != 0 ||
		    strncmp(row->word[1], prefix, strlen(prefix)) != 0)
			continue;
		status = game_init(&game, &(struct game_options){.start = start}, why);
		if (!status)
			status = search_decide(&game, "score", (uint64_t)longest, q, &move, why);
		for (int d = 0; !status && d < DIRECTIONS; d++)
			best = fmax(best, q[d]);
		if (!status)
			agree_add(&tally, real_agrees(best, row->real[2]),
				  "%s is worth %.12g, expected %.12g", start, best, row->real[2]);
	}
	if (!status)
		verify_tally(verify, &tally, "%s: values of starts, searched to the end",
			     board->shape);
	return status;
}

const struct verify_check exact_checks[] = {
    {.name = "expectimax",
     .summary = "values of searches: expectimax.txt",
     .run = verify_expectimax,
     .boards = {{"3x3", 0}, {"3x4", 0}, {"4x4", 0}, {"5x5", 0}, {"6x6", 0}}},
    {.name = "simulations",
     .summary = "mean scores of simple players against their exact values",
     .run = verify_simulations,
     .boards = {{"2x2", 0}, {"2x3", 0}, {"3x3", 0}}},
    {.name = "policies",
     .summary = "exact values of simple players: exact.txt; of corners: its games",
     .run = verify_policies,
     .boards = {{"2x2", 0}, {"2x3", 0}}},
    {.name = "layers",
     .summary = "reachable positions by the sum of their tiles: layers.txt",
     .run = verify_layers,
     .boards = {{"2x2", 0}, {"2x3", 0}, {"4x3", 40}, {"4x4", 30}}},
    {.name = "solver",
     .summary = "the optimum of 2x2 and 2x3: exact.txt",
     .run = verify_solver,
     .boards = {{"2x2", 0}, {"2x3", 0}}},
    {.name = "search",
     .summary = "expectimax to the end of the game: values of starts in exact.txt",
     .run = verify_search,
     .boards = {{"2x2", 6}, {"2x3", 1}}},
    {.name = "policies-long",
     .summary = "exact values of simple players on 3x3: exact.txt",
     .thorough = true,
     .run = verify_policies,
     .boards = {{"3x3", 0}}},
    {.name = "layers-long",
     .summary = "those of 3x3, and further ones of 4x3 and 4x4: layers.txt",
     .thorough = true,
     .run = verify_layers,
     .boards = {{"3x3", 0}, {"4x3", 60}, {"4x4", 50}}},
    {.name = "solver-long",
     .summary = "the optimum of 3x3: exact.txt",
     .thorough = true,
     .run = verify_solver,
     .boards = {{"3x3", 0}}},
    {0},
};
