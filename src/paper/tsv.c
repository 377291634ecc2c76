/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables read back; see paper.h. The file is read whole and cut at its tabs and newlines in place;
 * the cells of all blocks point into it. gnuplot knows no escape for a quote, so none is undone.
 */
#include "src/paper/paper.h"

#include <math.h>
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

static bool note_add(struct tsv *tsv, const char *note)
{
	const char **grown = room_make(tsv->notes, tsv->note_count + 1, sizeof *grown);
	if (!grown)
		return false;
	tsv->notes = grown;
	grown[tsv->note_count++] = note;
	grown[tsv->note_count] = NULL;
	return true;
}

static bool block_add(struct tsv *tsv, const char *name)
{
	struct tsv_block *grown = room_make(tsv->blocks, tsv->block_count, sizeof *grown);
	if (!grown)
		return false;
	tsv->blocks = grown;
	grown[tsv->block_count++] = (struct tsv_block){.name = name};
	return true;
}

/* Cuts LINE into cells without their quotes, and returns how many; 0 without memory. */
static size_t cells_add(struct tsv *tsv, char *line)
{
	size_t count = 0;
	for (char *cell; (cell = strsep(&line, "\t")); count++) {
		size_t length = strlen(cell);
		if (length > 1 && cell[0] == '"' && cell[length - 1] == '"') {
			cell[length - 1] = '\0';
			cell++;
		}
		const char **grown = room_make(tsv->cells, tsv->cell_count, sizeof *grown);
		if (!grown)
			return 0;
		tsv->cells = grown;
		grown[tsv->cell_count++] = cell;
	}
	return count;
}

/* What is known above a line. */
struct reading {
	struct tsv *tsv;
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
	else if (r->tsv->block_count == 0 && !note_add(r->tsv, text))
		return out_of_memory(r, why);
	return STATUS_OK;
}

static enum status row_take(struct reading *r, char *line, struct why *why)
{
	struct tsv *tsv = r->tsv;
	bool names = !r->in_block;
	if (names && !block_add(tsv, r->name ? r->name : ""))
		return out_of_memory(r, why);
	struct tsv_block *block = &tsv->blocks[tsv->block_count - 1];
	size_t count = cells_add(tsv, line);
	if (count == 0)
		return out_of_memory(r, why);
	if (count > TSV_COLUMNS_MAX)
		return why_set(why, STATUS_INPUT, "%s:%zu: %zu columns, more than %d", r->path,
			       r->line, count, TSV_COLUMNS_MAX);
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

enum status tsv_read(struct tsv *tsv, const char *path, size_t most, struct why *why)
{
	struct tsv s = {0};
	struct reading reading = {.tsv = &s, .path = path};
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
		tsv_fini(&s);
		return status;
	}
	for (size_t b = 0, first = 0; b < s.block_count; b++) {
		s.blocks[b].cells = s.cells + first;
		first += (s.blocks[b].rows + 1) * s.blocks[b].columns;
	}
	*tsv = s;
	return STATUS_OK;
}

void tsv_fini(struct tsv *tsv)
{
	free(tsv->notes);
	free(tsv->blocks);
	free(tsv->cells);
	free(tsv->text);
}

/* ---- What cells are, and how their numbers are written. */

enum { NUMBER_MAX = 28 };

const char *tsv_name(const struct tsv_block *block, size_t column)
{
	return block->cells[column];
}

const char *tsv_cell(const struct tsv_block *block, size_t row, size_t column)
{
	return block->cells[(row + 1) * block->columns + column];
}

bool tsv_find(const struct tsv_block *block, const char *name, size_t *column)
{
	for (size_t c = 0; c < block->columns; c++) {
		if (strcmp(tsv_name(block, c), name) != 0)
			continue;
		*column = c;
		return true;
	}
	return false;
}

/* Whether COLUMN is the bound WHICH, "low" or "high", of a column called X: "X_low" or "X low". */
static bool is_bound_of(const struct tsv_block *block, size_t column, const char *x,
			const char *which)
{
	static const char difference[] = "_difference"; /* paired_difference, paired_low */
	size_t length = strlen(x), cut = sizeof difference - 1;
	if (column >= block->columns)
		return false;
	if (length > cut && strcmp(x + length - cut, difference) == 0)
		length -= cut;
	const char *name = tsv_name(block, column);
	return strncmp(name, x, length) == 0 && (name[length] == '_' || name[length] == ' ') &&
	       strcmp(name + length + 1, which) == 0;
}

/* Sets the columns with the bounds of COLUMN; false if it has none. */
static bool tsv_bounds(const struct tsv_block *block, size_t column, size_t *low, size_t *high)
{
	const char *name = tsv_name(block, column);
	*low = column + 1;
	*high = column + 2;
	return is_bound_of(block, *low, name, "low") && is_bound_of(block, *high, name, "high");
}

bool tsv_is_bound(const struct tsv_block *block, size_t column)
{
	size_t low, high;
	return (column >= 1 && tsv_bounds(block, column - 1, &low, &high)) ||
	       (column >= 2 && tsv_bounds(block, column - 2, &low, &high));
}

/* Sets *X to the number that TEXT is, NAN for "NaN"; false if it is none. */
static bool number_read(const char *text, double *x)
{
	char *end;
	*x = NAN;
	if (strcmp(text, "NaN") == 0)
		return true;
	double value = strtod(text, &end);
	if (end == text || *end || !isfinite(value) ||
	    strspn(text, "+-.0123456789eE") != strlen(text))
		return false;
	*x = value;
	return true;
}

bool tsv_is_number(const struct tsv_block *block, size_t column)
{
	double x;
	for (size_t r = 0; r < block->rows; r++)
		if (!number_read(tsv_cell(block, r, column), &x))
			return false;
	return true;
}

static double cell_number(const struct tsv_block *block, size_t row, size_t column)
{
	double x;
	number_read(tsv_cell(block, row, column), &x);
	return x;
}

struct interval tsv_number(const struct tsv_block *block, size_t row, size_t column)
{
	struct interval x = {cell_number(block, row, column), NAN, NAN};
	size_t low, high;
	if (tsv_bounds(block, column, &low, &high)) {
		x.low = cell_number(block, row, low);
		x.high = cell_number(block, row, high);
	}
	return x;
}

static double half_width(struct interval x)
{
	double half = (x.high - x.low) / 2;
	return half > 0 ? half : 0;
}

/* Nine decimals are as many as are written. */
static bool is_scientific(struct interval x)
{
	double size = fmax(fabs(x.value), half_width(x));
	return size > 0 && (size < 1e-6 || size >= 1e15);
}

bool tsv_is_scientific(const struct tsv_block *block, size_t column)
{
	for (size_t row = 0; row < block->rows; row++)
		if (is_scientific(tsv_number(block, row, column)))
			return true;
	return false;
}

/*
 * How to write the numbers of an interval: with so many decimals, behind an exponent's digit if it
 * has one.
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

static void number_text(double x, struct style style, char text[NUMBER_MAX])
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
	number_text(x.value, style, value);
	number_text(x.low, style, low);
	number_text(x.high, style, high);
	if (isnan(x.low) && isnan(x.high))
		snprintf(text, TSV_TEXT_MAX, "%s", value);
	else
		snprintf(text, TSV_TEXT_MAX, "%s [%s, %s]", value, low, high);
}
