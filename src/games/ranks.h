/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The processes that work on one command together: ranks, as MPI calls them. Each runs the same
 * command line on the same folder, and so they all come to the same points in the same order; what
 * they do not all do is handed out (src/games/pool.h).
 *
 * nxn is one rank. nxn-mpi is as many as mpirun has started (ranks_mpi.c, which alone knows MPI).
 * Only the main thread calls any of this, but for counters_add().
 */
#ifndef NXN_RANKS_H
#define NXN_RANKS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ranks_counters;

/* How ranks reach each other. Only the program is known where there is one rank. */
struct ranks_link {
	const char *program; /* "nxn" or "nxn-mpi" */
	bool possible;	     /* this program can be several ranks at all */

	/* Joins the others. */
	void (*join)(int *argc, char ***argv);
	int (*rank)(void);
	int (*size)(void);
	/*
	 * ALL[rank * SIZE], on every rank, become the SIZE bytes at MINE of each. All ranks call
	 * it.
	 */
	void (*gather)(const void *mine, size_t size, void *all);
	/* Ends all ranks at once, this one with STATUS. */
	__attribute__((noreturn)) void (*abort)(int status);
	/* Takes leave of the others, after which nothing else is called. All ranks call it. */
	void (*leave)(void);

	/* COUNT numbers that all ranks share, all 0. All ranks call both. */
	struct ranks_counters *(*counters_new)(size_t count);
	void (*counters_free)(struct ranks_counters *counters);
	/*
	 * Adds X to number I and returns what it was. Any thread, one at a time; rank 0 now and
	 * then, so that the others get through.
	 */
	uint64_t (*counters_add)(struct ranks_counters *counters, size_t i, uint64_t x);
};

extern const struct ranks_link ranks_link;

/*
 * Joins the other ranks; the first thing that main() does. From now on ranks other than 0 print
 * nothing, but what they had to say if they end alone with a failure. The process ends with the
 * others: rank 0 with the first exit status of all that is not 0, whose rank has said why, and the
 * others with 0. If others are still at work, a rank that ends ends all.
 */
void ranks_join(int *argc, char ***argv);

/* The number of this rank, from 0, and how many there are. */
int ranks_rank(void);
int ranks_size(void);

/*
 * Waits for all ranks to come to PLACE with STATUS; then all go on with the same. That is the worst
 * of them with the reason of the first rank that has it; or STATUS_INPUT if ranks come with another
 * MARK, a number that is the same for all that see the same files. A request to stop (base/stop.h)
 * becomes that of all. If a rank has ended instead, all end.
 */
MUST_USE enum status ranks_agree(const char *place, uint64_t mark, enum status status,
				 struct why *why);

#endif
