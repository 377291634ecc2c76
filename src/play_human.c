/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A game by a person; see play_human.h. What is drawn is in play_view.c.
 *
 * Every position that was left is kept with the state of the spawn stream in it, so that taking a
 * move back is going there.
 */
#include "src/play_human.h"

#include "src/play_book.h"
#include "src/play_tape.h"
#include "src/play_view.h"
#include "src/stop.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* How long a change of the screen's size may go unnoticed. */
enum { WAIT_MILLISECONDS = 200 };

/* A position that was left. */
struct past {
	struct board board;
	uint64_t score;
	struct rng spawns;
};

struct human {
	const struct human_options *options;
	uint64_t index;
	struct game game;
	struct agent *adviser; /* NULL if there is none */
	struct book book;      /* if there is a file */
	struct rng spawns;
	struct board board;
	struct turn turn; /* of the board */
	struct tape tape;
	struct past *past; /* one a move on the tape */
	size_t room;
	struct view view;
	struct keys keys;
};

static void human_reach(struct human *human, uint64_t score)
{
	turn_init(&human->turn, &human->game, &human->board, score);
}

static void human_start(struct human *human)
{
	rng_init(&human->spawns, human->options->seed, RNG_SPAWN, human->index);
	board_start(&human->game, &human->board, &human->spawns);
	human->tape.start = human->board;
	human_reach(human, 0);
}

/* Keeps the present position. */
static enum status past_keep(struct human *human, struct why *why)
{
	size_t moves = human->tape.moves;
	if (moves == human->room) {
		size_t more = 2 * human->room + 256;
		struct past *grown = reallocarray(human->past, more, sizeof *grown);
		if (!grown)
			return why_errno(why, "a game of %zu moves", more);
		human->past = grown;
		human->room = more;
	}
	human->past[moves] = (struct past){
	    .board = human->board, .score = human->turn.score, .spawns = human->spawns};
	return STATUS_OK;
}

static enum status human_move(struct human *human, int direction, struct why *why)
{
	const struct moves *moves = &human->turn.moves;
	if (!(moves->legal >> direction & 1)) {
		view_say(&human->view, "%s: %s", direction_names[direction],
			 moves->legal ? "moves nothing" : "the game is over");
		return STATUS_OK;
	}
	struct board after = moves->after[direction], next = after;
	uint64_t score = human->turn.score + moves->reward[direction];
	enum status status = past_keep(human, why);
	if (status)
		return status;
	board_spawn(&human->game, &next, &human->spawns);
	status = tape_add(&human->tape, record_move_of(direction, &after, &next), why);
	if (status)
		return status;
	view_moved(&human->view, &human->turn, direction);
	human->board = next;
	human_reach(human, score);
	return STATUS_OK;
}

static void human_back(struct human *human)
{
	if (human->tape.moves == 0) {
		view_say(&human->view, "no move to take back");
		return;
	}
	const struct past *past = &human->past[--human->tape.moves];
	human->board = past->board;
	human->spawns = past->spawns;
	human_reach(human, past->score);
	view_back(&human->view);
}

/* What the agent would do, drawing from the beginning of its stream. */
static void human_ask(struct human *human)
{
	struct verdict verdict;
	struct rng choices;
	if (!human->adviser) {
		view_say(&human->view, "nobody to ask: --agent names who advises");
		return;
	}
	if (!human->turn.moves.legal) {
		view_say(&human->view, "the game is over");
		return;
	}
	verdict_init(&verdict);
	rng_init(&choices, human->options->seed, RNG_AGENT, human->index);
	int move =
	    human->adviser->class->act(human->adviser->self, &human->turn, &choices, &verdict);
	struct why why;
	if (agent_check(human->adviser, &why))
		view_say(&human->view, "%s", why.text);
	else
		view_tell(&human->view, "%s: %s", human->options->agent, direction_names[move]);
}

static void human_wonder(struct human *human)
{
	int byte = human->keys.other;
	if (isprint(byte))
		view_say(&human->view, "character %" PRIu64 ", '%c', is no key; ignored",
			 human->keys.taken, byte);
	else
		view_say(&human->view, "character %" PRIu64 ", byte %d, is no key; ignored",
			 human->keys.taken, byte);
}

/* Plays until the person, a signal or the input ends it. */
static enum status human_loop(struct human *human, struct why *why)
{
	enum status status = STATUS_OK;
	view_draw(&human->view, &human->turn);
	while (!status && !stop_requested()) {
		enum press press = keys_next(&human->keys, WAIT_MILLISECONDS);
		if (press == PRESS_QUIT || press == PRESS_END)
			break;
		if (press == PRESS_NOTHING && !view_outgrown(&human->view))
			continue;
		if ((int)press < DIRECTIONS)
			status = human_move(human, (int)press, why);
		else if (press == PRESS_BACK)
			human_back(human);
		else if (press == PRESS_ASK)
			human_ask(human);
		else if (press == PRESS_OTHER)
			human_wonder(human);
		view_draw(&human->view, &human->turn);
	}
	return status;
}

/* Puts the game into the file, if there is one, and says so. */
static enum status human_record(struct human *human, struct why *why)
{
	const struct human_options *options = human->options;
	const char *mark = human->view.show.style == SHOW_MOVES ? "# " : "";
	bool over = !human->turn.moves.legal;
	if (!options->record)
		return STATUS_OK;
	if (human->tape.moves == 0) {
		printf("%sno move to record\n", mark);
		return STATUS_OK;
	}
	struct record record = tape_record(&human->tape, &human->board, human->turn.score, over);
	enum status status = book_append(&human->book, human->index, &record, why);
	if (!status)
		printf("%srecorded in %s: game %" PRIu64 " of %s, seed %" PRIu64 "\n", mark,
		       options->record, human->index, options->player, options->seed);
	return status;
}

/* The game from its start to its record. */
static enum status human_game(struct human *human, struct why *why)
{
	struct why record_why;
	bool screen = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	human_start(human);
	enum status status = keys_open(&human->keys, screen, why);
	if (status)
		return status;
	view_open(&human->view, screen, human->options, human->index);
	stop_catch_terminal();
	status = human_loop(human, why);
	view_close(&human->view);
	keys_close(&human->keys);
	view_end(&human->view, &human->turn, human->tape.moves);
	enum status recorded = human_record(human, &record_why);
	if (recorded && !status) {
		status = recorded;
		*why = record_why;
	}
	return status || !stop_requested() ? status : STATUS_STOPPED;
}

static enum status human_open_book(struct human *human, struct why *why)
{
	const struct human_options *options = human->options;
	human->book =
	    (struct book){.game = &human->game, .player = options->player, .seed = options->seed};
	enum status status =
	    book_open(&human->book, options->record, options->command, options->name, why);
	if (!status && !options->numbered)
		human->index = book_free_index(&human->book);
	return status;
}

enum status human_play(const struct human_options *options, struct why *why)
{
	struct human human = {.options = options, .index = options->index};
	struct agent_env env = {.game = &human.game};
	struct why close_why;
	bool booked = false;
	enum status status = game_init(&human.game, options->game, why);
	if (!status && options->agent)
		status = agent_new(options->agent, &env, &human.adviser, why);
	if (!status && options->record) {
		status = human_open_book(&human, why);
		booked = !status;
	}
	if (!status)
		status = human_game(&human, why);
	enum status closed = booked ? book_close(&human.book, &close_why) : STATUS_OK;
	if (closed && (!status || status == STATUS_STOPPED)) {
		status = closed;
		*why = close_why;
	}
	tape_fini(&human.tape);
	free(human.past);
	agent_free(human.adviser);
	return status;
}
