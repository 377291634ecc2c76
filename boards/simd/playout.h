/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Playouts: games of the random mover from given positions to their end, 64 at a time.
 *
 * The mover takes each legal move with the same probability. Where a game ends, another one starts
 * in its lane, so all lanes work while games are left. The results depend on what is passed alone,
 * not on the instruction set.
 */
#ifndef NXN_PLAYOUT_H
#define NXN_PLAYOUT_H

#include "boards/game.h"

#include <stddef.h>

/* What happened from a position to the end of the game. */
struct playout {
	uint64_t points; /* earned */
	uint64_t moves;
};

/*
 * Plays a game from each of the positions STARTS[0..n-1], in which the mover is to move.
 *
 * RESULTS[i] is for STARTS[i]; LAST[i], unless LAST is NULL, is its final position in one of the
 * symmetric images that a board of that shape has (board_symmetry()). Of the same SEED and INDEX
 * come the same random bits; other calls with another INDEX are independent. Starts may repeat.
 *
 * An empty cell of n gets the spawn with a probability within 2^-16 of 1/n. The odds of the kinds
 * are those of the game's spawn rule to 2^-16 in any one move, and to 2^-32 on average.
 *
 * Cannot fail; any thread.
 */
void playouts_run(const struct game *game, const struct board *starts, size_t n, uint64_t seed,
		  uint64_t index, struct playout *results, struct board *last);

#endif
