/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Model files of the learner relative, behind compression and checksums. */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/learner.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	learner_run("relative", data, size);
	return 0;
}
