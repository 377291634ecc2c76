/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times what a search asks most of a value: batches of positions, each looked at one move further. */
#ifndef NXN_BENCH_LEAVES_H
#define NXN_BENCH_LEAVES_H

#include "boards/board.h"

/*
 * Nanoseconds for one of COUNT positions, whole batches of them, by the value of that NAME, with
 * after-states at the end (struct leaf_rule). NAN when there is no memory.
 */
double bench_leaf(const struct game *game, const char *name, const struct board *positions,
		  int count);

#endif
