/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A board on a canvas. Where there is room a tile is three lines high and shows all its digits; where
 * there is less, one line, and large tiles are shortened, as 64K or 8M; where there is still less,
 * all tiles of the board are exponents, so that no number can mean two things.
 */
#ifndef NXN_PLAY_TILES_H
#define NXN_PLAY_TILES_H

#include "boards/board.h"
#include "src/play/play_canvas.h"

enum tiles_style {
	TILES_TALL, /* three lines a row, in a frame */
	TILES_FLAT, /* one line a row, in a frame */
	TILES_BARE, /* one line a row */
};

/* FORM_TIGHT is FORM_UNITS without blanks around it. */
enum tiles_form { FORM_DIGITS, FORM_UNITS, FORM_TIGHT, FORM_EXPONENTS, FORMS };

/* How a board is drawn. */
struct tiles {
	enum tiles_style style;
	enum tiles_form form;
	int width;	    /* of a cell */
	int lines, columns; /* of all of it */
};

/* What it takes to draw boards like BOARD so. */
struct tiles tiles_plan(const struct game *game, const struct board *board, const struct look *look,
			enum tiles_style style, enum tiles_form form);

void tiles_draw(struct canvas *canvas, const struct tiles *tiles, int line, int column,
		const struct game *game, const struct board *board);

#endif
