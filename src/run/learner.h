/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The learner that `nxn train` is asked to train. */
#ifndef NXN_LEARNER_H
#define NXN_LEARNER_H

#include "agents/agent.h"
#include "base/atomic_file.h"
#include "src/run/trainer.h"

struct learner {
	struct game game;
	char canonical[SPEC_MAX], settings[SPEC_MAX];
	struct agent *agent;
	struct lock lock; /* of the model */
};

/*
 * Makes the learner of OPTIONS, with what it has learned if its model exists. STATUS_INPUT for an
 * agent that is wrong, does not learn, not with so many threads, or other than that of the model,
 * and for a model that another process trains; STATUS_SYSTEM if files cannot be read or memory is
 * short. LEARNER stays where it is.
 */
MUST_USE enum status learner_init(struct learner *learner, const struct trainer_options *options,
				  struct why *why);
void learner_fini(struct learner *learner);

#endif
