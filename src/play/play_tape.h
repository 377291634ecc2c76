/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A game while it is recorded: its start, and its moves so far. */
#ifndef NXN_PLAY_TAPE_H
#define NXN_PLAY_TAPE_H

#include "agents/play.h"
#include "boards/record.h"

/* Zeroed is empty. */
struct tape {
	struct board start;
	struct record_move *move;
	size_t moves, room;
	bool begun;	    /* by tape_watch() */
	struct board after; /* of the move made last, while its spawn is to come */
	int direction;	    /* that move, or -1 */
	enum status status; /* of tape_watch() */
};

/* Appends a move. STATUS_SYSTEM when memory runs out. */
MUST_USE enum status tape_add(struct tape *tape, struct record_move move, struct why *why);

/* Takes notes of a game that play_game() plays; as play_watch.move, with the tape as context. */
bool tape_watch(void *tape, const struct turn *turn, int move, const struct decision *decision);

/* Ends those notes with how the game ended. STATUS_SYSTEM if memory ran out. */
MUST_USE enum status tape_end(struct tape *tape, const struct outcome *outcome, struct why *why);

/* The record of what is on TAPE, whose moves it borrows, with the position and score reached. */
struct record tape_record(const struct tape *tape, const struct board *last, uint64_t score,
			  bool finished);

void tape_fini(struct tape *tape);

#endif
