/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two players who met on a board. */
#ifndef NXN_VERSUS_H
#define NXN_VERSUS_H

#include "analysis/stats/stats.h"

struct cell;

struct versus {
	const struct cell *a, *b;
	struct interval ratio; /* mean score of a / mean score of b, as independent samples */
	struct paired paired;  /* over the (seed, game) that both played; games is 0 if none */
};

/* Compares A with B, whose means are of RESAMPLES. STATUS_SYSTEM if memory runs out. */
MUST_USE enum status versus_estimate(const struct cell *a, const struct cell *b, unsigned resamples,
				     struct versus *out, struct why *why);

/*
 * The comparison of b with a that belongs to one of a with b. The intervals are turned rather than
 * drawn again: BCa and the delta method on the logarithm allow it.
 */
struct versus versus_flip(const struct versus *versus);

#endif
