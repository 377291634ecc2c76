/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads record files line by line; what a line holds is in record_parse.c. A torn last line is never
 * believed: it may be cut off anywhere.
 */
#include "boards/record_line.h"

#include "base/append.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

struct record_reader {
	FILE *file;
	char *path;
	char *text; /* the line read last, of ROOM bytes */
	size_t room, number;
	bool torn;
	struct record_parser parser;
	struct record_line line;
};

/* What a failure at the present line is told with. */
static enum status line_fail(const struct record_reader *reader, enum status status,
			     const struct why *reason, struct why *why)
{
	return why_set(why, status, "%s:%zu: %s", reader->path, reader->number, reason->text);
}

/* Reads a line without its newline; *FOUND is false behind the last whole one. */
static enum status line_next(struct record_reader *reader, bool *found, struct why *why)
{
	struct why reason;
	*found = false;
	if (reader->torn)
		return STATUS_OK;
	ssize_t length = getline(&reader->text, &reader->room, reader->file);
	const bool whole = length > 0 && reader->text[length - 1] == '\n';
	if (!whole && lines_cut_short(reader->file))
		return why_file(why, reader->path, "cannot be read");
	if (length <= 0)
		return STATUS_OK;
	reader->number++;
	reader->torn = !whole;
	if (reader->torn)
		return STATUS_OK;
	reader->text[--length] = '\0';
	*found = true;
	if (strlen(reader->text) == (size_t)length)
		return STATUS_OK;
	why_set(&reason, STATUS_INPUT, "holds a zero byte");
	return line_fail(reader, STATUS_INPUT, &reason, why);
}

static enum status format_check(struct record_reader *reader, struct why *why)
{
	bool found;
	enum status status = line_next(reader, &found, why);
	if (status || (found && strcmp(reader->text, record_format_line) == 0))
		return status;
	return why_set(why, STATUS_INPUT,
		       "%s:1: no games that this nxn can read: expected '%s', found '%.40s'",
		       reader->path, record_format_line, reader->text ? reader->text : "");
}

enum status record_reader_open(const char *path, struct record_reader **reader, struct why *why)
{
	FILE *file = fopen(path, "re");
	if (!file && errno == ENOENT)
		return why_set(why, STATUS_INPUT, "%s: no such record file", path);
	if (!file)
		return why_file(why, path, "cannot be read");
	struct record_reader *made = calloc(1, sizeof *made);
	char *name = strdup(path);
	if (!made || !name) {
		free(made);
		free(name);
		fclose(file);
		return why_set(why, STATUS_SYSTEM, "%s: out of memory", path);
	}
	made->file = file;
	made->path = name;
	enum status status = format_check(made, why);
	if (status)
		record_reader_close(made);
	else
		*reader = made;
	return status;
}

enum status record_reader_next(struct record_reader *reader, const struct record_line **line,
			       struct why *why)
{
	struct why reason;
	bool found;
	*line = NULL;
	do {
		enum status status = line_next(reader, &found, why);
		if (status || !found)
			return status;
	} while (reader->text[0] == '#');
	enum status status = record_parse(&reader->parser, reader->text, &reader->line, &reason);
	if (status)
		return line_fail(reader, status, &reason, why);
	*line = &reader->line;
	return STATUS_OK;
}

size_t record_reader_line(const struct record_reader *reader)
{
	return reader->number;
}

bool record_reader_torn(const struct record_reader *reader)
{
	return reader->torn;
}

void record_reader_close(struct record_reader *reader)
{
	if (!reader)
		return;
	fclose(reader->file);
	free(reader->path);
	free(reader->text);
	record_parser_fini(&reader->parser);
	free(reader);
}

/* Whether games of A are games of B, but for probabilities. */
static bool game_fits(const struct game *a, const struct game *b)
{
	return a->rows == b->rows && a->cols == b->cols && a->spawn.kinds == b->spawn.kinds &&
	       memcmp(a->spawn.exponent, b->spawn.exponent, (size_t)a->spawn.kinds) == 0;
}

/* Appends a copy of RECORD. ROOM is how many games there is memory for. */
static enum status records_add(struct records *records, size_t *room, const struct record *record,
			       struct why *why)
{
	if (records->games == *room) {
		size_t more = 2 * *room + 16;
		struct record *grown = reallocarray(records->game, more, sizeof *grown);
		if (!grown)
			return why_errno(why, "%zu recorded games", more);
		records->game = grown;
		*room = more;
	}
	struct record *copy = &records->game[records->games];
	size_t bytes = record->moves * sizeof *record->move;
	void *move = malloc(bytes ? bytes : 1);
	if (!move)
		return why_errno(why, "a game of %zu moves", record->moves);
	if (bytes)
		memcpy(move, record->move, bytes);
	*copy = *record;
	copy->move = move;
	records->games++;
	return STATUS_OK;
}

/* Adds the games of READER that fit GAME; all of them are checked, and counted in SEEN. */
static enum status records_collect(struct record_reader *reader, const struct game *game,
				   struct records *records, size_t *seen, struct why *why)
{
	size_t room = 0;
	for (;;) {
		const struct record_line *line;
		enum status status = record_reader_next(reader, &line, why);
		if (status || !line)
			return status;
		++*seen;
		if (game_fits(line->game, game))
			status = records_add(records, &room, &line->record, why);
		if (status)
			return status;
	}
}

enum status records_read(const char *path, const struct game *game, struct records *records,
			 struct why *why)
{
	struct record_reader *reader;
	struct records read = {0};
	size_t seen = 0;
	enum status status = record_reader_open(path, &reader, why);
	if (status)
		return status;
	status = records_collect(reader, game, &read, &seen, why);
	read.torn = record_reader_torn(reader);
	record_reader_close(reader);
	if (!status && read.games == 0) {
		char spawn[SPAWN_TEXT_MAX];
		spawn_format(&game->spawn, spawn);
		status = why_set(why, STATUS_INPUT,
				 "%s: none of its %zu games is on %s with the tiles of %s", path,
				 seen, game->name, spawn);
	}
	if (status)
		records_free(&read);
	else
		*records = read;
	return status;
}

void records_free(struct records *records)
{
	for (size_t i = 0; i < records->games; i++)
		free((void *)records->game[i].move);
	free(records->game);
	*records = (struct records){0};
}
