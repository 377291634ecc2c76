/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a person who plays sees: the screen; or, where keys or screen are none, each move as
 * play_show.h has it, and what there is to say on standard error.
 */
#ifndef NXN_PLAY_VIEW_H
#define NXN_PLAY_VIEW_H

#include "src/play_human.h"
#include "src/play_keys.h"
#include "src/play_show.h"
#include "src/screen.h"

struct view {
	struct show show;
	bool screen;
	struct screen_size size; /* when it was drawn last */
	const struct human_options *options;
	uint64_t index;
	char message[256]; /* below the board, until the next key */
};

void view_open(struct view *view, bool screen, const struct human_options *options, uint64_t index);

/* Shows where the game has come to, and the message, which is gone then. */
void view_draw(struct view *view, const struct turn *turn);

/* Whether the screen has another size than when it was drawn. */
bool view_outgrown(const struct view *view);

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
