/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads tables; see tsv.h. The file is read whole and split at its tabs and newlines in place; the
 * cells point into it. Text has no escape for a quote, since gnuplot has none.
 */
#include "analysis/tables/tsv.h"

#include "base/file.h"
#include "base/lines.h"
#include "base/number.h"
#include "base/text.h"
#include "base/xalloc.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Reading. */

/* Reads PATH into TEXT, which ends with a NUL and has no other. */
static enum status text_read(const char *path, size_t most, char **text, struct why *why)
{
	size_t size;
	enum status status = file_read(path, most, text, &size, why);
	if (status)
		return status;
	if (!memchr(*text, '\0', size)) {
		lines_normalize(*text, size);
		return STATUS_OK;
	}
	free(*text);
	*text = NULL;
	return why_set(why, STATUS_INPUT, "%s: has a NUL in it, so is no table", path);
}

static bool is_quoted(const char *cell, size_t length)
{
	return length > 1 && cell[0] == '"' && cell[length - 1] == '"';
}

/* Whether the LENGTH bytes of CELL are text between quotes, a number or NaN. */
static bool cell_valid(const char *cell, size_t length)
{
	double x;
	return is_quoted(cell, length) || (length == 3 && memcmp(cell, "NaN", 3) == 0) ||
	       real_scan(cell, &x) == cell + length;
}

enum status tsv_row_check(const char *path, size_t number, const char *line, size_t columns,
			  struct why *why)
{
	size_t count = 0;
	for (size_t length; line; line = line[length] ? line + length + 1 : NULL) {
		length = strcspn(line, "\t");
		count++;
		if (!cell_valid(line, length))
			return why_set(why, STATUS_INPUT,
				       "%s:%zu: column %zu: '%.*s' is not a number; text stands "
				       "between quotes",
				       path, number, count, length < 40 ? (int)length : 40, line);
	}
	return count == columns
		   ? STATUS_OK
		   : why_set(why, STATUS_INPUT, "%s:%zu: %zu cells under %zu names of columns",
			     path, number, count, columns);
}

/*
 * Splits LINE into cells without quotes, after the COUNT cells of TSV; returns their number. For a
 * row, not for names, notes which columns have quotes.
 */
static size_t cells_add(struct tsv *tsv, size_t count, char *line)
{
	const size_t before = count;
	for (char *cell; (cell = strsep(&line, "\t")); count++) {
		const size_t length = strlen(cell);
		const bool quoted = is_quoted(cell, length);
		if (quoted)
			*(cell++ + length - 1) = '\0';
		if (before > 0 && quoted)
			tsv->quoted[count - before] = true;
		tsv->cells = xgrow(tsv->cells, count, sizeof(char *));
		tsv->cells[count] = cell;
	}
	return count - before;
}

static void note_add(struct tsv *tsv, const char *note)
{
	tsv->notes = xgrow(tsv->notes, tsv->note_count + 1, sizeof(char *));
	tsv->notes[tsv->note_count++] = note;
	tsv->notes[tsv->note_count] = NULL;
}

/* Takes line NUMBER, not empty, as names of columns or as a row. */
static enum status row_take(struct tsv *tsv, const char *path, size_t number, char *line,
			    struct why *why)
{
	if (tsv->columns == 0) {
		tsv->columns = cells_add(tsv, 0, line);
		tsv->quoted = xcalloc(tsv->columns, sizeof *tsv->quoted);
		return tsv->columns <= TSV_COLUMNS_MAX
			   ? STATUS_OK
			   : why_set(why, STATUS_INPUT, "%s:%zu: %zu columns, more than %d", path,
				     number, tsv->columns, TSV_COLUMNS_MAX);
	}
	enum status status = tsv_row_check(path, number, line, tsv->columns, why);
	if (!status)
		cells_add(tsv, ++tsv->rows * tsv->columns, line);
	return status;
}

static enum status line_take(struct tsv *tsv, const char *path, size_t number, char *line,
			     struct why *why)
{
	const enum status status = line_plain(path, number, line, why);
	if (status)
		return status;
	if (*line && *line != '#')
		return row_take(tsv, path, number, line, why);
	if (*line && tsv->columns == 0)
		note_add(tsv, line + 1 + (line[1] == ' '));
	return STATUS_OK;
}

