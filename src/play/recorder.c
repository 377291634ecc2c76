/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Games while they are recorded; see recorder.h. What appeared behind a move is seen in the next
 * position.
 */
#include "src/play/recorder.h"

#include "base/array.h"
#include "src/cli/provenance.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void stepped_game_start(struct stepped_game *stepped, const struct game *game, uint64_t seed,
			uint64_t index)
{
	stepped->game = game;
	rng_init(&stepped->spawns, seed, RNG_SPAWN, index);
	board_start(game, &stepped->board, &stepped->spawns);
	turn_init(&stepped->turn, game, &stepped->board, 0);
}

struct record_move stepped_game_move(struct stepped_game *stepped, int direction)
{
	const struct board after = stepped->turn.moves.after[direction];
	turn_move(&stepped->turn, &stepped->board, direction, &stepped->spawns);
	return record_move_of(direction, &after, &stepped->board);
}

enum status recorder_add(struct recorder *recorder, struct record_move move, struct why *why)
{
	struct record_move *grown =
	    array_grow(recorder->move, recorder->moves, &recorder->capacity, sizeof *grown);
	if (!grown)
		return why_errno(why, "a game of %zu moves", recorder->moves);
	recorder->move = grown;
	recorder->move[recorder->moves++] = move;
	return STATUS_OK;
}

struct record recorder_record(const struct recorder *recorder, const struct board *last,
			      uint64_t score, bool finished)
{
	return (struct record){.start = recorder->start,
			       .moves = recorder->moves,
			       .move = recorder->move,
			       .score = score,
			       .max_exponent = board_max(last),
			       .finished = finished};
}

void recorder_fini(struct recorder *recorder)
{
	free(recorder->move);
	*recorder = (struct recorder){0};
}

static int number_compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

/* Whether LINE is one of the games that LOG is about. */
static bool log_knows(const struct record_log *log, const struct record_line *line)
{
	char ours[SPAWN_TEXT_MAX], theirs[SPAWN_TEXT_MAX];
	if (!line->seed.known || line->seed.number != log->seed || !line->index.known ||
	    line->config.known != log->config.known)
		return false;
	if (log->config.known)
		return line->config.number == log->config.number;
	spawn_format(&log->game->spawn, ours);
	spawn_format(&line->game->spawn, theirs);
	return strcmp(line->player, log->player) == 0 &&
	       strcmp(line->game->name, log->game->name) == 0 && strcmp(ours, theirs) == 0;
}

static enum status log_note(struct record_log *log, size_t *capacity, uint64_t index,
			    struct why *why)
{
	uint64_t *grown = array_grow(log->played, log->count, capacity, sizeof *grown);
	if (!grown)
		return why_errno(why, "%zu recorded games", log->count);
	log->played = grown;
	log->played[log->count++] = index;
	return STATUS_OK;
}

/* Checks the file and fills in which games it has. */
static enum status log_read(struct record_log *log, const char *path, struct why *why)
{
	struct record_reader *reader;
	const struct record_line *line;
	size_t capacity = 0;
	enum status status = record_reader_open(path, &reader, why);
	if (status)
		return status;
	do {
		status = record_reader_next(reader, &line, why);
		if (!status && line && log_knows(log, line))
			status = log_note(log, &capacity, line->index.number, why);
	} while (!status && line);
	record_reader_close(reader);
	if (!status && log->count)
		qsort(log->played, log->count, sizeof *log->played, number_compare);
	return status;
}

enum status record_log_open(struct record_log *log, const struct play_options *options,
			    struct why *why)
{
	struct provenance provenance;
	char seed[24];
	snprintf(seed, sizeof seed, "%" PRIu64, log->seed);
	enum status status =
	    provenance_init(&provenance, options->command, log->config.number, seed, NULL, why);
	if (status)
		return status;
	status = record_open(&log->writer, options->record, log->player,
			     provenance_lines(&provenance), why);
	provenance_fini(&provenance);
	if (status)
		return status;
	log->open = true;
	if (log->writer.file.cut)
		torn_warn(options->record, log->writer.file.cut);
	status = log_read(log, options->record, why);
	return status ? record_log_close(log, status, why) : STATUS_OK;
}

bool record_log_has(const struct record_log *log, uint64_t index)
{
	return log->count && bsearch(&index, log->played, log->count, sizeof index, number_compare);
}

enum status record_log_append(struct record_log *log, uint64_t index, const struct record *record,
			      struct why *why)
{
	struct record_line line = {.game = log->game,
				   .player = log->player,
				   .config = log->config,
				   .seed = {true, log->seed},
				   .index = {true, index},
				   .record = *record};
	return record_append(&log->writer, &line, why);
}

enum status record_log_close(struct record_log *log, enum status status, struct why *why)
{
	struct why reason;
	if (!log->open)
		return status;
	log->open = false;
	free(log->played);
	enum status closed = append_close(&log->writer.file, &reason);
	experiment_fini(&log->experiment);
	if (!closed || (status && status != STATUS_STOPPED))
		return status;
	*why = reason;
	return closed;
}
