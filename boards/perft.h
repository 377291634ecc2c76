/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Perft: counts of the positions after a number of plies, to compare move generators.
 *
 * A ply is one legal move followed by one spawn in one empty cell; each kind of the spawn rule
 * counts once, whatever its probability. S_0 is the starting position, or the set of all positions
 * that games start from. S_k is the set of distinct boards one ply after S_(k-1), compared cell by
 * cell, without symmetry or scores.
 */
#ifndef NXN_PERFT_H
#define NXN_PERFT_H

#include "boards/board.h"

/* The counts of S_k. */
struct perft {
	uint64_t states;      /* boards in S_k */
	uint64_t terminal;    /* boards in S_k without a legal move */
	uint64_t pairs;	      /* pairs of a board in S_k and a legal move */
	uint64_t afterstates; /* distinct after-states of these moves */
	uint64_t rewards;     /* points, summed over these pairs */
	uint64_t leaves;      /* sequences of k plies from S_0 */
	uint64_t leaf_score;  /* points, summed over these sequences */
};

/*
 * Counts S_k for k = PLIES >= 0 from BOARD, which game_admits() accepts, or if BOARD is NULL from
 * all boards with the start tiles of GAME. Time and memory grow with the number of distinct boards,
 * not with the number of sequences. STATUS_SYSTEM if memory runs out or a count exceeds 64 bits;
 * STATUS_STOPPED if a stop was requested (base/stop.h).
 */
MUST_USE enum status perft_count(const struct game *game, const struct board *board, int plies,
				 struct perft *perft, struct why *why);

#endif
