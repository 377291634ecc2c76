/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The processes that work on one command together: ranks, as MPI calls them. Each runs the same
 * command line on the same folder, and so they all come to the same points in the same order; what
 * they do not all do is handed out (src/run/pool.h).
 *
 * nxn is one rank, for which all of this is trivial (ranks_none.c). nxn-mpi is as many as mpirun
 * has started (ranks_mpi.c, which alone knows MPI). Only the main thread calls any of this.
 */
#ifndef NXN_RANKS_H
#define NXN_RANKS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "nxn" or "nxn-mpi". */
extern const char ranks_program[];

/* Whether this program can be several ranks at all. */
extern const bool ranks_possible;

/*
 * Joins the other ranks; the first thing that main() does. From now on ranks other than 0 print
 * nothing, but what they had to say if they end alone with a failure.
 */
void ranks_join(int *argc, char ***argv);

/* The number of this rank, from 0, and how many there are. */
int ranks_rank(void);
int ranks_size(void);

/* ALL[rank * SIZE], on every rank, become the SIZE bytes at MINE of each. All ranks call it. */
void ranks_gather(const void *mine, size_t size, void *all);

/* The SIZE bytes at BYTES become those of rank 0. All ranks call it. */
void ranks_broadcast(void *bytes, size_t size);

/* Ends all ranks at once, this one with STATUS. */
_Noreturn void ranks_abort(int status);

/*
 * Takes leave of the others; nothing else of this file may be called after it. All ranks call it.
 */
void ranks_leave(void);

/*
 * Ends the work of this rank, whose command has come to the exit status STATUS, and takes leave of
 * the others. Returns the exit status of the process: for rank 0 the first of all that is not 0,
 * whose rank has now said why, and 0 for the others. If others are still at work, this rank ends
 * all, with STATUS.
 */
int ranks_end(int status);

/*
 * Waits for all ranks to come to PLACE with STATUS; then all go on with the same. That is the worst
 * of them with the reason of the first rank that has it; or STATUS_INPUT if ranks come with another
 * MARK, a number that is the same for all that see the same files. A request to stop (base/stop.h)
 * becomes that of all. If a rank has ended instead, all end.
 */
MUST_USE enum status ranks_agree(const char *place, uint64_t mark, enum status status,
				 struct why *why);

/* ---- Short messages, which may be sent at any time and arrive in order. */

enum { RANKS_WORDS = 14 };

struct ranks_note {
	uint64_t word[RANKS_WORDS];
};

struct ranks_post;

/* STATUS_SYSTEM when memory runs out. */
MUST_USE enum status ranks_post_open(struct ranks_post **post, struct why *why);

/* Sends NOTE to rank TO, and does not wait. */
void ranks_post_send(struct ranks_post *post, int to, const struct ranks_note *note);

/* Takes a note that has arrived, if any, and tells whose it was. */
bool ranks_post_take(struct ranks_post *post, int *from, struct ranks_note *note);

/* Waits until all that was sent has been taken. Fine on NULL. */
void ranks_post_close(struct ranks_post *post);

#endif
