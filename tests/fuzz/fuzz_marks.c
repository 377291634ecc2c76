/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The marks of a learner. */
#include "src/run/marks.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = fuzz_file(data, size);
	uint64_t ends[4] = {0};
	double seconds;
	struct why why = {""};
	FUZZ_CHECK(!marks_seconds(path, 1000, &seconds, &why));
	FUZZ_CHECK(!marks_ends(path, ends, sizeof ends / sizeof *ends, &why));
	return 0;
}
