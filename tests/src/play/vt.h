/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A terminal, as far as curses uses one: what it shows after some bytes, by ECMA-48 and xterm's
 * list of control sequences, for TERM=xterm-256color and its like. What it does not know, and what
 * is written where no place is, are errors.
 */
#ifndef NXN_TESTS_VT_H
#define NXN_TESTS_VT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { VT_COLUMNS = 200, VT_LINES = 100, VT_SGR = 48, VT_NUMBERS = 8 };

struct vt_place {
	uint32_t glyph;
	char
	    sgr[VT_SGR]; /* what it was drawn with: all that is set, as one sequence behind ESC [ */
};

struct vt {
	int columns, lines, line, column, kept_line, kept_column;
	int top, bottom; /* the lines [TOP, BOTTOM) scroll */
	bool alternate, hidden, nowrap;
	bool resized; /* and not cleared since: what comes may still be for the old size */
	bool bold;
	char text[16], ground[16]; /* the colours of text and background, or empty */
	char sgr[VT_SGR];
	uint32_t printed; /* last */
	int errors;
	char error[160]; /* the first */
	/* Of the byte that comes: a character or sequence under way. */
	uint32_t glyph;
	int more;
	char sequence[64];
	int length; /* of it; 0: none */
	struct vt_place screen[2][VT_LINES][VT_COLUMNS];
};

static inline void vt_wrong(struct vt *vt, const char *what)
{
	if (!vt->resized && vt->errors++ == 0)
		snprintf(vt->error, sizeof vt->error, "%s at line %d, column %d%s%.60s", what,
			 vt->line + 1, vt->column + 1, vt->length ? ": ESC" : "",
			 vt->sequence + (vt->length > 0));
}

/* Blanks have the background that is set. */
static inline void vt_blank(struct vt *vt, int line, int from, int to)
{
	for (int c = from; c < to; c++) {
		struct vt_place *place = &vt->screen[vt->alternate][line][c];
		*place = (struct vt_place){.glyph = ' '};
		if (*vt->ground)
			snprintf(place->sgr, VT_SGR, "0%sm", vt->ground);
	}
}

static inline void vt_erase(struct vt *vt, int line, int from)
{
	vt_blank(vt, line, from, VT_COLUMNS);
}

static inline void vt_clear(struct vt *vt)
{
	for (int l = 0; l < VT_LINES; l++)
		vt_erase(vt, l, 0);
}

static inline void vt_init(struct vt *vt, int columns, int lines)
{
	memset(vt, 0, sizeof *vt);
	vt->columns = columns;
	vt->lines = vt->bottom = lines;
	vt->alternate = true;
	vt_clear(vt);
	vt->alternate = false;
	vt_clear(vt);
}

static inline void vt_resize(struct vt *vt, int columns, int lines)
{
	vt->columns = columns;
	vt->lines = vt->bottom = lines;
	vt->top = 0;
	vt->resized = true;
	/*
	 * Terminals differ in what is left: whoever waits for something is to see it drawn again.
	 */
	vt_clear(vt);
	vt->line = vt->line < lines ? vt->line : lines - 1;
}

/* Moves the lines [TOP, BOTTOM) up by N; negative ones down. */
static inline void vt_scroll(struct vt *vt, int top, int bottom, int n)
{
	struct vt_place(*screen)[VT_COLUMNS] = vt->screen[vt->alternate];
	const int by = n < 0 ? -n : n, moved = by < bottom - top ? bottom - top - by : 0;
	memmove(screen[n < 0 ? bottom - moved : top], screen[n < 0 ? top : bottom - moved],
		sizeof screen[0] * (size_t)moved);
	for (int l = 0; l < bottom - top - moved; l++)
		vt_erase(vt, n < 0 ? top + l : bottom - 1 - l, 0);
}

static inline void vt_newline(struct vt *vt)
{
	if (vt->line + 1 == vt->bottom)
		vt_scroll(vt, vt->top, vt->bottom, 1);
	else if (vt->line + 1 < vt->lines)
		vt->line++;
}

static inline void vt_print(struct vt *vt, uint32_t glyph)
{
	if (vt->column >= vt->columns) {
		if (vt->nowrap)
			vt_wrong(vt, "text behind the last column");
		vt->column = 0;
		vt_newline(vt);
	}
	if (vt->line >= vt->lines) {
		vt_wrong(vt, "text below the last line");
		return;
	}
	vt->printed = glyph;
	struct vt_place *place = &vt->screen[vt->alternate][vt->line][vt->column++];
	place->glyph = glyph;
	memcpy(place->sgr, vt->sgr, VT_SGR);
}

static inline void vt_mode(struct vt *vt, int mode, bool set)
{
	if (mode == 25) {
		vt->hidden = !set;
	} else if (mode == 7) {
		vt->nowrap = !set;
	} else if (mode == 1049 && set != vt->alternate) {
		int line = vt->line, column = vt->column;
		vt->alternate = set;
		if (set) {
			vt->kept_line = line;
			vt->kept_column = column;
			vt_clear(vt);
		} else {
			vt->line = vt->kept_line;
			vt->column = vt->kept_column;
		}
	} else if (mode != 1049 && mode != 1 && mode != 12) {
		/* 1: the keypad's keys, 12: a cursor that blinks */
		vt_wrong(vt, "an unknown mode");
	}
}

