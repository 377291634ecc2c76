/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What characters are drawn with: the terminal's own colours, or those of a tile. Tiles bring their
 * background with them, and all else is in the colours that the terminal has for text, so both a dark
 * and a light terminal can be read.
 */
#ifndef NXN_PLAY_INKS_H
#define NXN_PLAY_INKS_H

#include <stdint.h>
#include <stdio.h>

enum colours { COLOURS_NONE, COLOURS_16, COLOURS_256, COLOURS_TRUE };

/* An ink is one of these; INK_TILE and INK_EDGE with an exponent from 1 on added. */
enum {
	INK_PLAIN = 0,
	INK_BOLD = 1,
	INK_TILE = 0x100, /* text on the tile 2^k */
	INK_EDGE = 0x200, /* the tile's colour on the terminal's background */
	INK_EXPONENT = 0xff,
};

/* Red, green and blue, 0 to 255. */
struct rgb {
	int red, green, blue;
};

/*
 * The colours of the tile 2^EXPONENT, and of text on it, as a terminal with COLOURS, which has some,
 * shows them; with 16, where terminals differ, those of xterm.
 */
void ink_colours(enum colours colours, int exponent, struct rgb *tile, struct rgb *text);

/* The control sequence that begins an ink, whatever was before. */
void ink_write(FILE *file, enum colours colours, uint32_t ink);

#endif
