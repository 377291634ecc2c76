/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Positions of boards: read from a file, or sampled from games and left as a file. */
#ifndef NXN_POSITIONS_H
#define NXN_POSITIONS_H

#include "agents/agent.h"

struct position {
	struct board board, canonical;
};

/* Different positions of one board, none the image of another, each with a legal move. */
struct positions {
	struct position *position;
	size_t n, room;
};

/*
 * Reads the file PATH as nxn eval does, a position a line, blank lines and '#' comments left out,
 * into SETS, of which SETS[i] has positions of GAMES[i]; those of other shapes are left out.
 * STATUS_INPUT, with file and line, for what is no position, one that no game reaches, without a
 * legal move, or there already, perhaps turned or mirrored; and if a game has none.
 */
MUST_USE enum status positions_read(struct positions *sets, const struct game *const *games,
				    size_t count, const char *path, struct why *why);

/*
 * Fills the empty SET with N positions of GAME: one of each of the games 0, 1, ... of SEED that
 * a fast player plays, every move of the game equally likely. They depend on GAME, N and SEED
 * alone, and those of a smaller N are the first of them. STATUS_INPUT if the games hold too few
 * different ones.
 */
MUST_USE enum status positions_sample(struct positions *set, const struct game *game, size_t n,
				      uint64_t seed, int threads, struct why *why);

/* Which positions are sampled, N of each board, as text. */
void positions_source(size_t n, uint64_t seed, char *text, size_t size);

/*
 * Leaves the sampled SETS as positions.txt in DIRECTORY, complete or not at all. A file that holds
 * these positions stays as it is, also where it may only be read.
 * STATUS_INPUT if there is one that no sweep wrote, which must not be lost.
 */
MUST_USE enum status positions_leave(const struct positions *sets, const struct game *const *games,
				     size_t count, uint64_t seed, const char *directory,
				     struct why *why);

void positions_fini(struct positions *set);

#endif
