/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The log of games held against the optimum, in memory: reading and finding; see gap_log.h.
 *
 * No line is believed that does not end in a newline, and the writer removes it before it appends,
 * so a process may be killed at any moment.
 */
#include "analysis/gap_log.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum column { CONFIG, BOARD, AGENT, TRAINED, SEED, GAME, RESULT, PHASES, COLUMNS };

const char gap_log_header[] = "config\tboard\tagent\ttrained\tseed\tgame\tresult\tphases";

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
	return *text && strchr("0123456789abcdef", *text) && *end == '\0' && !errno;
}

/* A number from 0 that stands at TEXT; what follows it, or NULL. */
static const char *real_read(const char *text, double *number)
{
	char *end;
	*number = strtod(text, &end);
	return *text >= '0' && *text <= '9' && isfinite(*number) ? end : NULL;
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
		at = *at == ':' ? real_read(at + 1, members[i]) : NULL;
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

static bool row_read(char *field[COLUMNS], struct gap_row *row)
{
	const bool exact = strcmp(field[GAME], "exact") == 0;
	*row = (struct gap_row){.game = GAP_EXACT};
	const char *end = real_read(field[RESULT], &row->result);
	return number_read(field[CONFIG], 16, &row->config) &&
	       number_read(field[TRAINED], 10, &row->trained) &&
	       number_read(field[SEED], 10, &row->seed) &&
	       (exact || number_read(field[GAME], 10, &row->game)) && end && *end == '\0' &&
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

/* Takes in line NUMBER, without its newline. */
static enum status line_take(struct gap_log *log, char *line, const char *path, size_t number,
			     struct why *why)
{
	char *field[COLUMNS];
	struct gap_row row;
	if (*line == '#')
		return STATUS_OK;
	if (!log->header) {
		log->header = strcmp(line, gap_log_header) == 0;
		if (log->header)
			return STATUS_OK;
		return why_set(why, STATUS_INPUT,
			       "%s:%zu: not a log of games held against the optimum: expected the "
			       "column names config board agent ... phases, found '%.40s'",
			       path, number, line);
	}
	if (line_split(line, field) != COLUMNS || !row_read(field, &row))
		return why_set(why, STATUS_INPUT,
			       "%s:%zu: not a game: expected %d columns as the names say", path,
			       number, COLUMNS);
	return row_add(log, &row, why);
}

/* Whether a torn LINE can be the beginning of what belongs there. */
static bool torn_fits(const struct gap_log *log, const char *line)
{
	return log->header || *line == '#' || strncmp(line, gap_log_header, strlen(line)) == 0;
}

static enum status lines_take(struct gap_log *log, FILE *file, const char *path, struct why *why)
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
	const struct gap_row *x = a, *y = b;
	if (x->config != y->config)
		return x->config < y->config ? -1 : 1;
	if (x->seed != y->seed)
		return x->seed < y->seed ? -1 : 1;
	return (x->game > y->game) - (x->game < y->game);
}

enum status gap_log_read(struct gap_log *log, const char *path, struct why *why)
{
	struct gap_log read = {0};
	FILE *file = fopen(path, "re");
	if (!file)
		return why_errno(why, "%s: cannot be read", path);
	enum status status = lines_take(&read, file, path, why);
	fclose(file);
	if (status) {
		gap_log_fini(&read);
		return status;
	}
	if (read.count)
		qsort(read.rows, read.count, sizeof *read.rows, row_order);
	*log = read;
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
