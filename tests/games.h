/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that make a game or open a file of vectors, or fail the test. */
#ifndef NXN_TESTS_GAMES_H
#define NXN_TESTS_GAMES_H

#include "boards/board.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

static inline void game_make(const struct game_options *options, struct game *game)
{
	struct why why;
	if (game_init(game, options, &why))
		fail_msg("%s", why.text);
}

/* Makes the game of SHAPE with everything else by default. */
static inline void game_of(const char *shape, struct game *game)
{
	game_make(&(struct game_options){.shape = shape}, game);
}

/* The position TEXT. */
static inline struct board board_of(const struct game *game, const char *text)
{
	struct board board;
	struct why why;
	if (board_read(game, text, &board, &why))
		fail_msg("%s", why.text);
	return board;
}

/* Opens tests/vectors/NAME. */
static inline FILE *vectors_open(const char *name)
{
	char where[4096];
	const char *top = getenv("srcdir");
	snprintf(where, sizeof where, "%s/tests/vectors/%s", top ? top : ".", name);
	FILE *file = fopen(where, "r");
	if (!file)
		fail_msg("%s cannot be opened; set srcdir to the source folder", where);
	return file;
}

#endif
