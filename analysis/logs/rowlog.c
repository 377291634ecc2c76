/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Logs of rows, read and written; see rowlog.h. */
#include "analysis/logs/rowlog.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A file while it is read. */
struct reading {
	const struct rowlog_kind *kind;
	const char *path;
	void *log;
	bool header;	    /* it has its row of column names */
	size_t whole, torn; /* bytes of its whole lines, and of a last one without a newline */
};

bool rowlog_number(const char *text, int base, uint64_t *number)
{
	char *end;
	errno = 0;
	*number = strtoull(text, &end, base);
	return *text && strchr("0123456789abcdef", *text) && *end == '\0' && !errno;
}

const char *rowlog_real(const char *text, double *number)
{
	char *end;
	*number = strtod(text, &end);
	return *text >= '0' && *text <= '9' && isfinite(*number) ? end : NULL;
}

/* Cuts LINE at its tabs; the number of columns, of which the first COLUMNS are in FIELD. */
static int line_split(char *line, int columns, char **field)
{
	int count = 0;
	for (char *next; line; line = next, count++) {
		next = strchr(line, '\t');
		if (next)
			*next++ = '\0';
		if (count < columns)
			field[count] = line;
	}
	return count;
}

static enum status row_take(const struct reading *reading, char *line, size_t number,
			    struct why *why)
{
	const struct rowlog_kind *kind = reading->kind;
	char *field[ROWLOG_COLUMNS_MAX];
	enum status status = STATUS_INPUT;
	if (line_split(line, kind->columns, field) == kind->columns)
		status = kind->take(reading->log, field, why);
	if (status != STATUS_INPUT)
		return status;
	return why_set(why, STATUS_INPUT, "%s:%zu: not %s: expected %d columns as the names say",
		       reading->path, number, kind->row, kind->columns);
}

/* Takes in line NUMBER, without its newline. */
static enum status line_take(struct reading *reading, char *line, size_t number, struct why *why)
{
	if (*line == '#')
		return STATUS_OK;
	if (reading->header)
		return row_take(reading, line, number, why);
	reading->header = strcmp(line, reading->kind->header) == 0;
	if (reading->header)
		return STATUS_OK;
	return why_set(why, STATUS_INPUT,
		       "%s:%zu: not %s: expected the column names %s, found '%.40s'", reading->path,
		       number, reading->kind->log, reading->kind->names, line);
}

/* Whether a torn LINE can be the beginning of what belongs there. */
static bool torn_fits(const struct reading *reading, const char *line)
{
	return reading->header || *line == '#' ||
	       strncmp(line, reading->kind->header, strlen(line)) == 0;
}

static enum status lines_take(struct reading *reading, FILE *file, struct why *why)
{
	enum status status = STATUS_OK;
	char *line = NULL;
	size_t room = 0;
	ssize_t length;
	for (size_t n = 1; !status && (length = getline(&line, &room, file)) > 0; n++) {
		bool whole = line[length - 1] == '\n';
		if (whole) {
			line[length - 1] = '\0';
			reading->whole += (size_t)length;
		} else {
			reading->torn = (size_t)length;
		}
		if (whole && strlen(line) != (size_t)length - 1)
			status = why_set(why, STATUS_INPUT, "%s:%zu: holds a zero byte",
					 reading->path, n);
		else if (whole || !torn_fits(reading, line))
			status = line_take(reading, line, n, why);
	}
	if (!status && lines_cut_short(file))
		status = why_file(why, reading->path, "cannot be read");
	free(line);
	return status;
}

static enum status file_take(struct reading *reading, struct why *why)
{
	FILE *file = fopen(reading->path, "re");
	if (!file)
		return why_file(why, reading->path, "cannot be read");
	enum status status = lines_take(reading, file, why);
	fclose(file);
	return status;
}

enum status rowlog_read(const struct rowlog_kind *kind, const char *path, void *log, size_t *torn,
			struct why *why)
{
	struct reading reading = {.kind = kind, .path = path, .log = log};
	enum status status = file_take(&reading, why);
	if (!status)
		*torn = reading.torn;
	return status;
}

enum status rowlog_read_parts(const struct rowlog_kind *kind, const struct parts *files, void *log,
			      size_t *torn, struct why *why)
{
	enum status status = STATUS_OK;
	for (size_t i = 0; !status && i < files->n; i++)
		status = rowlog_read(kind, files->path[i], log, torn, why);
	return status;
}

/* Leaves the file with a header and whole lines. */
static enum status take_over(struct append_file *file, const struct rowlog_kind *kind, void *log,
			     struct why *why)
{
	struct reading reading = {.kind = kind, .path = file->path, .log = log};
	enum status status = append_lock(file, "log", why);
	if (!status)
		status = file_take(&reading, why);
	if (!status)
		status = append_cut(file, (off_t)reading.whole, (off_t)reading.torn, why);
	if (status || reading.header)
		return status;
	return append_head(file, kind->header, NULL, NULL, why);
}

enum status rowlog_open(struct rowlog_writer *writer, const struct rowlog_kind *kind,
			const char *path, const char *const *provenance, void *log, struct why *why)
{
	struct rowlog_writer w = {.provenance = provenance};
	enum status status = append_open(&w.file, path, 0, why);
	if (status)
		return status;
	status = take_over(&w.file, kind, log, why);
	if (status)
		close(w.file.fd);
	else
		*writer = w;
	return status;
}

enum status rowlog_append(struct rowlog_writer *writer, const char *line, size_t length,
			  struct why *why)
{
	const char *const *provenance = writer->provenance;
	writer->provenance = NULL;
	enum status status =
	    provenance ? append_head(&writer->file, NULL, provenance, NULL, why) : STATUS_OK;
	return status ? status : append_write(&writer->file, line, length, why);
}

enum status rowlog_close(struct rowlog_writer *writer, struct why *why)
{
	return append_close(&writer->file, why);
}
