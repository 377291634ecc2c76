/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The positions of a sweep: a fixed set for each board, so that its cells can be compared. */
#ifndef NXN_SWEEP_POSITIONS_H
#define NXN_SWEEP_POSITIONS_H

#include "boards/board.h"

#include <stddef.h>

struct position {
	struct board board, canonical;
};

/* Different positions of one board, none the image of another, each with a legal move. */
struct positions {
	struct position *position;
	size_t n, room;
};

/*
 * Fills the empty SET with N positions of GAME: one of each of the games 0, 1, ... of SEED that
 * a fast player plays, every move of the game equally likely. They depend on GAME, N and SEED
 * alone, and those of a smaller N are the first of them. STATUS_INPUT if the games hold too few
 * different ones; STATUS_STOPPED after Ctrl-C; STATUS_SYSTEM when memory runs out.
 */
MUST_USE enum status positions_sample(struct positions *set, const struct game *game, size_t n,
				      uint64_t seed, int threads, struct why *why);

/*
 * Reads the file PATH as nxn eval does, a position a line, blank lines and '#' comments left out,
 * into SETS, of which SETS[i] has positions of GAMES[i]; those of other shapes are left out.
 * STATUS_INPUT, with file and line, for what is no position, one that no game reaches, without a
 * legal move, or there already, perhaps turned or mirrored; and if a game has none.
 */
MUST_USE enum status positions_read(struct positions *sets, const struct game *const *games,
				    size_t count, const char *path, struct why *why);

/* A position near the end of game INDEX of SEED between random moves: cheap to search. */
void position_late(const struct game *game, uint64_t seed, uint64_t index, struct board *board);

/* Which positions are sampled, N of each board, as text. */
void positions_source(size_t n, uint64_t seed, char *text, size_t size);

/*
 * Leaves the sampled SETS, of which SETS[i] has positions of GAMES[i], as positions.txt in
 * DIRECTORY, complete or not at all; where this process is ALONE with the folder, what is left of
 * earlier attempts goes. A file that holds these positions stays as it is: several processes that
 * share a sweep leave the same. STATUS_INPUT if there is one that no sweep wrote, which must not be
 * lost; STATUS_SYSTEM if it cannot be read or written.
 */
MUST_USE enum status positions_leave(const struct positions *sets, const struct game *const *games,
				     size_t count, uint64_t seed, const char *directory, bool alone,
				     struct why *why);

void positions_fini(struct positions *set);

#endif
