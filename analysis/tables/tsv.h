/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables (table.h) read back, to be drawn and shown: names of columns, cells as text, which columns
 * are numbers, and which are the bounds of another. Memory cannot run out (base/xalloc.h).
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
 * Reads the table PATH of at most MOST bytes. STATUS_INPUT, which names the line, if it is not
 * there, larger, or not such a table: a row that tsv_row_check() refuses, more columns than
 * TSV_COLUMNS_MAX, a NUL; STATUS_SYSTEM if it cannot be read. After success TSV
 * is for tsv_fini().
 */
MUST_USE enum status tsv_read(struct tsv *tsv, const char *path, size_t most, struct why *why);
void tsv_fini(struct tsv *tsv);

/*
 * Checks LINE, line NUMBER of the table PATH: STATUS_INPUT, with file, line and column, unless it
 * has COLUMNS cells, each a number, NaN, or text between quotes.
 */
MUST_USE enum status tsv_row_check(const char *path, size_t number, const char *line,
				   size_t columns, struct why *why);

/* What follows PREFIX in a note, or NULL. */
const char *tsv_note(const struct tsv *tsv, const char *prefix);

/* The name of a column, and a cell of it; ROW counts from 0. */
const char *tsv_name(const struct tsv *tsv, size_t column);
const char *tsv_cell(const struct tsv *tsv, size_t row, size_t column);

/* Sets *COLUMN to that called NAME; false if there is none. */
bool tsv_find(const struct tsv *tsv, const char *name, size_t *column);

/* Whether COLUMN is a bound of a column X before it: X, X_low and X_high stand side by side. */
bool tsv_is_bound(const struct tsv *tsv, size_t column);

/* Whether no cell of COLUMN stands between quotes: each is a number or NaN. */
bool tsv_is_number(const struct tsv *tsv, size_t column);

/* A cell as a number with its bounds; NAN for what is missing or no number. */
struct interval tsv_number(const struct tsv *tsv, size_t row, size_t column);

/*
 * Whether the numbers of COLUMN are to be written with an exponent, all of them, so that a column
 * has one notation: one of them has more zeros than anybody counts, being less than 1e-6 or 1e15
 * and more.
 */
bool tsv_is_scientific(const struct tsv *tsv, size_t column);

/*
 * X for people, "value [low, high]" if it has bounds: with as many decimals as make two digits of
 * the half of its interval's width; without an interval, or with one of no width, with four digits,
 * and whole numbers in full. "-" for NAN. With an exponent if SCIENTIFIC, or if X alone asks for
 * that.
 */
void interval_format(struct interval x, bool scientific, char text[TSV_TEXT_MAX]);

/* ---- Tables as figures and people want them; SHOWN is what table_list.c tells of the table. */

/* The number of rows from FIRST on that follow each other and are of one series of SHOWN. */
size_t tsv_series_rows(const struct tsv *tsv, const struct shown_table *shown, size_t first);

/*
 * WIDE, for tsv_fini(), becomes ROWS rows of TSV from FIRST on, in which the player is no column
 * but each player is one: from board, label, tile, share to board, tile and for each label "LABEL",
 * "LABEL_low", "LABEL_high", NaN where a label has no such row; or likewise from board, label,
 * cells, mean, with the smallest board first. It points into TSV. False if TSV lacks such columns,
 * or WIDE would have more than TSV_COLUMNS_MAX.
 */
bool tsv_widen(const struct tsv *tsv, size_t first, size_t rows, struct tsv *wide);

/*
 * Writes TSV for gnuplot: notes, then a block for each series, under a line "# block N: NAME" and
 * apart by two blank lines (`index`), without the columns that name it; one that is `wide` as
 * tsv_widen() has it.
 */
void tsv_blocks_write(FILE *file, const struct tsv *tsv, const struct shown_table *shown);

#endif
