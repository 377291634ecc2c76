/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads tables (table.h) for figures and pages: names of columns, cells as text, which columns are
 * numbers, and which are the bounds of another. Allocation cannot fail (base/xalloc.h).
 */
#ifndef NXN_TSV_H
#define NXN_TSV_H

#include "analysis/tables/table.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { TSV_TEXT_MAX = 96, TSV_COLUMNS_MAX = 1000 };

struct tsv {
	const char *
	    *notes; /* the `#` lines above the names of columns, without "# "; NULL at the end */
	size_t note_count;
	size_t columns, rows;
	const char *
	    *cells;   /* [rows + 1][columns]: the names of columns, then row by row; no quotes */
	bool *quoted; /* [columns]: whether a cell of the column stood between quotes */
	char *text;   /* all of the file */
	char **made;  /* names that are not in the file; ends with NULL; or NULL */
};

/*
 * Reads the table PATH of at most MOST bytes. STATUS_INPUT, with the line where there is one, if
 * PATH does not exist, is larger, or is not such a table: has a row that tsv_row_check() refuses,
 * more columns than TSV_COLUMNS_MAX, or a NUL; STATUS_SYSTEM if it cannot be read. After success,
 * the caller releases TSV with tsv_fini().
 */
MUST_USE enum status tsv_read(struct tsv *tsv, const char *path, size_t most, struct why *why);
void tsv_fini(struct tsv *tsv);

/*
 * Checks LINE, line NUMBER of the table PATH: STATUS_INPUT, with file, line and column, unless it
 * has COLUMNS cells, each a number, NaN, or text between quotes.
 */
MUST_USE enum status tsv_row_check(const char *path, size_t number, const char *line,
				   size_t columns, struct why *why);

/* The text after PREFIX in the first note that begins with it, or NULL. */
const char *tsv_note(const struct tsv *tsv, const char *prefix);

/* The name of a column, and a cell of it; ROW counts from 0. */
const char *tsv_name(const struct tsv *tsv, size_t column);
const char *tsv_cell(const struct tsv *tsv, size_t row, size_t column);

/* Sets *COLUMN to the one called NAME; false if there is none. */
bool tsv_find(const struct tsv *tsv, const char *name, size_t *column);

/* Whether COLUMN is a bound of a column X before it: X, X_low and X_high stand side by side. */
bool tsv_is_bound(const struct tsv *tsv, size_t column);

/* Whether no cell of COLUMN stands between quotes: each is a number or NaN. */
bool tsv_is_number(const struct tsv *tsv, size_t column);

/* A cell as a number with its bounds; NAN for each that is missing or not a number. */
struct interval tsv_number(const struct tsv *tsv, size_t row, size_t column);

/*
 * Whether all numbers of COLUMN are to be written with an exponent, so that a column has one
 * notation: one of them, or half of its interval's width, is below 1e-6 or at least 1e15 in
 * magnitude.
 */
bool tsv_is_scientific(const struct tsv *tsv, size_t column);

/*
 * X for people, "value [low, high]" if it has bounds: with the decimals that give two digits of
 * half its interval's width; without an interval, or with one of no width, with four digits, and
 * whole numbers in full. "-" for NAN. With an exponent if SCIENTIFIC, or if X alone needs one.
 */
void interval_format(struct interval x, bool scientific, char text[TSV_TEXT_MAX]);

/* ---- Tables for figures and people; SHOWN describes the table (table_list.c). */

/* The number of consecutive rows, from FIRST on, of one series of SHOWN. */
size_t tsv_series_rows(const struct tsv *tsv, const struct shown_table *shown, size_t first);

/*
 * Sets WIDE to ROWS rows of TSV from FIRST on, with columns for each player: board, label, tile,
 * share become board, tile and for each label "LABEL", "LABEL_low", "LABEL_high", NaN where a label
 * has no such row; likewise board, label, cells, mean, with the smallest board first. WIDE points
 * into TSV; the caller releases it with tsv_fini(). False if TSV lacks such columns, or WIDE would
 * have more than TSV_COLUMNS_MAX.
 */
bool tsv_widen(const struct tsv *tsv, size_t first, size_t rows, struct tsv *wide);

/*
 * Writes TSV for gnuplot: notes, then a block for each series after a line "# block N: NAME", two
 * blank lines apart (`index`), without the columns that name the series; a table that is `wide` as
 * tsv_widen() makes it.
 */
void tsv_blocks_write(FILE *file, const struct tsv *tsv, const struct shown_table *shown);

#endif
