/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Playing; see play.h.
 *
 * Values are standardised before the softmax because their unit is arbitrary. With two legal moves
 * the probabilities are always 0.88 and 0.12; with four, 0.77 for the best if the others are equal.
 */
#include "agents/play.h"

#include "base/clock.h"
#include "base/program.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void turn_init(struct turn *turn, const struct game *game, const struct board *board,
	       uint64_t score)
{
	turn->game = game;
	turn->board = board;
	turn->score = score;
	game->moves(board, &turn->moves);
}

void turn_move(struct turn *turn, struct board *board, int move, struct rng *spawns)
{
	const uint64_t score = turn->score + turn->moves.reward[move];
	turn->game->spawn_into(turn->game, &turn->moves.after[move], board, spawns);
	turn_init(turn, turn->game, board, score);
}

void outcome_end(struct outcome *outcome, const struct board *last, double uncertainty)
{
	outcome->max_exponent = board_max(last);
	outcome->uncertainty = outcome->moves ? uncertainty / (double)outcome->moves : NAN;
	outcome->last = *last;
}

void decision_init(struct decision *decision)
{
	*decision = (struct decision){0};
	for (int d = 0; d < DIRECTIONS; d++)
		decision->value[d] = decision->chance[d] = NAN;
}

double play_seconds(void)
{
	return clock_thread_seconds() + program_wait_seconds();
}

double decision_uncertainty(const struct decision *decision)
{
	double most = 0, sum = 0;
	for (int d = 0; d < DIRECTIONS; d++) {
		sum += decision->chance[d];
		most = decision->chance[d] > most ? decision->chance[d] : most;
	}
	return 1 - most + (sum - most);
}

/* Returns the move of AGENT in TURN, and sets DECISION. */
static int decide(struct agent *agent, const struct turn *turn, struct rng *rng,
		  struct decision *decision)
{
	decision_init(decision);
	return agent->class->act(agent->self, turn, rng, decision);
}

/* A game under way; the turn is beside it. */
struct running_game {
	uint64_t index, moves;
	struct board board;
	struct rng spawns, choices;
	double uncertainty, seconds;
};

static void game_begin(struct running_game *g, struct turn *turn, const struct game *game,
		       uint64_t seed, uint64_t index)
{
	*g = (struct running_game){.index = index};
	rng_init(&g->spawns, seed, RNG_SPAWN, index);
	rng_init(&g->choices, seed, RNG_AGENT, index);
	board_start(game, &g->board, &g->spawns);
	turn_init(turn, game, &g->board, 0);
}

static void game_move(struct running_game *g, struct turn *turn, int move,
		      const struct decision *decision)
{
	g->uncertainty += decision_uncertainty(decision);
	g->moves++;
	turn_move(turn, &g->board, move, &g->spawns);
}

static void game_end(const struct running_game *g, const struct turn *turn, struct outcome *outcome)
{
	*outcome = (struct outcome){.score = turn->score, .moves = g->moves};
	outcome_end(outcome, &g->board, g->uncertainty);
}

bool play_game(struct agent *agent, uint64_t seed, uint64_t index, const struct play_watch *watch,
	       struct outcome *outcome)
{
	struct running_game g;
	struct turn turn;
	bool on = true;
	game_begin(&g, &turn, agent->game, seed, index);
	while (on && turn.moves.legal) {
		struct decision decision;
		struct why why;
		const int move = decide(agent, &turn, &g.choices, &decision);
		on = !agent_check(agent, &why) &&
		     (!watch || watch->move(watch->context, &turn, move, &decision));
		if (on)
			game_move(&g, &turn, move, &decision);
	}
	game_end(&g, &turn, outcome);
	return on;
}

void agent_act_many(struct agent *agent, const struct turn *turns, size_t n, struct rng *const *rng,
		    struct decision *decisions, int *move)
{
	const struct agent_class *class = agent->class;
	for (size_t i = 0; i < n; i++)
		decision_init(&decisions[i]);
	if (class->act_many) {
		class->act_many(agent->self, turns, n, rng, decisions, move);
		return;
	}
	for (size_t i = 0; i < n; i++)
		move[i] = class->act(agent->self, &turns[i], rng[i], &decisions[i]);
}

