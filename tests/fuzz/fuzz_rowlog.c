/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Logs of sweeps and of gaps: every input is read as both. */
#include "analysis/logs/rowlog.h"
#include "tests/fuzz/fuzz.h"

static void log_read(const struct rowlog_kind *kind, const char *path)
{
	struct rowlog log = {0}, again = {0};
	struct rowlog_writer writer;
	struct why why = {""};
	fuzz_fine(rowlog_read(&log, kind, path, &why), &why);
	rowlog_fini(&log);
	enum status status = rowlog_open(&writer, kind, path, NULL, &again, &why);
	if (!status)
		status = append_close(&writer.file, &why);
	fuzz_fine(status, &why);
	rowlog_fini(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	log_read(&sweep_log_kind, fuzz_file(data, size));
	log_read(&gap_log_kind, fuzz_file(data, size));
	return 0;
}
