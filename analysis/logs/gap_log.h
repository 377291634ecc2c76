/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The log of games that were held against the optimum: a log of rows (analysis/logs/rowlog.h), one
 * a game.
 *
 *   # provenance of the run that wrote the lines below it, any number of lines
 *   config board agent trained seed game result phases                         (tab-separated)
 *   00c0ffee00c0ffee 2x2 greedy 0 1 17 24 1:2:2:0,2:3:2:1.5
 *
 * `config` stands for all that decides a game and what is lost in it but seed and number: the game,
 * the agent, how much it has learned, and what the optimum is of. `result` is what the game is
 * about: points, or 1 if the target was reached and else 0. `phases` has for each largest exponent
 * that stood on the board before a move, ascending: EXPONENT:MOVES:OPTIMAL:LOST, its moves, how
 * many of these were optimal, and what all of them lost; or "-" if there was no move.
 *
 * Game "exact" stands for all games, weighted with their probabilities: then the numbers are
 * expected values.
 */
#ifndef NXN_GAP_LOG_H
#define NXN_GAP_LOG_H

#include "analysis/logs/rowlog.h"

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
	const char *board, *agent; /* who played; NULL in what is read into memory */
	uint64_t game;		   /* or GAP_EXACT */
	double result;
	struct gap_phase phase[GAP_PHASES];
};

/* The sum of all phases. */
struct gap_phase gap_row_total(const struct gap_row *row);

extern const struct rowlog_kind gap_log_kind;

/* The game, or NULL. Any thread. */
const struct gap_row *gap_log_find(const struct rowlog *log, uint64_t config, uint64_t seed,
				   uint64_t game);

#endif
