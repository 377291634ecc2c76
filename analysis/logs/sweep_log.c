/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The log of a sweep: its rows, found again and written; see sweep_log.h. */
#include "analysis/logs/sweep_log.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum column { CONFIG, BOARD, AGENT, POSITION, SECONDS, NODES, PROBES, HITS, DEPTH, COLUMNS };

/* The row of FIELD, whose position points into the line. */
static bool row_read(char *const *field, struct sweep_row *row)
{
	const char *end = rowlog_real(field[SECONDS], &row->seconds);
	row->position = field[POSITION];
	return rowlog_number(field[CONFIG], 16, &row->config) && *field[POSITION] && end && !*end &&
	       rowlog_number(field[NODES], 10, &row->nodes) &&
	       rowlog_number(field[PROBES], 10, &row->probes) &&
	       rowlog_number(field[HITS], 10, &row->hits) &&
	       rowlog_number(field[DEPTH], 10, &row->depth);
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

static enum status row_take(void *log, char *const *field, struct why *why)
{
	struct sweep_row row;
	return row_read(field, &row) ? row_add(log, &row, why) : STATUS_INPUT;
}

static const char header[] = "config\tboard\tagent\tposition\tseconds\tnodes\tprobes\thits\tdepth";

static const struct rowlog_kind kind = {
    .header = header,
    .columns = COLUMNS,
    .log = "the log of a sweep",
    .names = "config board agent ... depth",
    .row = "a search",
    .take = row_take,
};

const struct parts_kind sweep_log_parts = {
    .stem = "searches",
    .header = header,
    .log = "log of a sweep",
    .key = 1 << CONFIG | 1 << POSITION,
};

static int row_order(const void *a, const void *b)
{
	const struct sweep_row *x = a, *y = b;
	if (x->config != y->config)
		return x->config < y->config ? -1 : 1;
	return strcmp(x->position, y->position);
}

/* Ready to be searched. */
static void log_sort(struct sweep_log *log)
{
	if (log->count)
		qsort(log->rows, log->count, sizeof *log->rows, row_order);
}

enum status sweep_log_read(struct sweep_log *log, const char *path, struct why *why)
{
	return sweep_log_read_parts(log, &(struct parts){.path = (char *[]){(char *)path}, .n = 1},
				    why);
}

enum status sweep_log_read_parts(struct sweep_log *log, const struct parts *files, struct why *why)
{
	struct sweep_log read = {0};
	enum status status = rowlog_read_parts(&kind, files, &read, &read.torn, why);
	if (status) {
		sweep_log_fini(&read);
		return status;
	}
	log_sort(&read);
	*log = read;
	return STATUS_OK;
}

enum status sweep_log_open(struct rowlog_writer *writer, const char *path,
			   const char *const *provenance, struct sweep_log *log, struct why *why)
{
	struct sweep_log there = {0};
	enum status status = rowlog_open(writer, &kind, path, provenance, &there, why);
	if (status) {
		sweep_log_fini(&there);
		return status;
	}
	log_sort(&there);
	*log = there;
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

enum status sweep_log_append(struct rowlog_writer *writer, const struct sweep_row *row,
			     const char *board, const char *agent, struct why *why)
{
	char *line;
	int length = asprintf(&line,
			      "%016" PRIx64 "\t%s\t%s\t%s\t%.9f\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64
			      "\t%" PRIu64 "\n",
			      row->config, board, agent, row->position, row->seconds, row->nodes,
			      row->probes, row->hits, row->depth);
	if (length < 0)
		return why_errno(why, "%s", writer->file.path);
	enum status status = rowlog_append(writer, line, (size_t)length, why);
	free(line);
	return status;
}
