/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Characters and colours in a window of curses. What is written outside of the window is lost.
 *
 * Tiles bring their background with them, and all else is in the colours that the terminal has for
 * text, so both a dark and a light terminal can be read. Styles are attributes of curses: A_NORMAL,
 * A_BOLD, or those of tile_style().
 */
#ifndef NXN_PLAY_CANVAS_H
#define NXN_PLAY_CANVAS_H

#include <stdbool.h>
#include <stdint.h>
#include <wchar.h>

#define NCURSES_NOMACROS
#include <curses.h>

struct canvas {
	WINDOW *window;
	int lines, columns;
	int colours; /* 256, 8 or 0 */
	bool utf8;
};

/* A part of a canvas. */
struct area {
	int line, column, lines, columns;
};

enum { TILE_STYLES = 37 }; /* larger tiles look like 2^37 */

/*
 * The colours, in the numbers of a terminal with COLOURS of them, 256 or 8, of the tile 2^EXPONENT and
 * of text on it.
 */
void tile_colours(int colours, int exponent, short *tile, short *text);

/* Tells curses the colours of all tiles, after start_color(). */
void tile_colours_init(int colours);

/*
 * Text on the tile 2^EXPONENT, colour pairs 1 to TILE_STYLES; or with EDGE the tile's colour on the
 * terminal's background, colour pairs behind them.
 */
attr_t tile_style(const struct canvas *canvas, int exponent, bool edge);

void canvas_put(struct canvas *canvas, int line, int column, attr_t style, wchar_t glyph);

/*
 * Writes TEXT, at most COLUMNS wide. It may come from anywhere: what is no printable ASCII
 * character, nor a Latin, Greek or Cyrillic letter in UTF-8 where the terminal has that, becomes '?'.
 */
void canvas_text(struct canvas *canvas, int line, int column, int columns, attr_t style,
		 const char *text);

/* The columns that canvas_text() takes for all of TEXT. */
int text_columns(const char *text);

#endif
