/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where mini-games start: random layouts with a given largest tile. */
#ifndef NXN_RELATIVE_STARTS_H
#define NXN_RELATIVE_STARTS_H

#include "boards/board.h"

/*
 * The largest tiles, as exponents, that layouts of GAME can have: from one above the smallest spawn,
 * so that there are smaller ones, to one below the bound of the board, so that there is a larger one
 * to reach.
 */
void starts_range(const struct game *game, int *least, int *most);

/*
 * A random layout in which some move is legal and the tile 2^EXPONENT, within starts_range(), is
 * the largest and stands once.
 */
void starts_draw(const struct game *game, int exponent, struct rng *rng, struct board *board);

#endif
