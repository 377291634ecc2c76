/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Characters and colours in a window of curses; see canvas.h.
 *
 * Small tiles go from sand over orange, gold and green to violet with dark text; from 2^14 on colours
 * are strong, from 2^25 on dark, with white text. The contrast of text and tile is at least 4.5, which
 * WCAG 2.1 (section 1.4.3) asks for, with the colours of xterm.
 */
#include "src/play/canvas.h"

enum {
	GLYPH_UNKNOWN = '?',
	WHITE_FROM = 14, /* exponent of the first tile with white text */
	DARK_256 = 234,
	WHITE_256 = 231,
};

/* Of the 256 colours of xterm; tile 2^k has the k-th. */
static const uint8_t tiles_256[TILE_STYLES] = {
    230, 223, 216, 215, 209, 203, 221, 191, 114, 79, 75, 147, 176, 124, 130, 94, 58,  22,  23,
    25,	 62,  55,  90,	125, 52,  88,  58,  22,	 23, 24, 18,  17,  54,	53,  89, 238, 234,
};

/* Of the 8 colours of ECMA-48, one after the other and again; magenta has too little contrast. */
static const struct {
	uint8_t tile, text;
} tiles_8[] = {
    {COLOR_WHITE, COLOR_BLACK}, {COLOR_YELLOW, COLOR_BLACK}, {COLOR_RED, COLOR_WHITE},
    {COLOR_GREEN, COLOR_BLACK}, {COLOR_BLUE, COLOR_WHITE},   {COLOR_CYAN, COLOR_BLACK},
};

enum { TILES_8 = sizeof tiles_8 / sizeof *tiles_8 };

static int tile_index(int colours, int exponent)
{
	if (colours == 8)
		return (exponent - 1) % TILES_8;
	return (exponent < TILE_STYLES ? exponent : TILE_STYLES) - 1;
}

void tile_colours(int colours, int exponent, short *tile, short *text)
{
	const int index = tile_index(colours, exponent);
	*tile = colours == 8 ? tiles_8[index].tile : tiles_256[index];
	*text = colours == 8 ? tiles_8[index].text : exponent < WHITE_FROM ? DARK_256 : WHITE_256;
}

void tile_colours_init(int colours)
{
	short tile, text;
	for (int k = 1; k <= (colours == 8 ? TILES_8 : TILE_STYLES); k++) {
		tile_colours(colours, k, &tile, &text);
		init_pair((short)k, text, tile);
		init_pair((short)(TILE_STYLES + k), tile, -1);
	}
}

attr_t tile_style(const struct canvas *canvas, int exponent, bool edge)
{
	const int pair = 1 + tile_index(canvas->colours, exponent) + (edge ? TILE_STYLES : 0);
	return (attr_t)COLOR_PAIR(pair);
}

void canvas_put(struct canvas *canvas, int line, int column, attr_t style, wchar_t glyph)
{
	const wchar_t text[] = {glyph, L'\0'};
	cchar_t character;
	setcchar(&character, text, style, (short)PAIR_NUMBER((int)style), NULL);
	mvwadd_wch(canvas->window, line, column, &character);
}

/* Letters that every font has one column wide: Latin, Greek, Cyrillic. */
static bool glyph_is_letter(uint32_t glyph)
{
	return (glyph >= 0xC0 && glyph < 0x250) || (glyph >= 0x386 && glyph < 0x400) ||
	       (glyph >= 0x400 && glyph < 0x482) || (glyph >= 0x48A && glyph < 0x530);
}

/* The character at *TEXT, which moves behind it. */
static uint32_t glyph_next(const unsigned char **text)
{
	uint32_t first = *(*text)++, glyph = GLYPH_UNKNOWN;
	if (first < 0x80)
		return first >= ' ' && first <= '~' ? first : GLYPH_UNKNOWN;
	if ((first & 0xE0) == 0xC0 && (**text & 0xC0) == 0x80)
		glyph = (first & 0x1Fu) << 6 | (**text & 0x3Fu);
	while ((**text & 0xC0) == 0x80)
		(*text)++;
	return glyph_is_letter(glyph) ? glyph : GLYPH_UNKNOWN;
}

void canvas_text(struct canvas *canvas, int line, int column, int columns, attr_t style,
		 const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	for (int i = 0; i < columns && *at; i++) {
		uint32_t glyph = glyph_next(&at);
		bool shown = glyph < 0x80 || canvas->utf8;
		canvas_put(canvas, line, column + i, style,
			   (wchar_t)(shown ? glyph : GLYPH_UNKNOWN));
	}
}

int text_columns(const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	int columns = 0;
	for (; *at; columns++)
		glyph_next(&at);
	return columns;
}
