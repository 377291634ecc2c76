/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A game move by move; see play_course.h. Invariant: the turn is that of the board. */
#include "src/play/play_course.h"

void course_start(struct course *course, const struct game *game, uint64_t seed, uint64_t index)
{
	course->game = game;
	rng_init(&course->spawns, seed, RNG_SPAWN, index);
	board_start(game, &course->board, &course->spawns);
	turn_init(&course->turn, game, &course->board, 0);
}

struct record_move course_move(struct course *course, int direction)
{
	const struct board after = course->turn.moves.after[direction];
	const uint64_t score = course->turn.score + course->turn.moves.reward[direction];
	course->board = after;
	board_spawn(course->game, &course->board, &course->spawns);
	turn_init(&course->turn, course->game, &course->board, score);
	return record_move_of(direction, &after, &course->board);
}

struct waypoint course_mark(const struct course *course)
{
	return (struct waypoint){
	    .board = course->board, .score = course->turn.score, .spawns = course->spawns};
}

void course_return(struct course *course, const struct waypoint *waypoint)
{
	course->board = waypoint->board;
	course->spawns = waypoint->spawns;
	turn_init(&course->turn, course->game, &course->board, waypoint->score);
}
