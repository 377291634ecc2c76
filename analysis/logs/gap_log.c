/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The log of games held against the optimum: its rows, found again and written; see gap_log.h. */
#include "analysis/logs/gap_log.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum column { CONFIG, BOARD, AGENT, TRAINED, SEED, GAME, RESULT, PHASES, COLUMNS };

struct gap_phase gap_row_total(const struct gap_row *row)
{
	struct gap_phase total = {0};
	for (int k = 0; k < GAP_PHASES; k++) {
		total.moves += row->phase[k].moves;
		total.optimal += row->phase[k].optimal;
		total.lost += row->phase[k].lost;
	}
	return total;
}

/* One EXPONENT:MOVES:OPTIMAL:LOST, of a larger exponent than LAST; what follows it, or NULL. */
static const char *phase_read(const char *text, struct gap_row *row, long *last)
{
	char *end;
	const long exponent = strtol(text, &end, 10);
	if (*text < '0' || *text > '9' || exponent <= *last || exponent >= GAP_PHASES)
		return NULL;
	struct gap_phase *phase = &row->phase[ *last = exponent];
	double *const members[] = {&phase->moves, &phase->optimal, &phase->lost};
	const char *at = end;
	for (size_t i = 0; at && i < sizeof members / sizeof *members; i++)
		at = *at == ':' ? rowlog_real(at + 1, members[i]) : NULL;
	return at && phase->moves > 0 && phase->optimal <= phase->moves ? at : NULL;
}

static bool phases_read(const char *text, struct gap_row *row)
{
	long last = -1;
	if (strcmp(text, "-") == 0)
		return true;
	while ((text = phase_read(text, row, &last)) && *text == ',')
		text++;
	return text && *text == '\0';
}

static bool row_read(char *const *field, struct gap_row *row)
{
	const bool exact = strcmp(field[GAME], "exact") == 0;
	*row = (struct gap_row){.game = GAP_EXACT};
	const char *end = rowlog_real(field[RESULT], &row->result);
	return rowlog_number(field[CONFIG], 16, &row->config) &&
	       rowlog_number(field[TRAINED], 10, &row->trained) &&
	       rowlog_number(field[SEED], 10, &row->seed) &&
	       (exact || rowlog_number(field[GAME], 10, &row->game)) && end && *end == '\0' &&
	       phases_read(field[PHASES], row);
}

static enum status row_add(struct gap_log *log, const struct gap_row *row, struct why *why)
{
	if (log->count == log->room) {
		size_t room = log->room ? 2 * log->room : 1024;
		struct gap_row *grown = reallocarray(log->rows, room, sizeof *grown);
		if (!grown)
			return why_errno(why, "%zu games", room);
		log->rows = grown;
		log->room = room;
	}
	log->rows[log->count++] = *row;
	return STATUS_OK;
}

static enum status row_take(void *log, char *const *field, struct why *why)
{
	struct gap_row row;
	return row_read(field, &row) ? row_add(log, &row, why) : STATUS_INPUT;
}

static const char header[] = "config\tboard\tagent\ttrained\tseed\tgame\tresult\tphases";

static const struct rowlog_kind kind = {
    .header = header,
    .columns = COLUMNS,
    .log = "a log of games held against the optimum",
    .names = "config board agent ... phases",
    .row = "a game",
    .take = row_take,
};

const struct parts_kind gap_log_parts = {
    .stem = "gap",
    .header = header,
    .log = "log of games held against the optimum",
    .key = 1 << CONFIG | 1 << SEED | 1 << GAME,
    .decision = 1 << RESULT | 1 << PHASES,
};

static int row_order(const void *a, const void *b)
{
	const struct gap_row *x = a, *y = b;
	if (x->config != y->config)
		return x->config < y->config ? -1 : 1;
	if (x->seed != y->seed)
		return x->seed < y->seed ? -1 : 1;
	return (x->game > y->game) - (x->game < y->game);
}

/* Ready to be searched. */
static void log_sort(struct gap_log *log)
{
	if (log->count)
		qsort(log->rows, log->count, sizeof *log->rows, row_order);
}

enum status gap_log_read(struct gap_log *log, const char *path, struct why *why)
{
	return gap_log_read_parts(log, &(struct parts){.path = (char *[]){(char *)path}, .n = 1},
				  why);
}

enum status gap_log_read_parts(struct gap_log *log, const struct parts *files, struct why *why)
{
	struct gap_log read = {0};
	enum status status = rowlog_read_parts(&kind, files, &read, &read.torn, why);
	if (status) {
		gap_log_fini(&read);
		return status;
	}
	log_sort(&read);
	*log = read;
	return STATUS_OK;
}

enum status gap_log_open(struct rowlog_writer *writer, const char *path,
			 const char *const *provenance, struct gap_log *log, struct why *why)
{
	struct gap_log there = {0};
	enum status status = rowlog_open(writer, &kind, path, provenance, &there, why);
	if (status) {
		gap_log_fini(&there);
		return status;
	}
	log_sort(&there);
	*log = there;
	return STATUS_OK;
}

void gap_log_fini(struct gap_log *log)
{
	free(log->rows);
	*log = (struct gap_log){0};
}

const struct gap_row *gap_log_find(const struct gap_log *log, uint64_t config, uint64_t seed,
				   uint64_t game)
{
	const struct gap_row key = {.config = config, .seed = seed, .game = game};
	if (!log->count)
		return NULL;
	return bsearch(&key, log->rows, log->count, sizeof key, row_order);
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

enum status gap_log_append(struct rowlog_writer *writer, const struct gap_row *row,
			   const char *board, const char *agent, struct why *why)
{
	char *line = NULL;
	size_t length = 0;
	FILE *memory = stream_open(&line, &length);
	if (!memory)
		return why_errno(why, "%s", writer->file.path);
	row_print(memory, row, board, agent);
	enum status status = fclose(memory) ? why_errno(why, "%s", writer->file.path)
					    : rowlog_append(writer, line, length, why);
	free(line);
	return status;
}
