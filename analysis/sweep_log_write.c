/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Appends to the log of a sweep, in the manner of boards/append.h; see sweep_log.h. What is not such
 * a log stays as it is.
 */
#include "analysis/sweep_log.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Leaves FILE, in which LOG was read, with a header and whole lines. */
static enum status file_mend(struct append_file *file, const struct sweep_log *log, struct why *why)
{
	enum status status = append_cut(file, (off_t)log->whole, (off_t)log->torn, why);
	if (status || log->header)
		return status;
	return append_head(file, sweep_log_header, NULL, NULL, why);
}

static enum status take_over(struct append_file *file, struct sweep_log *log, struct why *why)
{
	struct sweep_log there;
	enum status status = append_lock(file, "log", why);
	if (status)
		return status;
	status = sweep_log_read(&there, file->path, why);
	if (status)
		return status;
	status = file_mend(file, &there, why);
	if (status)
		sweep_log_fini(&there);
	else
		*log = there;
	return status;
}

enum status sweep_log_open(struct sweep_writer *writer, const char *path,
			   const char *const *provenance, struct sweep_log *log, struct why *why)
{
	struct sweep_writer w = {.provenance = provenance};
	enum status status = append_open(&w.file, path, 0, why);
	if (status)
		return status;
	status = take_over(&w.file, log, why);
	if (status)
		close(w.file.fd);
	else
		*writer = w;
	return status;
}

static enum status provenance_append(struct sweep_writer *writer, struct why *why)
{
	enum status status = append_head(&writer->file, NULL, writer->provenance, NULL, why);
	writer->provenance = NULL;
	return status;
}

enum status sweep_log_append(struct sweep_writer *writer, const struct sweep_row *row,
			     const char *board, const char *agent, struct why *why)
{
	char *line;
	enum status status = writer->provenance ? provenance_append(writer, why) : STATUS_OK;
	if (status)
		return status;
	int length = asprintf(&line,
			      "%016" PRIx64 "\t%s\t%s\t%s\t%.9f\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64
			      "\t%" PRIu64 "\n",
			      row->config, board, agent, row->position, row->seconds, row->nodes,
			      row->probes, row->hits, row->depth);
	if (length < 0)
		return why_errno(why, "%s", writer->file.path);
	status = append_write(&writer->file, line, (size_t)length, why);
	free(line);
	return status;
}

enum status sweep_log_close(struct sweep_writer *writer, struct why *why)
{
	return append_close(&writer->file, why);
}
