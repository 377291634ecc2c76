/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A game while it is recorded, and the record file that games of one player, board and seed go to.
 */
#ifndef NXN_PLAY_RECORDER_H
#define NXN_PLAY_RECORDER_H

#include "agents/play.h"
#include "boards/record.h"
#include "src/play/play.h"
#include "src/games/experiment.h"

/*
 * A game that is played move by move: the positions that play_game() comes to. The turn is that of
 * the board, so it stays where it is as long as it is used.
 */
struct stepped_game {
	const struct game *game;
	struct rng spawns;
	struct board board;
	struct turn turn;
};

/* Game INDEX of SEED before its first move. */
void stepped_game_start(struct stepped_game *stepped, const struct game *game, uint64_t seed,
			uint64_t index);

/* Makes a legal move; a tile appears. */
struct record_move stepped_game_move(struct stepped_game *stepped, int direction);

/* The start of a game, and its moves so far. Zeroed is empty. */
struct recorder {
	struct board start;
	struct record_move *move;
	size_t moves, capacity;
	bool begun;	    /* by recorder_watch() */
	struct board after; /* of the move made last, while its spawn is to come */
	int direction;	    /* that move */
	enum status status; /* of recorder_watch() */
};

/* Appends a move. STATUS_SYSTEM when memory runs out. */
MUST_USE enum status recorder_add(struct recorder *recorder, struct record_move move,
				  struct why *why);

/* The record of the game, whose moves it borrows, with the position and score reached. */
struct record recorder_record(const struct recorder *recorder, const struct board *last,
			      uint64_t score, bool finished);

void recorder_fini(struct recorder *recorder);

/* Zeroed is closed. */
struct record_log {
	bool open;
	struct record_writer writer;
	struct experiment experiment; /* of the agent that plays, if one does */
	/* What the games have in common. */
	const struct game *game;
	const char *player;
	struct record_number config;
	uint64_t seed;
	/* The numbers of those that were in the file, ascending. */
	uint64_t *played;
	size_t count;
};

/*
 * Opens the record file of OPTIONS for games that have in common what LOG says, all of it the
 * caller's, and finds out which of them are there: those of the same config if it is known, else
 * those without one of the same player, shape, spawn rule and seed. Tells on standard error of a
 * torn last line. STATUS_INPUT as record_open() and for whatever is wrong in the file,
 * STATUS_SYSTEM if it cannot be had; then it is closed.
 */
MUST_USE enum status record_log_open(struct record_log *log, const struct play_options *options,
				     struct why *why);

/* Whether game INDEX was in the file when it was opened. */
bool record_log_has(const struct record_log *log, uint64_t index);

/* Appends game INDEX, as record_append(). One thread at a time. */
MUST_USE enum status record_log_append(struct record_log *log, uint64_t index,
				       const struct record *record, struct why *why);

/*
 * Closes it, if it is open, behind what ended with STATUS. Returns that, or if it is STATUS_OK or
 * STATUS_STOPPED, a failure to close it.
 */
MUST_USE enum status record_log_close(struct record_log *log, enum status status, struct why *why);

#endif
