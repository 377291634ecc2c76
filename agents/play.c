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

bool play_game(struct agent *agent, uint64_t seed, uint64_t index, const struct play_watch *watch,
	       struct outcome *outcome)
{
	const struct game *game = agent->game;
	struct rng spawns, choices;
	rng_init(&spawns, seed, RNG_SPAWN, index);
	rng_init(&choices, seed, RNG_AGENT, index);
	struct board board;
	struct turn turn;
	bool finished = true;
	double uncertainty = 0;
	*outcome = (struct outcome){0};
	board_start(game, &board, &spawns);
	turn_init(&turn, game, &board, 0);
	while (turn.moves.legal) {
		struct decision decision;
		struct why why;
		const int move = decide(agent, &turn, &choices, &decision);
		if (agent_check(agent, &why) != STATUS_OK ||
		    (watch && !watch->move(watch->context, &turn, move, &decision))) {
			finished = false;
			break;
		}
		uncertainty += decision_uncertainty(&decision);
		turn_move(&turn, &board, move, &spawns);
		outcome->moves++;
	}
	outcome->score = turn.score;
	outcome_end(outcome, &board, uncertainty);
	return finished;
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

/* One of the games that are played side by side. */
struct parallel_game {
	uint64_t index, moves;
	struct board board;
	struct rng spawns, choices;
	double uncertainty, seconds;
};

/* All games played side by side; turn[i] is the turn of game[i], i < n. */
struct parallel_games {
	struct agent *agent;
	uint64_t seed;
	const struct game_list *list;
	size_t n;
	struct parallel_game *game;
	struct turn *turn;
	struct rng **choices;
	struct decision *decision;
	int *move;
};

/* Starts the next game at index I; returns false if none is left. */
static bool parallel_begin(struct parallel_games *s, size_t i)
{
	struct parallel_game *g = &s->game[i];
	*g = (struct parallel_game){0};
	if (!s->list->next(s->list->context, &g->index))
		return false;
	rng_init(&g->spawns, s->seed, RNG_SPAWN, g->index);
	rng_init(&g->choices, s->seed, RNG_AGENT, g->index);
	board_start(s->agent->game, &g->board, &g->spawns);
	turn_init(&s->turn[i], s->agent->game, &g->board, 0);
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
		const struct parallel_game *g = &s->game[i];
		struct outcome outcome = {.score = s->turn[i].score, .moves = g->moves};
		outcome_end(&outcome, &g->board, g->uncertainty);
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
	for (size_t i = 0; i < s->n; i++) {
		struct parallel_game *g = &s->game[i];
		g->uncertainty += decision_uncertainty(&s->decision[i]);
		g->moves++;
		turn_move(&s->turn[i], &g->board, s->move[i], &g->spawns);
	}
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
	const struct agent_class *class = agent->class;
	const enum policy_kind policy_kind = agent_policy_kind(agent);
	assert(policy_kind != POLICY_UNKNOWN);
	if (policy_kind == POLICY_CHANCES && class->chances) {
		class->chances(agent->self, turn, 1, (double(*)[DIRECTIONS])chance);
		return;
	}
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

struct decided {
	struct rng *rng[TURNS_MAX];
	struct decision decision[TURNS_MAX];
	int move[TURNS_MAX];
};

static void turns_decide(struct agent *agent, const struct turn *turns, size_t n, struct rng *rng,
			 struct decided *decided)
{
	for (size_t i = 0; i < n; i++)
		decided->rng[i] = rng;
	agent_act_many(agent, turns, n, decided->rng, decided->decision, decided->move);
}

void agent_policy_chances(struct agent *agent, const struct turn *turns, size_t n, struct rng *rng,
			  double (*chance)[DIRECTIONS])
{
	if (agent->class->chances) {
		agent->class->chances(agent->self, turns, n, chance);
		return;
	}
	struct decided decided;
	for (size_t first = 0; first < n; first += TURNS_MAX) {
		const size_t count = n - first < TURNS_MAX ? n - first : TURNS_MAX;
		turns_decide(agent, turns + first, count, rng, &decided);
		for (size_t i = 0; i < count; i++)
			decision_chances(&turns[first + i], &decided.decision[i], decided.move[i],
					 chance[first + i]);
	}
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
	if (agent->class->chances) {
		agent->class->chances(agent->self, turns, n, chance);
		for (size_t i = 0; i < n; i++)
			move[i] = chances_draw(chance[i], rng);
		return;
	}
	struct decided decided;
	for (size_t first = 0; first < n; first += TURNS_MAX) {
		const size_t count = n - first < TURNS_MAX ? n - first : TURNS_MAX;
		turns_decide(agent, turns + first, count, rng, &decided);
		memcpy(move + first, decided.move, count * sizeof *move);
	}
}