enum status tsv_read(struct tsv *tsv, const char *path, size_t most, struct why *why)
{
	struct tsv s = {0};
	size_t number = 0;
	enum status status = text_read(path, most, &s.text, why);
	char *rest = s.text;
	note_add(&s, NULL);
	s.note_count = 0;
	for (char *line; !status && (line = strsep(&rest, "\n"));)
		status = line_take(&s, path, ++number, line, why);
	if (status)
		tsv_fini(&s);
	else
		*tsv = s;
	return status;
}

void tsv_fini(struct tsv *tsv)
{
	free(tsv->notes);
	free(tsv->cells);
	free(tsv->quoted);
	free(tsv->text);
	for (char **name = tsv->made; name && *name; name++)
		free(*name);
	free(tsv->made);
}

/* ---- What cells are, and how their numbers are written. */

enum { NUMBER_MAX = 28 };

const char *tsv_note(const struct tsv *tsv, const char *prefix)
{
	return note_find(tsv->notes, prefix);
}

const char *tsv_name(const struct tsv *tsv, size_t column)
{
	return tsv->cells[column];
}

const char *tsv_cell(const struct tsv *tsv, size_t row, size_t column)
{
	return tsv->cells[(row + 1) * tsv->columns + column];
}

bool tsv_find(const struct tsv *tsv, const char *name, size_t *column)
{
	for (size_t c = 0; c < tsv->columns; c++) {
		if (strcmp(tsv_name(tsv, c), name) != 0)
			continue;
		*column = c;
		return true;
	}
	return false;
}

/* Whether COLUMN is the bound WHICH, "_low" or "_high", of the column X. */
static bool is_bound_of(const struct tsv *tsv, size_t column, const char *x, const char *which)
{
	size_t length = strlen(x);
	if (column >= tsv->columns)
		return false;
	if (strcmp(x, "paired_difference") == 0) /* its bounds are paired_low and paired_high */
		length = strlen("paired");
	const char *name = tsv_name(tsv, column);
	return strncmp(name, x, length) == 0 && strcmp(name + length, which) == 0;
}

/* Whether COLUMN has bounds: the next two columns. */
static bool has_bounds(const struct tsv *tsv, size_t column)
{
	const char *name = tsv_name(tsv, column);
	return is_bound_of(tsv, column + 1, name, "_low") &&
	       is_bound_of(tsv, column + 2, name, "_high");
}

bool tsv_is_bound(const struct tsv *tsv, size_t column)
{
	return (column >= 1 && has_bounds(tsv, column - 1)) ||
	       (column >= 2 && has_bounds(tsv, column - 2));
}

/* Sets *X to the number that TEXT is, NAN for "NaN"; false if it is none. */
static bool number_read(const char *text, double *x)
{
	*x = NAN;
	return strcmp(text, "NaN") == 0 || real_parse(text, x);
}

bool tsv_is_number(const struct tsv *tsv, size_t column)
{
	return !tsv->quoted[column]; /* see tsv_row_check() */
}

static double cell_number(const struct tsv *tsv, size_t row, size_t column)
{
	double x;
	number_read(tsv_cell(tsv, row, column), &x);
	return x;
}

struct interval tsv_number(const struct tsv *tsv, size_t row, size_t column)
{
	struct interval x = {cell_number(tsv, row, column), NAN, NAN};
	if (has_bounds(tsv, column)) {
		x.low = cell_number(tsv, row, column + 1);
		x.high = cell_number(tsv, row, column + 2);
	}
	return x;
}

static double half_width(struct interval x)
{
	double half = (x.high - x.low) / 2;
	return half > 0 ? half : 0;
}

/* At most nine decimals are written. */
static bool is_scientific(struct interval x)
{
	double size = fmax(fabs(x.value), half_width(x));
	return size > 0 && (size < 1e-6 || size >= 1e15);
}

bool tsv_is_scientific(const struct tsv *tsv, size_t column)
{
	for (size_t row = 0; row < tsv->rows; row++)
		if (is_scientific(tsv_number(tsv, row, column)))
			return true;
	return false;
}

/*
 * How to write the numbers of an interval: with so many decimals, those of the mantissa if
 * SCIENTIFIC; without zeros at the end if STRIPPED.
 */
struct style {
	bool scientific, stripped;
	int decimals;
};

