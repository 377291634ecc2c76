/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Experiment files, with the players that they name made as far as no file and no program is
 * needed.
 */
#include "src/measure/experiment_file.h"
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[64];

static void name_remove(void)
{
	unlink(path);
}

/* A name with a suffix, which experiments are called by. */
static const char *named_file(const uint8_t *data, size_t size)
{
	const char *file = fuzz_file(data, size);
	if (!path[0]) {
		snprintf(path, sizeof path, "/tmp/nxn-fuzz-%d.yaml", (int)getpid());
		unlink(path);
		FUZZ_CHECK(symlink(file, path) == 0 && atexit(name_remove) == 0);
	}
	return path;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct experiment experiment;
	struct why why = {""};
	if (fuzz_fine(experiment_read(&experiment, named_file(data, size), &why), &why)) {
		FUZZ_CHECK(experiment.count > 0 && experiment.count <= ENTRIES_MAX);
		FUZZ_CHECK(*experiment.name && !strpbrk(experiment.name, "/ \n"));
		experiment_fini(&experiment);
	}
	return 0;
}
