/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks of exact values on small boards. The reference figures are in exact.txt, layers.txt and
 * expectimax.txt; they come from an independent program and agree with the published ones where
 * these exist (docs/conformance.md). The checks cover the solver; the exact values of simple
 * players, by following all their games (agents/solver/exact_play.h), and the means of their games;
 * the values of searches. Games of a player that the files lack are compared with the exact value
 * of nxn.
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

enum { PLAYER_GAMES = 20032, EXPONENTS = CELLS_MAX + 2, KEY_MAX_LENGTH = 160 };

/* Reports FOUND for KEY of SHAPE, which must agree up to the RELATIVE difference. */
static void fact_check(struct verify *verify, const char *shape, const char *key, double found,
		       double relative)
{
	const double expected = facts_get(verify, shape, key);
	char is[32], should[32];
	snprintf(is, sizeof is, "%.12g", found);
	snprintf(should, sizeof should, "%.12g", expected);
	verify_report(verify, fabs(found - expected) <= relative * fabs(expected), is, should,
		      "%s: %s", shape, key);
}

static struct game shape_game(struct verify *verify, const char *shape)
{
	return verify_game(verify, &(struct game_options){.shape = shape});
}

/* ---- Games of simple players. */

/* Agents with exact values in exact.txt, and their names there. */
static const struct known_player {
	const char *agent, *policy;
} known_players[] = {{"random", "random"},
		     {"greedy", "greedy_URDL"},
		     {"greedy:ties=random", "greedy_random_ties"},
		     {NULL, NULL}};

/*
 * Reports the mean score of GAMES, which must be within four standard errors of EXACT. SD is the
 * exact standard deviation of a game.
 */
static void mean_check(struct verify *verify, const char *shape, const char *player,
		       const struct played_games *games, double exact, double sd)
{
	char found[40], expected[60];
	const double mean = games->score / (double)games->n, error = sd / sqrt((double)games->n);
	snprintf(found, sizeof found, "%.3f (%+.1f SE)", mean, (mean - exact) / error);
	snprintf(expected, sizeof expected, "%.3f +- %.3f", exact, 4 * error);
	verify_report(verify, fabs(mean - exact) <= 4 * error, found, expected,
		      "%s: mean of %" PRIu64 " games of %s", shape, games->n, player);
}

/*
 * Reports a chi-squared test of the largest tiles; tiles with an expected count below five share a
 * bin.
 */
static void tiles_check(struct verify *verify, const struct game *game, const char *player,
			const char *policy, const struct played_games *games)
{
	uint64_t count[EXPONENTS + 1] = {0};
	double p[EXPONENTS + 1] = {0}, sum = 0;
	size_t bins = 1; /* the first is for rare tiles */
	for (int k = 1; k <= game->max_exponent; k++) {
		const double listed = facts_find(
		    verify, game->name, "policy.%s.p_max_tile.%" PRIu64, policy, UINT64_C(1) << k);
		const double exact = isnan(listed) ? 0 : listed; /* impossible tiles are omitted */
		const bool rare = exact * (double)games->n < 5;
		sum += exact;
		count[rare ? 0 : bins] += games->largest[k];
		p[rare ? 0 : bins] += exact;
		bins += !rare;
	}
	if (fabs(sum - 1) > 1e-9)
		verify_must(verify,
			    why_set(&verify->why, STATUS_INPUT,
				    "%s/exact.txt: policy.%s.p_max_tile of %s add up to %.12g",
				    verify->vectors, policy, game->name, sum));
	/* Without the bin of rare tiles if fewer than 0.1 are expected: then none may occur. */
	const bool some = p[0] * (double)games->n >= 0.1;
	const double least = count[0] && !some ? 0
			     : some	       ? stats_chi_squared(count, p, bins)
					       : stats_chi_squared(count + 1, p + 1, bins - 1);
	verify_p(verify, least, 1, "%s: their largest tiles, %s", game->name, player);
}

void games_check(struct verify *verify, const struct game *game, const char *player,
		 const char *policy, const struct played_games *games)
{
	char score[KEY_MAX_LENGTH], sd[KEY_MAX_LENGTH];
	snprintf(score, sizeof score, "policy.%s.score", policy);
	snprintf(sd, sizeof sd, "policy.%s.sd", policy);
	mean_check(verify, game->name, player, games, facts_get(verify, game->name, score),
		   facts_get(verify, game->name, sd));
	tiles_check(verify, game, player, policy, games);
}

/* Plays games of the agent SPEC. */
static struct played_games player_games(struct verify *verify, const struct game *game,
					const char *spec)
{
	const struct agent_env env = {.game = game};
	struct played_games games = {0};
	struct agent *agent;
	verify_must(verify, agent_new(spec, &env, &agent, &verify->why));
	for (; games.n < PLAYER_GAMES; games.n++) {
		struct outcome outcome;
		play_game(agent, verify->seed, games.n, NULL, &outcome);
		games.score += (double)outcome.score;
		games.largest[outcome.max_exponent]++;
	}
	agent_free(agent);
	return games;
}

