/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The log of a sweep in memory: reading and finding; see sweep_log.h.
 *
 * No line is believed that does not end in a newline, and the writer removes it before it appends,
 * so a process may be killed at any moment.
 */
#include "analysis/sweep_log.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum column { CONFIG, BOARD, AGENT, POSITION, SECONDS, NODES, PROBES, HITS, DEPTH, COLUMNS };

const char sweep_log_header[] =
    "config\tboard\tagent\tposition\tseconds\tnodes\tprobes\thits\tdepth";

/* Cuts LINE at its tabs; the number of columns, of which the first COLUMNS are in FIELD. */
static int line_split(char *line, char *field[COLUMNS])
{
	int count = 0;
	for (char *next; line; line = next, count++) {
		next = strchr(line, '\t');
		if (next)
			*next++ = '\0';
		if (count < COLUMNS)
			field[count] = line;
	}
	return count;
}

/* Digits of BASE and nothing else. */
static bool number_read(const char *text, int base, uint64_t *number)
{
	char *end;
	errno = 0;
	*number = strtoull(text, &end, base);
	return strchr("0123456789abcdef", *text) && *text && *end == '\0' && !errno;
}

static bool seconds_read(const char *text, double *seconds)
{
	char *end;
	*seconds = strtod(text, &end);
	return *text >= '0' && *text <= '9' && *end == '\0' && isfinite(*seconds);
}

/* The row of FIELD, whose position points into the line. */
static bool row_read(char *field[COLUMNS], struct sweep_row *row)
{
	row->position = field[POSITION];
	return number_read(field[CONFIG], 16, &row->config) && *field[POSITION] &&
	       seconds_read(field[SECONDS], &row->seconds) &&
	       number_read(field[NODES], 10, &row->nodes) &&
	       number_read(field[PROBES], 10, &row->probes) &&
	       number_read(field[HITS], 10, &row->hits) &&
	       number_read(field[DEPTH], 10, &row->depth);
}

static enum status row_add(struct sweep_log *log, const struct sweep_row *row, struct why *why)
{
	if (log->count == log->room) {
		size_t room = log->room ? 2 * log->room : 1024;
		struct sweep_row *grown = reallocarray(log->rows, room, sizeof *grown);
		if (!grown)
			return why_errno(why, "%zu searches", room);
		log->rows = grown;
		log->room = room;
	}
	struct sweep_row copy = *row;
	copy.position = strdup(row->position);
	if (!copy.position)
		return why_errno(why, "%zu searches", log->count);
	log->rows[log->count++] = copy;
	return STATUS_OK;
}

/* Takes in line NUMBER, without its newline. */
static enum status line_take(struct sweep_log *log, char *line, const char *path, size_t number,
			     struct why *why)
{
	char *field[COLUMNS];
	struct sweep_row row;
	if (*line == '#')
		return STATUS_OK;
	if (!log->header) {
		log->header = strcmp(line, sweep_log_header) == 0;
		if (log->header)
			return STATUS_OK;
		return why_set(why, STATUS_INPUT,
			       "%s:%zu: not the log of a sweep: expected the column names config "
			       "board agent ... depth, found '%.40s'",
			       path, number, line);
	}
	if (line_split(line, field) != COLUMNS || !row_read(field, &row))
		return why_set(why, STATUS_INPUT,
			       "%s:%zu: not a search: expected %d columns as the names say", path,
			       number, COLUMNS);
	return row_add(log, &row, why);
}

/* Whether a torn LINE can be the beginning of what belongs there. */
static bool torn_fits(const struct sweep_log *log, const char *line)
{
	return log->header || *line == '#' || strncmp(line, sweep_log_header, strlen(line)) == 0;
}

static enum status lines_take(struct sweep_log *log, FILE *file, const char *path, struct why *why)
{
	enum status status = STATUS_OK;
	char *line = NULL;
	size_t room = 0;
	ssize_t length;
	for (size_t n = 1; !status && (length = getline(&line, &room, file)) > 0; n++) {
		bool whole = line[length - 1] == '\n';
		if (whole) {
			line[length - 1] = '\0';
			log->whole += (size_t)length;
		} else {
			log->torn = (size_t)length;
		}
		if (whole || !torn_fits(log, line))
			status = line_take(log, line, path, n, why);
	}
	if (!status && ferror(file))
		status = why_errno(why, "%s: cannot be read", path);
	free(line);
	return status;
}

static int row_order(const void *a, const void *b)
{
	const struct sweep_row *x = a, *y = b;
	if (x->config != y->config)
		return x->config < y->config ? -1 : 1;
	return strcmp(x->position, y->position);
}

enum status sweep_log_read(struct sweep_log *log, const char *path, struct why *why)
{
	struct sweep_log read = {0};
	FILE *file = fopen(path, "re");
	if (!file)
		return why_errno(why, "%s: cannot be read", path);
	enum status status = lines_take(&read, file, path, why);
	fclose(file);
	if (status) {
		sweep_log_fini(&read);
		return status;
	}
	if (read.count)
		qsort(read.rows, read.count, sizeof *read.rows, row_order);
	*log = read;
	return STATUS_OK;
}

void sweep_log_fini(struct sweep_log *log)
{
	for (size_t i = 0; i < log->count; i++)
		free(log->rows[i].position);
	free(log->rows);
	*log = (struct sweep_log){0};
}

const struct sweep_row *sweep_log_find(const struct sweep_log *log, uint64_t config,
				       const char *position)
{
	struct sweep_row key = {.config = config, .position = (char *)position};
	if (!log->count)
		return NULL;
	return bsearch(&key, log->rows, log->count, sizeof key, row_order);
}
