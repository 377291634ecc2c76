/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Many positions of one shape at once, row by row: row[r][i] is row r of position i, as row_load()
 * reads it. What works on batches turns rows into lanes (boards/lanes_wide*.h), one position a byte.
 */
#ifndef NXN_BATCH_H
#define NXN_BATCH_H

#include "boards/board.h"
#include "boards/simd/bytes.h"

enum { BATCH_MAX = 256 };

/* Rows beyond the shape may hold anything, as may what follows the first N positions. */
struct batch {
	_Alignas(64) uint64_t row[SIDE_MAX][BATCH_MAX];
};

/* Position I becomes BOARD, of ROWS rows. */
static inline void batch_put(struct batch *batch, size_t i, const struct board *board, int rows)
{
	for (int r = 0; r < rows; r++)
		batch->row[r][i] = row_load(board->cell[r]);
}

static inline void batch_get(const struct batch *batch, size_t i, struct board *board, int rows)
{
	*board = (struct board){0};
	for (int r = 0; r < rows; r++)
		row_store(board->cell[r], batch->row[r][i]);
}

#endif
