/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Appends to the log of a sweep; see sweep_log.h. A file is locked and read before anything in it
 * is touched: what is not such a log stays as it is.
 */
#include "analysis/sweep_log.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* One write(2). */
static enum status write_whole(const struct sweep_writer *writer, const char *text, size_t length,
			       struct why *why)
{
	ssize_t written;
	do
		written = write(writer->fd, text, length);
	while (written < 0 && errno == EINTR);
	if (written < 0)
		return why_errno(why, "%s: cannot be written", writer->path);
	if ((size_t)written != length)
		return why_set(why, STATUS_SYSTEM, "%s: only %zd of %zu bytes could be written",
			       writer->path, written, length);
	return STATUS_OK;
}

/* Leaves the file, in which LOG was read, with a header and whole lines. */
static enum status file_mend(struct sweep_writer *writer, const struct sweep_log *log,
			     struct why *why)
{
	if (log->torn > 0 && ftruncate(writer->fd, (off_t)log->whole) != 0)
		return why_errno(why, "%s: cannot cut off its torn last line", writer->path);
	if (log->header)
		return STATUS_OK;
	char line[256];
	int length = snprintf(line, sizeof line, "%s\n", sweep_log_header);
	return write_whole(writer, line, (size_t)length, why);
}

static enum status take_over(struct sweep_writer *writer, struct sweep_log *log, struct why *why)
{
	struct sweep_log there;
	if (flock(writer->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
		return why_set(why, STATUS_INPUT, "%s: another process is writing this log",
			       writer->path);
	enum status status = sweep_log_read(&there, writer->path, why);
	if (status)
		return status;
	status = file_mend(writer, &there, why);
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
	if ((size_t)snprintf(w.path, sizeof w.path, "%s", path) >= sizeof w.path)
		return why_set(why, STATUS_INPUT, "%s: too long a path", path);
	w.fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	if (w.fd < 0)
		return why_errno(why, "%s: cannot be opened for writing", path);
	enum status status = take_over(&w, log, why);
	if (status)
		close(w.fd);
	else
		*writer = w;
	return status;
}

static enum status provenance_append(struct sweep_writer *writer, struct why *why)
{
	char *text = NULL;
	size_t length = 0;
	FILE *memory = open_memstream(&text, &length);
	if (!memory)
		return why_errno(why, "%s: provenance", writer->path);
	for (const char *const *line = writer->provenance; *line; line++)
		fprintf(memory, "# %s\n", *line);
	enum status status = fclose(memory) == 0 ? write_whole(writer, text, length, why)
						 : why_errno(why, "%s: provenance", writer->path);
	free(text);
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
		return why_errno(why, "%s", writer->path);
	status = write_whole(writer, line, (size_t)length, why);
	free(line);
	return status;
}

enum status sweep_log_close(struct sweep_writer *writer, struct why *why)
{
	int fd = writer->fd;
	writer->fd = -1;
	if (fsync(fd) != 0 && errno != EINVAL) {
		enum status status = why_errno(why, "%s: cannot be written to disk", writer->path);
		close(fd);
		return status;
	}
	return close(fd) == 0 ? STATUS_OK : why_errno(why, "%s: cannot be closed", writer->path);
}
