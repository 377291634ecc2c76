/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Positions for the eye, with the control sequences of ECMA-48 and xterm; see screen.h.
 *
 * A cell is three lines high and as wide as the largest tile of the game needs: 6x6 takes
 * 6 * (12 + 1) = 78 columns and 6 * 3 + 2 = 20 lines.
 */
#include "src/screen.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SCREEN_OPEN "\033[?1049h\033[?25l\033[2J"
#define SCREEN_CLOSE "\033[0m\033[?25h\033[?1049l"

enum { COLUMNS = 80, CELL_LINES = 3 };

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

/* One of the CELL_LINES lines of a cell; the tile stands in the middle one. */
static void cell_line(int exponent, int width, bool middle, bool colour)
{
	char tile[24] = "";
	if (middle && exponent)
		snprintf(tile, sizeof tile, "%" PRIu64, (uint64_t)1 << exponent);
	else if (middle && !colour)
		snprintf(tile, sizeof tile, ".");
	int length = (int)strlen(tile);
	int left = (width - length) / 2;
	if (colour)
		cell_colour(exponent);
	printf("%*s%s%*s", left, "", tile, width - length - left, "");
	fputs(colour ? "\033[0m " : " ", stdout);
}

void screen_show(const struct game *game, const struct board *board, const char *text)
{
	const char *no_color = getenv("NO_COLOR");
	bool colour = !no_color || !*no_color;
	int width = tile_digits(game) + 2;
	if (width > COLUMNS / game->cols - 1)
		width = COLUMNS / game->cols - 1;
	printf("\033[H%.*s\033[K\n\n", COLUMNS - 1, text);
	for (int r = 0; r < game->rows; r++)
		for (int line = 0; line < CELL_LINES; line++) {
			for (int c = 0; c < game->cols; c++)
				cell_line(board->cell[r][c], width, line == CELL_LINES / 2, colour);
			putchar('\n');
		}
	fflush(stdout);
}