/* All games played side by side; turn[i] is the turn of game[i], i < n. */
struct parallel_games {
	struct agent *agent;
	uint64_t seed;
	const struct game_list *list;
	size_t n;
	struct running_game *game;
	struct turn *turn;
	struct rng **choices;
	struct decision *decision;
	int *move;
};

/* Starts the next game at index I; returns false if none is left. */
static bool parallel_begin(struct parallel_games *s, size_t i)
{
	uint64_t index;
	if (!s->list->next(s->list->context, &index))
		return false;
	game_begin(&s->game[i], &s->turn[i], s->agent->game, s->seed, index);
	return true;
}

/* Reports the games that are over and replaces them with new ones. */
static enum status parallel_replace(struct parallel_games *s, struct why *why)
{
	enum status status = STATUS_OK;
	for (size_t i = 0; !status && i < s->n;) {
		if (s->turn[i].moves.legal) {
			i++;
			continue;
		}
		const struct running_game *g = &s->game[i];
		struct outcome outcome;
		game_end(g, &s->turn[i], &outcome);
		status = s->list->over(s->list->context, g->index, &outcome, g->seconds, why);
		if (status || parallel_begin(s, i))
			continue;
		/* The last game takes the place of the finished one. */
		s->game[i] = s->game[--s->n];
		s->turn[i] = s->turn[s->n];
		s->turn[i].board = &s->game[i].board;
	}
	return status;
}

/* Makes a move in each game. */
static enum status parallel_move(struct parallel_games *s, struct why *why)
{
	const double start = play_seconds();
	for (size_t i = 0; i < s->n; i++)
		s->choices[i] = &s->game[i].choices;
	agent_act_many(s->agent, s->turn, s->n, s->choices, s->decision, s->move);
	enum status status = agent_check(s->agent, why);
	if (status)
		return status;
	for (size_t i = 0; i < s->n; i++)
		game_move(&s->game[i], &s->turn[i], s->move[i], &s->decision[i]);
	const double share = (play_seconds() - start) / (double)s->n;
	for (size_t i = 0; i < s->n; i++)
		s->game[i].seconds += share;
	return STATUS_OK;
}

static enum status parallel_play(struct parallel_games *s, size_t most, struct why *why)
{
	while (s->n < most && parallel_begin(s, s->n))
		s->n++;
	enum status status = parallel_replace(s, why);
	while (!status && s->n > 0) {
		status =
		    s->list->play_on(s->list->context) ? parallel_move(s, why) : STATUS_STOPPED;
		if (!status)
			status = parallel_replace(s, why);
	}
	return status;
}

enum status play_games(struct agent *agent, uint64_t seed, const struct game_list *list,
		       struct why *why)
{
	const size_t most = agent_batch(agent);
	struct parallel_games s = {
	    .agent = agent,
	    .seed = seed,
	    .list = list,
	    .game = calloc(most, sizeof *s.game),
	    .turn = calloc(most, sizeof *s.turn),
	    .choices = calloc(most, sizeof *s.choices),
	    .decision = calloc(most, sizeof *s.decision),
	    .move = calloc(most, sizeof *s.move),
	};
	enum status status = STATUS_OK;
	if (!s.game || !s.turn || !s.choices || !s.decision || !s.move)
		status = why_set(why, STATUS_SYSTEM, "out of memory for %zu games", most);
	else
		status = parallel_play(&s, most, why);
	free(s.game);
	free(s.turn);
	free(s.choices);
	free(s.decision);
	free(s.move);
	return status;
}

void agent_act_chances(struct agent *agent, const struct turn *turn, double chance[DIRECTIONS])
{
	const enum policy_kind policy_kind = agent_policy_kind(agent);
	assert(policy_kind != POLICY_UNKNOWN);
	struct decision decision;
	struct rng rng; /* the result does not depend on its draws */
	rng_init(&rng, 0, RNG_AGENT, 0);
	const int move = decide(agent, turn, &rng, &decision);
	if (policy_kind == POLICY_CHANCES)
		memcpy(chance, decision.chance, sizeof decision.chance);
	else
		chances_uniform(1u << move, chance);
}

