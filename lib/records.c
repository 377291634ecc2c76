/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recorded games with their moves as arrays, on top of boards/record.h; see nxn.h. The writer
 * replays every record before it writes it, so a file contains only games that are possible.
 */
#include "lib/libnxn.h"

#include "boards/record.h"

#include <stdlib.h>

/* Room for the moves of a record, and its starting position. */
struct arrays {
	uint8_t *move; /* [3][room]: directions, cells, exponents */
	size_t room;
	uint8_t start[CELLS_MAX];
};

struct nxn_record_reader {
	struct record_reader *reader;
	struct nxn_game game;
	struct arrays arrays;
	struct nxn_record record;
};

enum nxn_status nxn_record_reader_open(const char *path, struct nxn_record_reader **reader,
				       struct nxn_why *why)
{
	struct nxn_record_reader *made =
	    aligned_alloc(_Alignof(struct nxn_record_reader), sizeof *made);
	if (!made)
		return public_status(
		    why_set(reason(why), STATUS_SYSTEM, "%s: out of memory for a reader", path));
	memset(made, 0, sizeof *made);
	const enum status status = record_reader_open(path, &made->reader, reason(why));
	if (status)
		free(made);
	else
		*reader = made;
	return public_status(status);
}

static enum status arrays_reserve(struct arrays *arrays, size_t n, struct why *why)
{
	if (n <= arrays->room)
		return STATUS_OK;
	uint8_t *move = realloc(arrays->move, 3 * n);
	if (!move)
		return why_set(why, STATUS_SYSTEM, "out of memory for %zu moves", n);
	arrays->move = move;
	arrays->room = n;
	return STATUS_OK;
}

static void record_fill(struct nxn_record_reader *reader, const struct record_line *line)
{
	const struct record *record = &line->record;
	const int cols = line->game->cols;
	uint8_t *direction = reader->arrays.move, *cell = direction + reader->arrays.room,
		*exponent = cell + reader->arrays.room;
	reader->game.game = *line->game;
	board_store(line->game, &record->start, reader->arrays.start);
	for (size_t i = 0; i < record->moves; i++) {
		const int place = record->move[i].place;
		direction[i] = record->move[i].direction;
		cell[i] = (uint8_t)(place / ROW_BYTES * cols + place % ROW_BYTES);
		exponent[i] = record->move[i].exponent;
	}
	reader->record = (struct nxn_record){.game = &reader->game,
					     .player = line->player,
					     .has_seed = line->seed.known,
					     .has_index = line->index.known,
					     .seed = line->seed.number,
					     .index = line->index.number,
					     .start = reader->arrays.start,
					     .moves = record->moves,
					     .direction = direction,
					     .cell = cell,
					     .exponent = exponent,
					     .score = record->score,
					     .finished = record->finished};
}

enum nxn_status nxn_record_reader_next(struct nxn_record_reader *reader,
				       const struct nxn_record **record, struct nxn_why *why)
{
	const struct record_line *line;
	enum status status = record_reader_next(reader->reader, &line, reason(why));
	if (!status && line)
		status = arrays_reserve(&reader->arrays, line->record.moves, reason(why));
	if (status)
		return public_status(status);
	if (line)
		record_fill(reader, line);
	*record = line ? &reader->record : NULL;
	return NXN_OK;
}

void nxn_record_reader_close(struct nxn_record_reader *reader)
{
	if (!reader)
		return;
	record_reader_close(reader->reader);
	free(reader->arrays.move);
	free(reader);
}

/* ---- Writing. */

struct nxn_record_writer {
	struct record_writer writer;
	char player[RECORD_PLAYER_MAX];
};

enum nxn_status nxn_record_writer_open(const char *path, const char *player,
				       struct nxn_record_writer **writer, struct nxn_why *why)
{
	struct nxn_record_writer *made = malloc(sizeof *made);
	if (!made)
		return public_status(
		    why_set(reason(why), STATUS_SYSTEM, "%s: out of memory for a writer", path));
	const enum status status =
	    record_writer_open(&made->writer, path, player, NULL, reason(why));
	if (status) {
		free(made);
		return public_status(status);
	}
	strcpy(made->player, player); /* fits, since record_writer_open() accepted it */
	*writer = made;
	return NXN_OK;
}

/* Makes move I of RECORD in REPLAY, and stores it in *MOVE. */
static enum status move_take(const struct nxn_record *record, size_t i, struct replay *replay,
			     struct record_move *move, struct why *why)
{
	const struct game *game = replay->game;
	const int direction = record->direction[i], exponent = record->exponent[i];
	const int cell = exponent ? record->cell[i] : 0;
	if (direction >= DIRECTIONS)
		return why_set(why, STATUS_INPUT, "move %zu: direction %d, expected 0..3", i + 1,
			       direction);
	if (cell >= game->cells)
		return why_set(why, STATUS_INPUT, "move %zu: a tile appeared outside the board",
			       i + 1);
	*move = (struct record_move){
	    .direction = (uint8_t)direction,
	    .place = (uint8_t)(cell / game->cols * ROW_BYTES + cell % game->cols),
	    .exponent = (uint8_t)exponent};
	enum status status = move_replay(replay, move, i, record->moves, false, why);
	game->moves(&replay->board, &replay->moves);
	return status;
}

/* Replays RECORD into LINE. MOVE has room for RECORD's moves. */
static enum status record_replay(const struct nxn_record *record, struct record_line *line,
				 struct record_move *move, struct why *why)
{
	struct replay replay = {.game = &record->game->game};
	enum status status = board_take(replay.game, record->start, 0, &replay.board, why);
	if (status)
		return status;
	line->record = (struct record){.start = replay.board, .moves = record->moves, .move = move};
	replay.game->moves(&replay.board, &replay.moves);
	for (size_t i = 0; !status && i < record->moves; i++)
		status = move_take(record, i, &replay, &move[i], why);
	line->record.score = replay.score;
	line->record.max_exponent = board_max(&replay.board);
	line->record.finished = replay.moves.legal == 0;
	return status;
}

enum nxn_status nxn_record_writer_append(struct nxn_record_writer *writer,
					 const struct nxn_record *record, struct nxn_why *why)
{
	struct record_line line = {
	    .game = &record->game->game,
	    .player = writer->player,
	    .seed = {record->has_seed != 0, record->seed},
	    .index = {record->has_index != 0, record->index},
	};
	struct record_move *move =
	    record->moves <= SIZE_MAX / 8 ? malloc((record->moves + 1) * sizeof *move) : NULL;
	enum status status = STATUS_OK;
	if (!move)
		status = why_set(reason(why), STATUS_SYSTEM, "out of memory for %zu moves",
				 record->moves);
	if (!status)
		status = record_replay(record, &line, move, reason(why));
	if (!status)
		status = record_writer_append(&writer->writer, &line, reason(why));
	free(move);
	return public_status(status);
}

enum nxn_status nxn_record_writer_close(struct nxn_record_writer *writer, struct nxn_why *why)
{
	if (!writer)
		return NXN_OK;
	const enum status status = append_close(&writer->writer.file, reason(why));
	free(writer);
	return public_status(status);
}
