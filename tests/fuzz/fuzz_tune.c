/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table that nxn tune goes on with, under its head or without. */
#include "src/measure/tune.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

static const char config[] = "# config: 00c0ffee00c0ffee\n",
		  columns[] = "\"generation\"\t\"mean\"\n";

static void table_read(const char *path)
{
	static const char head[] =
	    "# nxn tune\n# config: 00c0ffee00c0ffee\n\"generation\"\t\"mean\"\n";
	struct tune_log log;
	struct why why = {""};
	const char *line;
	enum status status = tune_log_open(&log, path, head, config, columns, &why);
	if (status) {
		fuzz_refused(status, &why);
		return;
	}
	while (!status && (line = tune_log_next(&log))) {
		char *whole = malloc(strlen(line) + 2);
		FUZZ_CHECK(whole);
		strcat(strcpy(whole, line), "\n");
		status = tune_log_line(&log, whole, &why);
		FUZZ_CHECK(!status);
		free(whole);
	}
	FUZZ_CHECK(!tune_log_end(&log, &why));
	FUZZ_CHECK(!tune_log_line(&log, "1\t2\n", &why));
	FUZZ_CHECK(!tune_log_close(&log, &why));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	table_read(fuzz_file(data, size));
	return 0;
}
