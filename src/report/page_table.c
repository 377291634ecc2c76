/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables in a page. A number and its bounds are one cell, which plots/page.js sorts by the number in
 * data-v. Blocks that follow each other with the same columns are one table, with the names of the
 * blocks as a first column. What is too large is linked.
 */
#include "src/report/page_parts.h"

#include "base/file.h"
#include "src/report/html.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Thin spaces between groups of three, in whole numbers of five digits and more. */
static void digits_html(FILE *file, const char *text)
{
	while (*text) {
		size_t digits = strspn(text, "0123456789");
		for (size_t i = 0; i < digits; i++) {
			if (i > 0 && digits > 4 && (digits - i) % 3 == 0)
				fputs("&#8239;", file);
			putc(text[i], file);
		}
		text += digits;
		if (*text == '.') { /* no groups behind the point */
			size_t rest = 1 + strspn(text + 1, "0123456789");
			fwrite(text, 1, rest, file);
			text += rest;
		} else if (*text == '-') {
			fputs(isdigit((unsigned char)text[1]) ? "&#8722;" : "&#8211;", file);
			text++;
		} else if (*text) {
			putc(*text++, file);
		}
	}
}

/* A number as a column writes it. */
static void number_html_as(FILE *file, struct interval x, bool scientific)
{
	char text[SHEET_TEXT_MAX];
	sheet_format_as(x, scientific, text);
	char *bounds = strchr(text, ' ');
	if (bounds)
		*bounds++ = '\0';
	digits_html(file, text);
	if (bounds) {
		fputs(" <span class=\"ci\">", file);
		digits_html(file, bounds);
		fputs("</span>", file);
	}
}

void number_html(FILE *file, struct interval x)
{
	number_html_as(file, x, false);
}

static void head_cell_write(FILE *out, const char *name, bool number)
{
	fprintf(out, "<th scope=\"col\" data-kind=\"%s\">", number ? "number" : "text");
	for (size_t length; *name; name += length + (name[length] == '_')) {
		length = strcspn(name, "_");
		html_text_part(out, name, length);
		if (name[length])
			putc(' ', out);
	}
	fputs("</th>", out);
}

static bool same_columns(const struct sheet_block *a, const struct sheet_block *b)
{
	if (a->columns != b->columns)
		return false;
	for (size_t c = 0; c < a->columns; c++)
		if (strcmp(sheet_name(a, c), sheet_name(b, c)) != 0)
			return false;
	return true;
}

static bool group_is_number(const struct sheet_block *blocks, size_t count, size_t column)
{
	for (size_t b = 0; b < count; b++)
		if (!sheet_is_number(&blocks[b], column))
			return false;
	return true;
}

static bool group_is_scientific(const struct sheet_block *blocks, size_t count, size_t column)
{
	for (size_t b = 0; b < count; b++)
		if (sheet_is_scientific(&blocks[b], column))
			return true;
	return false;
}

static void text_cell_write(FILE *out, const char *text)
{
	fputs("<td><div>", out);
	html_breakable(out, text);
	fputs("</div></td>", out);
}

/* What is shown of the columns of a group of blocks. */
struct columns {
	bool shown[PAGE_COLUMNS_MAX], number[PAGE_COLUMNS_MAX], scientific[PAGE_COLUMNS_MAX];
};

static void cell_write(FILE *out, const struct sheet_block *block, size_t row, size_t column,
		       const struct columns *columns)
{
	if (!columns->number[column]) {
		text_cell_write(out, sheet_cell(block, row, column));
		return;
	}
	struct interval x = sheet_number(block, row, column);
	fputs("<td class=\"n\"", out);
	if (isfinite(x.value))
		fprintf(out, " data-v=\"%.10g\"", x.value);
	putc('>', out);
	number_html_as(out, x, columns->scientific[column]);
	fputs("</td>", out);
}

static void rows_write(FILE *out, const struct sheet_block *block, const struct columns *columns,
		       bool named)
{
	for (size_t r = 0; r < block->rows; r++) {
		fputs("<tr>", out);
		if (named)
			text_cell_write(out, block->name);
		for (size_t c = 0; c < block->columns; c++)
			if (columns->shown[c])
				cell_write(out, block, r, c, columns);
		fputs("</tr>\n", out);
	}
}

