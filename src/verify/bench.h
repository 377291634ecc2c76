/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times of the hot paths on fixed positions, and a hash of how nxn plays. */
#ifndef NXN_BENCH_H
#define NXN_BENCH_H

#include "base/status.h"

#include <stdint.h>

/* What a row is a time of, in UNIT; MAD is the median absolute deviation from the median. */
struct measurement {
	const char *name, *unit;
	double median, mad;
};

enum { MEASUREMENTS = 9, REPEATS_MAX = 1000 };

/*
 * Measures BOARD with the kernels that NXN_ISA asks for, REPEATS times each after a warm-up: the
 * four after-states of a position (ns), random games one at a time and as playouts (million moves
 * a second), a decision of a search (ms) and its speed (million positions a second), and a leaf
 * of a search in a batch, by two values (ns), and a position of a policy network's batch, its
 * chances and a step of learning (ns). Other threads disturb it.
 */
MUST_USE enum status bench_board(const char *board, int repeats,
				 struct measurement rows[MEASUREMENTS], struct why *why);

/*
 * One number for how nxn plays: a hash of every move and score of fixed games of fixed players,
 * on THREADS workers. It is the same for every instruction set and number of threads, and a
 * change that claims to change no behaviour leaves it as it was. STATUS_SYSTEM when memory or
 * threads cannot be had.
 */
MUST_USE enum status signature_make(int threads, uint64_t *signature, struct why *why);

#endif