static struct style style_of(struct interval x, bool scientific)
{
	double half = half_width(x), size = fmax(fabs(x.value), half);
	if (scientific && size > 0) {
		double ratio = half > 0 ? floor(log10(size)) - floor(log10(half)) + 1 : 3;
		return (struct style){true, false, (int)fmin(fmax(ratio, 1), 6)};
	}
	if (half > 0)
		return (struct style){false, false, (int)fmin(fmax(1 - floor(log10(half)), 0), 9)};
	if (!(size < 1000) || x.value == floor(x.value))
		return (struct style){false, false, 0};
	return (struct style){false, true, (int)fmin(3 - floor(log10(size)), 9)};
}

static void styled_text(double x, struct style style, char text[NUMBER_MAX])
{
	if (isnan(x)) {
		snprintf(text, NUMBER_MAX, "-");
		return;
	}
	snprintf(text, NUMBER_MAX, style.scientific ? "%.*e" : "%.*f", style.decimals, x);
	char *last = text + strlen(text) - 1;
	while (style.stripped && *last == '0')
		*last-- = '\0';
	if (style.stripped && *last == '.')
		*last = '\0';
}

void interval_format(struct interval x, bool scientific, char text[TSV_TEXT_MAX])
{
	char value[NUMBER_MAX], low[NUMBER_MAX], high[NUMBER_MAX];
	struct style style = style_of(x, scientific || is_scientific(x));
	styled_text(x.value, style, value);
	styled_text(x.low, style, low);
	styled_text(x.high, style, high);
	if (isnan(x.low) && isnan(x.high))
		snprintf(text, TSV_TEXT_MAX, "%s", value);
	else
		snprintf(text, TSV_TEXT_MAX, "%s [%s, %s]", value, low, high);
}

/* ---- Series. */

/* The column of $NAME at *AT, which moves after the name; the number of columns for none. */
static size_t key_find(const struct tsv *tsv, const char **at)
{
	char name[16];
	size_t length = 0, column;
	for (++*at; islower((unsigned char)**at) && length + 1 < sizeof name; ++*at)
		name[length++] = **at;
	name[length] = '\0';
	return tsv_find(tsv, name, &column) ? column : tsv->columns;
}

/* Whether COLUMN names the series. */
static bool is_key(const struct tsv *tsv, const struct shown_table *shown, size_t column)
{
	const char *name = tsv_name(tsv, column), *at = shown->series;
	const size_t length = strlen(name);
	while (at && (at = strchr(at, '$')))
		if (strncmp(++at, name, length) == 0 && !islower((unsigned char)at[length]))
			return true;
	return false;
}

static bool same_series(const struct tsv *tsv, const struct shown_table *shown, size_t a, size_t b)
{
	for (size_t c = 0; c < tsv->columns; c++)
		if (is_key(tsv, shown, c) && strcmp(tsv_cell(tsv, a, c), tsv_cell(tsv, b, c)) != 0)
			return false;
	return true;
}

size_t tsv_series_rows(const struct tsv *tsv, const struct shown_table *shown, size_t first)
{
	size_t rows = 1;
	while (first + rows < tsv->rows && same_series(tsv, shown, first, first + rows))
		rows++;
	return rows;
}

/* Adds CELL to the COUNT cells of LIST unless it is there; returns its place. */
static size_t distinct_add(const char ***list, size_t *count, const char *cell)
{
	size_t at = 0;
	while (at < *count && strcmp((*list)[at], cell) != 0)
		at++;
	if (at == *count) {
		*list = xgrow(*list, *count, sizeof(char *));
		(*list)[(*count)++] = cell;
	}
	return at;
}

/* The columns of a table that becomes wide. */
struct wide_columns {
	size_t board, label;
	size_t key;   /* tile, or cells; rows are sorted by cells */
	size_t value; /* share, or mean */
	bool ordered;
};

/* The row of WIDE with the board and key of row R of TSV; adds it if there is none. */
static size_t wide_row(struct tsv *wide, const struct tsv *tsv, const struct wide_columns *c,
		       size_t r)
{
	const char *board = tsv_cell(tsv, r, c->board), *key = tsv_cell(tsv, r, c->key);
	for (size_t row = 0; row < wide->rows; row++)
		if (!strcmp(tsv_cell(wide, row, 0), board) && !strcmp(tsv_cell(wide, row, 1), key))
			return row;
	size_t row = wide->rows++;
	wide->cells = xreallocarray(wide->cells, (row + 2) * wide->columns, sizeof(char *));
	const double own = tsv_number(tsv, r, c->key).value;
	for (; c->ordered && row > 0 && tsv_number(wide, row - 1, 1).value > own; row--)
		memcpy(wide->cells + (row + 1) * wide->columns, wide->cells + row * wide->columns,
		       wide->columns * sizeof(char *));
	const char **cells = wide->cells + (row + 1) * wide->columns;
	for (size_t i = 2; i < wide->columns; i++)
		cells[i] = "NaN";
	cells[0] = board;
	cells[1] = key;
	return row;
}

