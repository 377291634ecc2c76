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

#endif
