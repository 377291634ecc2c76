/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rules once more, plainly, and positions to try them on. */
#ifndef NXN_VERIFY_RULES_H
#define NXN_VERIFY_RULES_H

#include "src/verify/verify.h"

/*
 * The four after-states of BOARD by the definition in docs/conformance.md, tile by tile. It shares
 * nothing with the kernels and is as slow as that.
 */
void plain_moves(const struct game *game, const struct board *board, struct moves *moves);

/* Sparse; full; many equal tiles; tiles near the largest; out of a random game. */
enum position_kind { SPARSE, FULL, MERGES, TOP, PLAYED, POSITION_KINDS };

/* A position of this kind that game_admits(). */
void position_draw(const struct game *game, enum position_kind kind, struct rng *rng,
		   struct board *board);

/* Three positions, and some words. */
enum { DIFFERENCE_MAX = 3 * BOARD_TEXT_MAX + 64 };

/* "POSITION U: -, not 4:AFTER" of the first direction that differs; false if there is none. */
bool moves_differ(const struct game *game, const struct board *board, const struct moves *found,
		  const struct moves *expected, char text[DIFFERENCE_MAX]);

/* Tallies GAME's rules against plain ones in N positions of every kind. */
void rules_compare(const struct game *game, uint64_t seed, int n, struct agreement *tally);

/* Tallies encodings of positions against themselves: what is packed must come out again. */
void packed_compare_all(const struct game *game, uint64_t seed, int n, struct agreement *tally);

#endif
