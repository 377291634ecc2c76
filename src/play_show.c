/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A game on standard output; see play_show.h. */
#include "src/play_show.h"

#include "src/screen.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

const char *const direction_names[DIRECTIONS] = {"up", "right", "down", "left"};

void show_begin(const struct show *show)
{
	if (show->style == SHOW_MOVES)
		puts("number\tmove\treward\tscore\tposition");
	if (show->style == SHOW_WATCH)
		screen_open();
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
		screen_print(turn->game, turn->board);
		if (*move)
			printf("move %" PRIu64 ": %s, reward %" PRIu64 ", score %" PRIu64 "\n\n",
			       number, move, reward, score);
	}
	fflush(stdout);
}

static void show_watch(const struct show *show, const struct turn *turn, const char *move,
		       uint64_t reward)
{
	char text[128];
	snprintf(text, sizeof text, "%s  move %" PRIu64 " %s  +%" PRIu64 "  score %" PRIu64 "  %s",
		 turn->game->name, show->moves + 1, move, reward, turn->score + reward,
		 show->caption);
	screen_show(turn->game, turn->board, text, NULL);
	struct timespec pause = {.tv_sec = show->delay / 1000,
				 .tv_nsec = show->delay % 1000 * 1000000L};
	nanosleep(&pause, NULL);
}

void show_turn(struct show *show, const struct turn *turn, int move)
{
	if (show->style == SHOW_WATCH)
		show_watch(show, turn, direction_names[move], turn->moves.reward[move]);
	else
		show_text(show, turn, direction_names[move], turn->moves.reward[move]);
	show->moves++;
}

void show_end(const struct show *show, const struct turn *last)
{
	if (show->style == SHOW_WATCH)
		screen_close();
	show_text(show, last, show->style == SHOW_MOVES ? "none" : "", 0);
}

void show_abandon(const struct show *show)
{
	if (show->style == SHOW_WATCH)
		screen_close();
}

void show_summary(const struct show *show, const struct turn *last, uint64_t moves,
		  const char *remark)
{
	int exponent = board_max(last->board);
	printf("%sscore %" PRIu64 ", largest tile %" PRIu64 ", %" PRIu64 " move%s, %s\n",
	       show->style == SHOW_MOVES ? "# " : "", last->score, UINT64_C(1) << exponent, moves,
	       moves == 1 ? "" : "s", remark);
}
