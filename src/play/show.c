/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A game on standard output; see play.h. */
#include "src/play/play.h"

#include <inttypes.h>
#include <stdio.h>

/* Prints a board, a line per row, tiles in columns, '.' for an empty cell. */
static void board_print(const struct game *game, const struct board *board)
{
	int digits = snprintf(NULL, 0, "%" PRIu64, (uint64_t)1 << board_max(board));
	int width = (digits < 4 ? 4 : digits) + 2;
	for (int r = 0; r < game->rows; r++) {
		for (int c = 0; c < game->cols; c++)
			if (board->cell[r][c])
				printf("%*" PRIu64, width, (uint64_t)1 << board->cell[r][c]);
			else
				printf("%*s", width, ".");
		putchar('\n');
	}
}

void show_begin(const struct show *show)
{
	if (show->style == SHOW_MOVES)
		puts("number\tmove\treward\tscore\tposition");
}

static void row_print(const struct show *show, const struct turn *turn, const char *move,
		      uint64_t reward)
{
	char position[BOARD_TEXT_MAX];
	board_format(turn->game, turn->board, position);
	printf("%" PRIu64 "\t%s\t%" PRIu64 "\t%" PRIu64 "\t%s\n", show->moves + 1, move, reward,
	       turn->score + reward, position);
}

void show_position(const struct show *show, const struct turn *turn)
{
	if (show->style == SHOW_BOARDS)
		board_print(turn->game, turn->board);
	fflush(stdout);
}

void show_move(struct show *show, const struct turn *turn, int move)
{
	const uint64_t reward = turn->moves.reward[move];
	if (show->style == SHOW_MOVES)
		row_print(show, turn, direction_names[move], reward);
	else
		printf("move %" PRIu64 ": %s, reward %" PRIu64 ", score %" PRIu64 "\n\n",
		       show->moves + 1, direction_names[move], reward, turn->score + reward);
	fflush(stdout);
	show->moves++;
}

void show_end(const struct show *show, const struct turn *last, uint64_t moves, const char *remark)
{
	if (show->style == SHOW_MOVES)
		row_print(show, last, "none", 0);
	printf("%sscore %" PRIu64 ", largest tile %" PRIu64 ", %" PRIu64 " move%s, %s\n",
	       show_mark(show), last->score, UINT64_C(1) << board_max(last->board), moves,
	       moves == 1 ? "" : "s", remark);
}
