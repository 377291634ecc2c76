/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A game move by move, as a table: a row of quoted column names, then a row a move.
 *
 * Columns: trained (training games behind the player) and game, the same in all rows; move (from 1);
 * score, max_tile, empty (of the position in which it is made: points so far, its largest tile, the
 * number of empty cells); direction (0 up, 1 right, 2 down, 3 left); value and chance (of the move
 * made, as the player tells them); doubt (the move's distance to certainty, verdict_doubt()); legal
 * (the number of legal moves). What the player does not tell is NaN.
 */
#ifndef NXN_TRACE_H
#define NXN_TRACE_H

#include "agents/play.h"

#include <stdio.h>

/* A trace that is being written. FILE is the caller's, who sees to its errors. */
struct trace {
	FILE *file;
	uint64_t trained, game;
	uint64_t moves;		       /* written; 0 */
	const struct play_watch *then; /* asked after each move whether to go on; NULL: always */
};

/* Writes the row of column names. */
void trace_names(FILE *file);

/* struct play_watch's move, with a struct trace as its context: writes the move's row. */
bool trace_move(void *context, const struct turn *turn, int move, const struct verdict *verdict);

#endif
