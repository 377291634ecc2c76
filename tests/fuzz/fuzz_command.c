/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands of other programs, split into words; nothing is started. */
#include "base/program.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	struct program *program;
	struct why why = {""};
	enum status status = program_start(text, 1, NULL, &program, &why);
	FUZZ_CHECK(status);
	fuzz_fine(status, &why);
	free(text);
	return 0;
}
