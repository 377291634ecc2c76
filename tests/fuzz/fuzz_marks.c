/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The checkpoints of a learner. */
#include "src/measure/tournament.c"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = fuzz_file(data, size);
	uint64_t ends[4] = {0};
	double seconds;
	struct why why = {""};
	enum status status =
	    checkpoints_read(path, 1000, &seconds, ends, sizeof ends / sizeof *ends, &why);
	if (status)
		fuzz_refused(status, &why);
	return 0;
}
