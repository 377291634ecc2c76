/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `best` of agents/value.h for the value strong, with spawns and without rewards. */
#ifndef NXN_STRONG_SPAWNS_H
#define NXN_STRONG_SPAWNS_H

#include "agents/values/wide.h"

/* WIDE has strong_eval. */
void strong_best_spawns(const struct game *game, const struct wide_kernel *wide,
			const struct strong_bytes *bytes, const struct horizon *horizon,
			const struct batch *batch, size_t n, double *out);

#endif
