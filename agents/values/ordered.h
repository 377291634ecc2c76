/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a grid is ordered towards a corner: the four indicators of agents/values/ordered.c. */
#ifndef NXN_ORDERED_H
#define NXN_ORDERED_H

#include "boards/board.h"

enum { ORDER_CORNER, ORDER_VERTICAL, ORDER_HORIZONTAL, ORDER_DIAGONAL, ORDERS };

/* Bit i is set if indicator i is 1 for BOARD. */
unsigned order_of(const struct game *game, const struct board *board);

/*
 * mean[i]: the expectation of indicator i over the spawns on AFTER, which has an empty cell. Equal
 * expectations are equal numbers. With ZERO_LOST a position without a legal move counts as if it
 * had no indicator; the result is the probability that the position is none of these.
 */
double order_expect(const struct game *game, const struct board *after, bool zero_lost,
		    double mean[ORDERS]);

#endif
