/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A game on standard output, position by position, whoever makes its moves. */
#ifndef NXN_PLAY_SHOW_H
#define NXN_PLAY_SHOW_H

#include "agents/agent.h"
#include "src/play/play.h"

extern const char *const direction_names[DIRECTIONS];

struct show {
	enum show_style style;
	uint64_t moves; /* shown so far */
};

/* Before the first move: a header row. */
void show_begin(const struct show *show);

/* The position of TURN, with the move that was made in it. */
void show_turn(struct show *show, const struct turn *turn, int move);

/* Shows LAST, in which no move was made. */
void show_end(const struct show *show, const struct turn *last);

/* The line behind a game: score, largest tile, moves, and REMARK. */
void show_summary(const struct show *show, const struct turn *last, uint64_t moves,
		  const char *remark);

#endif
