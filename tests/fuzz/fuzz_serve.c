/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests to nxn serve: the input is its standard input. */
#include "src/commands/command.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static FILE *quiet;
	FILE *real_in = stdin, *real_out = stdout;
	uint8_t none = '\n';
	quiet = quiet ? quiet : fopen("/dev/null", "we");
	FILE *in = fmemopen(size ? (void *)data : &none, size ? size : 1, "r");
	FUZZ_CHECK(quiet && in);
	stdin = in;
	stdout = quiet;
	struct why why;
	void *input = malloc(cmd_serve.size);
	FUZZ_CHECK(input);
	memcpy(input, cmd_serve.defaults, cmd_serve.size);
	const enum status status =
	    cmd_serve.run(input, &(struct invocation){.name = "nxn serve"}, &why);
	free(input);
	stdin = real_in;
	stdout = real_out;
	fclose(in);
	FUZZ_CHECK(status == STATUS_OK);
	return 0;
}
