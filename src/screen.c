/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Positions for the eye, with the control sequences of ECMA-48 and xterm; see screen.h.
 *
 * A cell is three lines high and as wide as the largest tile of the game needs, where there is room:
 * 6x6 takes 6 * (12 + 1) = 78 columns and 6 * 3 + 2 = 20 lines. Where there is less, cells get one
 * line, and large tiles are shortened.
 */
#include "src/screen.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define SCREEN_OPEN "\033[?1049h\033[?25l\033[2J"
#define SCREEN_CLOSE "\033[0m\033[?25h\033[?1049l"

/* Of a terminal that does not tell its size; and of a cell. */
enum { COLUMNS = 80, LINES = 24, CELL_LINES = 3, EXPONENT_DIGITS = 2 };

/* The digits of the largest tile that the game can have. */
static int tile_digits(const struct game *game)
{
	return snprintf(NULL, 0, "%" PRIu64, (uint64_t)1 << game->max_exponent);
}

void screen_print(const struct game *game, const struct board *board)
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

static void on_signal(int signal_number)
{
	ssize_t written = write(STDOUT_FILENO, SCREEN_CLOSE, sizeof SCREEN_CLOSE - 1);
	(void)written;
	raise(signal_number);
}

void screen_open(void)
{
	/* SA_NODEFER and SA_RESETHAND: raise() in the handler has its default effect at once. */
	struct sigaction action = {.sa_handler = on_signal,
				   .sa_flags = (int)(SA_RESETHAND | SA_NODEFER)};
	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	fputs(SCREEN_OPEN, stdout);
}

void screen_close(void)
{
	fputs(SCREEN_CLOSE, stdout);
	fflush(stdout);
}

/* Dark text on the lighter tiles of the 256-colour palette, from sand over orange and red to
 * violet. */
static void cell_colour(int exponent)
{
	static const struct {
		uint8_t text, tile;
	} colours[] = {
	    {250, 236}, {235, 255}, {235, 230}, {235, 222}, {235, 215}, {235, 209}, {255, 203},
	    {235, 228}, {235, 227}, {235, 221}, {235, 220}, {235, 214}, {255, 70},  {255, 34},
	    {255, 37},	{255, 32},  {255, 27},	{255, 93},  {255, 127}, {255, 162},
	};
	enum { COLOURS = sizeof colours / sizeof *colours };
	int i = exponent < COLOURS ? exponent : COLOURS - 1;
	printf("\033[38;5;%d;48;5;%dm", colours[i].text, colours[i].tile);
}

/* What stands for the tile 2^EXPONENT in WIDTH columns: the tile, as 64K or 8M, or the exponent. */
static void tile_text(char text[24], int exponent, int width)
{
	static const char units[] = " KMGT";
	int length = snprintf(text, 24, "%" PRIu64, UINT64_C(1) << exponent);
	if (length > width)
		length = snprintf(text, 24, "%d%c", 1 << exponent % 10, units[exponent / 10]);
	if (length > width)
		snprintf(text, 24, "%d", exponent);
}

/* One of the lines of a cell; the tile stands in the MIDDLE one. */
static void cell_line(int exponent, int width, bool middle, bool colour)
{
	char tile[24] = "";
	if (middle && exponent)
		tile_text(tile, exponent, width);
	else if (middle && !colour)
		snprintf(tile, sizeof tile, ".");
	int length = (int)strlen(tile);
	int left = (width - length) / 2;
	if (colour)
		cell_colour(exponent);
	printf("%*s%s%*s", left, "", tile, width - length - left, "");
	fputs(colour ? "\033[0m " : " ", stdout);
}

struct screen_size screen_size(void)
{
	struct winsize window;
	struct screen_size size = {.columns = COLUMNS, .lines = LINES};
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col && window.ws_row) {
		size.columns = window.ws_col;
		size.lines = window.ws_row;
	}
	return size;
}

/* A screenful while it is drawn. */
struct frame {
	struct screen_size size;
	int line; /* the next one, from 1 */
};

/* Goes to the next line and empties it; false if there is none. */
static bool frame_line(struct frame *frame)
{
	if (frame->line > frame->size.lines)
		return false;
	printf("\033[%d;1H\033[K", frame->line++);
	return true;
}

/* The lines of TEXT, one a line, none of them longer than the screen. */
static void frame_text(struct frame *frame, const char *text)
{
	while (text && *text) {
		int length = (int)strcspn(text, "\n"), shown = frame->size.columns - 1;
		if (frame_line(frame))
			printf("%.*s", length < shown ? length : shown, text);
		text += length + (text[length] == '\n');
	}
}

static void frame_board(struct frame *frame, const struct game *game, const struct board *board,
			int cell_lines)
{
	const char *no_color = getenv("NO_COLOR");
	bool colour = !no_color || !*no_color;
	int width = tile_digits(game) + 2, most = frame->size.columns / game->cols - 1;
	if (width > most)
		width = most < EXPONENT_DIGITS ? EXPONENT_DIGITS : most;
	for (int r = 0; r < game->rows; r++)
		for (int line = 0; line < cell_lines; line++)
			for (int c = frame_line(frame) ? 0 : game->cols; c < game->cols; c++)
				cell_line(board->cell[r][c], width, line == cell_lines / 2, colour);
}

static int lines_of(const char *text)
{
	int lines = 0;
	for (; text && *text; text += strcspn(text, "\n"), text += *text == '\n')
		lines++;
	return lines;
}

void screen_show(const struct game *game, const struct board *board, const char *above,
		 const char *below)
{
	struct frame frame = {.size = screen_size(), .line = 1};
	int text = lines_of(above) + lines_of(below) + 1 + (below != NULL);
	int cell_lines = text + game->rows * CELL_LINES <= frame.size.lines ? CELL_LINES : 1;
	bool loose = text + game->rows * cell_lines <= frame.size.lines;
	frame_text(&frame, above);
	if (loose)
		frame_line(&frame);
	frame_board(&frame, game, board, cell_lines);
	if (loose && below)
		frame_line(&frame);
	frame_text(&frame, below);
	if (frame.line <= frame.size.lines)
		printf("\033[%d;1H\033[J", frame.line);
	fflush(stdout);
}
