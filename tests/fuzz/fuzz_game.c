/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Games: a line each for shape, spawn rule, start tiles and start. */
#include "boards/board.h"
#include "base/text.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

/* What is written is the game again. */
static void game_again(const struct game *game)
{
	char start[BOARD_TEXT_MAX];
	struct game again;
	struct why why = {""};
	board_format(game, &game->start, start);
	const struct game_options options = {.shape = game->name,
					     .spawn = game->spawn.text,
					     .start_tiles = game->start_tiles,
					     .start = game->has_start ? start : NULL};
	FUZZ_CHECK(!game_init(&again, &options, &why));
	FUZZ_CHECK(memcmp(&again.spawn, &game->spawn, sizeof again.spawn) == 0);
	FUZZ_CHECK(again.max_exponent == game->max_exponent);
	FUZZ_CHECK(board_equal(&again.start, &game->start));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), *rest = text;
	const char *shape = fuzz_line(&rest), *spawn = fuzz_line(&rest);
	const char *tiles = fuzz_line(&rest), *start = fuzz_line(&rest);
	const struct game_options options = {
	    .shape = *shape ? shape : NULL,
	    .spawn = *spawn ? spawn : NULL,
	    .start_tiles = *tiles >= '0' && *tiles <= '9' ? atoi(tiles) % 100 : 0,
	    .start = *start ? start : NULL,
	};
	struct game game;
	struct why why = {""};
	memset(&game, 0, sizeof game);
	if (fuzz_fine(game_init(&game, &options, &why), &why))
		game_again(&game);
	free(text);
	return 0;
}
