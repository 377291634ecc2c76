/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Colours of tiles; see play_inks.h. Small tiles go from sand over orange, gold and green to violet
 * with dark text; from 2^14 on colours are strong, from 2^25 on dark, with white text. Text is
 * dark or white, whichever differs more from the tile by the contrast ratio of WCAG 2.1 (section
 * 1.4.3, which asks for 4.5); it is at least that for all of them.
 */
#include "src/play/play_inks.h"

#include <math.h>
#include <stdbool.h>

/* A colour, and what is near it of the 256 of xterm. */
static const struct {
	uint32_t rgb;
	uint8_t near;
} tiles[] = {
    {0xece4d4, 230}, {0xf0dcae, 223}, {0xf4c27a, 216}, {0xf5a45a, 215}, {0xf28b66, 209},
    {0xef7f74, 203}, {0xf2d05c, 221}, {0xc9dc5e, 191}, {0x8fd07a, 114}, {0x63cbb0, 79},
    {0x6fb9ea, 75},  {0xa7a3f0, 147}, {0xd89ad8, 176}, {0xa8323e, 124}, {0x9c4a12, 130},
    {0x7a5c00, 94},  {0x476b10, 58},  {0x0f7040, 22},  {0x006d75, 23},	{0x1463a5, 25},
    {0x3f4fc0, 62},  {0x6f3fb8, 55},  {0x96308f, 90},  {0xa82860, 125}, {0x6b1f28, 52},
    {0x63300d, 88},  {0x4d3a00, 58},  {0x2d440a, 22},  {0x0a4728, 23},	{0x00454a, 24},
    {0x0d3f69, 18},  {0x28327a, 17},  {0x472875, 54},  {0x5f1f5b, 53},	{0x6b1a3d, 89},
    {0x40404a, 238}, {0x202028, 234},
};

/* Of the 16 colours of ECMA-48 and their bright versions, in a round; and xterm's defaults. */
static const uint8_t tiles16[] = {7, 15, 3, 11, 1, 9, 5, 13, 4, 12, 6, 14, 2, 10};
static const uint32_t xterm16[] = {
    0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
    0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
};

enum {
	TILES = sizeof tiles / sizeof *tiles,
	TILES_16 = sizeof tiles16,
	BLACK = 0,
	WHITE = 15,
	/* Of the 256 of xterm. */
	DARK_256 = 234,
	WHITE_256 = 231,
	DARK = 0x1c1c1c,
};

static struct rgb rgb_of(uint32_t hex)
{
	return (struct rgb){(int)(hex >> 16 & 255), (int)(hex >> 8 & 255), (int)(hex & 255)};
}

static double channel_light(int channel)
{
	double c = channel / 255.0;
	return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

/* Relative luminance, WCAG 2.1. */
static double rgb_light(struct rgb colour)
{
	return 0.2126 * channel_light(colour.red) + 0.7152 * channel_light(colour.green) +
	       0.0722 * channel_light(colour.blue);
}

/* Whether white text on TILE differs more than DARK text. */
static bool wants_white(struct rgb tile, uint32_t dark)
{
	double light = rgb_light(tile) + 0.05;
	return 1.05 / light > light / (rgb_light(rgb_of(dark)) + 0.05);
}

static int cube_channel(int step)
{
	return step ? 55 + 40 * step : 0;
}

/* Colour NUMBER of 256, from 16 on: a cube of 6x6x6, then 24 greys. */
static struct rgb rgb_256(int number)
{
	int n = number - 16, grey = 8 + 10 * (number - 232);
	if (number >= 232)
		return (struct rgb){grey, grey, grey};
	return (struct rgb){cube_channel(n / 36), cube_channel(n / 6 % 6), cube_channel(n % 6)};
}

static int tile_16(int exponent)
{
	return tiles16[(exponent - 1) % TILES_16];
}

static int tile_index(int exponent)
{
	return (exponent <= TILES ? exponent : TILES) - 1;
}

void ink_colours(enum colours colours, int exponent, struct rgb *tile, struct rgb *text)
{
	uint32_t dark = colours == COLOURS_16 ? xterm16[BLACK] : DARK;
	*tile = colours == COLOURS_16	 ? rgb_of(xterm16[tile_16(exponent)])
		: colours == COLOURS_256 ? rgb_256(tiles[tile_index(exponent)].near)
					 : rgb_of(tiles[tile_index(exponent)].rgb);
	*text = rgb_of(wants_white(*tile, dark) ? xterm16[WHITE] : dark);
}

/* An ink of a terminal with 16 colours: 30 to 37 and 90 to 97, background 10 more. */
static void write_16(FILE *file, int exponent, bool edge)
{
	int tile = tile_16(exponent), foreground = tile < 8 ? 30 + tile : 90 + tile - 8;
	bool white = wants_white(rgb_of(xterm16[tile]), xterm16[BLACK]);
	if (edge)
		fprintf(file, "\033[0;%dm", foreground);
	else
		fprintf(file, "\033[0;%d;%dm", white ? 97 : 30, foreground + 10);
}

static void write_256(FILE *file, int exponent, bool edge)
{
	int number = tiles[tile_index(exponent)].near;
	bool white = wants_white(rgb_256(number), DARK);
	if (edge)
		fprintf(file, "\033[0;38;5;%dm", number);
	else
		fprintf(file, "\033[0;38;5;%d;48;5;%dm", white ? WHITE_256 : DARK_256, number);
}

static void write_true(FILE *file, int exponent, bool edge)
{
	struct rgb tile, text;
	ink_colours(COLOURS_TRUE, exponent, &tile, &text);
	if (edge)
		fprintf(file, "\033[0;38;2;%d;%d;%dm", tile.red, tile.green, tile.blue);
	else
		fprintf(file, "\033[0;38;2;%d;%d;%d;48;2;%d;%d;%dm", text.red, text.green,
			text.blue, tile.red, tile.green, tile.blue);
}

void ink_write(FILE *file, enum colours colours, uint32_t ink)
{
	int exponent = (int)(ink & INK_EXPONENT);
	bool edge = ink & INK_EDGE;
	if (ink == INK_BOLD)
		fputs("\033[0;1m", file);
	else if (!(ink & (INK_TILE | INK_EDGE)) || colours == COLOURS_NONE)
		fputs("\033[0m", file);
	else if (colours == COLOURS_16)
		write_16(file, exponent, edge);
	else if (colours == COLOURS_256)
		write_256(file, exponent, edge);
	else
		write_true(file, exponent, edge);
}
