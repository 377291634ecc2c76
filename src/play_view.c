/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a person who plays sees; see play_view.h. */
#include "src/play_view.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

void view_open(struct view *view, bool screen, const struct human_options *options, uint64_t index)
{
	*view = (struct view){
	    .show.style = options->rows ? SHOW_MOVES : SHOW_BOARDS,
	    .screen = screen,
	    .options = options,
	    .index = index,
	};
	if (screen)
		screen_open();
	else
		show_begin(&view->show);
}

void view_draw(struct view *view, const struct turn *turn)
{
	char above[256], below[512];
	if (!view->screen)
		return;
	snprintf(above, sizeof above,
		 "score %" PRIu64 "  move %" PRIu64 "  %s  game %" PRIu64 " of seed %" PRIu64,
		 turn->score, view->show.moves + 1, turn->game->name, view->index,
		 view->options->seed);
	const char *usual = turn->moves.legal ? " " : "no move is left";
	snprintf(below, sizeof below, "%s\narrows wasd hjkl: move  z: back  %sq: end",
		 view->message[0] ? view->message : usual,
		 view->options->agent ? "?: advice  " : "");
	view->size = screen_size();
	screen_show(turn->game, turn->board, above, below);
	view->message[0] = '\0';
}

bool view_outgrown(const struct view *view)
{
	if (!view->screen)
		return false;
	struct screen_size size = screen_size();
	return size.columns != view->size.columns || size.lines != view->size.lines;
}

void view_moved(struct view *view, const struct turn *turn, int move)
{
	if (view->screen)
		view->show.moves++;
	else
		show_turn(&view->show, turn, move);
}

void view_back(struct view *view)
{
	if (!view->screen)
		printf("%smove %" PRIu64 " is taken back\n",
		       view->show.style == SHOW_MOVES ? "# " : "", view->show.moves);
	view->show.moves--;
}

void view_say(struct view *view, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(view->message, sizeof view->message, format, args);
	va_end(args);
	if (!view->screen)
		fprintf(stderr, "%s: %s\n", view->options->name, view->message);
}

void view_tell(struct view *view, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(view->message, sizeof view->message, format, args);
	va_end(args);
	if (!view->screen)
		printf("%s%s\n", view->show.style == SHOW_MOVES ? "# " : "", view->message);
}

void view_close(struct view *view)
{
	if (view->screen)
		screen_close();
	view->screen = false;
}

void view_end(struct view *view, const struct turn *last, uint64_t moves)
{
	show_end(&view->show, last);
	show_summary(&view->show, last, moves, last->moves.legal ? "unfinished" : "over");
}
