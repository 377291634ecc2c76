/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Positions as text: read, turned, moved, and written again as they were. */
#include "boards/board.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

static void position_use(const struct game *game, const struct board *board, const char *text)
{
	char again[BOARD_TEXT_MAX];
	struct board canonical;
	struct moves moves;
	board_format(game, board, again);
	FUZZ_CHECK(strcmp(again, text) == 0);
	board_canonical(game, board, &canonical);
	FUZZ_CHECK(board_sum(board) == board_sum(&canonical));
	game->moves(board, &moves);
	FUZZ_CHECK(game->over(board) == !moves.legal);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), shape[8];
	struct board board, read;
	struct game game;
	struct why why = {""};
	int rows, cols;
	if (fuzz_fine(board_parse(text, &board, &rows, &cols, &why), &why)) {
		snprintf(shape, sizeof shape, "%dx%d", rows, cols);
		FUZZ_CHECK(!game_init(&game, &(struct game_options){.shape = shape}, &why));
		if (fuzz_fine(board_read(&game, text, &read, &why), &why))
			position_use(&game, &read, text);
	}
	free(text);
	return 0;
}
