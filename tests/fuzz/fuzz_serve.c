/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests to nxn eval --serve: the input is its standard input. */
#include "src/play/play.h"
#include "tests/fuzz/fuzz.h"

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
	const enum status status = play_serve(&(struct eval_options){.agent = "greedy"}, &why);
	stdin = real_in;
	stdout = real_out;
	fclose(in);
	FUZZ_CHECK(status == STATUS_OK);
	return 0;
}
