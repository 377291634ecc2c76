/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mini-games: which layout the games of a batch start from, and which tile ends them. */
#ifndef NXN_RELATIVE_COURSE_H
#define NXN_RELATIVE_COURSE_H

#include "agents/nets/episodes.h"
#include "agents/nets/relative_targets.h"

/* The parameter game_type. */
enum game_type { GAME_FULL, GAME_MINI_ITERATIVE, GAME_MINI_RANDOM };

struct relative_course {
	const struct game *game;
	enum game_type type;
	int first, last;  /* exponents that challenges start from; they end at the next one */
	uint64_t batches; /* of a challenge */

	int exponent;	    /* of the challenge under way */
	uint64_t batch;	    /* batches of it that are over */
	struct board start; /* of the batch under way */
	bool solved;	    /* one of its games came to the tile, and could go on */
	double best;	    /* what the best of them came to */
	struct board end;   /* how that one ended */
};

/* The first challenge, from a random layout of SEED. */
void relative_course_begin(struct relative_course *course, uint64_t seed);

/* Goes on behind batch number NUMBER; GAMES[i] is the standing of its i-th game. */
void relative_course_next(struct relative_course *course, uint64_t seed, uint64_t number,
			  const struct episodes *batch, const struct standing *games);

/* The challenge under way as a section of FILE. */
void relative_course_section(struct relative_course *course, struct model_file *file);

#endif
