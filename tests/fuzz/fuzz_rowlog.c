/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Logs of sweeps and of gaps: every input is read as both. */
#include "analysis/logs/gap_log.h"
#include "analysis/logs/sweep_log.h"
#include "tests/fuzz/fuzz.h"

static void settle(enum status status, struct rowlog_writer *writer, struct why *why)
{
	if (!status)
		status = rowlog_close(writer, why);
	if (status)
		fuzz_refused(status, why);
}

static void sweeps_read(const char *path)
{
	struct sweep_log log = {0};
	struct rowlog_writer writer;
	struct why why = {""};
	enum status status = sweep_log_read(&log, path, &why);
	if (status)
		fuzz_refused(status, &why);
	else
		sweep_log_fini(&log);
	log = (struct sweep_log){0};
	status = sweep_log_open(&writer, path, NULL, &log, &why);
	settle(status, &writer, &why);
	if (!status)
		sweep_log_fini(&log);
}

static void gaps_read(const char *path)
{
	struct gap_log log = {0};
	struct rowlog_writer writer;
	struct why why = {""};
	enum status status = gap_log_read(&log, path, &why);
	if (status)
		fuzz_refused(status, &why);
	else
		gap_log_fini(&log);
	log = (struct gap_log){0};
	status = gap_log_open(&writer, path, NULL, &log, &why);
	settle(status, &writer, &why);
	if (!status)
		gap_log_fini(&log);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	sweeps_read(fuzz_file(data, size));
	gaps_read(fuzz_file(data, size));
	return 0;
}
