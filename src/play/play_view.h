/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a person who plays sees: the screen; or, where keys or screen are none, each move as
 * play_show.h has it, and what there is to say on standard error.
 */
#ifndef NXN_PLAY_VIEW_H
#define NXN_PLAY_VIEW_H

#include "src/play/play_advice.h"
#include "src/play/play_human.h"
#include "src/play/play_show.h"
#include "src/play/terminal.h"

struct view {
	struct show show;
	bool screen;
	bool live;  /* somebody types without a screen, and has to see where the game is */
	bool drawn; /* that was drawn */
	struct terminal terminal; /* or standard input, if there is no screen */
	const struct human_options *options;
	uint64_t index;
	char message[256];    /* below the board, until the next key */
	struct advice advice; /* of the position that is shown, if ADVISED */
	bool advised, thinking;
};

/* Finds out whether there is a screen. Before there are threads. */
void view_prepare(struct view *view, const struct human_options *options);
MUST_USE enum status view_open(struct view *view, uint64_t index, struct why *why);

/* Shows where the game has come to, and the message. */
void view_draw(struct view *view, const struct turn *turn);

/* A key was pressed: the message is gone. */
void view_pressed(struct view *view);

/* MOVE is made in TURN; the last move is taken back. */
void view_moved(struct view *view, const struct turn *turn, int move);
void view_back(struct view *view);

/* Something went wrong; something was asked for. */
__attribute__((format(printf, 2, 3))) void view_say(struct view *view, const char *format, ...);
__attribute__((format(printf, 2, 3))) void view_tell(struct view *view, const char *format, ...);

/* Gives the screen back; then shows the end of the game. */
void view_close(struct view *view);
void view_end(struct view *view, const struct turn *last, uint64_t moves);

#endif
