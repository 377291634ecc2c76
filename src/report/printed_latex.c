/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables for print in LaTeX; see printed.h.
 *
 * How a table fits on a page: one that is too wide for a line is cut into parts, one below the
 * other, which all begin with the columns that tell whose row it is; headings take several lines
 * where that makes a column narrower; long texts are broken. Widths are in halves of a figure,
 * which in a 9-point font are some 2.3 points: commas, points, brackets and spaces take about one,
 * letters take two. LAYOUT_LINE of them, with LAYOUT_GAP between columns, are no wider than a page
 * of 17 cm in 8 points.
 */
#include "src/report/printed.h"

#include <stdlib.h>
#include <string.h>

enum { LAYOUT_LINE = 224, LAYOUT_GAP = 5, LAYOUT_TEXT = 40 /* characters */ };

struct layout {
	const struct printed *printed;
	size_t widths[PRINTED_COLUMNS_MAX];
	bool keys[PRINTED_COLUMNS_MAX];		    /* they begin every part */
	size_t columns[PRINTED_COLUMNS_MAX], count; /* of the part at hand */
	size_t next;				    /* the first column of the part after it */
};

/* ---- Layout. */

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

static void layout_init(struct layout *layout, const struct printed *printed)
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

static bool layout_part(struct layout *layout)
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

static bool layout_breaks(const struct layout *layout, size_t column)
{
	return layout->printed->column[column].text && layout->widths[column] > 2 * LAYOUT_TEXT;
}

static size_t layout_lines(const struct layout *layout, size_t row)
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

static size_t layout_head_lines(const struct layout *layout)
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

static void layout_head(const struct layout *layout, size_t column, size_t line,
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

/* ---- Text. */

enum { LINES_A_PAGE = 45 };

void latex_text(FILE *file, const char *text)
{
	static const struct {
		char from;
		const char *to;
	} marks[] = {
	    {'\\', "\\textbackslash{}"},
	    {'~', "\\textasciitilde{}"},
	    {'^', "\\textasciicircum{}"},
	    {'<', "$<$"},
	    {'>', "$>$"},
	    {'|', "$|$"},
	    {'"', "''"},
	    {'`', "\\textasciigrave{}"},
	};
	if (*text == '[' || *text == '*') /* behind the end of a row these would be part of that */
		fputs("{}", file);
	for (; *text; text++) {
		const char *to = NULL;
		for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
			if (*text == marks[i].from)
				to = marks[i].to;
		if (to)
			fputs(to, file);
		else if (strchr("{}$&#_%", *text))
			fprintf(file, "\\%c", *text);
		else if (text[0] == '-' && text[1] == '-')
			fputs("-{}", file); /* two would become one dash */
		else
			putc(*text, file);
	}
}

/* TEXT in lines as long as the layout has them, broken behind what stands between its parts. */
static void text_broken(FILE *file, const char *text)
{
	char part[PRINTED_TEXT_MAX];
	fprintf(file, "\\parbox[t]{%dem}{\\raggedright\\strut ", LAYOUT_TEXT / 2);
	while (*text) {
		size_t length = strcspn(text, ",:;/=");
		length += text[length] != '\0';
		snprintf(part, sizeof part, "%.*s", (int)length, text);
		latex_text(file, part);
		text += length;
		fputs(*text ? "\\allowbreak{}" : "\\strut}", file);
	}
}

static void head_write(FILE *file, const struct layout *layout)
{
	char text[PRINTED_TEXT_MAX];
	const struct printed *p = layout->printed;
	fputs("\\nxnfit{\\begin{tabular}{@{}", file);
	for (size_t i = 0; i < layout->count; i++)
		putc(p->column[layout->columns[i]].text ? 'l' : 'r', file);
	fputs("@{}}\n\\toprule\n", file);
	if (*p->block->name) {
		fprintf(file, "\\multicolumn{%zu}{@{}l@{}}{\\textbf{", layout->count);
		latex_text(file, p->block->name);
		fputs("}} \\\\\n", file);
	}
	for (size_t line = layout_head_lines(layout); line-- > 0;) {
		for (size_t i = 0; i < layout->count; i++) {
			layout_head(layout, layout->columns[i], line, text);
			fputs(i ? " & " : "", file);
			latex_text(file, text);
		}
		fputs(" \\\\\n", file);
	}
	fputs("\\midrule\n", file);
}

/* A number, "value [low, high]", whose signs are no hyphens and whose exponents are powers. */
static void number_latex(FILE *file, const char *text)
{
	for (const char *at = text; *at; at++) {
		if (*at == '-' && (at == text || strchr(" [", at[-1]))) {
			fputs("$-$", file);
		} else if (*at == 'e') {
			char *end;
			fprintf(file, "$\\cdot10^{%ld}$", strtol(at + 1, &end, 10));
			at = end - 1;
		} else {
			putc(*at, file);
		}
	}
}

static void row_write(FILE *file, const struct layout *layout, size_t row)
{
	char text[PRINTED_TEXT_MAX];
	for (size_t i = 0; i < layout->count; i++) {
		const size_t column = layout->columns[i];
		printed_cell(layout->printed, row, column, text);
		fputs(i ? " & " : "", file);
		if (strcmp(text, "-") == 0)
			fputs("--", file);
		else if (!layout->printed->column[column].text)
			number_latex(file, text);
		else if (layout_breaks(layout, column) && strlen(text) > LAYOUT_TEXT)
			text_broken(file, text);
		else
			latex_text(file, text);
	}
	fputs(" \\\\\n", file);
}

/* The part at hand, on as many pages as it needs. */
static void part_write(FILE *file, const struct layout *layout)
{
	static const char end[] = "\\bottomrule\n\\end{tabular}}\\par\\medskip\n";
	size_t lines = 0; /* of the tabular that is begun */
	for (size_t row = 0; row < layout->printed->block->rows; row++) {
		if (!printed_row(layout->printed, row))
			continue;
		const size_t more = layout_lines(layout, row);
		if (lines > 0 && lines + more > LINES_A_PAGE) {
			fputs(end, file);
			lines = 0;
		}
		if (lines == 0)
			head_write(file, layout);
		row_write(file, layout, row);
		lines += more;
	}
	if (lines > 0)
		fputs(end, file);
}

static void block_write(FILE *file, const struct printed *p)
{
	struct layout layout;
	layout_init(&layout, p);
	while (layout_part(&layout))
		part_write(file, &layout);
}

void printed_latex(FILE *file, const struct sheet *sheet, const char *name)
{
	struct printed printed;
	struct sheet_block joined;
	for (size_t i = 0; i < sheet->note_count; i++)
		fprintf(file, "%% %s\n", sheet->notes[i]);
	fputs("% \\usepackage{booktabs}; \\nxnfit may make what is too wide fit\n"
	      "\\providecommand{\\nxnfit}[1]{#1}%\n",
	      file);
	if (printed_join(sheet, name, &joined)) {
		printed_init(&printed, &joined, name);
		block_write(file, &printed);
		free(joined.cells);
		return;
	}
	for (size_t i = 0; i < sheet->block_count; i++) {
		printed_init(&printed, &sheet->blocks[i], name);
		if (printed.columns > 0)
			block_write(file, &printed);
	}
}
