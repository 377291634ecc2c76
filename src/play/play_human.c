/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A game by a person; see play_human.h. What is drawn is in play_view.c.
 *
 * Every position that was left is kept with the state of the spawn stream in it, so that taking a
 * move back is going there. A game that is recorded goes only forwards: who takes moves back knows
 * what will appear, and a record could not tell.
 */
#include "src/play/play_human.h"

#include "src/play/play_book.h"
#include "src/play/play_course.h"
#include "src/play/play_tape.h"
#include "src/play/play_view.h"
#include "base/stop.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* How long a change of the screen's size, or advice, may go unnoticed. */
enum { WAIT_MILLISECONDS = 100, ADVICE_MILLISECONDS = 20 };

/* What a key means: a direction, or one of these. */
enum press {
	PRESS_BACK = DIRECTIONS,
	PRESS_ASK,
	PRESS_QUIT,
	PRESS_REDRAW,
	PRESS_NOTHING,
	PRESS_OTHER
};

struct human {
	const struct human_options *options;
	uint64_t index;
	struct game game;
	struct adviser *adviser; /* NULL if there is none */
	struct book book;	 /* if there is a file */
	struct course course;
	struct tape tape;
	struct waypoint *past; /* where moves on the tape were made */
	size_t room;
	struct view view;
};

static void human_start(struct human *human)
{
	course_start(&human->course, &human->game, human->options->seed, human->index);
	human->tape.start = human->course.board;
}

/* Keeps the present position. */
static enum status past_keep(struct human *human, struct why *why)
{
	size_t moves = human->tape.moves;
	if (moves == human->room) {
		size_t more = 2 * human->room + 256;
		struct waypoint *grown = reallocarray(human->past, more, sizeof *grown);
		if (!grown)
			return why_errno(why, "a game of %zu moves", more);
		human->past = grown;
		human->room = more;
	}
	human->past[moves] = course_mark(&human->course);
	return STATUS_OK;
}

static enum status human_move(struct human *human, int direction, struct why *why)
{
	const struct moves *moves = &human->course.turn.moves;
	if (!(moves->legal >> direction & 1)) {
		view_say(&human->view, "%s: %s", direction_names[direction],
			 moves->legal ? "moves nothing" : "the game is over");
		return STATUS_OK;
	}
	enum status status = past_keep(human, why);
	if (status)
		return status;
	view_moved(&human->view, &human->course.turn, direction);
	return tape_add(&human->tape, course_move(&human->course, direction), why);
}

static void human_back(struct human *human)
{
	if (human->options->record) {
		view_say(&human->view, "no move is taken back in a game that is recorded");
		return;
	}
	if (human->tape.moves == 0) {
		view_say(&human->view, "no move to take back");
		return;
	}
	course_return(&human->course, &human->past[--human->tape.moves]);
	view_back(&human->view);
}

/* Looks for advice, which may be about a position that was left meanwhile. */
static void human_listen(struct human *human, int milliseconds)
{
	struct advice advice;
	enum status status;
	struct why why;
	struct view *view = &human->view;
	if (!adviser_asked(human->adviser) ||
	    !adviser_take(human->adviser, milliseconds, &advice, &status, &why))
		return;
	view->thinking = false;
	if (status) {
		view_say(view, "%s", why.text);
	} else if (board_equal(&advice.board, &human->course.board)) {
		view->advice = advice;
		view->advised = true;
		view_tell(view, "%s: %s", human->options->agent, direction_names[advice.move]);
	}
}

static void human_ask(struct human *human)
{
	struct why why;
	if (!human->adviser) {
		view_say(&human->view, "nobody to ask: --agent names who advises");
		return;
	}
	if (!human->course.turn.moves.legal) {
		view_say(&human->view, "the game is over");
		return;
	}
	if (adviser_asked(human->adviser))
		return;
	if (adviser_ask(human->adviser, &human->course.turn, &why)) {
		view_say(&human->view, "%s", why.text);
		return;
	}
	human->view.thinking = true;
	/* Letters that are read need not be quick, and what they say is to be in their order. */
	human_listen(human, human->view.screen ? 0 : -1);
}

