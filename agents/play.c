/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Agents at play; see play.h.
 *
 * Values are standardised before the softmax because they come in any unit: with two legal moves it
 * gives 0.88 and 0.12 whatever they are, with four 0.77 to the best if the others are alike.
 */
#include "agents/play.h"

#include <assert.h>
#include <math.h>

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
	*board = turn->moves.after[move];
	board_spawn(turn->game, board, spawns);
	turn_init(turn, turn->game, board, score);
}

void decision_init(struct decision *decision)
{
	*decision = (struct decision){0};
	for (int d = 0; d < DIRECTIONS; d++)
		decision->value[d] = decision->chance[d] = NAN;
}

double decision_uncertainty(const struct decision *decision)
{
	double most = 0, sum = 0;
	for (int d = 0; d < DIRECTIONS; d++) {
		sum += decision->chance[d];
		most = fmax(most, decision->chance[d]);
	}
	return 1 - most + (sum - most);
}

/* The move of AGENT in TURN, and what it thought. */
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
	outcome->uncertainty = outcome->moves ? uncertainty / (double)outcome->moves : NAN;
	outcome->max_exponent = board_max(&board);
	outcome->last = board;
	return finished;
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
	struct rng rng; /* nothing depends on what it draws */
	rng_init(&rng, 0, RNG_AGENT, 0);
	const int move = decide(agent, turn, &rng, &decision);
	for (int d = 0; d < DIRECTIONS; d++)
		chance[d] = policy_kind == POLICY_CHANCES ? decision.chance[d] : d == move;
}

/* The softmax of standardised values; false if fewer than two are known or all are equal. */
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

static void decided_chances(struct agent *agent, const struct turn *turn, struct rng *rng,
			    double chance[DIRECTIONS])
{
	struct decision decision;
	const int move = decide(agent, turn, rng, &decision);
	const bool told = !isnan(decision_uncertainty(&decision));
	if (!told && values_softmax(decision.value, turn->moves.legal, chance))
		return;
	for (int d = 0; d < DIRECTIONS; d++)
		chance[d] = told ? decision.chance[d] : d == move;
}

void agent_policy_chances(struct agent *agent, const struct turn *turns, size_t n, struct rng *rng,
			  double (*chance)[DIRECTIONS])
{
	if (agent->class->chances)
		agent->class->chances(agent->self, turns, n, chance);
	else
		for (size_t i = 0; i < n; i++)
			decided_chances(agent, &turns[i], rng, chance[i]);
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
	for (size_t i = 0; i < n; i++) {
		struct decision decision;
		move[i] = decide(agent, &turns[i], rng, &decision);
	}
}
