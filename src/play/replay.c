/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checking and showing recorded games; see play_replay(). The whole file is read before a game is
 * shown, so that nothing is shown from a file with an error. Then the file is read again up to that
 * game.
 */
#include "src/cli/options.h"
#include "src/play/recorder.h"
#include "src/play/session.h"

#include <inttypes.h>
#include <stdio.h>

static void number_put(const struct record_number *number)
{
	if (number->known)
		printf("\t%" PRIu64, number->number);
	else
		fputs("\t-", stdout);
}

static void game_list(const struct record_line *line)
{
	const struct record *record = &line->record;
	printf("%zu\t%s\t%s", line->number, line->game->name, line->player);
	number_put(&line->seed);
	number_put(&line->index);
	printf("\t%" PRIu64 "\t%" PRIu64 "\t%zu\t%s\n", record->score,
	       record->max_exponent ? UINT64_C(1) << record->max_exponent : 0, record->moves,
	       record->finished ? "over" : "unfinished");
}

static void game_show(const struct record_line *line, enum show_style style)
{
	const struct record *record = &line->record;
	struct show show = {.style = style};
	struct board board = record->start;
	struct turn turn;
	turn_init(&turn, line->game, &board, 0);
	show_begin(&show);
	for (size_t i = 0; i < record->moves; i++) {
		show_position(&show, &turn);
		show_move(&show, &turn, record->move[i].direction);
		record_step(&record->move[i], &turn, &board);
	}
	show_position(&show, &turn);
	show_end(&show, &turn, record->moves, record->finished ? "over" : "unfinished");
}

/* A search in a file: the number of games, and the first two lines that match. */
struct record_search {
	const struct play_options *options;
	bool list;
	uint64_t games, first, second;
	bool torn;
};

static bool search_finds(const struct record_search *search, const struct record_line *line)
{
	const struct play_options *options = search->options;
	if (options->line)
		return line->number == options->line;
	if (!options->numbered)
		return !search->first;
	return line->index.known && line->index.number == options->index;
}

/* Reads the whole file. */
static enum status search_run(struct record_search *search, struct why *why)
{
	struct record_reader *reader;
	const struct record_line *line;
	enum status status = record_reader_open(search->options->replay, &reader, why);
	if (status)
		return status;
	if (search->list)
		puts("line\tboard\tplayer\tseed\tgame\tscore\tmax_tile\tmoves\tend");
	while (!(status = record_reader_next(reader, &line, why)) && line) {
		search->games++;
		if (search->list)
			game_list(line);
		if (!search_finds(search, line))
			continue;
		if (search->first)
			search->second = search->second ? search->second : line->number;
		else
			search->first = line->number;
	}
	search->torn = record_reader_close(reader);
	return status;
}

static enum status search_check(const struct record_search *search, struct why *why)
{
	const struct play_options *options = search->options;
	const char *path = options->replay;
	if (search->second)
		return why_set(why, STATUS_INPUT,
			       "%s: lines %" PRIu64 " and %" PRIu64 " have a game %" PRIu64
			       "; --line tells which",
			       path, search->first, search->second, options->index);
	if (search->first)
		return STATUS_OK;
	if (!options->line && !options->numbered)
		return why_set(why, STATUS_INPUT, "%s: no game in it", path);
	if (options->line)
		return why_set(why, STATUS_INPUT, "%s: no game on line %" PRIu64, path,
			       options->line);
	return why_set(why, STATUS_INPUT,
		       "%s: none of its %" PRIu64 " games has the number %" PRIu64, path,
		       search->games, options->index);
}

/* Shows the game on line NUMBER. */
static enum status line_show(const struct play_options *options, uint64_t number, struct why *why)
{
	struct record_reader *reader;
	const struct record_line *line;
	enum status status = record_reader_open(options->replay, &reader, why);
	if (status)
		return status;
	do
		status = record_reader_next(reader, &line, why);
	while (!status && line && line->number != number);
	if (!status && line && options->watch)
		status = session_records(options, reader, line, why);
	else if (!status && line)
		game_show(line, options->style);
	record_reader_close(reader);
	return status;
}

enum status play_replay(const struct play_options *options, struct why *why)
{
	struct record_search search = {
	    .options = options, .list = !options->watch && !options->line && !options->numbered};
	enum status status = search_run(&search, why);
	if (!status && !search.list)
		status = search_check(&search, why);
	if (status)
		return status;
	if (search.torn)
		torn_warn(options->replay, 0);
	return search.list ? STATUS_OK : line_show(options, search.first, why);
}
