/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Playouts: games with random moves from given positions to their end, 64 at a time.
 *
 * Every legal move has the same probability. When a game ends, the next one starts in its lane, so
 * all lanes work while games are left. The results depend only on the arguments, not on the
 * instruction set.
 */
#ifndef NXN_PLAYOUT_H
#define NXN_PLAYOUT_H

#include "boards/game.h"

#include <stddef.h>

/* The result of a playout. */
struct playout {
	uint64_t points; /* earned after the starting position */
	uint64_t moves;
};

/*
 * Plays a game from each of the positions STARTS[0..n-1], which may have no legal move.
 *
 * RESULTS[i] is for STARTS[i]. LAST[i], unless LAST is NULL, is a symmetric image of its final
 * position (board_symmetry()). The same SEED and INDEX give the same random bits; calls with
 * different INDEX are independent. Starts may repeat.
 *
 * Each of n empty cells gets the spawn with a probability within 2^-16 of 1/n. The probabilities of
 * the kinds are within 2^-16 of the spawn rule in each move, and within 2^-32 on average.
 *
 * Cannot fail. Any thread.
 */
void playouts_run(const struct game *game, const struct board *starts, size_t n, uint64_t seed,
		  uint64_t index, struct playout *results, struct board *last);

#endif
