/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Roll-outs and values at the end of simulations; see judge.h.
 *
 * All games of a batch are played together. Those of the random mover take the lanes of
 * boards/simd/playout.h, which play the same games as the agent random does here one move after
 * another, many times faster; the tests compare the two. Draws: the playouts take one seed from the
 * stream; the others go round by round, first the moves of all games, then their spawns, games in
 * order.
 */
#include "agents/search/judge.h"

#include "agents/play.h"
#include "base/virtual_memory.h"

#include <math.h>

enum status judge_init(struct judge *judge, size_t n, struct why *why)
{
	bool failed = false;
	const size_t room = judge->value ? DIRECTIONS * n : judge->rollouts * n;
	judge->room = room;
	judge->board = scratch_new(room, sizeof *judge->board, &failed);
	judge->worth = scratch_new(room, sizeof *judge->worth, &failed);
	judge->result = scratch_new(room, sizeof *judge->result, &failed);
	if (judge->value)
		judge->passage = scratch_new(room, sizeof *judge->passage, &failed);
	else
		judge->last = scratch_new(room, sizeof *judge->last, &failed);
	if (judge->mover) {
		judge->turn = scratch_new(room, sizeof *judge->turn, &failed);
		judge->chance = scratch_new(room, sizeof *judge->chance, &failed);
		judge->move = scratch_new(room, sizeof *judge->move, &failed);
		judge->game_of = scratch_new(room, sizeof *judge->game_of, &failed);
	}
	return failed
		   ? why_set(why, STATUS_SYSTEM, "out of memory for %zu roll-outs at a time", room)
		   : STATUS_OK;
}

void judge_fini(struct judge *judge)
{
	free(judge->board);
	free(judge->worth);
	free(judge->passage);
	free(judge->result);
	free(judge->last);
	free(judge->turn);
	free(judge->chance);
	free(judge->move);
	free(judge->game_of);
}

/* A value for positions: those that are not lost, in one call. */
static void states_worth(struct judge *judge, const struct turn *turns, size_t n, double *out)
{
	size_t asked = 0;
	for (size_t i = 0; i < n; i++)
		if (turns[i].moves.legal)
			judge->board[asked++] = *turns[i].board;
	if (asked)
		value_eval(judge->value, judge->board, asked, judge->worth);
	for (size_t i = 0, next = 0; i < n; i++)
		out[i] = turns[i].moves.legal ? judge->worth[next++] : judge->terminal;
}

/* What the value says of COUNT moves, in one call. */
static void moves_worth(struct judge *judge, size_t count)
{
	const struct value *value = judge->value;
	if (value->class->judge) {
		value->class->judge(value->self, judge->passage, count, judge->worth);
		return;
	}
	for (size_t i = 0; i < count; i++)
		judge->board[i] = *judge->passage[i].after;
	value_eval(value, judge->board, count, judge->worth);
}

/* A value for after-states, or for moves: the best of the legal ones. */
static void afters_worth(struct judge *judge, const struct turn *turns, size_t n, double *out)
{
	size_t asked = 0;
	for (size_t i = 0; i < n; i++)
		for (int d = 0; d < DIRECTIONS; d++)
			if (turns[i].moves.legal >> d & 1)
				judge->passage[asked++] =
				    (struct passage){turns[i].board, &turns[i].moves.after[d],
						     (double)turns[i].moves.reward[d]};
	if (asked)
		moves_worth(judge, asked);
	for (size_t i = 0, next = 0; i < n; i++) {
		out[i] = turns[i].moves.legal ? -INFINITY : judge->terminal;
		for (int k = __builtin_popcount(turns[i].moves.legal); k > 0; k--, next++) {
			const double reward = judge->rewards ? judge->passage[next].reward : 0;
			const double worth = judge->worth[next] + reward;
			out[i] = worth > out[i] ? worth : out[i];
		}
	}
}

/* Plays COUNT games from judge->board on to their end, at random. */
static void games_random(struct judge *judge, size_t count, struct rng *rng)
{
	const uint64_t high = rng_u32(rng), seed = high << 32 | rng_u32(rng);
	playouts_run(judge->game, judge->board, count, seed, 0, judge->result,
		     judge->tile ? judge->last : NULL);
}

/* Makes MOVE in game K of those under way; whether it goes on. */
static bool game_step(struct judge *judge, size_t k, int move, struct rng *rng)
{
	struct playout *result = &judge->result[judge->game_of[k]];
	struct turn *turn = &judge->turn[k];
	const uint64_t reward = turn->moves.reward[move];
	judge->board[k] = turn->moves.after[move];
	board_spawn(judge->game, &judge->board[k], rng);
	result->points += reward;
	result->moves++;
	turn_init(turn, judge->game, &judge->board[k], turn->score + reward);
	return turn->moves.legal && result->moves != judge->limit;
}

/* Plays COUNT games from judge->turn on, by the mover. */
static void games_agent_policy(struct judge *judge, size_t count, struct rng *rng)
{
	for (size_t k = 0; k < count; k++) {
		judge->game_of[k] = k;
		judge->result[k] = (struct playout){0};
	}
	while (count) {
		size_t left = 0;
		agent_policy_moves(judge->mover, judge->turn, count, rng, judge->chance,
				   judge->move);
		for (size_t k = 0; k < count; k++) {
			const size_t game = judge->game_of[k];
			if (!game_step(judge, k, judge->move[k], rng)) {
				judge->last[game] = judge->board[k];
				continue;
			}
			judge->board[left] = judge->board[k];
			judge->turn[left] = judge->turn[k];
			judge->turn[left].board = &judge->board[left];
			judge->game_of[left++] = game;
		}
		count = left;
	}
}

static double tile_share(const struct board *board)
{
	return ldexp(1, board_max(board)) / 2048;
}

static double game_worth(const struct judge *judge, size_t game)
{
	return judge->tile ? tile_share(&judge->last[game]) : (double)judge->result[game].points;
}

static uint64_t rollouts_worth(struct judge *judge, const struct turn *turns, size_t n,
			       struct rng *rng, double *out)
{
	size_t count = 0;
	uint64_t made = 0;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < judge->rollouts && turns[i].moves.legal; j++, count++) {
			judge->board[count] = *turns[i].board;
			if (!judge->mover)
				continue;
			judge->turn[count] = turns[i];
			judge->turn[count].board = &judge->board[count];
		}
	if (judge->mover)
		games_agent_policy(judge, count, rng);
	else
		games_random(judge, count, rng);
	for (size_t k = 0; k < count; k++)
		made += judge->result[k].moves;
	for (size_t i = 0, next = 0; i < n; i++) {
		double sum = 0;
		for (size_t j = 0; j < judge->rollouts && turns[i].moves.legal; j++)
			sum += game_worth(judge, next++);
		out[i] = sum / (double)judge->rollouts;
		if (!turns[i].moves.legal)
			out[i] = judge->tile ? tile_share(turns[i].board) : 0;
	}
	return made;
}

uint64_t judge_leaves(struct judge *judge, const struct turn *turns, size_t n, struct rng *rng,
		      double *out)
{
	if (!judge->value)
		return rollouts_worth(judge, turns, n, rng, out);
	if (judge->after)
		afters_worth(judge, turns, n, out);
	else
		states_worth(judge, turns, n, out);
	return 0;
}
