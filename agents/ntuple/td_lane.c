/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A move of a training game under each rule, and its errors; see td.h. */
#include "agents/ntuple/td_lane.h"

#include <stdlib.h>
#include <string.h>

enum status td_lane_init(struct td_lane *lane, struct td *td, struct why *why)
{
	const size_t stride = (size_t)td->network->indexer.stride;
	const int sights = DIRECTIONS + td->options.trace;
	*lane = (struct td_lane){.td = td};
	const size_t size = (size_t)sights * stride * sizeof *lane->indices;
	lane->indices = aligned_alloc(64, (size + 63) / 64 * 64);
	if (!lane->indices)
		return why_set(why, STATUS_SYSTEM, "out of memory for training games");
	for (int i = 0; i < sights; i++) {
		struct td_sight *sight =
		    i < DIRECTIONS ? &lane->after[i] : &lane->past[i - DIRECTIONS];
		sight->index = lane->indices + (size_t)i * stride;
	}
	return STATUS_OK;
}

void td_lane_fini(struct td_lane *lane)
{
	free(lane->indices);
	*lane = (struct td_lane){0};
}

static void sight_take(const struct td *td, const struct board *board, struct td_sight *sight)
{
	sight->stage = network_look(td->network, board, sight->index);
}

static bool of_states(const struct td_lane *lane)
{
	return lane->td->options.rule == RULE_TD_STATE;
}

/* Finds the moves of the present position. */
static void lane_moves(struct td_lane *lane)
{
	lane->td->network->game->moves(&lane->game.outcome.last, &lane->moves);
	lane->blind = of_states(lane) ? 0 : lane->moves.legal;
	if (of_states(lane))
		sight_take(lane->td, &lane->game.outcome.last, &lane->after[0]);
	lane->moved = true;
}

/* Asks for the weights of after-state D, if it is to be and has not been done. */
static inline void lane_look(struct td_lane *lane, int d)
{
	if (!(lane->blind >> d & 1))
		return;
	sight_take(lane->td, &lane->moves.after[d], &lane->after[d]);
	lane->blind &= ~(1u << d);
}

void td_lane_take(struct td_lane *lane, const struct td_game *game)
{
	lane->game = *game;
	lane->live = true;
	lane->moved = false;
	if (lane->td->options.order == ORDER_FORWARD)
		for (size_t k = 0; k < game->steps; k++)
			sight_take(lane->td, &game->path[game->steps - 1 - k].board,
				   &lane->past[k]);
}

/* Makes room at the front of the last `trace` steps, and keeps SIGHT there; it becomes the oldest. */
static void trace_shift(struct td_lane *lane, size_t trace, struct td_sight *sight)
{
	struct td_game *game = &lane->game;
	const struct td_sight oldest = lane->past[trace - 1];
	if (trace > 1)
		memmove(lane->past + 1, lane->past, (trace - 1) * sizeof *lane->past);
	lane->past[0] = *sight;
	*sight = oldest;
	if (game->steps < trace)
		return;
	game->steps = trace - 1;
	if (trace > 1)
		memmove(game->path, game->path + 1, game->steps * sizeof *game->path);
}

/* Remembers the x of STEP, which SIGHT is for; the sight is exchanged for one to be used again. */
static void path_add(struct td_lane *lane, const struct td_step *step, struct td_sight *sight)
{
	if (lane->td->options.order == ORDER_FORWARD)
		trace_shift(lane, (size_t)lane->td->options.trace, sight);
	lane->game.path[lane->game.steps++] = *step;
}

/* What the largest of the next values, NEXT, with REWARD on the way to it, says of the last x. */
static void learn_forward(struct td_lane *lane, double reward, double next)
{
	const struct td_options *options = &lane->td->options;
	const double alpha = td_alpha(options, lane->game.episode);
	double delta = reward + options->gamma * next - td_value(lane->td, &lane->past[0]);
	for (size_t k = 0; k < lane->game.steps; k++) {
		td_adjust(lane->td, alpha, &lane->past[k], delta);
		delta *= options->gamma * options->lambda;
	}
}

/* The reward that belongs to the last x when the game has ended; V(x_t) is then 0. */
static double reward_last(const struct td_lane *lane)
{
	const struct td_game *game = &lane->game;
	if (lane->td->options.terminal == TERMINAL_NEG_SCORE)
		return -(double)game->outcome.score;
	return lane->td->options.rule == RULE_TD_AFTER ? 0 : game->path[game->steps - 1].reward;
}

