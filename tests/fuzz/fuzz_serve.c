/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests to nxn serve: the input is its standard input. */
#include "src/commands/command.h"
#include "tests/fuzz/fuzz.h"

#include <fcntl.h>
#include <unistd.h>

/* What the command is started with, in place of src/main.c. */
int command_exit(const char *name, enum status status, const struct why *why)
{
	(void)name;
	if (status)
		fuzz_refused(status, why);
	return status ? 2 : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static FILE *quiet;
	char *arguments[] = {"nxn serve", NULL};
	FILE *real_in = stdin, *real_out = stdout;
	uint8_t none = '\n';
	quiet = quiet ? quiet : fopen("/dev/null", "we");
	FILE *in = fmemopen(size ? (void *)data : &none, size ? size : 1, "r");
	FUZZ_CHECK(quiet && in);
	stdin = in;
	stdout = quiet;
	const int result = cmd_serve(1, arguments);
	stdin = real_in;
	stdout = real_out;
	fclose(in);
	FUZZ_CHECK(result == 0);
	return 0;
}
