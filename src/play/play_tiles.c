/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A board on a canvas; see play_tiles.h.
 *
 * With colours, tiles are blocks with a column between them; in UTF-8 the first and last of three
 * lines are half blocks, so that there is half a line around each tile. Without colours, lines go
 * between the cells.
 */
#include "src/play/play_tiles.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_MAX = 24, WIDTH_EASY = 6, WIDTH_TIGHT = 3, CELL_LINES = 3 };

/* Characters of frames: along, up, the crossings of three lines by three columns, empty, halves. */
struct set {
	uint32_t along, up, crossing[3][3], dot, upper, lower;
};

static const struct set ascii_set = {'-', '|', {{'+', '+', '+'}, {'+', '+', '+'}, {'+', '+', '+'}},
				     '.', ' ', ' '};
static const struct set utf8_set = {
    0x2500, 0x2502, {{0x250C, 0x252C, 0x2510}, {0x251C, 0x253C, 0x2524}, {0x2514, 0x2534, 0x2518}},
    0xB7,   0x2580, 0x2584};

static const struct set *set_of(const struct look *look)
{
	return look->utf8 ? &utf8_set : &ascii_set;
}

/* The tile 2^EXPONENT as text. Four digits are as wide as units get. */
static int tile_text(char text[TEXT_MAX], int exponent, enum tiles_form form)
{
	static const char units[] = " KMGT";
	if (form == FORM_EXPONENTS)
		return snprintf(text, TEXT_MAX, "%d", exponent);
	if (form == FORM_DIGITS || exponent < 14)
		return snprintf(text, TEXT_MAX, "%" PRIu64, UINT64_C(1) << exponent);
	return snprintf(text, TEXT_MAX, "%d%c", 1 << exponent % 10, units[exponent / 10]);
}

/* The widest text on the board. */
static int board_width(const struct game *game, const struct board *board, enum tiles_form form)
{
	int widest = form == FORM_EXPONENTS ? 2 : 1;
	for (int r = 0; r < game->rows; r++)
		for (int c = 0; c < game->cols; c++) {
			char text[TEXT_MAX];
			int width = tile_text(text, board->cell[r][c], form);
			if (width > widest)
				widest = width;
		}
	return widest;
}

/* Whether lines go between the cells. */
static bool is_grid(const struct look *look, enum tiles_style style)
{
	return look->colours == COLOURS_NONE && style != TILES_BARE;
}

static int cell_lines(enum tiles_style style)
{
	return style == TILES_TALL ? CELL_LINES : 1;
}

struct tiles tiles_plan(const struct game *game, const struct board *board, const struct look *look,
			enum tiles_style style, enum tiles_form form)
{
	int text = board_width(game, board, form), frame = style == TILES_BARE ? 0 : 2;
	const bool tight = style == TILES_BARE || form == FORM_TIGHT || form == FORM_EXPONENTS;
	int easy = form == FORM_EXPONENTS ? 0 : tight ? WIDTH_TIGHT : WIDTH_EASY;
	int width = tight ? text : text + 2;
	if (width < easy)
		width = easy;
	return (struct tiles){
	    .style = style,
	    .form = form,
	    .width = width,
	    .lines = game->rows * cell_lines(style) + frame +
		     (is_grid(look, style) ? game->rows - 1 : 0),
	    .columns = game->cols * (width + 1) - 1 + frame,
	};
}

/* A line of the frame or between the cells: KIND 0 the first, 1 one between, 2 the last. */
static void rule_draw(struct canvas *canvas, const struct tiles *tiles, int line, int column,
		      int kind)
{
	const struct set *set = set_of(&canvas->look);
	const bool grid = is_grid(&canvas->look, tiles->style);
	for (int i = 0; i < tiles->columns; i++) {
		int side = i == 0 ? 0 : i == tiles->columns - 1 ? 2 : 1;
		bool crosses = side != 1 || (grid && i % (tiles->width + 1) == 0);
		canvas_put(canvas, line, column + i, INK_PLAIN,
			   crosses ? set->crossing[kind][side] : set->along);
	}
}

/* The tile 2^EXPONENT, or an empty cell. */
static void cell_draw(struct canvas *canvas, const struct tiles *tiles, int line, int column,
		      int exponent)
{
	const struct set *set = set_of(&canvas->look);
	const bool colour = canvas->look.colours != COLOURS_NONE, halves = canvas->look.utf8;
	const int lines = cell_lines(tiles->style), middle = lines / 2;
	char text[TEXT_MAX];
	if (!exponent) {
		canvas_put(canvas, line + middle, column + (tiles->width - 1) / 2, INK_PLAIN,
			   set->dot);
		return;
	}
	const uint32_t ink = colour ? INK_TILE + (uint32_t)exponent : INK_BOLD;
	for (int i = 0; colour && i < lines; i++)
		for (int c = 0; c < tiles->width; c++)
			if (i == middle || !halves)
				canvas_put(canvas, line + i, column + c, ink, ' ');
			else
				canvas_put(canvas, line + i, column + c,
					   INK_EDGE + (uint32_t)exponent,
					   i < middle ? set->lower : set->upper);
	int length = tile_text(text, exponent, tiles->form);
	canvas_text(canvas, line + middle, column + (tiles->width - length + 1) / 2, length, ink,
		    text);
}

/* The upright lines beside the cells of a row. */
static void sides_draw(struct canvas *canvas, const struct tiles *tiles, int line, int column)
{
	const struct set *set = set_of(&canvas->look);
	const int step =
	    is_grid(&canvas->look, tiles->style) ? tiles->width + 1 : tiles->columns - 1;
	for (int i = 0; i < cell_lines(tiles->style); i++)
		for (int c = 0; c < tiles->columns; c += step)
			canvas_put(canvas, line + i, column + c, INK_PLAIN, set->up);
}

void tiles_draw(struct canvas *canvas, const struct tiles *tiles, int line, int column,
		const struct game *game, const struct board *board)
{
	const bool framed = tiles->style != TILES_BARE, grid = is_grid(&canvas->look, tiles->style);
	int at = line;
	if (framed)
		rule_draw(canvas, tiles, at++, column, 0);
	for (int r = 0; r < game->rows; r++) {
		if (r > 0 && grid)
			rule_draw(canvas, tiles, at++, column, 1);
		if (framed)
			sides_draw(canvas, tiles, at, column);
		for (int c = 0; c < game->cols; c++)
			cell_draw(canvas, tiles, at, column + framed + c * (tiles->width + 1),
				  board->cell[r][c]);
		at += cell_lines(tiles->style);
	}
	if (framed)
		rule_draw(canvas, tiles, at, column, 2);
}
