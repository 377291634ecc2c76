/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random moves of 64 games at once, compiled for each shape and instruction set; see playout.h. */
#ifndef NXN_PLAYOUT_KERNEL_H
#define NXN_PLAYOUT_KERNEL_H

#include "boards/game.h"

enum {
	PLAYOUT_LANES = 64,
	PLAYOUT_STREAMS = PLAYOUT_LANES / 8,
	PLAYOUT_EMPTY = 127, /* an empty cell: what no tile is, and where counting up stops */
};

/*
 * The games, one a lane: cell[r * cols + c][lane] is an exponent or PLAYOUT_EMPTY. Each 16 lanes
 * draw from two generators of their own, so that vectors of any width draw the same.
 */
struct playout_block {
	_Alignas(64) uint8_t cell[CELLS_MAX][PLAYOUT_LANES];
	_Alignas(64) uint64_t random[4][PLAYOUT_STREAMS];
	/* count[0]: moves. count[i], i > 0: spawns of kind i or a later one. Modulo 256. */
	_Alignas(64) uint8_t count[SPAWN_KINDS_MAX][PLAYOUT_LANES];
};

/* Kind i > 0 or a later one appears when a random number of -32768 .. 32767 exceeds above[i]. */
struct playout_odds {
	int kinds;
	uint8_t exponent[SPAWN_KINDS_MAX];
	int16_t above[SPAWN_KINDS_MAX];
};

/* A table of these has an entry a shape and ends with rows = 0. */
struct playout_kernel {
	int rows, cols;
	/* See struct game. */
	uint64_t (*run)(struct playout_block *block, const struct playout_odds *odds, int steps);
};

extern const struct playout_kernel playouts_portable[], playouts_avx2[], playouts_avx512[];

#endif
