/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In place of the C library's: what is fuzzed must not start programs by mutated names. */
#include "tests/fuzz/fuzz.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>

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
