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
#include "agents/search/search.h"
#include "agents/solver/exact_play.h"
#include "agents/solver/optimum.h"
#include "agents/solver/solver.h"
#include "analysis/stats/stats.h"
#include "base/file.h"
#include "base/number.h"
#include "base/stop.h"
#include "boards/oracle.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { GAMES = 20000, PLAYER_GAMES = 20032, EXPONENTS = CELLS_MAX + 2 };

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

/* ---- Facts: lines "SHAPE KEY VALUE" of exact.txt. */

static bool word_real(const char *word, double *number)
{
	return real_parse(word, number);
}

/* A fact that is looked for. */
struct fact {
	const struct verify *verify;
	const char *shape, *key;
	double *value;
	bool found;
};

static enum status fact_look(void *context, char *line, int number, struct why *why)
{
	struct fact *fact = context;
	char *word[WORDS_MAX];
	if (words_split(line, word) != 3 || !word_real(word[2], fact->value))
		return facts_refuse(fact->verify, "exact.txt", number, "SHAPE KEY VALUE", why);
	fact->found = strcmp(word[0], fact->shape) == 0 && strcmp(word[1], fact->key) == 0;
	return fact->found ? STATUS_STOPPED : STATUS_OK;
}

/* The fact KEY of SHAPE. STATUS_INPUT if it is not there. */
static enum status facts_find(const struct verify *verify, const char *shape, const char *key,
			      double *value, struct why *why)
{
	struct fact fact = {.verify = verify, .shape = shape, .key = key, .value = value};
	enum status status = facts_each(verify, "exact.txt", fact_look, &fact, why);
	if (fact.found)
		return STATUS_OK;
	return status ? status
		      : why_set(why, STATUS_INPUT, "%s/exact.txt: no %s of %s", verify->vectors,
				key, shape);
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
 * The line of the MEAN score of N games: within four standard errors of the EXACT one, SD being
 * the exact standard deviation of a game.
 */
static void mean_tell(struct verify *verify, const char *shape, const char *player, double mean,
		      uint64_t n, double exact, double sd)
{
	char found[40], expected[60];
	const double error = sd / sqrt((double)n);
	snprintf(found, sizeof found, "%.3f (%+.1f SE)", mean, (mean - exact) / error);
	snprintf(expected, sizeof expected, "%.3f +- %.3f", exact, 4 * error);
	verify_tell(verify, fabs(mean - exact) <= 4 * error, found, expected,
		    "%s: mean of %" PRIu64 " games of %s", shape, n, player);
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
		mean_tell(verify, game->name, player, games->score / (double)games->n, games->n,
			  exact, sd);
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
	struct p_range range = {0};
	range_add(&range, count[0] && !some ? 0
			  : some	    ? stats_chi_squared(count, p, bins)
					    : stats_chi_squared(count + 1, p + 1, bins - 1));
	verify_range(verify, &range, "%s: their largest tiles, %s", game->name, player);
	return STATUS_OK;
}

enum status games_check(struct verify *verify, const struct game *game, const char *player,
			const char *policy, const struct played_games *games, struct why *why)
{
	enum status status = mean_check(verify, game, player, policy, games, why);
	return status ? status : tiles_check(verify, game, player, policy, games, why);
}

static enum status player_check(struct verify *verify, const char *shape, const char *spec,
				const char *policy, struct why *why)
{
	struct game game;
	struct agent *agent;
	struct played_games games = {.n = PLAYER_GAMES};
	enum status status = game_init(&game, &(struct game_options){.shape = shape}, why);
	const struct agent_env env = {.game = &game};
	if (!status)
		status = agent_new(spec, &env, &agent, why);
	if (status)
		return status;
	for (uint64_t i = 0; i < games.n; i++) {
		struct outcome outcome;
		play_game(agent, verify->seed, i, NULL, &outcome);
		games.score += (double)outcome.score;
		games.largest[outcome.max_exponent]++;
	}
	agent_free(agent);
	return games_check(verify, &game, spec, policy, &games, why);
}

static enum status verify_simulations(struct verify *verify, const struct verify_board *board,
				      struct why *why)
{
	enum status status = STATUS_OK;
	for (const struct known_player *p = known_players; !status && p->agent; p++)
		status = player_check(verify, board->shape, p->agent, p->policy, why);
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
			  "layers.txt:%d: %s are %" PRIu64 ", expected %" PRIu64, line, names[i],
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
static enum status verify_layers(struct verify *verify, const struct verify_board *board,
				 struct why *why)
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
		agree_add(&l.tally, false, "%zu layers, expected %" PRIu64, result.layer_count,
			  l.tally.all / 6);
	if (board->max_sum)
		snprintf(up_to, sizeof up_to, ", up to %" PRIu64, board->max_sum);
	if (!status)
		verify_tally(verify, &l.tally, "%s: counts by sum%s", board->shape, up_to);
	solve_result_free(&result);
	return status;
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

static enum status verify_policies(struct verify *verify, const struct verify_board *board,
				   struct why *why)
{
	enum status status = STATUS_OK;
	for (const struct known_player *p = known_players; !status && p->agent; p++)
		status = policy_check(verify, board->shape, p->agent, p->policy, why);
	return status ? status : corners_check(verify, board->shape, why);
}

/* ---- Values of searches. */

/* A row of expectimax.txt. */
struct search_line {
	const char *leaf, *position, *best;
	uint64_t depth;
	double value, q[DIRECTIONS];
};

static bool search_read(char *line, struct search_line *row)
{
	char *word[WORDS_MAX];
	if (words_split(line, word) != 10 || !word_count(word[3], &row->depth) ||
	    !word_real(word[4], &row->value) || row->depth < 1 || row->depth > 64)
		return false;
	row->leaf = word[0];
	row->position = word[2];
	row->best = word[5];
	for (int d = 0; d < DIRECTIONS; d++) {
		row->q[d] = NAN;
		if (strcmp(word[6 + d], "-") != 0 && !word_real(word[6 + d], &row->q[d]))
			return false;
	}
	return strcmp(row->leaf, "zero") == 0 || strcmp(row->leaf, "empty") == 0;
}

/* Rounded to 12 digits in the file. */
static bool real_agrees(double got, double wanted)
{
	return isnan(wanted) ? isnan(got) : fabs(got - wanted) <= 1e-9 * fmax(1, fabs(wanted));
}

/* Compares the values of the moves and the move that is played. */
static enum status search_compare(const struct search_line *row, int line,
				  struct line_tallies *tallies, struct why *why)
{
	char spec[160];
	struct game game;
	struct agent *agent;
	struct turn turn;
	struct decision decision;
	struct rng rng;
	int move = -1;
	snprintf(spec, sizeof spec,
		 "expectimax:depth=%" PRIu64 ",cutoff=0,terminal=0,rewards=1,value=%s", row->depth,
		 strcmp(row->leaf, "zero") == 0 ? "score" : "empty");
	enum status status = game_init(&game, &(struct game_options){.start = row->position}, why);
	const struct agent_env env = {.game = &game};
	if (!status)
		status = agent_new(spec, &env, &agent, why);
	if (status)
		return status;
	rng_init(&rng, 0, RNG_AGENT, 0);
	decision_init(&decision);
	turn_init(&turn, &game, &game.start, 0);
	if (turn.moves.legal)
		move = agent->class->act(agent->self, &turn, &rng, &decision);
	status = agent_check(agent, why);
	agent_free(agent);
	if (status)
		return status;
	struct agreement *tally = &tallies->of[game.rows][game.cols];
	for (int d = 0; d < DIRECTIONS; d++)
		agree_add(tally, real_agrees(decision.value[d], row->q[d]),
			  "expectimax.txt:%d: %c is worth %.12g, expected %.12g", line, "URDL"[d],
			  decision.value[d], row->q[d]);
	agree_add(tally, strchr(row->best, move < 0 ? '-' : "URDL"[move]) != NULL,
		  "expectimax.txt:%d: plays %c, expected one of %s", line,
		  move < 0 ? '-' : "URDL"[move], row -> best);
	return STATUS_OK;
}

/* One line of expectimax.txt. */
static enum status search_line(void *context, char *line, int number, struct why *why)
{
	struct line_tallies *tallies = context;
	struct search_line row;
	if (search_read(line, &row))
		return search_compare(&row, number, tallies, why);
	return facts_refuse(tallies->verify, "expectimax.txt", number,
			    "LEAF SHAPE BOARD d V BEST and four values", why);
}

static enum status verify_expectimax(struct verify *verify, const struct verify_board *board,
				     struct why *why)
{
	(void)board;
	return lines_compare(verify, "expectimax.txt", search_line,
			     "values of moves and moves, to 1e-9", why);
}

/*
 * ----  */

/* Layers by half the sum of the tiles; that of 2x3 is at most 252. */
enum { LAYERS = 256 };

/* Of the search, which keeps them from position to position. */
#define TABLE_BYTES (INT64_C(256) << 20)

struct position_list {
	struct board *board;
	size_t n, capacity;
};

static bool list_push(struct position_list *list, const struct board *board)
{
	if (list->n == list->capacity) {
		const size_t capacity = list->capacity ? 2 * list->capacity : 64;
		struct board *grown =
		    aligned_alloc(_Alignof(struct board), capacity * sizeof *grown);
		if (!grown)
			return false;
		if (list->n)
			memcpy(grown, list->board, list->n * sizeof *grown);
		free(list->board);
		list->board = grown;
		list->capacity = capacity;
	}
	list->board[list->n++] = *board;
	return true;
}

static int board_order(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct board));
}

