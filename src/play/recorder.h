/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recording games: an observer that records a game, the record file, and replaying. */
#ifndef NXN_PLAY_RECORDER_H
#define NXN_PLAY_RECORDER_H

#include "agents/play.h"
#include "boards/record.h"
#include "src/play/play.h"
#include "src/games/experiment.h"

/*
 * The record of a game so far; empty if all bytes are 0. The next position shows the tile after a
 * move.
 */
struct recorder {
	struct board start;
	struct record_move *move; /* on the heap; the owner frees it */
	size_t moves;
	bool begun;
	int direction;	    /* of the last move */
	struct board after; /* its after-state */
};

/* For play_watch.move: records a move. Returns true. */
bool recorder_move(void *recorder, const struct turn *turn, int move,
		   const struct decision *decision);

/* Makes MOVE, of a record that has been checked, in TURN, which is on BOARD. */
void record_step(const struct record_move *move, struct turn *turn, struct board *board);

/* The record file for games with one player, board and seed; closed if all bytes are 0. */
struct record_log {
	bool open;
	struct record_writer writer;
	struct experiment experiment; /* has one entry, the agent, if an agent plays */
	const struct game *game;
	const char *player;
	struct record_number config;
	uint64_t seed;
	/* Numbers of the games that were in the file, ascending. */
	uint64_t *played;
	size_t count;
};

/*
 * Opens the record file of OPTIONS, if there is one, for the games of PLAYER, a person, on GAME, or
 * for those of the agent of OPTIONS if PLAYER is NULL. Determines which games the file has: for an
 * agent those with its config; for a person those without config and with the same player, shape,
 * spawn rule and seed. Borrows GAME and PLAYER. Warns on standard error about an incomplete last
 * line. Errors as experiment_add() and record_writer_open(); STATUS_INPUT for anything wrong in the
 * file. The log is closed on failure.
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
 * Closes the log, if it is open, after work that ended with STATUS. Returns STATUS, or, if that is
 * STATUS_OK or STATUS_STOPPED, an error of closing.
 */
MUST_USE enum status record_log_close(struct record_log *log, enum status status, struct why *why);

#endif
