/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The integers that the value strong is computed from; see agents/values/strong.c. */
#ifndef NXN_STRONG_H
#define NXN_STRONG_H

#include "boards/board.h"

enum { EXPONENTS = 64 }; /* more than any board has; a vector's worth of bytes */

/*
 * value = base + sum over cells of cell[interior][k] + corner, if a largest tile stands in one,
 *       + merge * M - mono * sum over lines of min(falls, rises)
 *
 * M, falls and rises as agents/values/strong.c says, with power[k] for k^mono_power. Twice power[k] stays
 * below 2^16 where lines have five cells or more, power[k] where they have fewer, so that
 * min(falls, rises) = (falls - max(0, power[first] - power[last])) modulo 2^16. No board of the game
 * has a value beyond 32 bits.
 */
struct strong_tables {
	int32_t base, corner, merge, mono;
	int32_t cell[2][EXPONENTS]; /* [1]: of cells that are not on the border */
	uint16_t power[EXPONENTS];
};

/* The value of BOARD. */
int32_t strong_sum(const struct strong_tables *tables, const struct game *game,
		   const struct board *board);

#endif
