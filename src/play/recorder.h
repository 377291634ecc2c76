/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded games: an observer that records one, the file that records go to, and a replay. */
#ifndef NXN_PLAY_RECORDER_H
#define NXN_PLAY_RECORDER_H

#include "agents/play.h"
#include "boards/record.h"
#include "src/play/play.h"
#include "src/games/experiment.h"

/* A game so far. The tile behind a move is seen in the next position. Zeroed is empty. */
struct recorder {
	struct board start;
	struct record_move *move; /* on the heap: free() it */
	size_t moves, room;
	bool begun, out_of_memory;
	int direction;	    /* of the last move */
	struct board after; /* its after-state */
};

/* Records a move, as play_watch.move. False if memory ran out. */
bool recorder_move(void *recorder, const struct turn *turn, int move,
		   const struct decision *decision);

/*
 * Shows WATCH each move of the game on LINE. LAST becomes the turn in which no move was made, on
 * BOARD. False if WATCH ended it.
 */
bool record_replay(const struct record_line *line, const struct play_watch *watch,
		   struct board *board, struct turn *last);

/* The record file of games that have player, board and seed in common. Zeroed is closed. */
struct record_log {
	bool open;
	struct record_writer writer;
	struct experiment experiment; /* its one entry is the agent that plays, if one does */
	const struct game *game;
	const char *player;
	struct record_number config;
	uint64_t seed;
	/* The numbers of the games that were in the file, ascending. */
	uint64_t *played;
	size_t count, room;
};

/*
 * Finds out what games of PLAYER, a person, on GAME are filed under; if PLAYER is NULL, those of
 * the agent of OPTIONS. Opens the record file of OPTIONS, if there is one, and finds out which
 * games it has: those of the same config if an agent plays, else those without config of the same
 * player, shape, spawn rule and seed. GAME and PLAYER are borrowed. Tells on standard error of a
 * torn last line. Errors as experiment_add() and record_writer_open(); STATUS_INPUT for whatever is wrong
 * in the file. On failure it is closed.
 */
MUST_USE enum status record_log_open(struct record_log *log, const struct play_options *options,
				     const struct game *game, const char *player, struct why *why);

/* Whether game INDEX was in the file when it was opened. */
bool record_log_has(const struct record_log *log, uint64_t index);

/* Appends game INDEX, which ended in LAST with SCORE. One thread at a time. */
MUST_USE enum status record_log_append(struct record_log *log, uint64_t index,
				       struct recorder *recorder, const struct board *last,
				       uint64_t score, struct why *why);

/*
 * Closes it, if it is open, after work that ended with STATUS. Returns that, or if it is STATUS_OK
 * or STATUS_STOPPED, a failure to close it.
 */
MUST_USE enum status record_log_close(struct record_log *log, enum status status, struct why *why);

#endif