static void verify_simulations(struct verify *verify, const struct verify_board *board)
{
	const struct game game = shape_game(verify, board->shape);
	for (const struct known_player *p = known_players; p->agent; p++) {
		const struct played_games games = player_games(verify, &game, p->agent);
		games_check(verify, &game, p->agent, p->policy, &games);
	}
}

/* ---- The solver. */

static bool solve_continues(void *context, const struct solve_progress *progress)
{
	(void)context;
	(void)progress;
	return !stop_requested();
}

/* Solves TASK with the resources of this run. */
static struct solve_result task_solve(struct verify *verify, struct solve_task task)
{
	struct solve_result result;
	memory_initial(&task.memory);
	task.threads = verify->threads;
	task.tell = solve_continues;
	verify_must(verify, solve(&task, &result, &verify->why));
	return result;
}

static void counts_check(struct verify *verify, const char *shape,
			 const struct solve_result *result)
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
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
		fact_check(verify, shape, counts[i].key, (double)counts[i].found, 0);
}

/* Compares the value of a start, of which exact.txt lists one symmetric image. */
static void start_compare(struct verify *verify, const struct game *game,
			  const struct solve_start *start, struct agreement *agreement)
{
	char text[BOARD_TEXT_MAX] = "";
	struct board image;
	double expected = NAN;
	for (int s = 0; isnan(expected) && s < game->symmetries; s++) {
		board_symmetry(game, s, &start->board, &image);
		board_format(game, &image, text);
		expected = facts_find(verify, game->name, "start_value.%s", text);
	}
	agree_add(agreement, fabs(start->value - expected) <= 1e-9 * expected,
		  "%s is %.12g, expected %.12g", text, start->value, expected);
}

static void goal_check(struct verify *verify, const struct game *game, enum goal goal, int target,
		       const char *key)
{
	struct solve_result result =
	    task_solve(verify, (struct solve_task){.game = game, .goal = goal, .target = target});
	fact_check(verify, game->name, key, result.value, 1e-9);
	solve_result_free(&result);
}

static void verify_solver(struct verify *verify, const struct verify_board *board)
{
	const struct game game = shape_game(verify, board->shape);
	struct agreement starts = {0};
	struct solve_result result =
	    task_solve(verify, (struct solve_task){.game = &game, .goal = GOAL_SCORE});
	counts_check(verify, board->shape, &result);
	fact_check(verify, board->shape, "optimal_score", result.value, 1e-9);
	for (size_t i = 0; i < result.start_count; i++)
		start_compare(verify, &game, &result.starts[i], &starts);
	verify_tally(verify, &starts, "%s: values of starts", board->shape);
	solve_result_free(&result);
	/* The probability of reaching each tile, by the best play for that goal. */
	for (int k = 3; k <= game.max_exponent; k++) {
		char key[40];
		snprintf(key, sizeof key, "p_reach.%" PRIu64, UINT64_C(1) << k);
		goal_check(verify, &game, GOAL_TARGET, k, key);
	}
	goal_check(verify, &game, GOAL_BEST_SCORE, 0, "max_score");
	goal_check(verify, &game, GOAL_BEST_MOVES, 0, "max_moves");
}

/* ---- Layers. */

/* Compares the counts of a layer with its row of layers.txt. */
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

/* With a limit the enumeration ends at that sum; without one the file must have every layer. */
static void verify_layers(struct verify *verify, const struct verify_board *board)
{
	const struct facts *facts = facts_read(verify, FACTS_LAYERS);
	const struct game game = shape_game(verify, board->shape);
	struct solve_result result = task_solve(
	    verify, (struct solve_task){.game = &game, .count = true, .max_sum = board->limit});
	struct agreement tally = {0};
	char up_to[40] = "";
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
}

/* ---- Exact values of simple players. */

static struct exact_play player_solve(struct verify *verify, const struct game *game,
				      const char *agent)
{
	struct exact_play_task task = {
	    .game = game, .agent = agent, .threads = verify->threads, .tell = solve_continues};
	struct exact_play play = {0};
	memory_initial(&task.memory);
	verify_must(verify, exact_play(&task, &play, &verify->why));
	return play;
}

/* Checks the exact values of the agent KNOWN. */
static void policy_check(struct verify *verify, const struct game *game,
			 const struct known_player *known)
{
	const struct exact_play play = player_solve(verify, game, known->agent);
	const struct {
		const char *key;
		double found, relative;
	} figures[] = {{"score", play.score, 1e-9},
		       {"sd", play.sd, 1e-7}, /* a difference of large numbers: half the digits */
		       {"moves", play.moves, 1e-9},
		       {"states", (double)play.states, 0}};
	struct agreement tiles = {0};
	for (int i = 0; i < 4; i++) {
		char key[KEY_MAX_LENGTH];
		snprintf(key, sizeof key, "policy.%s.%s", known->policy, figures[i].key);
		fact_check(verify, game->name, key, figures[i].found, figures[i].relative);
	}
	for (int k = 1; k <= game->max_exponent; k++) {
		const uint64_t tile = UINT64_C(1) << k;
		const double expected = facts_find(
		    verify, game->name, "policy.%s.p_max_tile.%" PRIu64, known->policy, tile);
		if (!isnan(expected))
			agree_add(&tiles,
				  fabs(play.max_tile[k] - expected) <= 1e-9 * fabs(expected),
				  "%" PRIu64 " is %.12g, expected %.12g", tile, play.max_tile[k],
				  expected);
	}
	verify_tally(verify, &tiles, "%s: policy.%s.p_max_tile", game->name, known->policy);
}

