/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a table for print fits on a page; see tables_layout.h. */
#include "src/report/tables_layout.h"

#include <string.h>

/* Columns that tell whose row it is; so does the first, whatever it is. */
static bool is_key(const char *name)
{
	static const char *const names[] = {"board", "label", "trained"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

static size_t width_of(const char *text, size_t length)
{
	size_t width = 0;
	for (size_t i = 0; i < length; i++)
		width += strchr(" ,.:;[]()'|", text[i]) ? 1 : 2;
	return width;
}

/* The length of as many words of TEXT as fit into WIDTH, and at least one. */
static size_t line_length(const char *text, size_t width)
{
	size_t length = strcspn(text, " ");
	while (text[length]) {
		size_t more = length + 1 + strcspn(text + length + 1, " ");
		if (width_of(text, more) > width)
			break;
		length = more;
	}
	return length;
}

/* The lines of TEXT in WIDTH; sets *LONGEST to the width of the longest. */
static size_t lines_count(const char *text, size_t width, size_t *longest)
{
	size_t lines = 0;
	*longest = 0;
	while (*text) {
		size_t length = line_length(text, width);
		size_t own = width_of(text, length);
		*longest = own > *longest ? own : *longest;
		text += length + (text[length] == ' ');
		lines++;
	}
	return lines;
}

/* The width of the cells of COLUMN, which its heading is broken to. */
static size_t cells_width(const struct printed *printed, size_t column)
{
	char text[PRINTED_TEXT_MAX];
	size_t width = 0;
	for (size_t row = 0; row < printed->block->rows; row++) {
		if (!printed_row(printed, row))
			continue;
		printed_cell(printed, row, column, text);
		size_t own = width_of(text, strlen(text));
		width = own > width ? own : width;
	}
	return printed->column[column].text && width > 2 * LAYOUT_TEXT ? 2 * LAYOUT_TEXT + 1
								       : width;
}

void layout_init(struct layout *layout, const struct printed *printed)
{
	char text[PRINTED_TEXT_MAX];
	size_t longest;
	layout->printed = printed;
	layout->count = layout->next = 0;
	for (size_t i = 0; i < printed->columns; i++) {
		size_t width = cells_width(printed, i);
		printed_title(printed, i, text);
		lines_count(text, width, &longest);
		layout->widths[i] = longest > width ? longest : width;
		layout->keys[i] =
		    i == 0 || is_key(sheet_name(printed->block, printed->column[i].value));
	}
}

/* Adds COLUMN to the part at hand, WIDTH wide so far. */
static size_t column_take(struct layout *layout, size_t column, size_t width)
{
	width += layout->widths[column] + (layout->count > 0 ? LAYOUT_GAP : 0);
	layout->columns[layout->count++] = column;
	return width;
}

/* All columns in their order, if they fit. */
static bool fits_whole(struct layout *layout)
{
	size_t width = 0;
	layout->count = 0;
	for (size_t i = 0; i < layout->printed->columns; i++)
		width = column_take(layout, i, width);
	layout->next = layout->count;
	return width <= LAYOUT_LINE;
}

bool layout_part(struct layout *layout)
{
	const size_t columns = layout->printed->columns;
	size_t width = 0, keys, i = layout->next;
	if (i >= columns)
		return false;
	if (i == 0 && fits_whole(layout))
		return true;
	layout->count = 0;
	for (size_t k = 0; k < columns; k++)
		if (layout->keys[k])
			width = column_take(layout, k, width);
	for (keys = layout->count; i < columns; i++) {
		if (layout->keys[i])
			continue;
		if (layout->count > keys && width + LAYOUT_GAP + layout->widths[i] > LAYOUT_LINE)
			break;
		width = column_take(layout, i, width);
	}
	while (i < columns && layout->keys[i])
		i++;
	layout->next = i;
	return true;
}

bool layout_breaks(const struct layout *layout, size_t column)
{
	return layout->printed->column[column].text && layout->widths[column] > 2 * LAYOUT_TEXT;
}

size_t layout_lines(const struct layout *layout, size_t row)
{
	char text[PRINTED_TEXT_MAX];
	size_t most = 1;
	for (size_t i = 0; i < layout->count; i++) {
		if (!layout_breaks(layout, layout->columns[i]))
			continue;
		printed_cell(layout->printed, row, layout->columns[i], text);
		size_t lines = (strlen(text) + LAYOUT_TEXT - 1) / LAYOUT_TEXT;
		most = lines > most ? lines : most;
	}
	return most;
}

size_t layout_head_lines(const struct layout *layout)
{
	char text[PRINTED_TEXT_MAX];
	size_t most = 1, longest;
	for (size_t i = 0; i < layout->count; i++) {
		const size_t column = layout->columns[i];
		printed_title(layout->printed, column, text);
		size_t lines = lines_count(text, layout->widths[column], &longest);
		most = lines > most ? lines : most;
	}
	return most;
}

void layout_head(const struct layout *layout, size_t column, size_t line,
		 char text[PRINTED_TEXT_MAX])
{
	char title[PRINTED_TEXT_MAX];
	const size_t width = layout->widths[column];
	size_t longest, at = 0;
	printed_title(layout->printed, column, title);
	size_t lines = lines_count(title, width, &longest);
	*text = '\0';
	if (line >= lines)
		return;
	for (size_t i = lines - 1; i > line; i--) {
		at += line_length(title + at, width);
		at += title[at] == ' ';
	}
	snprintf(text, PRINTED_TEXT_MAX, "%.*s", (int)line_length(title + at, width), title + at);
}
