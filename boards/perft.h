/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Perft: how many positions lie a number of plies away, to test a move generator against another.
 *
 * A ply is one legal move followed by one spawn in one empty cell, every kind of the spawn rule
 * counting once whatever its probability. S_0 is the starting position, or all that games start
 * from; S_k the set of distinct boards one ply from S_(k-1), compared cell by cell without symmetry
 * or scores.
 */
#ifndef NXN_PERFT_H
#define NXN_PERFT_H

#include "boards/board.h"

/* What there is to count about S_k. */
struct perft {
	uint64_t states;      /* boards in S_k */
	uint64_t terminal;    /* of these, the boards without a legal move */
	uint64_t pairs;	      /* (board, move): board in S_k, move legal there */
	uint64_t afterstates; /* distinct boards right after these moves, before the spawn */
	uint64_t rewards;     /* points, summed over these pairs */
	uint64_t leaves;      /* sequences of k plies from S_0 */
	uint64_t leaf_score;  /* points, summed over these sequences */
};

/*
 * Counts S_k for k = PLIES >= 0 from BOARD, which game_admits(), or if it is NULL from all boards
 * with the start tiles of GAME. Time and memory grow with the number of distinct boards, not with
 * the number of sequences. STATUS_SYSTEM when memory runs out or a count does not fit in 64 bits.
 */
MUST_USE enum status perft_count(const struct game *game, const struct board *board, int plies,
				 struct perft *perft, struct why *why);

#endif
