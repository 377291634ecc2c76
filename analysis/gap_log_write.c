/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Appends to the log of games held against the optimum, in the manner of boards/append.h; see
 * gap_log.h. What is not such a log stays as it is.
 */
#include "analysis/gap_log.h"
#include "boards/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Leaves FILE, in which LOG was read, with a header and whole lines. */
static enum status file_mend(struct append_file *file, const struct gap_log *log, struct why *why)
{
	enum status status = append_cut(file, (off_t)log->whole, (off_t)log->torn, why);
	if (status || log->header)
		return status;
	return append_head(file, gap_log_header, NULL, NULL, why);
}

static enum status take_over(struct append_file *file, struct gap_log *log, struct why *why)
{
	struct gap_log there;
	enum status status = append_lock(file, "log", why);
	if (!status)
		status = gap_log_read(&there, file->path, why);
	if (status)
		return status;
	status = file_mend(file, &there, why);
	if (status)
		gap_log_fini(&there);
	else
		*log = there;
	return status;
}

enum status gap_log_open(struct gap_writer *writer, const char *path, const char *const *provenance,
			 struct gap_log *log, struct why *why)
{
	struct gap_writer w = {.provenance = provenance};
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

/* X behind a character; nothing is negative in the log, not even 0. */
static void real_print(FILE *file, char before, double x)
{
	char text[REAL_TEXT_MAX];
	real_format(x + 0.0, text);
	fprintf(file, "%c%s", before, text);
}

static void phases_print(FILE *file, const struct gap_row *row)
{
	bool any = false;
	for (int k = 0; k < GAP_PHASES; k++) {
		const struct gap_phase *phase = &row->phase[k];
		if (!(phase->moves > 0))
			continue;
		fprintf(file, "%c%d", any ? ',' : '\t', k);
		real_print(file, ':', phase->moves);
		real_print(file, ':', phase->optimal);
		real_print(file, ':', phase->lost);
		any = true;
	}
	fputs(any ? "\n" : "\t-\n", file);
}

static void row_print(FILE *file, const struct gap_row *row, const char *board, const char *agent)
{
	fprintf(file, "%016" PRIx64 "\t%s\t%s\t%" PRIu64 "\t%" PRIu64 "\t", row->config, board,
		agent, row->trained, row->seed);
	if (row->game == GAP_EXACT)
		fputs("exact", file);
	else
		fprintf(file, "%" PRIu64, row->game);
	real_print(file, '\t', row->result);
	phases_print(file, row);
}

static enum status provenance_append(struct gap_writer *writer, struct why *why)
{
	enum status status = append_head(&writer->file, NULL, writer->provenance, NULL, why);
	writer->provenance = NULL;
	return status;
}

enum status gap_log_append(struct gap_writer *writer, const struct gap_row *row, const char *board,
			   const char *agent, struct why *why)
{
	char *line = NULL;
	size_t length = 0;
	enum status status = writer->provenance ? provenance_append(writer, why) : STATUS_OK;
	if (status)
		return status;
	FILE *memory = open_memstream(&line, &length);
	if (!memory)
		return why_errno(why, "%s", writer->file.path);
	row_print(memory, row, board, agent);
	status = fclose(memory) ? why_errno(why, "%s", writer->file.path)
				: append_write(&writer->file, line, length, why);
	free(line);
	return status;
}

enum status gap_log_close(struct gap_writer *writer, struct why *why)
{
	return append_close(&writer->file, why);
}
