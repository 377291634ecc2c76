/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stands in the files that an agent reads, as a number. */
#ifndef NXN_INPUT_DIGEST_H
#define NXN_INPUT_DIGEST_H

#include "base/status.h"

#include <stdint.h>

/*
 * Digest of the contents of all files that the agent TEXT is told to read, agent_files(), in that order;
 * 0 if there are none. Models and tables are known by their size and the checksums that they carry, other files by
 * every byte: a file that is replaced has another digest, one that is renamed or copied has not.
 * STATUS_INPUT if a file is none or cannot be found, STATUS_SYSTEM if it cannot be read.
 */
MUST_USE enum status agent_input_digest(const char *text, uint64_t *digest, struct why *why);

#endif
