/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A screenful of characters, and the control sequences of ECMA-48 that bring it onto a terminal; see
 * play_canvas.h. Only what has changed is sent, so a slow line can follow.
 */
#include "src/play/play_canvas.h"

#include <stdlib.h>
#include <string.h>

enum { GLYPH_UNKNOWN = '?', GLYPHS_SKIPPED = 4 };

static size_t canvas_spots(const struct canvas *canvas)
{
	return (size_t)canvas->look.lines * (size_t)canvas->look.columns;
}

enum status canvas_init(struct canvas *canvas, const struct look *look, struct why *why)
{
	struct canvas made = {.look = *look};
	made.spot = calloc(canvas_spots(&made), sizeof *made.spot);
	if (!made.spot)
		return why_errno(why, "a screen of %d columns and %d lines", look->columns,
				 look->lines);
	canvas_clear(&made);
	*canvas = made;
	return STATUS_OK;
}

void canvas_fini(struct canvas *canvas)
{
	free(canvas->spot);
	*canvas = (struct canvas){0};
}

void canvas_clear(struct canvas *canvas)
{
	for (size_t i = 0; i < canvas_spots(canvas); i++)
		canvas->spot[i] = (struct spot){.glyph = ' ', .ink = INK_PLAIN};
}

void canvas_put(struct canvas *canvas, int line, int column, uint32_t ink, uint32_t glyph)
{
	const struct look *look = &canvas->look;
	if (line >= 0 && line < look->lines && column >= 0 && column < look->columns)
		canvas->spot[line * look->columns + column] =
		    (struct spot){.glyph = glyph, .ink = ink};
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

void canvas_text(struct canvas *canvas, int line, int column, int columns, uint32_t ink,
		 const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	for (int i = 0; i < columns && *at; i++) {
		uint32_t glyph = glyph_next(&at);
		bool shown = glyph < 0x80 || canvas->look.utf8;
		canvas_put(canvas, line, column + i, ink, shown ? glyph : GLYPH_UNKNOWN);
	}
}

int text_columns(const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	int columns = 0;
	while (*at) {
		glyph_next(&at);
		columns++;
	}
	return columns;
}

static void glyph_write(FILE *file, uint32_t glyph)
{
	if (glyph < 0x80) {
		putc((int)glyph, file);
	} else if (glyph < 0x800) {
		putc((int)(0xC0 | glyph >> 6), file);
		putc((int)(0x80 | (glyph & 0x3F)), file);
	} else {
		putc((int)(0xE0 | glyph >> 12), file);
		putc((int)(0x80 | (glyph >> 6 & 0x3F)), file);
		putc((int)(0x80 | (glyph & 0x3F)), file);
	}
}

static bool spot_equal(const struct spot *a, const struct spot *b)
{
	return a->glyph == b->glyph && a->ink == b->ink;
}

/* Where the terminal's cursor is, and what it draws with. */
struct pen {
	int line, column;
	uint32_t ink;
};

/* Writes the spots [FROM, TO) of a line. */
static void spots_write(const struct canvas *canvas, int line, int from, int to, struct pen *pen,
			FILE *file)
{
	if (pen->line != line || pen->column != from)
		fprintf(file, "\033[%d;%dH", line + 1, from + 1);
	for (int column = from; column < to; column++) {
		const struct spot *spot = &canvas->spot[line * canvas->look.columns + column];
		if (spot->ink != pen->ink)
			ink_write(file, canvas->look.colours, spot->ink);
		pen->ink = spot->ink;
		glyph_write(file, spot->glyph);
	}
	/* In the last column terminals differ in where the cursor then is. */
	*pen = (struct pen){
	    .line = to < canvas->look.columns ? line : -1, .column = to, .ink = pen->ink};
}

static void line_paint(const struct canvas *canvas, const struct canvas *before, int line,
		       struct pen *pen, FILE *file)
{
	const int columns = canvas->look.columns;
	const struct spot *now = &canvas->spot[line * columns];
	const struct spot *then = before ? &before->spot[line * columns] : NULL;
	for (int from = 0; from < columns; from++) {
		if (then && spot_equal(&now[from], &then[from]))
			continue;
		int to = from + 1;
		/* A few characters that stay cost less than going past them. */
		for (int i = to; i < columns && i < to + GLYPHS_SKIPPED; i++)
			if (!then || !spot_equal(&now[i], &then[i]))
				to = i + 1;
		spots_write(canvas, line, from, to, pen, file);
		from = to - 1;
	}
}

void canvas_paint(const struct canvas *canvas, const struct canvas *before, FILE *file)
{
	struct pen pen = {.line = -1, .ink = INK_PLAIN};
	for (int line = 0; line < canvas->look.lines; line++)
		line_paint(canvas, before, line, &pen, file);
	if (pen.ink != INK_PLAIN)
		ink_write(file, canvas->look.colours, INK_PLAIN);
}