static void list_unique(struct position_list *list)
{
	size_t kept = 0;
	if (list->n)
		qsort(list->board, list->n, sizeof *list->board, board_order);
	for (size_t i = 0; i < list->n; i++)
		if (kept == 0 || !board_equal(&list->board[i], &list->board[kept - 1]))
			list->board[kept++] = list->board[i];
	list->n = kept;
}

/* What BOARD becomes by a 2 or a 4 in each empty cell, into the layers where that belongs. */
static bool spawns_push(const struct game *game, const struct board *board,
			struct position_list layers[LAYERS])
{
	for (int r = 0; r < game->rows; r++)
		for (int c = 0; c < game->cols; c++)
			for (uint8_t k = 1; k <= 2 && !board->cell[r][c]; k++) {
				struct board next = *board, canonical;
				next.cell[r][c] = k;
				board_canonical(game, &next, &canonical);
				if (!list_push(&layers[board_sum(&canonical) / 2], &canonical))
					return false;
			}
	return true;
}

/* What follows the positions of one layer. */
static bool layer_follow(const struct game *game, const struct position_list *layer,
			 struct position_list layers[LAYERS])
{
	for (size_t i = 0; i < layer->n; i++) {
		struct moves moves;
		oracle_moves(game, &layer->board[i], &moves);
		for (int d = 0; d < DIRECTIONS; d++)
			if (moves.legal >> d & 1 && !spawns_push(game, &moves.after[d], layers))
				return false;
	}
	return true;
}

