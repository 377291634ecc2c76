/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes a line of a record file; reading one is in record_parse.c. Every game has one spelling, but
 * for its spawn rule.
 */
#include "boards/record_line.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

const char record_format_line[] = "# nxn record 1";

struct record_move record_move_of(int direction, const struct board *after,
				  const struct board *next)
{
	struct record_move move = {.direction = (uint8_t)direction};
	for (int place = 0; place < SIDE_MAX * ROW_BYTES; place++) {
		int r = place / ROW_BYTES, c = place % ROW_BYTES;
		if (after->cell[r][c] == next->cell[r][c])
			continue;
		move.place = (uint8_t)place;
		move.exponent = next->cell[r][c];
	}
	return move;
}

enum status record_player_check(const char *name, struct why *why)
{
	size_t length = 0;
	while ((unsigned char)name[length] >= ' ' && name[length] != '\x7f')
		length++;
	if (!name[length] && length > 0 && length < RECORD_PLAYER_MAX)
		return STATUS_OK;
	return why_set(why, STATUS_INPUT,
		       "player '%.80s': expected 1 to %d bytes without control characters", name,
		       RECORD_PLAYER_MAX - 1);
}

static void number_put(FILE *out, const struct record_number *number)
{
	if (number->known)
		fprintf(out, "%" PRIu64 "\t", number->number);
	else
		fputs("-\t", out);
}

static void moves_put(FILE *out, const struct game *game, const struct record *record)
{
	static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
	for (size_t i = 0; i < record->moves; i++) {
		const struct record_move *move = &record->move[i];
		int r = move->place / ROW_BYTES, c = move->place % ROW_BYTES;
		putc("URDL"[move->direction], out);
		putc(digits[r * game->cols + c], out);
		putc(digits[move->exponent], out);
	}
	if (record->moves == 0)
		putc('-', out);
}

static void line_put(FILE *out, const struct record_line *line)
{
	const struct record *record = &line->record;
	char spawn[SPAWN_TEXT_MAX], start[BOARD_TEXT_MAX];
	spawn_format(&line->game->spawn, spawn);
	board_format(line->game, &record->start, start);
	fprintf(out, "%s\t%s\t%s\t", line->game->name, spawn, line->player);
	if (line->config.known)
		fprintf(out, "%016" PRIx64 "\t", line->config.number);
	else
		fputs("-\t", out);
	number_put(out, &line->seed);
	number_put(out, &line->index);
	fprintf(out, "%s\t%" PRIu64 "\t%" PRIu64 "\t%s\t", start, record->score,
		record->max_exponent ? UINT64_C(1) << record->max_exponent : 0,
		record->finished ? "over" : "unfinished");
	moves_put(out, line->game, record);
	putc('\n', out);
}

enum status record_format(const struct record_line *line, char **text, size_t *length,
			  struct why *why)
{
	enum status status = record_player_check(line->player, why);
	if (status)
		return status;
	char *made = NULL;
	FILE *out = stream_open(&made, length);
	if (!out)
		return why_errno(why, "a game of %zu moves", line->record.moves);
	line_put(out, line);
	if (fclose(out) != 0) {
		free(made);
		return why_errno(why, "a game of %zu moves", line->record.moves);
	}
	*text = made;
	return STATUS_OK;
}
