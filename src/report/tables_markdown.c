/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables in Markdown, as pipe tables; see printed.h. */
#include "src/report/printed.h"

#include <stdlib.h>
#include <string.h>

void markdown_text(FILE *file, const char *text)
{
	for (; *text; text++) {
		if (*text == '<')
			fputs("&lt;", file);
		else if (*text == '&')
			fputs("&amp;", file);
		else if (strchr("\\`*_[]|~#$", *text))
			fprintf(file, "\\%c", *text);
		else
			putc(*text, file);
	}
}

static void head_write(FILE *file, const struct printed *p)
{
	char text[PRINTED_TEXT_MAX];
	if (*p->block->name) {
		fputs("**", file);
		markdown_text(file, p->block->name);
		fputs("**\n\n", file);
	}
	for (size_t i = 0; i < p->columns; i++) {
		printed_title(p, i, text);
		fputs("| ", file);
		markdown_text(file, text);
		putc(' ', file);
	}
	fputs("|\n", file);
	for (size_t i = 0; i < p->columns; i++)
		fputs(p->column[i].text ? "|:---" : "|---:", file);
	fputs("|\n", file);
}

static void row_write(FILE *file, const struct printed *p, size_t row)
{
	char text[PRINTED_TEXT_MAX];
	for (size_t i = 0; i < p->columns; i++) {
		printed_cell(p, row, i, text);
		fputs("| ", file);
		/* The brackets of an interval link nothing. */
		if (p->column[i].text)
			markdown_text(file, text);
		else
			fputs(text, file);
		putc(' ', file);
	}
	fputs("|\n", file);
}

static void block_markdown(FILE *file, const struct printed *p)
{
	head_write(file, p);
	for (size_t row = 0; row < p->block->rows; row++)
		if (printed_row(p, row))
			row_write(file, p, row);
}

void printed_markdown(FILE *file, const struct sheet *sheet, const char *name)
{
	struct printed printed;
	struct sheet_block joined;
	bool begun = false;
	if (printed_join(sheet, name, &joined)) {
		printed_init(&printed, &joined, name);
		block_markdown(file, &printed);
		free(joined.cells);
		return;
	}
	for (size_t i = 0; i < sheet->block_count; i++) {
		printed_init(&printed, &sheet->blocks[i], name);
		if (printed.columns == 0 || sheet->blocks[i].rows == 0)
			continue;
		fputs(begun ? "\n" : "", file);
		begun = true;
		block_markdown(file, &printed);
	}
}
