/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The marks of a learner in an experiment: a file beside its model with a line for each time that it
 * was saved, "TRAINED SECONDS BLOCK": training games, seconds of processor time that they took, and
 * the block that ended with them, 0 in the midst of one. Lines are appended before the model is
 * saved, so every model has its mark; where two contradict each other, the later counts.
 */
#ifndef NXN_MARKS_H
#define NXN_MARKS_H

#include "base/status.h"

#include <stdint.h>

struct mark {
	uint64_t trained;
	double seconds;
	uint64_t block;
};

/* STATUS_SYSTEM. */
MUST_USE enum status mark_append(const char *path, const struct mark *mark, struct why *why);

/* The seconds behind TRAINED games, NAN if no mark tells. STATUS_SYSTEM. */
MUST_USE enum status marks_seconds(const char *path, uint64_t trained, double *seconds,
				   struct why *why);

/* ends[k - 1] becomes the games that block k of COUNT ended with, where a mark tells. STATUS_SYSTEM. */
MUST_USE enum status marks_ends(const char *path, uint64_t *ends, uint64_t count, struct why *why);

#endif
