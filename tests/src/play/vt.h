/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A terminal, as far as nxn uses one: what it shows after some bytes, by ECMA-48 and xterm's list of
 * control sequences. What it does not know, and what is written where no place is, are errors.
 */
#ifndef NXN_TESTS_VT_H
#define NXN_TESTS_VT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { VT_COLUMNS = 200, VT_LINES = 100, VT_SGR = 48 };

struct vt_place {
	uint32_t glyph;
	char sgr[VT_SGR]; /* what it was drawn with */
};

struct vt {
	int columns, lines, line, column, kept_line, kept_column;
	bool alternate, hidden, nowrap;
	bool resized; /* and not cleared since: what comes may still be for the old size */
	char sgr[VT_SGR];
	int errors;
	char error[128]; /* the first */
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
		snprintf(vt->error, sizeof vt->error, "%s at line %d, column %d", what,
			 vt->line + 1, vt->column + 1);
}

static inline void vt_erase(struct vt *vt, int line, int from)
{
	for (int c = from; c < VT_COLUMNS; c++)
		vt->screen[vt->alternate][line][c] = (struct vt_place){.glyph = ' '};
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
	vt->lines = lines;
	vt->alternate = true;
	vt_clear(vt);
	vt->alternate = false;
	vt_clear(vt);
}

static inline void vt_resize(struct vt *vt, int columns, int lines)
{
	vt->columns = columns;
	vt->lines = lines;
	vt->resized = true;
	/* Terminals differ in what is left: whoever waits for something is to see it drawn again. */
	vt_clear(vt);
	vt->line = vt->line < lines ? vt->line : lines - 1;
}

static inline void vt_newline(struct vt *vt)
{
	if (vt->line + 1 < vt->lines) {
		vt->line++;
		return;
	}
	struct vt_place(*screen)[VT_COLUMNS] = vt->screen[vt->alternate];
	memmove(screen[0], screen[1], sizeof screen[0] * (VT_LINES - 1));
	vt_erase(vt, vt->lines - 1, 0);
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
	} else if (mode != 1049) {
		vt_wrong(vt, "an unknown mode");
	}
}

static inline void vt_control(struct vt *vt)
{
	const char final = vt->sequence[vt->length - 1], *at = vt->sequence + 2;
	int a = 1, b = 1;
	if (final == 'm') {
		snprintf(vt->sgr, VT_SGR, "%s", vt->sequence + 2);
	} else if (final == 'H') {
		sscanf(at, "%d;%d", &a, &b);
		vt->line = a - 1;
		vt->column = b - 1;
		if (a < 1 || a > vt->lines || b < 1 || b > vt->columns)
			vt_wrong(vt, "the cursor is sent outside");
	} else if (final == 'J' && *at == '2') {
		vt_clear(vt);
		vt->resized = false;
	} else if (final == 'K') {
		vt_erase(vt, vt->line, vt->column);
	} else if ((final == 'h' || final == 'l') && sscanf(at, "?%d", &a) == 1) {
		vt_mode(vt, a, final == 'h');
	} else {
		vt_wrong(vt, "an unknown sequence");
	}
}

static inline void vt_byte(struct vt *vt, unsigned char byte)
{
	if (vt->length > 0) {
		if (vt->length < (int)sizeof vt->sequence - 1)
			vt->sequence[vt->length++] = (char)byte;
		vt->sequence[vt->length] = '\0';
		if (vt->length == 2 && byte != '[')
			vt_wrong(vt, "a sequence that is no control sequence");
		if (vt->length == 2 && byte == '[')
			return;
		if (vt->length > 2 && byte >= '@' && byte <= '~')
			vt_control(vt);
		else if (vt->length > 2)
			return;
		vt->length = 0;
	} else if (byte == 27) {
		vt->sequence[vt->length++] = 27;
	} else if (byte == '\n') {
		vt_newline(vt);
	} else if (byte == '\r') {
		vt->column = 0;
	} else if (byte == '\t') {
		do
			vt_print(vt, ' ');
		while (vt->column % 8);
	} else if (byte == '\b') {
		vt->column -= vt->column > 0;
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
