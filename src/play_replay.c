/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recorded games, checked and shown; see play_replay.h. The file is read to its end before a game is
 * shown, so that nothing is shown out of a file that holds an error; and then once more up to it.
 */
#include "src/play_replay.h"

#include "agents/play.h"
#include "boards/record.h"

#include <inttypes.h>
#include <stdio.h>

static void number_put(const struct record_number *number)
{
	if (number->known)
		printf("\t%" PRIu64, number->number);
	else
		fputs("\t-", stdout);
}

static void game_list(uint64_t number, const struct record_line *line)
{
	const struct record *record = &line->record;
	printf("%" PRIu64 "\t%s\t%s", number, line->game->name, line->player);
	number_put(&line->seed);
	number_put(&line->index);
	printf("\t%" PRIu64 "\t%" PRIu64 "\t%zu\t%s\n", record->score,
	       record->max_exponent ? UINT64_C(1) << record->max_exponent : 0, record->moves,
	       record->finished ? "over" : "unfinished");
}

static void game_show(const struct record_line *line, struct show *show)
{
	const struct record *record = &line->record;
	struct board board = record->start;
	struct turn turn;
	turn_init(&turn, line->game, &board, 0);
	show_begin(show);
	for (size_t i = 0; i < record->moves; i++) {
		const struct record_move *move = &record->move[i];
		struct board next = turn.moves.after[move->direction];
		uint64_t score = turn.score + turn.moves.reward[move->direction];
		show_turn(show, &turn, move->direction);
		if (move->exponent)
			*board_at(&next, move->place) = move->exponent;
		board = next;
		turn_init(&turn, line->game, &board, score);
	}
	show_end(show, &turn);
	show_summary(show, &turn, record->moves, record->finished ? "over" : "unfinished");
}

/* What a file comes to: the first two lines with a game that is meant. */
struct search {
	const struct replay_choice *choice;
	bool list;
	uint64_t games, first, second;
	bool torn;
};

static bool search_means(const struct search *search, uint64_t number,
			 const struct record_line *line)
{
	const struct replay_choice *choice = search->choice;
	if (choice->line)
		return number == choice->line;
	return choice->numbered && line->index.known && line->index.number == choice->index;
}

/* Reads all of the file. */
static enum status search_run(struct search *search, const char *path, struct why *why)
{
	struct record_reader *reader;
	const struct record_line *line;
	enum status status = record_reader_open(path, &reader, why);
	if (status)
		return status;
	while (!(status = record_reader_next(reader, &line, why)) && line) {
		uint64_t number = record_reader_line(reader);
		search->games++;
		if (search->list)
			game_list(number, line);
		if (!search_means(search, number, line))
			continue;
		if (!search->first)
			search->first = number;
		else if (!search->second)
			search->second = number;
	}
	search->torn = record_reader_torn(reader);
	record_reader_close(reader);
	return status;
}

static enum status search_check(const struct search *search, const char *path, struct why *why)
{
	const struct replay_choice *choice = search->choice;
	if (search->second)
		return why_set(why, STATUS_INPUT,
			       "%s: lines %" PRIu64 " and %" PRIu64 " have a game %" PRIu64
			       "; --line tells which",
			       path, search->first, search->second, choice->index);
	if (search->first)
		return STATUS_OK;
	if (choice->line)
		return why_set(why, STATUS_INPUT, "%s: no game on line %" PRIu64, path,
			       choice->line);
	return why_set(why, STATUS_INPUT,
		       "%s: none of its %" PRIu64 " games has the number %" PRIu64, path,
		       search->games, choice->index);
}

/* Shows the game on line NUMBER. */
static enum status line_show(const char *path, uint64_t number, struct show *show, struct why *why)
{
	struct record_reader *reader;
	const struct record_line *line;
	enum status status = record_reader_open(path, &reader, why);
	if (status)
		return status;
	while (!(status = record_reader_next(reader, &line, why)) && line) {
		if (record_reader_line(reader) != number)
			continue;
		game_show(line, show);
		break;
	}
	record_reader_close(reader);
	return status;
}

enum status replay_run(const char *path, const struct replay_choice *choice, struct show *show,
		       const char *name, struct why *why)
{
	struct search search = {.choice = choice, .list = !choice->line && !choice->numbered};
	if (search.list)
		puts("line\tboard\tplayer\tseed\tgame\tscore\tmax_tile\tmoves\tend");
	enum status status = search_run(&search, path, why);
	if (status)
		return status;
	if (search.torn)
		fprintf(stderr, "%s: %s: its last line is torn and left out\n", name, path);
	if (search.list)
		return STATUS_OK;
	status = search_check(&search, path, why);
	return status ? status : line_show(path, search.first, show, why);
}
