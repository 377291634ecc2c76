/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ranks: the processes that work on one command together, in the terms of MPI. Each rank has the
 * same command line and folder, so all ranks reach the same points in the same order. Work that not
 * all ranks do is handed out by the pool (src/games/pool.h).
 *
 * nxn is one rank. nxn-mpi has as many ranks as mpirun starts (ranks_mpi.c, the only file that uses
 * MPI). Only the main thread calls these functions, except counters_add().
 */
#ifndef NXN_RANKS_H
#define NXN_RANKS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Communication between ranks. With one rank only `program` is used. */
struct ranks_link {
	const char *program; /* "nxn" or "nxn-mpi" */
	bool possible;	     /* this program can run as several ranks */

	/* Joins the other ranks. */
	void (*join)(int *argc, char ***argv);
	int (*rank)(void);
	int (*size)(void);
	/*
	 * Copies the SIZE bytes at MINE of each rank to ALL[rank * SIZE] on every rank. All ranks
	 * call it.
	 */
	void (*gather)(const void *mine, size_t size, void *all);
	/* Ends all ranks at once, this one with exit status STATUS. */
	__attribute__((noreturn)) void (*abort)(int status);
	/* Leaves the other ranks; the last call. All ranks call it. */
	void (*leave)(void);

	/*
	 * Creates and frees COUNT counters, initially 0, that all ranks share; one set at a time.
	 * All ranks call both, and agree in between after their last counters_add().
	 */
	void (*counters_new)(size_t count);
	void (*counters_free)(void);
	/*
	 * Adds X to counter I and returns its old value. Any thread, one at a time. Rank 0 must
	 * call it regularly, so that the others make progress.
	 */
	uint64_t (*counters_add)(size_t i, uint64_t x);
};

extern const struct ranks_link ranks_link;

/*
 * Joins the other ranks; main() calls it first. From then on ranks other than 0 print nothing,
 * except the message of a failure with which they end alone. The process ends together with the
 * others: rank 0 with the first nonzero exit status of any rank, which has printed the reason, and
 * the others with 0. A rank that ends while others are still working ends all of them.
 */
void ranks_join(int *argc, char ***argv);

/* Return the number of this rank, from 0, and the number of ranks. */
int ranks_rank(void);
int ranks_size(void);

/*
 * Waits until all ranks arrive at PLACE with their STATUS; then all return the same. That is the
 * worst status, with the reason of the first rank that has it; or STATUS_INPUT if the ranks have
 * different MARKs, a number that is equal on ranks that see the same files. A request to stop
 * (base/stop.h) reaches all ranks. If a rank has ended instead, all ranks end.
 */
MUST_USE enum status ranks_agree(const char *place, uint64_t mark, enum status status,
				 struct why *why);

#endif
