/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The checkpoints of a learner in an experiment: a file beside its model with a line for each time
 * that it was saved, "TRAINED SECONDS BLOCK": training games, seconds of processor time that they
 * took, and the block that ended with them, 0 in the midst of one. Lines are appended before the
 * model is saved, so every model has its line; where two contradict each other, the later counts.
 */
#ifndef NXN_CHECKPOINTS_H
#define NXN_CHECKPOINTS_H

#include "base/status.h"

#include <stdint.h>

struct checkpoint {
	uint64_t trained;
	double seconds;
	uint64_t block;
};

/* STATUS_SYSTEM. */
MUST_USE enum status checkpoint_append(const char *path, const struct checkpoint *point,
				       struct why *why);

/* The seconds behind TRAINED games, NAN if no line tells. STATUS_SYSTEM. */
MUST_USE enum status checkpoints_seconds(const char *path, uint64_t trained, double *seconds,
					 struct why *why);

/*
 * ends[k - 1] becomes the games that block k of COUNT ended with, where a line tells.
 * STATUS_SYSTEM.
 */
MUST_USE enum status checkpoints_ends(const char *path, uint64_t *ends, uint64_t count,
				      struct why *why);

#endif