/* Drawing from now on, by the numbers of a sequence that ends with m. */
static inline void vt_draw_with(struct vt *vt, const int *number, int n)
{
	for (int i = 0; i < n; i++) {
		const int m = number[i];
		char *colour = (m / 10) % 2 ? vt->text : vt->ground; /* 30 and 90, 40 and 100 */
		if (m == 0)
			vt->bold = false, *vt->text = *vt->ground = '\0';
		else if (m == 10)
			continue; /* the usual font */
		else if (m == 1 || m == 22)
			vt->bold = m == 1;
		else if (m == 39 || m == 49)
			*colour = '\0';
		else if ((m == 38 || m == 48) && i + 2 < n && number[i + 1] == 5) {
			snprintf(colour, sizeof vt->text, ";%d;5;%d", m, number[i + 2] % 256);
			i += 2;
		} else if ((m >= 30 && m < 50) || (m >= 90 && m < 108))
			snprintf(colour, sizeof vt->text, ";%d", m);
		else
			vt_wrong(vt, "an unknown way to draw");
	}
	snprintf(vt->sgr, VT_SGR, "0%s%s%sm", vt->bold ? ";1" : "", vt->text, vt->ground);
}

/* Moves the characters of the line from the cursor on by N columns; negative ones to the left. */
static inline void vt_shift(struct vt *vt, int n)
{
	struct vt_place *line = vt->screen[vt->alternate][vt->line];
	const int width = vt->columns - vt->column, by = n < 0 ? -n : n;
	const int moved = by < width ? width - by : 0;
	struct vt_place *near = &line[vt->column], *far = &line[vt->columns - moved];
	memmove(n < 0 ? near : far, n < 0 ? far : near, sizeof *line * (size_t)moved);
	const int from = n < 0 ? vt->column + moved : vt->column;
	vt_blank(vt, vt->line, from, from + width - moved);
}

static inline void vt_cursor(struct vt *vt, int line, int column)
{
	if (line < 0 || line >= vt->lines || column < 0 || column >= vt->columns)
		vt_wrong(vt, "the cursor is sent outside");
	vt->line = line < 0 ? 0 : line < vt->lines ? line : vt->lines - 1;
	vt->column = column < 0 ? 0 : column < vt->columns ? column : vt->columns - 1;
}

/* Characters and lines are erased, inserted, removed. False if FINAL does something else. */
static inline bool vt_edit(struct vt *vt, char final, int all, int n)
{
	switch (final) {
	case 'J':
		for (int l = all == 2 ? 0 : vt->line + 1; l < VT_LINES; l++)
			vt_erase(vt, l, 0);
		if (all != 2)
			vt_erase(vt, vt->line, vt->column);
		vt->resized = vt->resized && all != 2;
		return true;
	case 'K':
		vt_blank(vt, vt->line, all ? 0 : vt->column, all ? vt->column + 1 : VT_COLUMNS);
		return true;
	case 'X':
		vt_blank(vt, vt->line, vt->column,
			 vt->column + n < vt->columns ? vt->column + n : vt->columns);
		return true;
	case '@':
	case 'P':
		vt_shift(vt, final == '@' ? n : -n);
		return true;
	case 'L':
	case 'M':
		vt_scroll(vt, vt->line, vt->bottom, final == 'L' ? -n : n);
		return true;
	case 'S':
	case 'T':
		vt_scroll(vt, vt->top, vt->bottom, final == 'T' ? -n : n);
		return true;
	case 'b':
		while (n-- > 0)
			vt_print(vt, vt->printed);
		return true;
	default:
		return false;
	}
}

static inline void vt_region(struct vt *vt, int top, int bottom)
{
	if (top >= bottom || bottom > vt->lines)
		vt_wrong(vt, "no lines to scroll");
	vt->top = top < vt->lines ? top : 0;
	vt->bottom = bottom < vt->lines ? bottom : vt->lines;
	vt_cursor(vt, 0, 0);
}

