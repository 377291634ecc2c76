/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables (analysis/tables/summary_tables.h) read back, to be shown: names of columns, cells as
 * text, which of them are numbers, and which columns are the bounds of another.
 */
#ifndef NXN_SHEET_H
#define NXN_SHEET_H

#include "analysis/stats/stats.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { SHEET_TEXT_MAX = 96, SHEET_COLUMNS_MAX = 1000 };

struct sheet_block {
	const char *name; /* of "# block N: NAME"; "" without such a line */
	size_t columns, rows;
	const char *
	    *cells; /* [rows + 1][columns]: the names of columns, then row by row; no quotes */
};

struct sheet {
	const char **notes; /* the `#` lines above the first block, without "# "; ends with NULL */
	size_t note_count;
	struct sheet_block *blocks;
	size_t block_count;
	const char **cells; /* of all blocks */
	size_t cell_count;
	char *text;
};

/*
 * Reads the table PATH of at most MOST bytes. STATUS_INPUT, which names the line, if it is not
 * there, larger, or not such a table: a row with more or fewer cells than the row of names above
 * it, more than SHEET_COLUMNS_MAX, a NUL; STATUS_SYSTEM if it cannot be read. After success SHEET
 * is for sheet_fini().
 */
MUST_USE enum status sheet_read(struct sheet *sheet, const char *path, size_t most,
				struct why *why);
void sheet_fini(struct sheet *sheet);

/* The name of a column, and a cell of it; ROW counts from 0. */
const char *sheet_name(const struct sheet_block *block, size_t column);
const char *sheet_cell(const struct sheet_block *block, size_t row, size_t column);

/* Sets *COLUMN to that called NAME; false if there is none. */
bool sheet_find(const struct sheet_block *block, const char *name, size_t *column);

/*
 * Sets the columns with the bounds of COLUMN X, the two behind it: X_low and X_high, or "X low" and
 * "X high" as labels have them; false if it has none. sheet_is_bound() tells that COLUMN is such a
 * bound itself.
 */
bool sheet_bounds(const struct sheet_block *block, size_t column, size_t *low, size_t *high);
bool sheet_is_bound(const struct sheet_block *block, size_t column);

/* Whether COLUMN has a number or NaN in every row. */
bool sheet_is_number(const struct sheet_block *block, size_t column);

/* A cell as a number with its bounds; NAN for what is missing or no number. */
struct interval sheet_number(const struct sheet_block *block, size_t row, size_t column);

/*
 * Whether the numbers of COLUMN are to be written with an exponent, all of them, so that a column
 * has one notation: one of them has more zeros than anybody counts, being less than 1e-6 or 1e15
 * and more.
 */
bool sheet_is_scientific(const struct sheet_block *block, size_t column);

/*
 * X for people, "value [low, high]" if it has bounds: with as many decimals as make two digits of
 * the half of its interval's width; without an interval, or with one of no width, with four digits,
 * and whole numbers in full. "-" for NAN. sheet_format_as() writes it with an exponent if
 * SCIENTIFIC, sheet_format() if X alone asks for that.
 */
void sheet_format(struct interval x, char text[SHEET_TEXT_MAX]);
void sheet_format_as(struct interval x, bool scientific, char text[SHEET_TEXT_MAX]);

#endif
