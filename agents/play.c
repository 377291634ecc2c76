/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loop of a game: spawn, decide, move; see play.h. */
#include "agents/play.h"

#include <math.h>

void turn_init(struct turn *turn, const struct game *game, const struct board *board,
	       uint64_t score)
{
	turn->game = game;
	turn->board = board;
	turn->score = score;
	game->moves(board, &turn->moves);
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
	for (turn_init(&turn, game, &board, 0); turn.moves.legal;
	     turn_init(&turn, game, &board, outcome->score)) {
		struct decision decision;
		decision_init(&decision);
		int move = agent->class->act(agent->self, &turn, &choices, &decision);
		struct why why;
		if (agent_check(agent, &why) != STATUS_OK ||
		    (watch && !watch->move(watch->context, &turn, move, &decision))) {
			finished = false;
			break;
		}
		uncertainty += decision_uncertainty(&decision);
		board = turn.moves.after[move];
		outcome->score += turn.moves.reward[move];
		outcome->moves++;
		board_spawn(game, &board, &spawns);
	}
	outcome->uncertainty = outcome->moves ? uncertainty / (double)outcome->moves : NAN;
	outcome->max_exponent = board_max(&board);
	outcome->last = board;
	return finished;
}
