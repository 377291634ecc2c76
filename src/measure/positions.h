/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Positions of boards: read from a file, or sampled from games and written to a file. */
#ifndef NXN_POSITIONS_H
#define NXN_POSITIONS_H

#include "agents/agent.h"

struct position {
	struct board board, canonical;
};

/* The most positions of a board: each is compared with all before it. */
enum { POSITIONS_MAX = 10000 };

/* Positions of one board, different up to symmetry, each with a legal move. */
struct positions {
	struct position *position;
	size_t n;
};

/*
 * Reads the file PATH as nxn eval does, one position per line, without blank lines and '#'
 * comments. Adds positions of GAMES[i] to SETS[i]; ignores other shapes. STATUS_INPUT, with file
 * and line, for a line that is no position or one that no game reaches, has no legal move, or
 * repeats a position, perhaps turned or mirrored; and if a game has none, or too many.
 */
MUST_USE enum status positions_read(struct positions *sets, const struct game *const *games,
				    size_t count, const char *path, struct why *why);

/*
 * Fills the empty SET with N positions of GAME: one of each of the games 0, 1, ... of SEED that a
 * fast player plays, every move of the game equally likely. They depend only on GAME, N and SEED,
 * and a smaller N gives the first of them. STATUS_INPUT if the games have too few different ones.
 */
MUST_USE enum status positions_sample(struct positions *set, const struct game *game, size_t n,
				      uint64_t seed, int threads, struct why *why);

/* Writes to TEXT which positions are sampled, N of each board. */
void positions_source(size_t n, uint64_t seed, char *text, size_t size);

/*
 * Writes the sampled SETS to positions.txt in DIRECTORY, complete or not at all. A file that has
 * these positions stays unchanged, so it may be read-only. STATUS_INPUT if the file was not written
 * by a sweep, since it must not be lost.
 */
MUST_USE enum status positions_leave(const struct positions *sets, const struct game *const *games,
				     size_t count, uint64_t seed, const char *directory,
				     struct why *why);

void positions_fini(struct positions *set);

#endif