/* Layer by layer; a position has all its tiles when its layer is looked at. */
static bool layers_fill(const struct game *game, struct position_list layers[LAYERS],
			struct position_list *all)
{
	const struct board empty = {0};
	struct position_list first = {0};
	bool good = spawns_push(game, &empty, layers);
	for (int s = 1; good && s <= 2; s++) { /* one tile: starts have another */
		first = layers[s];
		layers[s] = (struct position_list){0};
		for (size_t i = 0; good && i < first.n; i++)
			if (board_empty(game, &first.board[i]) == game->cells - 1)
				good = spawns_push(game, &first.board[i], layers);
			else
				good = list_push(&layers[s], &first.board[i]);
		free(first.board);
	}
	for (int s = 0; good && s < LAYERS; s++) {
		list_unique(&layers[s]);
		good = layer_follow(game, &layers[s], layers);
		for (size_t i = 0; good && i < layers[s].n; i++)
			good = list_push(all, &layers[s].board[i]);
	}
	return good;
}

/*
 * Lists every position that games of GAME reach from two tiles with the spawns 2 and 4, the first
 * of its images each, by plain rules. STATUS_SYSTEM; the list is free()d by its board.
 */
static enum status positions_reach(const struct game *game, struct position_list *list,
				   struct why *why)
{
	struct position_list all = {0};
	struct position_list *layers = calloc(LAYERS, sizeof *layers);
	const bool good = layers && layers_fill(game, layers, &all);
	for (int s = 0; layers && s < LAYERS; s++)
		free(layers[s].board);
	free(layers);
	if (good)
		*list = all;
	else
		free(all.board);
	return good ? STATUS_OK : why_set(why, STATUS_SYSTEM, "out of memory for positions");
}

/* One position: what the search says of its moves, and what the table does. */
static void position_compare(struct search *search, int depth, const struct board *board,
			     const struct optimum *optimum, struct agreement *agreement)
{
	char text[BOARD_TEXT_MAX];
	double worth[DIRECTIONS], value[DIRECTIONS];
	struct turn turn;
	turn_init(&turn, search->game, board, 0);
	if (!turn.moves.legal)
		return;
	search_moves(search, &turn.moves, depth, value);
	board_format(search->game, board, text);
	const bool known = optimum_moves(optimum, &turn, worth);
	for (int d = 0; d < DIRECTIONS; d++)
		if (turn.moves.legal >> d & 1)
			agree_add(
			    agreement,
			    known && fabs(value[d] - worth[d]) <= 1e-9 * fmax(1, fabs(worth[d])),
			    "%s %c: %.12g, expected %.12g", text, "URDL"[d], value[d], worth[d]);
}

