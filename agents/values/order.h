/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The basis functions of Dedieu and Amar, Deep Reinforcement Learning for 2048, section 4.2, on R x
 * C cells: four indicators of a grid that descends from a corner.
 *
 *   corner      1 if a largest tile is in a corner
 *   vertical    1 if no cell is larger than the one before it in the column of a largest corner,
 *               read from that corner
 *   horizontal  the same for its row
 *   diagonal    the same for its diagonal, of min(R, C) cells
 *
 * A largest corner is one with the largest tile that any corner has. If several corners have it, an
 * indicator is 1 if it is 1 for one of them; if all corners are empty, all indicators are 0. The
 * text says "descending cells from largest corner"; our reading is that equal neighbours pass, that
 * an empty cell counts as 0, and that the corner need not hold a largest tile of the board.
 *
 * Check value: a single tile in a corner of an empty board makes all four 1.
 */
#ifndef NXN_ORDER_H
#define NXN_ORDER_H

#include "boards/board.h"

enum { ORDER_CORNER, ORDER_VERTICAL, ORDER_HORIZONTAL, ORDER_DIAGONAL, ORDERS };

/* Whether the LENGTH cells from (R, C) on, in steps of (DR, DC), never rise. */
static inline bool order_falls(const struct board *board, int r, int c, int dr, int dc, int length)
{
	bool falling = true;
	for (int i = 1; i < length; i++, r += dr, c += dc)
		falling &= board->cell[r + dr][c + dc] <= board->cell[r][c];
	return falling;
}

/* Returns the indicators of the corner (R, C), except the first. */
static inline unsigned order_from(const struct game *game, const struct board *board, int r, int c)
{
	const int rows = game->rows, cols = game->cols;
	const int dr = r ? -1 : 1, dc = c ? -1 : 1;
	return (unsigned)order_falls(board, r, c, dr, 0, rows) << ORDER_VERTICAL |
	       (unsigned)order_falls(board, r, c, 0, dc, cols) << ORDER_HORIZONTAL |
	       (unsigned)order_falls(board, r, c, dr, dc, rows < cols ? rows : cols)
		   << ORDER_DIAGONAL;
}

/* Returns the indicators of BOARD: bit i is indicator i. */
static inline unsigned order_of(const struct game *game, const struct board *board)
{
	const int r = game->rows - 1, c = game->cols - 1;
	const int corner[4][2] = {{0, 0}, {0, c}, {r, 0}, {r, c}};
	int largest = 0;
	for (int i = 0; i < 4; i++) {
		const int k = board->cell[corner[i][0]][corner[i][1]];
		largest = k > largest ? k : largest;
	}
	if (!largest)
		return 0;
	unsigned order = (unsigned)(largest == board_max(board)) << ORDER_CORNER;
	for (int i = 0; i < 4; i++)
		if (board->cell[corner[i][0]][corner[i][1]] == largest)
			order |= order_from(game, board, corner[i][0], corner[i][1]);
	return order;
}

#endif
