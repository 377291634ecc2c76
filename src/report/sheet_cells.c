/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the cells of a table are: text or numbers, values or bounds, and how numbers are written; see
 * sheet.h.
 */
#include "src/report/sheet.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_MAX = 28 };

const char *sheet_name(const struct sheet_block *block, size_t column)
{
	return block->cells[column];
}

const char *sheet_cell(const struct sheet_block *block, size_t row, size_t column)
{
	return block->cells[(row + 1) * block->columns + column];
}

bool sheet_find(const struct sheet_block *block, const char *name, size_t *column)
{
	for (size_t c = 0; c < block->columns; c++) {
		if (strcmp(sheet_name(block, c), name) != 0)
			continue;
		*column = c;
		return true;
	}
	return false;
}

/* The first LENGTH bytes of X, followed by "_" or " ", then WHICH: a column's bound. */
static bool bound_find(const struct sheet_block *block, const char *x, size_t length,
		       const char *which, size_t *column)
{
	for (size_t c = 0; c < block->columns; c++) {
		const char *name = sheet_name(block, c);
		if (strncmp(name, x, length) != 0 || (name[length] != '_' && name[length] != ' ') ||
		    strcmp(name + length + 1, which) != 0)
			continue;
		*column = c;
		return true;
	}
	return false;
}

static const char difference[] = "_difference"; /* paired_difference, paired_low */

bool sheet_bounds(const struct sheet_block *block, size_t column, size_t *low, size_t *high)
{
	const char *name = sheet_name(block, column);
	size_t length = strlen(name), cut = sizeof difference - 1;
	if (length > cut && strcmp(name + length - cut, difference) == 0)
		length -= cut;
	return bound_find(block, name, length, "low", low) &&
	       bound_find(block, name, length, "high", high);
}

bool sheet_is_bound(const struct sheet_block *block, size_t column)
{
	size_t low, high;
	const char *name = sheet_name(block, column), *end = name + strlen(name);
	while (end > name && *end != '_' && *end != ' ')
		end--;
	if (!*end || (strcmp(end + 1, "low") != 0 && strcmp(end + 1, "high") != 0))
		return false;
	const size_t length = (size_t)(end - name);
	for (size_t c = 0; c < block->columns; c++) {
		const char *x = sheet_name(block, c);
		if (strncmp(x, name, length) == 0 &&
		    (!x[length] || strcmp(x + length, difference) == 0) && c != column &&
		    sheet_bounds(block, c, &low, &high) && (low == column || high == column))
			return true;
	}
	return false;
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

bool sheet_is_number(const struct sheet_block *block, size_t column)
{
	double x;
	for (size_t r = 0; r < block->rows; r++)
		if (!number_read(sheet_cell(block, r, column), &x))
			return false;
	return true;
}

static double cell_number(const struct sheet_block *block, size_t row, size_t column)
{
	double x;
	number_read(sheet_cell(block, row, column), &x);
	return x;
}

struct interval sheet_number(const struct sheet_block *block, size_t row, size_t column)
{
	struct interval x = {cell_number(block, row, column), NAN, NAN};
	size_t low, high;
	if (sheet_bounds(block, column, &low, &high)) {
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

bool sheet_is_scientific(const struct sheet_block *block, size_t column)
{
	for (size_t row = 0; row < block->rows; row++)
		if (is_scientific(sheet_number(block, row, column)))
			return true;
	return false;
}

/* How to write the numbers of an interval: with so many decimals, behind an exponent's digit if it has one. */
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

void sheet_format_as(struct interval x, bool scientific, char text[SHEET_TEXT_MAX])
{
	char value[NUMBER_MAX], low[NUMBER_MAX], high[NUMBER_MAX];
	struct style style = style_of(x, scientific || is_scientific(x));
	number_text(x.value, style, value);
	number_text(x.low, style, low);
	number_text(x.high, style, high);
	if (isnan(x.low) && isnan(x.high))
		snprintf(text, SHEET_TEXT_MAX, "%s", value);
	else
		snprintf(text, SHEET_TEXT_MAX, "%s [%s, %s]", value, low, high);
}

void sheet_format(struct interval x, char text[SHEET_TEXT_MAX])
{
	sheet_format_as(x, false, text);
}
