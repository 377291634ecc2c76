/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What positions at the end of simulations are worth: by games played on from there, or by a value.
 */
#ifndef NXN_JUDGE_H
#define NXN_JUDGE_H

#include "agents/agent.h"
#include "boards/simd/playout.h"

struct judge {
	const struct game *game;
	/*
	 * Who plays on: `mover`, its moves drawn from its chances; without one the random mover, as
	 * boards/simd/playout.h plays; and nobody if there is a value.
	 */
	struct agent *mover;
	struct value *value;
	size_t rollouts; /* games a position, whose mean counts */
	uint64_t limit;	 /* moves of a game; 0: to its end. Needs a mover. */
	bool tile;	 /* a game is worth its largest tile / 2048, not the points made in it */
	bool after;	 /* the value is asked for after-states: the best of one more move counts */
	bool rewards;	 /* whose points then are added */
	double terminal; /* value of a position without a legal move */

	/* Private: room for games or positions. */
	size_t room;
	struct board *board;
	struct board *last;
	struct playout *result;
	struct turn *turn;
	double (*chance)[DIRECTIONS];
	int *move;
	size_t *game_of;
	double *worth;
	struct passage *passage;
};

/*
 * Prepares a judge, whose public members are set, for N positions at a time. STATUS_SYSTEM if there
 * is no memory. judge_fini() is fine after a failure, or on zeroes, and leaves mover and value
 * alone.
 */
MUST_USE enum status judge_init(struct judge *judge, size_t n, struct why *why);
void judge_fini(struct judge *judge);

/*
 * out[i], i < N: what TURNS[i] is worth. Without a legal move that is terminal for a value, and
 * otherwise what a game is worth that is over. The number of positions made on the way.
 */
uint64_t judge_leaves(struct judge *judge, const struct turn *turns, size_t n, struct rng *rng,
		      double *out);

#endif