/* A search for points, to the end of the game. */
static enum status search_make(const struct game *game, struct value *value, struct search *search,
			       struct why *why)
{
	const struct value_env env = {.game = game};
	*search = (struct search){.game = game,
				  .value = value,
				  .move_p = 1,
				  .rule = leaf_rule_of(game, true, true, 0),
				  .table_bytes = TABLE_BYTES};
	enum status status = value_init(value, &env, why);
	return status ? status : search_init(search, 1, why);
}

/*
 * Tallies, for every move of every position of LIST, its value by expectimax against that of the
 * table, to 1e-9. The search goes as deep as games can last if no tiles sum to more than MAX_SUM.
 * Fails as search_init(), or with STATUS_STOPPED.
 */
static enum status search_compare_all(const struct game *game, const struct position_list *list,
				      uint64_t max_sum, const struct optimum *optimum,
				      struct agreement *agreement, struct why *why)
{
	struct search search = {0};
	struct value *value;
	enum status status = value_new("score", &value, why);
	if (status)
		return status;
	status = search_make(game, value, &search, why);
	for (size_t i = list->n; !status && i > 0; i--) {
		const struct board *board = &list->board[i - 1];
		const uint64_t sum = board_sum(board);
		/* A move and its spawn add two points at least. */
		const int depth = 1 + (sum < max_sum ? (int)(max_sum - sum) / 2 : 0);
		position_compare(&search, depth, board, optimum, agreement);
		status = stop_requested() ? STATUS_STOPPED : STATUS_OK;
	}
	search_fini(&search);
	value_free(value);
	return status;
}

/* Writes the table of GAME to PATH. */
static enum status table_make(const struct verify *verify, const struct game *game,
			      const char *path, uint64_t *max_sum, struct why *why)
{
	struct solve_result result;
	struct solve_task task = {.game = game, .threads = verify->threads, .out = path};
	memory_initial(&task.memory);
	enum status status = solve(&task, &result, why);
	if (status)
		return status;
	*max_sum = result.total.sum;
	solve_result_free(&result);
	return STATUS_OK;
}

/* All positions of GAME: their number, and the values of all their moves. */
static enum status table_check(struct verify *verify, const struct game *game,
			       const struct optimum *optimum, uint64_t max_sum, struct why *why)
{
	struct position_list list = {0};
	struct agreement values = {0};
	enum status status = positions_reach(game, &list, why);
	if (!status)
		status = search_compare_all(game, &list, max_sum, optimum, &values, why);
	free(list.board);
	if (status)
		return status;
	number_tell(verify, (double)list.n, (double)optimum_head(optimum)->states, 0, game->name,
		    "positions reached, by plain rules and the solver");
	verify_tally(verify, &values, "%s: values of all moves, search and solver", game->name);
	return STATUS_OK;
}

static enum status verify_search(struct verify *verify, const struct verify_board *board,
				 struct why *why)
{
	char folder[FOLDER_PATH_MAX], path[FOLDER_PATH_MAX];
	struct game game;
	struct optimum *optimum;
	uint64_t max_sum;
	const char *temporary = getenv("TMPDIR");
	enum status status = game_init(&game, &(struct game_options){.shape = board->shape}, why);
	if (!status)
		status = path_format(folder, why, "%s/nxn-verify-XXXXXX",
				     temporary && *temporary ? temporary : "/tmp");
	if (status)
		return status;
	if (!mkdtemp(folder))
		return why_errno(why, "%s", folder);
	status = path_format(path, why, "%s/table.opt", folder);
	if (!status)
		status = table_make(verify, &game, path, &max_sum, why);
	if (!status)
		status = optimum_open(path, &game, &optimum, why);
	unlink(path); /* it stays open */
	rmdir(folder);
	if (status)
		return status;
	status = optimum_verify(optimum, why);
	if (!status)
		status = table_check(verify, &game, optimum, max_sum, why);
	optimum_close(optimum);
	return status;
}

const struct verify_check exact_checks[] = {
    {.name = "expectimax",
     .summary = "values of searches: expectimax.txt",
     .run = verify_expectimax},
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
     .summary = "unlimited expectimax against the solver: all of 2x2 and 2x3",
     .run = verify_search,
     .boards = {{"2x2", 0}, {"2x3", 0}}},
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
