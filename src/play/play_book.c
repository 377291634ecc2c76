/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A record file that games are added to; see play_book.h. */
#include "src/play/play_book.h"

#include "src/cli/provenance.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static int number_compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

/* Whether LINE is one of the games that BOOK is about. */
static bool book_knows(const struct book *book, const struct record_line *line)
{
	char ours[SPAWN_TEXT_MAX], theirs[SPAWN_TEXT_MAX];
	if (!line->seed.known || line->seed.number != book->seed || !line->index.known ||
	    line->config.known != book->config.known)
		return false;
	if (book->config.known)
		return line->config.number == book->config.number;
	spawn_format(&book->game->spawn, ours);
	spawn_format(&line->game->spawn, theirs);
	return strcmp(line->player, book->player) == 0 &&
	       strcmp(line->game->name, book->game->name) == 0 && strcmp(ours, theirs) == 0;
}

static enum status book_note(struct book *book, size_t *room, uint64_t index, struct why *why)
{
	if (book->count == *room) {
		size_t more = 2 * *room + 64;
		uint64_t *grown = reallocarray(book->played, more, sizeof *grown);
		if (!grown)
			return why_errno(why, "%zu recorded games", more);
		book->played = grown;
		*room = more;
	}
	book->played[book->count++] = index;
	return STATUS_OK;
}

/* Checks the file and fills in which games it has. */
static enum status book_read(struct book *book, const char *path, struct why *why)
{
	struct record_reader *reader;
	const struct record_line *line;
	size_t room = 0;
	enum status status = record_reader_open(path, &reader, why);
	if (status)
		return status;
	do {
		status = record_reader_next(reader, &line, why);
		if (!status && line && book_knows(book, line))
			status = book_note(book, &room, line->index.number, why);
	} while (!status && line);
	record_reader_close(reader);
	if (!status && book->count)
		qsort(book->played, book->count, sizeof *book->played, number_compare);
	return status;
}

enum status book_open(struct book *book, const char *path, const char *command, const char *name,
		      struct why *why)
{
	struct provenance provenance;
	char seed[24];
	snprintf(seed, sizeof seed, "%" PRIu64, book->seed);
	/* Now, and not when a whole game has been played. */
	enum status status = record_player_check(book->player, why);
	if (!status)
		status = provenance_init(&provenance, command, book->config.number, seed, why);
	if (status)
		return status;
	status = record_open(&book->writer, path, provenance_lines(&provenance), why);
	provenance_fini(&provenance);
	if (status)
		return status;
	if (book->writer.file.cut)
		fprintf(stderr, "%s: %s: cut off a torn last line of %zu bytes\n", name, path,
			book->writer.file.cut);
	status = book_read(book, path, why);
	if (status) {
		struct why ignored;
		enum status closed = book_close(book, &ignored);
		(void)closed;
	}
	return status;
}

bool book_has(const struct book *book, uint64_t index)
{
	return book->count &&
	       bsearch(&index, book->played, book->count, sizeof index, number_compare);
}

uint64_t book_free_index(const struct book *book)
{
	uint64_t index = 0;
	while (book_has(book, index))
		index++;
	return index;
}

enum status book_append(struct book *book, uint64_t index, const struct record *record,
			struct why *why)
{
	struct record_line line = {.game = book->game,
				   .player = book->player,
				   .config = book->config,
				   .seed = {true, book->seed},
				   .index = {true, index},
				   .record = *record};
	return record_append(&book->writer, &line, why);
}

enum status book_close(struct book *book, struct why *why)
{
	free(book->played);
	book->played = NULL;
	book->count = 0;
	return record_close(&book->writer, why);
}
