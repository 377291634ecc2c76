/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rules of 2048 by their plain definition (docs/conformance.md), one line at a time, as a
 * person would explain them. The kernels are tested against this code, which shares nothing with
 * them and is never optimised.
 */
#ifndef NXN_ORACLE_H
#define NXN_ORACLE_H

#include "boards/board.h"

void oracle_moves(const struct game *game, const struct board *board, struct moves *moves);

/*
 * oracle_moves() with another rule SLIDE for a line, which moves LINE[0..n-1] to index 0 and
 * returns the points.
 */
void oracle_moves_by(const struct game *game, const struct board *board,
		     uint64_t (*slide)(int *line, int n), struct moves *moves);

#endif
