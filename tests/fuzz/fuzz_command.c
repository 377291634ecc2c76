/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands of other programs, split into words; nothing is started. */
#include "base/program.h"
#include "tests/fuzz/fuzz.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>

/* In place of the C library's. */
int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
		 const posix_spawnattr_t *attributes, char *const arguments[],
		 char *const environment[])
{
	size_t words = 0;
	(void)pid;
	(void)actions;
	(void)attributes;
	(void)environment;
	FUZZ_CHECK(file == arguments[0]);
	while (arguments[words])
		FUZZ_CHECK(strlen(arguments[words++]) < 1u << 20);
	return ENOENT;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	struct program program;
	struct why why = {""};
	enum status status = program_start(text, &program, &why);
	FUZZ_CHECK(status);
	fuzz_refused(status, &why);
	free(text);
	return 0;
}
