/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Boards of the kinds that find mistakes: sparse, full, chains of merges, tiles at the top. */
#ifndef NXN_TESTS_RANDOM_BOARD_H
#define NXN_TESTS_RANDOM_BOARD_H

#include "tests/games.h"

/* Instrumented code is slow: it gets one in so many of the boards. */
#ifndef __has_feature
#define __has_feature(name) 0
#endif
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ ||                                 \
    __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
enum { SANITIZED_SHARE = 20 };
#else
enum { SANITIZED_SHARE = 1 };
#endif

enum random_kind { SPARSE, FULL, CHAINS, TOP, RANDOM_KINDS };

static inline uint8_t random_exponent(const struct game *game, int kind, struct rng *rng)
{
	uint32_t top = (uint32_t)game->max_exponent;
	switch (kind) {
	case SPARSE:
		return (uint8_t)(rng_below(rng, 3) ? 0 : 1 + rng_below(rng, top - 1));
	case FULL:
		return (uint8_t)(1 + rng_below(rng, 4));
	case CHAINS:
		return (uint8_t)rng_below(rng, 3);
	default:
		return (uint8_t)(top - 1 - rng_below(rng, top < 4 ? top : 4));
	}
}

/* KIND is an enum random_kind, as an int for loops over all kinds. */
static inline void random_board(const struct game *game, int kind, struct rng *rng,
				struct board *board)
{
	*board = (struct board){0};
	for (int r = 0; r < game->rows; r++)
		for (int c = 0; c < game->cols; c++)
			board->cell[r][c] = random_exponent(game, kind, rng);
}

/* Where direction D goes in image I, as board_symmetry() makes it. */
static inline int direction_image(int i, int d)
{
	if (i & 1 && (d == LEFT || d == RIGHT))
		d = LEFT + RIGHT - d;
	if (i & 2 && (d == UP || d == DOWN))
		d = UP + DOWN - d;
	if (i & 4) {
		static const int turned[DIRECTIONS] = {
		    [UP] = LEFT, [LEFT] = UP, [DOWN] = RIGHT, [RIGHT] = DOWN};
		d = turned[d];
	}
	return d;
}

/* The I-th of all 25 shapes, I in 0..24; valid until the next call. */
static inline const char *shape_name(int i)
{
	static char shape[] = "0x0";
	shape[0] = (char)('2' + i / 5);
	shape[2] = (char)('2' + i % 5);
	return shape;
}

/* Makes the game of the I-th of all shapes. */
static inline void shape_game(int i, struct game *game)
{
	game_of(shape_name(i), game);
}

/* Sets NXN_ISA to ISA; false if this machine does not have it. */
static inline bool isa_ask(enum isa isa)
{
	return isa_available(isa) && setenv("NXN_ISA", isa_name(isa), 1) == 0;
}

#endif