/* From the end of the game to its beginning. */
static void learn_backward(struct td_lane *lane)
{
	struct td *td = lane->td;
	const struct td_options *options = &td->options;
	const struct td_game *game = &lane->game;
	const double alpha = td_alpha(options, game->episode);
	struct td_sight *now = &lane->after[0], *next = &lane->after[1];
	double target = game->steps ? reward_last(lane) : 0;
	if (game->steps)
		sight_take(td, &game->path[game->steps - 1].board, now);
	for (size_t t = game->steps; t-- > 0;) {
		if (t > 0)
			sight_take(td, &game->path[t - 1].board, next);
		td_adjust(td, alpha, now, target - td_value(td, now));
		const double value = td_value(td, now);
		const struct td_step *step =
		    &game->path[options->rule == RULE_TD_AFTER || t == 0 ? t : t - 1];
		target = step->reward + options->gamma * ((1 - options->lambda) * value +
							  options->lambda * target);
		struct td_sight *seen = now;
		now = next;
		next = seen;
	}
}

/* What a legal move is worth, reward included. */
static double move_value(const struct td_lane *lane, int d)
{
	const struct td *td = lane->td;
	const double reward = (double)lane->moves.reward[d];
	switch (td->options.rule) {
	case RULE_TD_AFTER:
		return reward + td_value(td, &lane->after[d]);
	case RULE_TD_STATE:
		return reward + td_spawns_value(td->network, &lane->moves.after[d]);
	case RULE_Q:
		break;
	}
	return td_value(td, &lane->after[d]);
}

/* Makes move D: the path grows, a tile appears. */
static void move_make(struct td_lane *lane, int d)
{
	struct td *td = lane->td;
	struct outcome *outcome = &lane->game.outcome;
	struct td_step step = {.board = lane->moves.after[d],
			       .reward = (double)lane->moves.reward[d]};
	if (of_states(lane))
		step.board = outcome->last;
	path_add(lane, &step, &lane->after[of_states(lane) ? 0 : d]);
	if (td->options.order == ORDER_FORWARD)
		network_prefetch_coherence(td->network, lane->past[0].stage, lane->past[0].index);
	outcome->score += lane->moves.reward[d];
	outcome->moves++;
	outcome->last = lane->moves.after[d];
	board_spawn(td->network->game, &outcome->last, &lane->game.rng);
}

/*
 * The move of the largest value, the first of equals; -1 if none is legal. BEFORE as in
 * td_lane_turn().
 */
static int best_move(const struct td_lane *lane, struct td_lane *before, double *value)
{
	int best = -1;
	for (int d = 0; d < DIRECTIONS; d++) {
		if (before)
			lane_look(before, d);
		if (!(lane->moves.legal >> d & 1))
			continue;
		const double v = move_value(lane, d);
		if (best < 0 || v > *value) {
			best = d;
			*value = v;
		}
	}
	return best;
}

/* What the position teaches about the last x; the best move in it is D, worth VALUE. */
static void learn_on_the_way(struct td_lane *lane, int d, double value)
{
	const struct td_game *game = &lane->game;
	const double reward = (double)lane->moves.reward[d];
	if (lane->td->options.order != ORDER_FORWARD || !game->steps)
		return;
	switch (lane->td->options.rule) {
	case RULE_TD_AFTER:
		learn_forward(lane, reward, value - reward);
		break;
	case RULE_TD_STATE:
		learn_forward(lane, game->path[game->steps - 1].reward,
			      td_value(lane->td, &lane->after[0]));
		break;
	case RULE_Q:
		learn_forward(lane, game->path[game->steps - 1].reward, value);
		break;
	}
}

static void learn_at_the_end(struct td_lane *lane)
{
	if (lane->td->options.order == ORDER_BACKWARD)
		learn_backward(lane);
	else if (lane->game.steps)
		learn_forward(lane, reward_last(lane), 0);
}

bool td_lane_turn(struct td_lane *lane, struct td_lane *before)
{
	const struct td_options *options = &lane->td->options;
	double value = 0;
	if (!lane->moved)
		lane_moves(lane);
	for (int d = 0; lane->blind; d++)
		lane_look(lane, d);
	int move = best_move(lane, before, &value);
	if (move < 0) {
		learn_at_the_end(lane);
		return true;
	}
	learn_on_the_way(lane, move, value);
	if (options->epsilon > 0 && rng_real(&lane->game.rng) < options->epsilon)
		move = moves_any(&lane->moves, &lane->game.rng);
	move_make(lane, move);
	lane_moves(lane);
	return false;
}
