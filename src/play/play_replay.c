/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recorded games, checked and shown; see play_replay.h. The file is read to its end before a game is
 * shown, so that nothing is shown out of a file that holds an error; and then once more up to it.
 */
#include "src/play/play_replay.h"

#include "agents/play.h"
#include "boards/record.h"
#include "src/play/play_watch.h"

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

/* Puts all of a game onto the stage, whose lock is held. */
static enum status game_stage(struct gallery *gallery, const struct record_line *line,
			      struct stage *stage, struct why *why)
{
	const struct record *record = &line->record;
	struct board board = record->start;
	struct turn turn;
	struct thought none;
	thought_init(&none);
	gallery->game = *line->game;
	enum status status = stage_begin(stage, &gallery->game, &board, why, "%s  %s  %s, line %zu",
					 line->game->name, line->player, gallery->path,
					 record_reader_line(gallery->reader));
	turn_init(&turn, &gallery->game, &board, 0);
	for (size_t i = 0; i < record->moves && !status; i++) {
		turn_next(&turn, &board, &record->move[i]);
		status =
		    stage_move(stage, record->move[i].direction, &none, &board, turn.score, why);
	}
	stage_end(stage, "");
	return status;
}

static bool gallery_next(void *context, struct stage *stage)
{
	struct gallery *gallery = context;
	const struct record_line *line = NULL;
	struct why why;
	enum status status = record_reader_next(gallery->reader, &line, &why);
	pthread_mutex_lock(&stage->lock);
	if (!status && line)
		status = game_stage(gallery, line, stage, &why);
	if (status)
		stage_fail(stage, status, &why);
	pthread_mutex_unlock(&stage->lock);
	return status != STATUS_OK || line != NULL;
}

/* Shows LINE, which READER has just read, and what follows on it if that is asked for. */
static enum status game_watch(const char *path, struct record_reader *reader,
			      const struct record_line *line, int delay, struct why *why)
{
	struct terminal terminal;
	struct stage stage;
	struct watched watched = {0};
	struct gallery gallery = {.path = path, .reader = reader};
	struct watch_options options = {.delay = delay,
					.keys = isatty(STDIN_FILENO),
					.next = gallery_next,
					.context = &gallery};
	terminal_prepare(&terminal);
	stage_init(&stage);
	enum status status = game_stage(&gallery, line, &stage, why);
	if (status)
		terminal_close(&terminal);
	else
		status = watch_run(&stage, &terminal, &options, &watched, why);
	if (!status || status == STATUS_STOPPED)
		watched_tell(&watched, false);
	stage_fini(&stage);
	return status;
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
	if (!choice->numbered)
		return !search->first;
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
	if (search->list)
		puts("line\tboard\tplayer\tseed\tgame\tscore\tmax_tile\tmoves\tend");
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
	if (!choice->line && !choice->numbered)
		return why_set(why, STATUS_INPUT, "%s: no game in it", path);
	if (choice->line)
		return why_set(why, STATUS_INPUT, "%s: no game on line %" PRIu64, path,
			       choice->line);
	return why_set(why, STATUS_INPUT,
		       "%s: none of its %" PRIu64 " games has the number %" PRIu64, path,
		       search->games, choice->index);
}

/* Shows the game on line NUMBER. */
static enum status line_show(const char *path, uint64_t number,
			     const struct replay_options *options, struct why *why)
{
	struct record_reader *reader;
	const struct record_line *line;
	enum status status = record_reader_open(path, &reader, why);
	if (status)
		return status;
	while (!(status = record_reader_next(reader, &line, why)) && line) {
		if (record_reader_line(reader) != number)
			continue;
		if (options->watch)
			status = game_watch(path, reader, line, options->delay, why);
		else
			game_show(line, &(struct show){.style = options->style});
		break;
	}
	record_reader_close(reader);
	return status;
}

enum status replay_run(const char *path, const struct replay_options *options, const char *name,
		       struct why *why)
{
	const struct replay_choice *choice = &options->choice;
	struct search search = {.choice = choice,
				.list = !options->watch && !choice->line && !choice->numbered};
	enum status status = search_run(&search, path, why);
	if (status)
		return status;
	if (search.torn)
		fprintf(stderr, "%s: %s: its last line is torn and left out\n", name, path);
	if (search.list)
		return STATUS_OK;
	status = search_check(&search, path, why);
	return status ? status : line_show(path, search.first, options, why);
}