/*
 * Computes the softmax of the standardised values. Returns false if fewer than two are known or all
 * are equal.
 */
static bool values_softmax(const double value[DIRECTIONS], unsigned legal, double *chance)
{
	double sum = 0, squares = 0, total = 0;
	int known = 0;
	for (int d = 0; d < DIRECTIONS; d++)
		if (legal >> d & 1 && isfinite(value[d])) {
			sum += value[d];
			known++;
		}
	const double mean = sum / known;
	for (int d = 0; d < DIRECTIONS; d++)
		if (legal >> d & 1 && isfinite(value[d]))
			squares += (value[d] - mean) * (value[d] - mean);
	if (known < 2 || !(squares > 0))
		return false;
	const double sd = sqrt(squares / known);
	for (int d = 0; d < DIRECTIONS; d++) {
		const bool counts = legal >> d & 1 && isfinite(value[d]);
		chance[d] = counts ? exp((value[d] - mean) / sd) : 0;
		total += chance[d];
	}
	for (int d = 0; d < DIRECTIONS; d++)
		chance[d] /= total;
	return true;
}

/* Derives the move probabilities in TURN from DECISION and MOVE. */
static void decision_chances(const struct turn *turn, const struct decision *decision, int move,
			     double chance[DIRECTIONS])
{
	const bool reported = !isnan(decision_uncertainty(decision));
	if (!reported && values_softmax(decision->value, turn->moves.legal, chance))
		return;
	if (reported)
		memcpy(chance, decision->chance, sizeof decision->chance);
	else
		chances_uniform(1u << move, chance);
}

/* Batch size for decisions with draws from one stream. */
enum { TURNS_MAX = 256 };

/* Sets the MOVE of each turn, or, if CHANCE is not NULL, the probabilities of its moves. */
static void turns_decide(struct agent *agent, const struct turn *turns, size_t n, struct rng *rng,
			 double (*chance)[DIRECTIONS], int *move)
{
	struct rng *streams[TURNS_MAX];
	struct decision decision[TURNS_MAX];
	int moves[TURNS_MAX];
	for (size_t i = 0; i < n && i < TURNS_MAX; i++)
		streams[i] = rng;
	for (size_t first = 0; first < n; first += TURNS_MAX) {
		const size_t count = n - first < TURNS_MAX ? n - first : TURNS_MAX;
		agent_act_many(agent, turns + first, count, streams, decision,
			       chance ? moves : move + first);
		for (size_t i = 0; chance && i < count; i++)
			decision_chances(&turns[first + i], &decision[i], moves[i],
					 chance[first + i]);
	}
}

void agent_policy_chances(struct agent *agent, const struct turn *turns, size_t n, struct rng *rng,
			  double (*chance)[DIRECTIONS])
{
	if (agent->class->chances)
		agent->class->chances(agent->self, turns, n, chance);
	else
		turns_decide(agent, turns, n, rng, chance, NULL);
}

void chances_uniform(unsigned moves, double chance[DIRECTIONS])
{
	const double each[] = {0, 1.0 / legal_count(moves)};
	for (int d = 0; d < DIRECTIONS; d++)
		chance[d] = each[moves >> d & 1];
}

int chances_draw(const double chance[DIRECTIONS], struct rng *rng)
{
	double uniform = rng_real(rng);
	int last = 0;
	for (int d = 0; d < DIRECTIONS; d++) {
		if (!(chance[d] > 0))
			continue;
		last = d;
		if (uniform < chance[d])
			break;
		uniform -= chance[d];
	}
	return last;
}

void agent_policy_moves(struct agent *agent, const struct turn *turns, size_t n, struct rng *rng,
			double (*chance)[DIRECTIONS], int *move)
{
	if (!agent->class->chances) {
		turns_decide(agent, turns, n, rng, NULL, move);
		return;
	}
	agent->class->chances(agent->self, turns, n, chance);
	for (size_t i = 0; i < n; i++)
		move[i] = chances_draw(chance[i], rng);
}
