/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a person who plays sees; see play_view.h. */
#include "src/play/play_view.h"

#include "boards/record.h"
#include "base/stop.h"
#include "src/play/play.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

void view_prepare(struct view *view, const struct human_options *options)
{
	*view = (struct view){
	    .show.style = options->rows ? SHOW_MOVES : SHOW_BOARDS,
	    .screen = isatty(STDIN_FILENO) && !terminal_lacks(),
	    .options = options,
	    .terminal.keys = true,
	};
	view->live = isatty(STDIN_FILENO) && !view->screen && !options->rows;
	if (view->screen)
		terminal_prepare(&view->terminal);
}

enum status view_open(struct view *view, uint64_t index, struct why *why)
{
	view->index = index;
	if (view->screen)
		return terminal_open(&view->terminal, true, why);
	stop_catch_terminal();
	show_begin(&view->show);
	return STATUS_OK;
}

void view_draw(struct view *view, const struct turn *turn)
{
	const struct human_options *options = view->options;
	const char *keys[] = {"q end", "arrows move", options->record ? "no back" : "z back",
			      options->agent ? "? advice" : NULL, NULL};
	char title[RECORD_PLAYER_MAX + 64];
	if (view->live && !view->drawn)
		show_end(&view->show, turn);
	view->drawn = true;
	if (!view->screen)
		return;
	snprintf(title, sizeof title, "%s  %s  game %" PRIu64 ", seed %" PRIu64, turn->game->name,
		 options->player, view->index, options->seed);
	struct scene scene = {
	    .game = turn->game,
	    .board = turn->board,
	    .title = title,
	    .score = turn->score,
	    .move = view->show.moves,
	    .moves = view->show.moves,
	    .thought = view->advised ? &view->advice.thought : NULL,
	    .chosen = view->advised ? view->advice.move : MOVE_NONE,
	    .state = view->thinking	  ? "thinking"
		     : !turn->moves.legal ? "no move is left"
		     : options->record	  ? "your move; recorded"
					  : "your move",
	    .message = view->message,
	    .keys = keys,
	};
	terminal_show(&view->terminal, &scene);
}

void view_pressed(struct view *view)
{
	view->message[0] = '\0';
}

void view_moved(struct view *view, const struct turn *turn, int move)
{
	view->advised = view->drawn = false;
	if (view->screen || view->live)
		view->show.moves++;
	else
		show_turn(&view->show, turn, move);
}

void view_back(struct view *view)
{
	view->advised = view->drawn = false;
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
		terminal_close(&view->terminal);
	view->screen = false;
}

void view_end(struct view *view, const struct turn *last, uint64_t moves)
{
	if (!view->live)
		show_end(&view->show, last);
	show_summary(&view->show, last, moves, last->moves.legal ? "unfinished" : "over");
}
