/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a batch of games teaches: which games were good, how much each game and each move counts,
 * what the network should have said, and the loss between that and what it said.
 */
#ifndef NXN_RELATIVE_TARGETS_H
#define NXN_RELATIVE_TARGETS_H

#include "agents/agent.h"

/* What a game is worth, and whether games count by it: the parameter game_penalty_type. */
enum game_penalty {
	GAME_PENALTY_NONE, /* the score tells good from bad, and all games count alike */
	GAME_PENALTY_SCORES,
	GAME_PENALTY_MAX,
	GAME_PENALTY_LOG2_MAX,
	GAME_PENALTY_TILE_SUMS,
};

/* How much a move of a game counts: the parameter move_penalty_type. */
enum move_penalty {
	MOVE_PENALTY_NONE,
	MOVE_PENALTY_NONZERO,
	MOVE_PENALTY_LINEAR,
	MOVE_PENALTY_EXPONENTIAL,
};

/* A game among those of its batch. */
struct standing {
	double measure; /* what it came to, relative_measure() */
	bool good;	/* better than the median of the batch */
	double weight;	/* j, from 0 to 1 */
};

/* What the game came to, in points or, for log2_max, as an exponent. */
double relative_measure(enum game_penalty penalty, const struct outcome *outcome);

/*
 * Sets `good` and `weight` of the N > 0 games of a batch from their measures. WEIGHTED is false for
 * GAME_PENALTY_NONE. SCRATCH has room for N numbers. Source: Math for reinforcement learning, part
 * 2, "Defining j".
 */
void relative_judge(struct standing *games, size_t n, bool weighted, double *scratch);

/*
 * k, from 0 to 1, of the move that was made in BOARD as number NUMBER, counted from 1, of MOVES
 * moves of its game. Source: the same, "Defining k".
 */
double relative_move_weight(enum move_penalty penalty, const struct game *game,
			    const struct board *board, uint64_t number, uint64_t moves);

/*
 * Y: what the network should have said where MOVE was made, as chances that sum to 1. AMONG are the
 * moves, as bits, that get any, MOVE among them. Source: the same, "Finding Y".
 */
void relative_target(unsigned among, int move, bool good, double y[DIRECTIONS]);

/* The mean distance of P from Y over the four moves, times WEIGHT. Source: the same, "Loss". */
double relative_loss(const double p[DIRECTIONS], const double y[DIRECTIONS], double weight);

/*
 * The derivatives of relative_loss() by the inputs of the softmax that P came from; where an entry of
 * P equals that of Y, its distance is taken to have the derivative 0.
 */
void relative_gradient(const double p[DIRECTIONS], const double y[DIRECTIONS], double weight,
		       double gradient[DIRECTIONS]);

#endif
