/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times what learning asks of a policy network: positions in batches, and steps of its weights. */
#ifndef NXN_BENCH_NETWORK_H
#define NXN_BENCH_NETWORK_H

#include "boards/board.h"

/*
 * Nanoseconds for one of COUNT positions, by a network with hidden layers of 200 and 100 and its
 * default levels: its outputs, or with LEARNS a step along their gradient. NAN when there is no memory.
 */
double bench_network(const struct game *game, const struct board *positions, int count,
		     bool learns);

#endif
