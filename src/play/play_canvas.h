/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A screenful of characters while it is composed: a grid, each place of which holds a character one
 * column wide and what it is drawn with. What is written outside of the grid is lost.
 */
#ifndef NXN_PLAY_CANVAS_H
#define NXN_PLAY_CANVAS_H

#include "base/status.h"
#include "src/play/play_inks.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* What a terminal can show. */
struct look {
	int columns, lines;
	enum colours colours;
	bool utf8;
};

struct spot {
	uint32_t glyph; /* Unicode */
	uint32_t ink;	/* play_inks.h */
};

struct canvas {
	struct look look;
	struct spot *spot; /* lines * columns */
};

/* A part of a canvas. */
struct area {
	int line, column, lines, columns;
};

/* Blank. STATUS_SYSTEM when memory runs out. */
MUST_USE enum status canvas_init(struct canvas *canvas, const struct look *look, struct why *why);
void canvas_fini(struct canvas *canvas);

void canvas_clear(struct canvas *canvas);

void canvas_put(struct canvas *canvas, int line, int column, uint32_t ink, uint32_t glyph);

/*
 * Writes TEXT, at most COLUMNS wide. It may come from anywhere: what is no printable ASCII
 * character, nor a Latin, Greek or Cyrillic letter in UTF-8 where the terminal has that, becomes '?'.
 */
void canvas_text(struct canvas *canvas, int line, int column, int columns, uint32_t ink,
		 const char *text);

/* The columns that canvas_text() takes for all of TEXT. */
int text_columns(const char *text);

/*
 * Writes to FILE what turns a terminal that shows BEFORE (NULL: nothing that is known) into one that
 * shows CANVAS, and nothing if that is the same. Both have the same look. Before and afterwards the
 * terminal draws with INK_PLAIN.
 */
void canvas_paint(const struct canvas *canvas, const struct canvas *before, FILE *file);

#endif
