/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "src/play/recorder.h"

#include "base/xalloc.h"
#include "src/cli/provenance.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Completes the last move: the game has reached BOARD. */
static void recorder_reached(struct recorder *recorder, const struct board *board)
{
	if (!recorder->begun) {
		recorder->begun = true;
		recorder->start = *board;
		return;
	}
	recorder->move = xgrow(recorder->move, recorder->moves, sizeof *recorder->move);
	recorder->move[recorder->moves++] =
	    record_move_of(recorder->direction, &recorder->after, board);
}

bool recorder_move(void *context, const struct turn *turn, int move,
		   const struct decision *decision)
{
	struct recorder *recorder = context;
	(void)decision;
	recorder_reached(recorder, turn->board);
	recorder->after = turn->moves.after[move];
	recorder->direction = move;
	return true;
}

void record_step(const struct record_move *move, struct turn *turn, struct board *board)
{
	const int d = move->direction;
	*board = turn->moves.after[d];
	if (move->exponent)
		*board_at(board, move->place) = move->exponent;
	turn_init(turn, turn->game, board, turn->score + turn->moves.reward[d]);
}

/* ---- The file. */

static int number_compare(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

/* Whether LINE is one of the games of LOG. */
static bool log_contains(const struct record_log *log, const struct record_line *line)
{
	if (!line->seed.known || line->seed.number != log->seed || !line->index.known ||
	    line->config.known != log->config.known)
		return false;
	if (log->config.known)
		return line->config.number == log->config.number;
	return strcmp(line->player, log->player) == 0 &&
	       strcmp(line->game->name, log->game->name) == 0 &&
	       strcmp(line->game->spawn.text, log->game->spawn.text) == 0;
}

/* Checks the file and lists its games. */
static enum status log_read(struct record_log *log, const char *path, struct why *why)
{
	struct record_reader *reader;
	const struct record_line *line;
	enum status status = record_reader_open(path, &reader, why);
	if (status)
		return status;
	while (!(status = record_reader_next(reader, &line, why)) && line) {
		if (!log_contains(log, line))
			continue;
		log->played = xgrow(log->played, log->count, sizeof *log->played);
		log->played[log->count++] = line->index.number;
	}
	record_reader_close(reader);
	if (log->count)
		qsort(log->played, log->count, sizeof *log->played, number_compare);
	return status;
}

static enum status log_open_file(struct record_log *log, const struct play_options *options,
				 struct why *why)
{
	struct provenance provenance;
	char seed[24];
	snprintf(seed, sizeof seed, "%" PRIu64, log->seed);
	enum status status =
	    provenance_init(&provenance, options->command, log->config.number, seed, NULL, why);
	if (status)
		return status;
	status = record_writer_open(&log->writer, options->record, log->player,
				    provenance_lines(&provenance), why);
	provenance_fini(&provenance);
	log->open = !status;
	if (status)
		return status;
	if (log->writer.file.cut)
		torn_warn(options->record, log->writer.file.cut);
	return log_read(log, options->record, why);
}

enum status record_log_open(struct record_log *log, const struct play_options *options,
			    const struct game *game, const char *player, struct why *why)
{
	const struct schedule once = {.games = 1};
	enum status status = STATUS_OK;
	*log = (struct record_log){.game = game,
				   .player = player,
				   .seed = options->seed,
				   .experiment.seed = options->seed};
	if (!player)
		status = experiment_add(&log->experiment, game, options->agent, NULL, &once, why);
	if (!player && !status) {
		const struct experiment_entry *entry = log->experiment.entries[0];
		log->game = &entry->game;
		log->player = entry->agent;
		log->config =
		    (struct record_number){true, entry_config(entry, entry->trained_before)};
	}
	if (!status && options->record)
		status = log_open_file(log, options, why);
	return status ? record_log_close(log, status, why) : STATUS_OK;
}

bool record_log_has(const struct record_log *log, uint64_t index)
{
	return log->count && bsearch(&index, log->played, log->count, sizeof index, number_compare);
}

enum status record_log_append(struct record_log *log, uint64_t index, struct recorder *recorder,
			      const struct board *last, uint64_t score, struct why *why)
{
	recorder_reached(recorder, last);
	const struct record_line line = {.game = log->game,
					 .player = log->player,
					 .config = log->config,
					 .seed = {true, log->seed},
					 .index = {true, index},
					 .record = {.start = recorder->start,
						    .moves = recorder->moves,
						    .move = recorder->move,
						    .score = score,
						    .max_exponent = board_max(last),
						    .finished = log->game->over(last)}};
	return record_writer_append(&log->writer, &line, why);
}

enum status record_log_close(struct record_log *log, enum status status, struct why *why)
{
	struct why reason;
	enum status closed = log->open ? append_close(&log->writer.file, &reason) : STATUS_OK;
	free(log->played);
	experiment_fini(&log->experiment);
	*log = (struct record_log){0};
	if (!closed || (status && status != STATUS_STOPPED))
		return status;
	*why = reason;
	return closed;
}