bool tsv_widen(const struct tsv *tsv, size_t first, size_t rows, struct tsv *wide)
{
	static const char *const ends[] = {"", "_low", "_high"};
	struct wide_columns c;
	const char **labels = NULL;
	size_t count = 0;
	c.ordered = !tsv_find(tsv, "tile", &c.key);
	if (!tsv_find(tsv, "board", &c.board) || !tsv_find(tsv, "label", &c.label) ||
	    (c.ordered && !tsv_find(tsv, "cells", &c.key)) ||
	    !tsv_find(tsv, c.ordered ? "mean" : "share", &c.value) || !has_bounds(tsv, c.value))
		return false;
	for (size_t r = first; r < first + rows; r++)
		distinct_add(&labels, &count, tsv_cell(tsv, r, c.label));
	if (2 + 3 * count > TSV_COLUMNS_MAX) {
		free(labels);
		return false;
	}
	*wide = (struct tsv){.columns = 2 + 3 * count};
	wide->cells = xcalloc(wide->columns, sizeof(char *));
	wide->made = xcalloc(3 * count + 1, sizeof(char *));
	wide->quoted = xcalloc(wide->columns, sizeof *wide->quoted);
	wide->quoted[0] = true;
	wide->cells[0] = "board";
	wide->cells[1] = c.ordered ? "cells" : "tile";
	for (size_t i = 0; i < 3 * count; i++)
		wide->cells[2 + i] = wide->made[i] = xasprintf("%s%s", labels[i / 3], ends[i % 3]);
	for (size_t r = first; r < first + rows; r++) {
		const size_t row = wide_row(wide, tsv, &c, r);
		const size_t at = distinct_add(&labels, &count, tsv_cell(tsv, r, c.label));
		for (size_t i = 0; i < 3; i++)
			wide->cells[(row + 1) * wide->columns + 2 + 3 * at + i] =
			    tsv_cell(tsv, r, c.value + i);
	}
	free(labels);
	return true;
}

/* CELL as gnuplot reads it: a number, or text between quotes. */
static void cell_write(FILE *file, const char *cell, bool name)
{
	double x;
	const bool number = !name && number_read(cell, &x);
	fprintf(file, number ? "%s" : "\"%s\"", cell);
}

/* Writes the names of columns, and ROWS rows from FIRST on, without columns that name series. */
static void rows_write(FILE *file, const struct tsv *tsv, const struct shown_table *shown,
		       size_t first, size_t rows)
{
	for (size_t line = 0; line <= rows; line++) {
		const char *separator = "";
		for (size_t c = 0; c < tsv->columns; c++) {
			if (is_key(tsv, shown, c))
				continue;
			fputs(separator, file);
			cell_write(file,
				   line ? tsv_cell(tsv, first + line - 1, c) : tsv_name(tsv, c),
				   line == 0);
			separator = "\t";
		}
		putc('\n', file);
	}
}

static void series_name_write(FILE *file, const struct tsv *tsv, const struct shown_table *shown,
			      size_t row)
{
	for (const char *at = shown->series; *at;) {
		if (*at != '$') {
			putc(*at++, file);
			continue;
		}
		const size_t column = key_find(tsv, &at);
		fputs(column < tsv->columns ? tsv_cell(tsv, row, column) : "?", file);
	}
	putc('\n', file);
}

void tsv_blocks_write(FILE *file, const struct tsv *tsv, const struct shown_table *shown)
{
	struct tsv wide;
	for (size_t i = 0; i < tsv->note_count; i++)
		fprintf(file, "# %s\n", tsv->notes[i]);
	for (size_t first = 0, rows, block = 0; first < tsv->rows; first += rows, block++) {
		rows = tsv_series_rows(tsv, shown, first);
		fprintf(file, "%s# block %zu: ", block ? "\n\n" : "", block);
		series_name_write(file, tsv, shown, first);
		if (shown->wide && tsv_widen(tsv, first, rows, &wide)) {
			rows_write(file, &wide, shown, 0, wide.rows);
			tsv_fini(&wide);
		} else {
			rows_write(file, tsv, shown, first, rows);
		}
	}
}
