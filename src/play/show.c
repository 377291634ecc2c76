/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A game on standard output; see play.h. */
#include "src/play/play.h"

#include <inttypes.h>
#include <stdio.h>

const char *const direction_names[DIRECTIONS] = {"up", "right", "down", "left"};

void show_begin(const struct show *show)
{
	if (show->style == SHOW_MOVES)
		puts("number\tmove\treward\tscore\tposition");
}

/* A line a row, tiles in columns, '.' for an empty cell. */
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

static void show_text(const struct show *show, const struct turn *turn, const char *move,
		      uint64_t reward)
{
	char position[BOARD_TEXT_MAX];
	uint64_t number = show->moves + 1, score = turn->score + reward;
	if (show->style == SHOW_MOVES) {
		board_format(turn->game, turn->board, position);
		printf("%" PRIu64 "\t%s\t%" PRIu64 "\t%" PRIu64 "\t%s\n", number, move, reward,
		       score, position);
	} else {
		board_print(turn->game, turn->board);
		if (*move)
			printf("move %" PRIu64 ": %s, reward %" PRIu64 ", score %" PRIu64 "\n\n",
			       number, move, reward, score);
	}
	fflush(stdout);
}

void show_turn(struct show *show, const struct turn *turn, int move)
{
	show_text(show, turn, direction_names[move], turn->moves.reward[move]);
	show->moves++;
}

void show_end(const struct show *show, const struct turn *last)
{
	show_text(show, last, show->style == SHOW_MOVES ? "none" : "", 0);
}

void show_summary(const struct show *show, const struct turn *last, uint64_t moves,
		  const char *remark)
{
	int exponent = board_max(last->board);
	printf("%sscore %" PRIu64 ", largest tile %" PRIu64 ", %" PRIu64 " move%s, %s\n",
	       show_mark(show), last->score, UINT64_C(1) << exponent, moves, moves == 1 ? "" : "s",
	       remark);
}
