/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the targets of model files share: one for every kind of learner. */
#ifndef NXN_FUZZ_LEARNER_H
#define NXN_FUZZ_LEARNER_H

#include <stddef.h>
#include <stdint.h>

/* Makes a model file of AGENT out of the input, plays by it, and trains it further. */
void learner_run(const char *agent, const uint8_t *data, size_t size);

/*
 * Plays by the model of AGENT in the file PATH on BOARD; LEARN: and trains it. Whether it is one.
 */
int learner_play(const char *agent, const char *board, const char *spawn, const char *path,
		 int learn, char *reason, size_t room);

#endif