static void verify_policies(struct verify *verify, const struct verify_board *board)
{
	const struct game game = shape_game(verify, board->shape);
	for (const struct known_player *p = known_players; p->agent; p++)
		policy_check(verify, &game, p);
	/* exact.txt has no figures for the corner player. */
	const struct exact_play play = player_solve(verify, &game, "corners");
	const struct played_games games = player_games(verify, &game, "corners");
	mean_check(verify, game.name, "corners", &games, play.score, play.sd);
}

/* ---- Values of searches. */

/* The file rounds to 12 digits. */
static bool real_agrees(double found, double expected)
{
	return isnan(expected) ? isnan(found)
			       : fabs(found - expected) <= 1e-9 * fmax(1, fabs(expected));
}

/*
 * Searches START to full depth for points. Sets the values of the moves and returns the move, or
 * -1.
 */
static int search_decide(struct verify *verify, const char *start, const char *value,
			 uint64_t depth, double q[DIRECTIONS])
{
	char spec[160];
	struct agent *agent;
	struct turn turn;
	struct decision decision;
	struct rng rng;
	const struct game game = verify_game(verify, &(struct game_options){.start = start});
	const struct agent_env env = {.game = &game};
	snprintf(spec, sizeof spec,
		 "expectimax:depth=%" PRIu64 ",cutoff=0,terminal=0,rewards=1,value=%s", depth,
		 value);
	verify_must(verify, agent_new(spec, &env, &agent, &verify->why));
	rng_init(&rng, 0, RNG_AGENT, 0);
	decision_init(&decision);
	turn_init(&turn, &game, &game.start, 0);
	const int move =
	    turn.moves.legal ? agent->class->act(agent->self, &turn, &rng, &decision) : -1;
	memcpy(q, decision.value, sizeof decision.value);
	verify_must(verify, agent_check(agent, &verify->why));
	agent_free(agent);
	return move;
}

/* Compares the values of the moves and the chosen move with a row of expectimax.txt. */
static void search_compare(struct verify *verify, const struct fact *row, struct agreement *tally)
{
	const char *leaf = row->word[0], *best = row->word[5];
	double q[DIRECTIONS];
	const int move = search_decide(
	    verify, row->word[2], strcmp(leaf, "zero") == 0 ? "score" : leaf, row->count[3], q);
	const char played = move < 0 ? '-' : direction_letters[move];
	for (int d = 0; d < DIRECTIONS; d++)
		agree_add(tally, real_agrees(q[d], row->real[6 + d]),
			  "expectimax.txt:%d: %c is worth %.12g, expected %.12g", row->line,
			  direction_letters[d], q[d], row->real[6 + d]);
	agree_add(tally, strchr(best, played) != NULL,
		  "expectimax.txt:%d: plays %c, expected one of %s", row->line, played, best);
}

static void verify_expectimax(struct verify *verify, const struct verify_board *board)
{
	const struct facts *facts = facts_read(verify, FACTS_EXPECTIMAX);
	struct agreement tally = {0};
	for (size_t i = 0; i < facts->n; i++)
		if (strcmp(facts->fact[i].word[1], board->shape) == 0)
			search_compare(verify, &facts->fact[i], &tally);
	verify_tally(verify, &tally, "%s: values of moves and moves, to 1e-9", board->shape);
}

/*
 * Compares values of starts with searches of depth max_moves, which reach the end of every game. On
 * 2x3 only one start is searched, which takes a second.
 */
static void verify_search(struct verify *verify, const struct verify_board *board)
{
	static const char prefix[] = "start_value.";
	const struct facts *facts = facts_read(verify, FACTS_EXACT);
	const double longest = facts_get(verify, board->shape, "max_moves");
	struct agreement tally = {0};
	for (size_t i = 0; i < facts->n && tally.all < board->limit; i++) {
		const struct fact *row = &facts->fact[i];
		const char *start = row->word[1] + strlen(prefix);
		double q[DIRECTIONS], best = 0;
		if (strcmp(row->word[0], board->shape) != 0 ||
		    strncmp(row->word[1], prefix, strlen(prefix)) != 0)
			continue;
		search_decide(verify, start, "score", (uint64_t)longest, q);
		for (int d = 0; d < DIRECTIONS; d++)
			best = fmax(best, q[d]);
		agree_add(&tally, real_agrees(best, row->real[2]),
			  "%s is worth %.12g, expected %.12g", start, best, row->real[2]);
	}
	verify_tally(verify, &tally, "%s: values of starts, searched to the end", board->shape);
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
