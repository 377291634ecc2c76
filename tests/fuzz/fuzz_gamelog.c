/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Game logs: read as files, summed up, and taken over by a writer. */
#include "analysis/logs/gamelog.h"
#include "analysis/tables/summary.h"
#include "tests/fuzz/fuzz.h"

static void log_append(const char *path)
{
	struct rowlog_writer writer;
	struct why why = {""};
	enum status status = rowlog_open(&writer, &gamelog_kind, path, NULL, NULL, &why);
	if (!status)
		status = append_close(&writer.file, &why);
	fuzz_fine(status, &why);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = fuzz_file(data, size);
	struct gamelog log;
	struct why why = {""};
	gamelog_init(&log);
	fuzz_fine(gamelog_read(&log, path, &why), &why);
	for (size_t i = 0; i < log.player_count; i++)
		gamelog_training(&log, log.players[i]->config);
	gamelog_fini(&log);
	log_append(path);
	return 0;
}
