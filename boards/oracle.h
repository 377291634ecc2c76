/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rules of 2048 by their plain definition (docs/conformance.md): one line at a time, as a
 * person would say them. They share nothing with the kernels, which are compared with them, and
 * are never optimised.
 */
#ifndef NXN_ORACLE_H
#define NXN_ORACLE_H

#include "boards/board.h"

/* The four after-states of BOARD. */
void oracle_moves(const struct game *game, const struct board *board, struct moves *moves);

/*
 * The same with another rule for a line: SLIDE moves LINE[0..n-1] to index 0 and returns the
 * points.
 */
void oracle_moves_by(const struct game *game, const struct board *board,
		     uint64_t (*slide)(int *line, int n), struct moves *moves);

#endif
