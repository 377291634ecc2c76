/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables read back; see sheet.h. The file is read whole and cut at its tabs and newlines in place;
 * the cells of all blocks point into it. gnuplot knows no escape for a quote, so none is undone.
 */
#include "src/report/sheet.h"

#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads PATH into TEXT, which ends with a NUL and has no other. */
static enum status text_read(const char *path, size_t most, char **text, struct why *why)
{
	size_t size;
	enum status status = file_read(path, most, text, &size, why);
	if (!status && memchr(*text, '\0', size)) {
		free(*text);
		*text = NULL;
		status = why_set(why, STATUS_INPUT, "%s: has a NUL in it, so is no table", path);
	}
	return status;
}

/* ARRAY, moved if it must, with room for one behind COUNT elements; NULL without memory. */
static void *room_make(void *array, size_t count, size_t size)
{
	if (count & (count - 1)) /* there is room up to the next power of 2 */
		return array;
	return reallocarray(array, count ? 2 * count : 1, size);
}

static bool note_add(struct sheet *sheet, const char *note)
{
	const char **grown = room_make(sheet->notes, sheet->note_count + 1, sizeof *grown);
	if (!grown)
		return false;
	sheet->notes = grown;
	grown[sheet->note_count++] = note;
	grown[sheet->note_count] = NULL;
	return true;
}

static bool block_add(struct sheet *sheet, const char *name)
{
	struct sheet_block *grown = room_make(sheet->blocks, sheet->block_count, sizeof *grown);
	if (!grown)
		return false;
	sheet->blocks = grown;
	grown[sheet->block_count++] = (struct sheet_block){.name = name};
	return true;
}

/* Cuts LINE into cells without their quotes, and returns how many; 0 without memory. */
static size_t cells_add(struct sheet *sheet, char *line)
{
	size_t count = 0;
	for (char *cell; (cell = strsep(&line, "\t")); count++) {
		size_t length = strlen(cell);
		if (length > 1 && cell[0] == '"' && cell[length - 1] == '"') {
			cell[length - 1] = '\0';
			cell++;
		}
		const char **grown = room_make(sheet->cells, sheet->cell_count, sizeof *grown);
		if (!grown)
			return 0;
		sheet->cells = grown;
		grown[sheet->cell_count++] = cell;
	}
	return count;
}

/* What is known above a line. */
struct reading {
	struct sheet *sheet;
	const char *path, *name; /* of the block to come, or NULL */
	size_t line;
	bool in_block;
};

static enum status out_of_memory(const struct reading *r, struct why *why)
{
	return why_set(why, STATUS_SYSTEM, "%s: out of memory", r->path);
}

static enum status comment_take(struct reading *r, char *line, struct why *why)
{
	char *text = line + 1 + (line[1] == ' ');
	bool block = strncmp(text, "block ", 6) == 0;
	size_t number = block ? 6 + strspn(text + 6, "0123456789") : 0;
	r->in_block = false;
	if (block && strncmp(text + number, ": ", 2) == 0)
		r->name = text + number + 2;
	else if (r->sheet->block_count == 0 && !note_add(r->sheet, text))
		return out_of_memory(r, why);
	return STATUS_OK;
}

static enum status row_take(struct reading *r, char *line, struct why *why)
{
	struct sheet *sheet = r->sheet;
	bool names = !r->in_block;
	if (names && !block_add(sheet, r->name ? r->name : ""))
		return out_of_memory(r, why);
	struct sheet_block *block = &sheet->blocks[sheet->block_count - 1];
	size_t count = cells_add(sheet, line);
	if (count == 0)
		return out_of_memory(r, why);
	if (count > SHEET_COLUMNS_MAX)
		return why_set(why, STATUS_INPUT, "%s:%zu: %zu columns, more than %d", r->path,
			       r->line, count, SHEET_COLUMNS_MAX);
	if (!names && count != block->columns)
		return why_set(why, STATUS_INPUT, "%s:%zu: %zu cells under %zu names of columns",
			       r->path, r->line, count, block->columns);
	block->columns = count;
	block->rows += !names;
	r->in_block = true;
	r->name = NULL;
	return STATUS_OK;
}

static enum status line_take(struct reading *r, char *line, struct why *why)
{
	size_t length = strlen(line);
	if (length > 0 && line[length - 1] == '\r')
		line[length - 1] = '\0';
	if (*line == '#')
		return comment_take(r, line, why);
	if (*line)
		return row_take(r, line, why);
	r->in_block = false;
	return STATUS_OK;
}

enum status sheet_read(struct sheet *sheet, const char *path, size_t most, struct why *why)
{
	struct sheet s = {0};
	struct reading reading = {.sheet = &s, .path = path};
	enum status status = text_read(path, most, &s.text, why);
	if (!status && !note_add(&s, NULL))
		status = out_of_memory(&reading, why);
	s.note_count = 0;
	char *rest = s.text;
	for (char *line; !status && (line = strsep(&rest, "\n"));) {
		reading.line++;
		status = line_take(&reading, line, why);
	}
	if (status) {
		sheet_fini(&s);
		return status;
	}
	for (size_t b = 0, first = 0; b < s.block_count; b++) {
		s.blocks[b].cells = s.cells + first;
		first += (s.blocks[b].rows + 1) * s.blocks[b].columns;
	}
	*sheet = s;
	return STATUS_OK;
}

void sheet_fini(struct sheet *sheet)
{
	free(sheet->notes);
	free(sheet->blocks);
	free(sheet->cells);
	free(sheet->text);
}
