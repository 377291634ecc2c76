/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recorded games, checked and shown; see play_replay(). The file is read to its end before a game
 * is shown, so that nothing is shown out of a file that holds an error; and then once more up to
 * it.
 */
#include "agents/play.h"
#include "boards/record.h"
#include "src/cli/options.h"
#include "src/play/play.h"
#include "src/play/watch.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

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

/* What follows on TURN in the game that holds MOVE. */
static void turn_next(struct turn *turn, struct board *board, const struct record_move *move)
{
	const uint64_t score = turn->score + turn->moves.reward[move->direction];
	struct board next = turn->moves.after[move->direction];
	if (move->exponent)
		*board_at(&next, move->place) = move->exponent;
	*board = next;
	turn_init(turn, turn->game, board, score);
}

static void game_show(const struct record_line *line, struct show *show)
{
	const struct record *record = &line->record;
	struct board board = record->start;
	struct turn turn;
	turn_init(&turn, line->game, &board, 0);
	show_begin(show);
	for (size_t i = 0; i < record->moves; i++) {
		show_turn(show, &turn, record->move[i].direction);
		turn_next(&turn, &board, &record->move[i]);
	}
	show_end(show, &turn);
	show_summary(show, &turn, record->moves, record->finished ? "over" : "unfinished");
}

/* Games of a file, one after the other, in the viewer. */
struct gallery {
	const char *path;
	struct record_reader *reader;
	struct game game; /* of the one that is shown */
};

/* Makes all of a game the shared one, whose lock is held. */
static enum status game_share(struct gallery *gallery, const struct record_line *line,
			      struct shared_game *shared, struct why *why)
{
	const struct record *record = &line->record;
	struct board board = record->start;
	struct turn turn;
	gallery->game = *line->game;
	enum status status =
	    shared_game_begin(shared, &gallery->game, &board, why, "%s  %s  %s, line %zu",
			      line->game->name, line->player, gallery->path, line->number);
	turn_init(&turn, &gallery->game, &board, 0);
	for (size_t i = 0; i < record->moves && !status; i++) {
		turn_next(&turn, &board, &record->move[i]);
		status = shared_game_move(shared, record->move[i].direction, NULL, -1, &board,
					  turn.score, why);
	}
	shared_game_end(shared, "");
	return status;
}

static bool gallery_next(void *context, struct shared_game *shared)
{
	struct gallery *gallery = context;
	const struct record_line *line = NULL;
	struct why why;
	enum status status = record_reader_next(gallery->reader, &line, &why);
	pthread_mutex_lock(&shared->lock);
	if (!status && line)
		status = game_share(gallery, line, shared, &why);
	if (status)
		shared_game_fail(shared, status, &why);
	pthread_mutex_unlock(&shared->lock);
	return status != STATUS_OK || line != NULL;
}

/* Shows LINE, which READER has just read, and what follows on it if that is asked for. */
static enum status game_watch(const struct play_options *options, struct record_reader *reader,
			      const struct record_line *line, struct why *why)
{
	struct terminal terminal;
	struct shared_game shared;
	struct gallery gallery = {.path = options->replay, .reader = reader};
	const struct watch_options watch = {
	    .delay = options->delay, .next = gallery_next, .context = &gallery};
	terminal_prepare(&terminal);
	shared_game_init(&shared);
	enum status status = game_share(&gallery, line, &shared, why);
	if (!status)
		status = watch_run(&shared, &terminal, &watch, why);
	terminal_close(&terminal);
	shared_game_fini(&shared);
	return status;
}

/* What a file comes to: the first two lines with a game that is meant. */
struct record_search {
	const struct play_options *options;
	bool list;
	uint64_t games, first, second;
	bool torn;
};

static bool search_means(const struct record_search *search, uint64_t number,
			 const struct record_line *line)
{
	const struct play_options *options = search->options;
	if (options->line)
		return number == options->line;
	if (!options->numbered)
		return !search->first;
	return line->index.known && line->index.number == options->index;
}

/* Reads all of the file. */
static enum status search_run(struct record_search *search, struct why *why)
{
	const struct play_options *options = search->options;
	struct record_reader *reader;
	const struct record_line *line;
	enum status status = record_reader_open(options->replay, &reader, why);
	if (status)
		return status;
	if (search->list)
		puts("line\tboard\tplayer\tseed\tgame\tscore\tmax_tile\tmoves\tend");
	while (!(status = record_reader_next(reader, &line, why)) && line) {
		uint64_t number = line->number;
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
		status = game_watch(options, reader, line, why);
	else if (!status && line)
		game_show(line, &(struct show){.style = options->style});
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