static inline void vt_control(struct vt *vt)
{
	const char final = vt->sequence[vt->length - 1], *at = vt->sequence + 2;
	const bool private = *at == '?';
	int number[VT_NUMBERS] = {0}, n = 0, length;
	for (at += private; n < VT_NUMBERS && sscanf(at, "%d%n", &number[n], &length) == 1; n++)
		at += length + (at[length] == ';');
	const int a = number[0] ? number[0] : 1, b = number[1] ? number[1] : 1;
	/* Behind the last column the cursor still is in it, but for a character. */
	if (vt->column >= vt->columns && final != 'm' && final != 'b')
		vt->column = vt->columns - 1;
	if (private && (final == 'h' || final == 'l'))
		vt_mode(vt, number[0], final == 'h');
	else if (final == 'm')
		vt_draw_with(vt, number, n ? n : 1);
	else if (final == 'H')
		vt_cursor(vt, a - 1, b - 1);
	else if (final == 'd')
		vt_cursor(vt, a - 1, vt->column);
	else if (final == 'G')
		vt_cursor(vt, vt->line, a - 1);
	else if (final == 'A' || final == 'B')
		vt_cursor(vt, vt->line + (final == 'A' ? -a : a), vt->column);
	else if (final == 'C' || final == 'D')
		vt_cursor(vt, vt->line, vt->column + (final == 'D' ? -a : a));
	else if (final == 'Z')
		vt_cursor(vt, vt->line, (vt->column - 1) / 8 * 8);
	else if (final == 'r')
		vt_region(vt, a - 1, n > 1 ? b : vt->lines);
	else if (final != 't' && (!private || final != 'c') && (final != 'l' || number[0] != 4) &&
		 !vt_edit(vt, final, number[0], a))
		vt_wrong(
		    vt,
		    "an unknown sequence"); /* t: titles, ?c: the cursor's look, 4l: no insertion */
}

/* The byte belongs to a sequence. */
static inline void vt_sequence(struct vt *vt, unsigned char byte)
{
	const char *const begins = "[()]";
	if (vt->length < (int)sizeof vt->sequence - 1)
		vt->sequence[vt->length++] = (char)byte;
	vt->sequence[vt->length] = '\0';
	if (vt->length == 2 && strchr(begins, byte))
		return;
	if (vt->length == 2 && byte == 'M' && vt->line == vt->top)
		vt_scroll(vt, vt->top, vt->bottom, -1);
	else if (vt->length == 2 && byte == 'M')
		vt->line -= vt->line > 0;
	else if (vt->length == 2 && !strchr("=>", byte))
		vt_wrong(vt, "an unknown escape sequence");
	if (vt->length > 2 && vt->sequence[1] == '[') {
		if (byte < '@' || byte > '~')
			return;
		vt_control(vt);
	} else if (vt->length > 2 && vt->sequence[1] == ']') {
		if (byte != 7)
			return; /* the terminal's own colours, titles */
	} else if (vt->length > 2 && vt->sequence[1] == '(' && byte != 'B') {
		vt_wrong(vt, "another set of characters");
	}
	vt->length = 0;
}

static inline void vt_byte(struct vt *vt, unsigned char byte)
{
	if (vt->length > 0) {
		vt_sequence(vt, byte);
	} else if (byte == 27) {
		vt->sequence[vt->length++] = 27;
	} else if (byte == '\n') {
		vt_newline(vt);
	} else if (byte == '\r') {
		vt->column = 0;
	} else if (byte == '\t') {
		vt->column = (vt->column / 8 + 1) * 8;
		if (vt->column >= vt->columns)
			vt->column = vt->columns - 1;
	} else if (byte == '\b') {
		vt->column -= vt->column == vt->columns;
		vt->column -= vt->column > 0;
	} else if (byte == 0 || byte == 15) {
		/* padding; the usual characters */
	} else if (byte < ' ' || byte == 127) {
		vt_wrong(vt, "a control character");
	} else if ((byte & 0xC0) == 0x80 && vt->more > 0) {
		vt->glyph = vt->glyph << 6 | (byte & 0x3Fu);
		if (--vt->more == 0)
			vt_print(vt, vt->glyph);
	} else if (byte >= 0xC0) {
		vt->more = byte >= 0xE0 ? 2 : 1;
		vt->glyph = byte & (byte >= 0xE0 ? 0x0Fu : 0x1Fu);
	} else if (byte < 0x80) {
		vt_print(vt, byte);
	} else {
		vt_wrong(vt, "half a character");
	}
}

static inline void vt_bytes(struct vt *vt, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		vt_byte(vt, (unsigned char)bytes[i]);
}

/* A line as text, without blanks at its end; what is not ASCII is told by '~'. */
static inline void vt_line(const struct vt *vt, int line, char text[VT_COLUMNS + 1])
{
	int length = 0;
	for (int c = 0; c < vt->columns; c++) {
		uint32_t glyph = vt->screen[vt->alternate][line][c].glyph;
		text[c] = glyph < 0x80 ? (char)glyph : '~';
		if (glyph != ' ')
			length = c + 1;
	}
	text[length] = '\0';
}

static inline bool vt_has(const struct vt *vt, const char *words)
{
	char text[VT_COLUMNS + 1];
	for (int l = 0; l < vt->lines; l++) {
		vt_line(vt, l, text);
		if (strstr(text, words))
			return true;
	}
	return false;
}

static inline void vt_dump(const struct vt *vt, FILE *file)
{
	char text[VT_COLUMNS + 1];
	for (int l = 0; l < vt->lines; l++) {
		vt_line(vt, l, text);
		fprintf(file, "%s\n", text);
	}
}

#endif
