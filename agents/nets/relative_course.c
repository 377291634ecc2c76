/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The course of mini-games (Math for reinforcement learning, part 2, section "Everything's
 * relative"). A challenge is to come from a layout with a given largest tile to the next tile; a
 * batch is so many attempts from one layout.
 *
 * mini_random	a new random layout for every batch.
 * mini_iterative	a random layout for the first challenge; each other one starts from where the
 *		best attempt at the one before ended, best by what games are measured by.
 *
 * The article says neither how long a challenge lasts nor what follows the last one: here a challenge
 * lasts a number of batches, and after the last one the first comes again, with a new layout. So it
 * does when no attempt has come to the tile, or only such as had no legal move left: another layout
 * may be easier.
 *
 * Invariant: `exponent` is the largest of `start`, and with `solved` one less than that of `end`.
 */
#include "agents/nets/relative_course.h"

#include "agents/nets/relative_starts.h"

#include <math.h>

static void layout_new(struct relative_course *course, uint64_t seed, uint64_t number)
{
	struct rng rng;
	rng_init(&rng, seed, RNG_LAYOUT, number);
	starts_draw(course->game, course->exponent, &rng, &course->start);
}

static void challenge_set(struct relative_course *course, int exponent)
{
	course->exponent = exponent;
	course->batch = 0;
	course->solved = false;
	course->best = 0;
	course->end = (struct board){0};
}

void relative_course_begin(struct relative_course *course, uint64_t seed)
{
	challenge_set(course, course->first);
	layout_new(course, seed, 0);
}

/* Keeps how the game ended, if it is the best that the next challenge could start from. */
static void attempt_add(struct relative_course *course, const struct outcome *outcome,
			double measure)
{
	if (outcome->max_exponent != course->exponent + 1 || course->game->over(&outcome->last) ||
	    (course->solved && measure <= course->best))
		return;
	course->solved = true;
	course->best = measure;
	course->end = outcome->last;
}

void relative_course_next(struct relative_course *course, uint64_t seed, uint64_t number,
			  const struct episodes *batch, const struct standing *games)
{
	for (size_t i = 0; i < batch->count; i++)
		attempt_add(course, &batch->episode[i].outcome, games[i].measure);
	const bool over = ++course->batch == course->batches;
	const bool last = course->exponent == course->last;
	const bool iterative = course->type == GAME_MINI_ITERATIVE;
	if (over && iterative && course->solved && !last) {
		course->start = course->end;
		challenge_set(course, course->exponent + 1);
		return;
	}
	if (over)
		challenge_set(course, iterative || last ? course->first : course->exponent + 1);
	if (over || !iterative)
		layout_new(course, seed, number + 1);
}

/* Whether BOARD has the shape of the game and EXPONENT is its largest. */
static bool layout_sound(const struct game *game, const struct board *board, int exponent)
{
	struct why why;
	for (int r = 0; r < SIDE_MAX; r++)
		for (int c = 0; c < ROW_BYTES; c++)
			if (board->cell[r][c] && (r >= game->rows || c >= game->cols))
				return false;
	return board_max(board) == exponent && !game->over(board) &&
	       game_admits(game, board, &why) == STATUS_OK;
}

void relative_course_section(struct relative_course *course, struct model_file *file)
{
	const uint64_t exponent = model_number(file, (uint64_t)course->exponent, UINT64_MAX);
	course->batch = model_number(file, course->batch, UINT64_MAX);
	const uint64_t solved = model_number(file, course->solved, UINT64_MAX);
	course->best = model_real(file, course->best);
	model_bytes(file, &course->start, sizeof course->start);
	model_bytes(file, &course->end, sizeof course->end);
	course->exponent = (int)exponent;
	course->solved = solved;
	const bool within =
	    exponent >= (uint64_t)course->first && exponent <= (uint64_t)course->last;
	if (model_reading(file) &&
	    (!within || course->batch >= course->batches || solved > 1 ||
	     !layout_sound(course->game, &course->start, (int)exponent) ||
	     (solved && !layout_sound(course->game, &course->end, (int)exponent + 1))))
		model_reject(file, "a mini-game that there is not",
			     "one of the course of its settings");
	model_section_end(file);
}