/* COUNT blocks of the same columns as one table. */
static void group_write(FILE *out, const char *title, const struct sheet_block *blocks,
			size_t count)
{
	struct columns columns = {0};
	bool named = count > 1;
	for (size_t c = 0; c < blocks->columns; c++) {
		columns.shown[c] = !sheet_is_bound(blocks, c);
		columns.number[c] = group_is_number(blocks, count, c);
		columns.scientific[c] = group_is_scientific(blocks, count, c);
	}
	html_print(out, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">",
		   title);
	fputs("<table class=\"sortable\">", out);
	if (!named && *blocks->name)
		html_print(out, "<caption>%s</caption>", blocks->name);
	fputs("<thead><tr>", out);
	if (named)
		head_cell_write(out, "series", false);
	for (size_t c = 0; c < blocks->columns; c++)
		if (columns.shown[c])
			head_cell_write(out, sheet_name(blocks, c), columns.number[c]);
	fputs("</tr></thead>\n<tbody>\n", out);
	for (size_t b = 0; b < count; b++)
		rows_write(out, &blocks[b], &columns, named);
	fputs("</tbody></table></div>\n", out);
}

static void sheet_write(FILE *out, const char *title, const struct sheet *sheet)
{
	for (size_t b = 0; b < sheet->block_count;) {
		size_t count = 1;
		while (b + count < sheet->block_count &&
		       same_columns(&sheet->blocks[b], &sheet->blocks[b + count]))
			count++;
		group_write(out, title, &sheet->blocks[b], count);
		b += count;
	}
	for (const char *const *note = sheet->notes; *note; note++)
		if (strncmp(*note, "units:", 6) == 0 || strncmp(*note, "95% intervals:", 14) == 0)
			html_print(out, "<p class=\"small\">%s.</p>\n", *note);
}

/* Rows, and the most columns of a block. */
static void sheet_size(const struct sheet *sheet, size_t *rows, size_t *columns)
{
	*rows = *columns = 0;
	for (size_t b = 0; b < sheet->block_count; b++) {
		*rows += sheet->blocks[b].rows;
		if (sheet->blocks[b].columns > *columns)
			*columns = sheet->blocks[b].columns;
	}
}

static void fold_write(struct page_writer *w, const struct page_section *section,
		       const struct page_table *table, const struct sheet *sheet, off_t bytes)
{
	FILE *out = w->out;
	size_t rows = 0, columns = 0;
	if (sheet)
		sheet_size(sheet, &rows, &columns);
	bool fits = sheet && rows <= PAGE_ROWS_MAX && columns <= PAGE_COLUMNS_MAX;
	fputs("<details class=\"fold\" id=\"run-", out);
	html_word(out, section->name);
	fputs("-table-", out);
	html_word(out, table->name);
	fputs(table->main && fits && rows <= 24 ? "\" open=\"open\">" : "\">", out);
	html_print(out, "<summary><span class=\"name\">%s</span> <span class=\"about\">%s</span>",
		   table->name, table->caption ? table->caption : "");
	if (sheet)
		fprintf(out, " <span class=\"size\">%zu row%s</span></summary>\n", rows,
			rows == 1 ? "" : "s");
	else
		fprintf(out, " <span class=\"size\">%.1f MB</span></summary>\n",
			(double)bytes / 1e6);
	links_write(w, table->path);
	if (fits)
		sheet_write(out, table->name, sheet);
	else
		fputs("<p>Too large to be shown here; the file has all of it.</p>\n", out);
	fputs("</details>\n", out);
}

enum status table_fold_write(struct page_writer *writer, const struct page_section *section,
			     const struct page_table *table)
{
	char path[FOLDER_PATH_MAX];
	struct stat file;
	struct sheet sheet;
	enum status status =
	    path_format(path, writer->why, "%s/%s", writer->directory, table->path);
	if (status)
		return status;
	if (stat(path, &file) == 0 && file.st_size > PAGE_BYTES_MAX) {
		fold_write(writer, section, table, NULL, file.st_size);
		return STATUS_OK;
	}
	status = sheet_read(&sheet, path, PAGE_BYTES_MAX, writer->why);
	if (status)
		return status;
	fold_write(writer, section, table, &sheet, 0);
	sheet_fini(&sheet);
	return STATUS_OK;
}
