/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The course of a game, a move at a time: the same positions that play_game() comes to. */
#ifndef NXN_PLAY_COURSE_H
#define NXN_PLAY_COURSE_H

#include "agents/play.h"
#include "boards/record.h"

/* Stays where it is as long as it is used. */
struct course {
	const struct game *game;
	struct rng spawns;
	struct board board;
	struct turn turn; /* of the board */
};

/* A position to go back to. */
struct waypoint {
	struct board board;
	uint64_t score;
	struct rng spawns;
};

/* Game INDEX of SEED before its first move. */
void course_start(struct course *course, const struct game *game, uint64_t seed, uint64_t index);

/* Makes a legal move; a tile appears. */
struct record_move course_move(struct course *course, int direction);

struct waypoint course_mark(const struct course *course);
void course_return(struct course *course, const struct waypoint *waypoint);

#endif