static void human_wonder(struct human *human, int key)
{
	uint64_t taken = human->view.terminal.taken;
	if (key > 255)
		view_say(&human->view, "character %" PRIu64 ", byte 27, is no key; ignored", taken);
	else if (isprint(key))
		view_say(&human->view, "character %" PRIu64 ", '%c', is no key; ignored", taken,
			 key);
	else
		view_say(&human->view, "character %" PRIu64 ", byte %d, is no key; ignored", taken,
			 key);
}

/* wasd and hjkl, and what record files write. */
static enum press press_of(int key)
{
	switch (key) {
	case 'w':
	case 'k':
	case 'u':
	case 'U':
	case KEY_UP:
		return (enum press)UP;
	case 'd':
	case 'l':
	case 'r':
	case 'R':
	case KEY_RIGHT:
		return (enum press)RIGHT;
	case 's':
	case 'j':
	case 'D':
	case KEY_DOWN:
		return (enum press)DOWN;
	case 'a':
	case 'h':
	case 'L':
	case KEY_LEFT:
		return (enum press)LEFT;
	case 'z':
		return PRESS_BACK;
	case '?':
		return PRESS_ASK;
	case 'q':
	case KEY_CTRL_D:
	case KEY_CLOSED:
		return PRESS_QUIT;
	case KEY_CTRL_L:
		return PRESS_REDRAW;
	case ' ':
	case '\t':
	case '\r':
	case '\n':
	case KEY_NONE:
		return PRESS_NOTHING;
	default:
		return PRESS_OTHER;
	}
}

static enum status human_press(struct human *human, enum press press, int key, struct why *why)
{
	view_pressed(&human->view);
	if ((int)press < DIRECTIONS)
		return human_move(human, (int)press, why);
	if (press == PRESS_BACK)
		human_back(human);
	else if (press == PRESS_ASK)
		human_ask(human);
	else if (press == PRESS_REDRAW && human->view.screen)
		terminal_refresh();
	else if (press == PRESS_OTHER)
		human_wonder(human, key);
	return STATUS_OK;
}

/* Plays until the person, a signal or the input ends it. */
static enum status human_loop(struct human *human, struct why *why)
{
	enum status status = STATUS_OK;
	while (!status && !stop_requested()) {
		view_draw(&human->view, &human->course.turn);
		const int key = terminal_key(&human->view.terminal, adviser_asked(human->adviser)
									? ADVICE_MILLISECONDS
									: WAIT_MILLISECONDS);
		const enum press press = press_of(key);
		if (press == PRESS_QUIT)
			break;
		if (press != PRESS_NOTHING)
			status = human_press(human, press, key, why);
		human_listen(human, 0);
	}
	return status;
}

/* Puts the game into the file, if there is one, and says so. */
static enum status human_record(struct human *human, struct why *why)
{
	const struct human_options *options = human->options;
	const struct turn *turn = &human->course.turn;
	const char *mark = human->view.show.style == SHOW_MOVES ? "# " : "";
	if (!options->record)
		return STATUS_OK;
	if (human->tape.moves == 0) {
		printf("%sno move to record\n", mark);
		return STATUS_OK;
	}
	struct record record =
	    tape_record(&human->tape, &human->course.board, turn->score, !turn->moves.legal);
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
	human_start(human);
	enum status status = view_open(&human->view, human->index, why);
	if (status)
		return status;
	status = human_loop(human, why);
	view_close(&human->view);
	view_end(&human->view, &human->course.turn, human->tape.moves);
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
	struct why close_why;
	bool booked = false;
	enum status status = game_init(&human.game, options->game, why);
	if (status)
		return status;
	view_prepare(&human.view, options);
	if (options->record) {
		status = human_open_book(&human, why);
		booked = !status;
	}
	if (!status && options->agent)
		status = adviser_new(options->agent, &human.game, options->seed, human.index,
				     &human.adviser, why);
	if (!status)
		status = human_game(&human, why);
	view_close(&human.view);
	enum status closed = booked ? book_close(&human.book, &close_why) : STATUS_OK;
	if (closed && (!status || status == STATUS_STOPPED)) {
		status = closed;
		*why = close_why;
	}
	tape_fini(&human.tape);
	free(human.past);
	adviser_free(human.adviser);
	return status;
}
