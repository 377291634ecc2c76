/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A game by a person: keys on a terminal, or letters on standard input. */
#ifndef NXN_PLAY_HUMAN_H
#define NXN_PLAY_HUMAN_H

#include "boards/game.h"

struct human_options {
	const struct game_options *game;
	const char *agent; /* that gives advice, or NULL */
	uint64_t seed, index;
	bool numbered;	    /* else the first index that is not in the record file, or 0 */
	bool rows;	    /* a row a move in place of the screen */
	const char *record; /* path of the record file, or NULL */
	const char *player, *command, *name;
};

/*
 * Lets a person play game INDEX of SEED, whose tiles appear as for an agent that makes the same
 * moves. A move that is taken back takes its tile back too: the same move gives the same tile
 * again; with a record file none is taken back. At the end, also by a signal, the terminal is as it was and the game is in the record file,
 * if it has a move. STATUS_STOPPED after a signal; else as game_init(), agent_new(), book_open().
 */
MUST_USE enum status human_play(const struct human_options *options, struct why *why);

#endif
