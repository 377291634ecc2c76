/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The log of games that were held against the optimum: a log of rows (analysis/logs/rowlog.h), one a game.
 *
 *   # provenance of the run that wrote the lines below it, any number of lines
 *   config board agent trained seed game result phases                         (tab-separated)
 *   00c0ffee00c0ffee 2x2 greedy 0 1 17 24 1:2:2:0,2:3:2:1.5
 *
 * `config` stands for all that decides a game and what is lost in it but seed and number: the game,
 * the agent, how much it has learned, and what the optimum is of. `result` is what the game is about:
 * points, or 1 if the target was reached and else 0. `phases` has for each largest exponent that
 * stood on the board before a move, ascending: EXPONENT:MOVES:OPTIMAL:LOST, its moves, how many of
 * these were optimal, and what all of them lost; or "-" if there was no move.
 *
 * Game "exact" stands for all games, weighted with their probabilities: then the numbers are expected
 * values.
 */
#ifndef NXN_GAP_LOG_H
#define NXN_GAP_LOG_H

#include "analysis/logs/rowlog.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exponents below GAP_PHASES can be logged: tables of larger ones do not fit into any memory. */
enum { GAP_PHASES = 24 };

/* The number of the row that stands for all games. */
#define GAP_EXACT UINT64_MAX

/* Moves made while 2^k was the largest tile. */
struct gap_phase {
	double moves, optimal, lost;
};

struct gap_row {
	uint64_t config, trained, seed;
	uint64_t game; /* or GAP_EXACT */
	double result;
	struct gap_phase phase[GAP_PHASES];
};

/* The sum of all phases. */
struct gap_phase gap_row_total(const struct gap_row *row);

/* Games in memory, by config, seed and game. Read the public members, change none. */
struct gap_log {
	struct gap_row *rows;
	size_t count, room;
	size_t torn; /* bytes of a last line without a newline, of a log that was only read */
};

/*
 * Reads the file PATH into the new LOG; a torn last line is left out. STATUS_INPUT, with file and
 * line, for what is not such a file; STATUS_SYSTEM if it cannot be read, or memory runs out. The
 * log is the caller's, for gap_log_fini().
 */
MUST_USE enum status gap_log_read(struct gap_log *log, const char *path, struct why *why);

/* The same of all FILES, as gap_log_read() of each. */
MUST_USE enum status gap_log_read_parts(struct gap_log *log, const struct parts *files,
					struct why *why);
void gap_log_fini(struct gap_log *log);

/* The game, or NULL. Any thread. */
const struct gap_row *gap_log_find(const struct gap_log *log, uint64_t config, uint64_t seed,
				   uint64_t game);

/* rowlog_open() of such a log; the new LOG becomes what is there, on success, and is the caller's. */
MUST_USE enum status gap_log_open(struct rowlog_writer *writer, const char *path,
				  const char *const *provenance, struct gap_log *log,
				  struct why *why);

/*
 * Appends a game of AGENT, which no control character is in, on BOARD. One thread at a time.
 * STATUS_SYSTEM if the line could not be written whole, after which nothing more may be appended.
 */
MUST_USE enum status gap_log_append(struct rowlog_writer *writer, const struct gap_row *row,
				    const char *board, const char *agent, struct why *why);

/* This log in parts. */
extern const struct parts_kind gap_log_parts;

#endif
