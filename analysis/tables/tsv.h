/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables (table.h) read back, to be drawn and shown: names of columns, cells as text, which of them
 * are numbers, and which columns are the bounds of another.
 *
 * Figures and captions want a table in blocks: a block per board, or per player. A table that is
 * called like one of tables.h is split so as it is read: rows that follow each other and agree in
 * the columns that name the block are one, without these columns. In `tiles` and `reach` each label
 * becomes columns beside the tile: "LABEL", "LABEL low", "LABEL high". A file that has blocks
 * already, each under a line "# block N: NAME" and apart by two blank lines (gnuplot's `index`), is
 * taken as it is.
 */
#ifndef NXN_TSV_H
#define NXN_TSV_H

#include "analysis/stats/stats.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { TSV_TEXT_MAX = 96, TSV_COLUMNS_MAX = 1000 };

struct tsv_block {
	const char *name; /* what the block is of, as figures and captions call it; or "" */
	size_t columns, rows;
	const char *
	    *cells; /* [rows + 1][columns]: the names of columns, then row by row; no quotes */
};

struct tsv {
	const char **notes; /* the `#` lines above the first block, without "# "; ends with NULL */
	size_t note_count;
	struct tsv_block *blocks;
	size_t block_count;
	bool split;	    /* the blocks are parts of one table, see above */
	const char **cells; /* of all blocks */
	size_t cell_count;
	char *text;   /* all of the file */
	char **names; /* of blocks and columns, those that are not in it */
	size_t name_count;
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

/* Whether the table of the file PATH, by its name, is one that is split into blocks. */
bool tsv_splits(const char *path);

/* Writes TSV for gnuplot: notes, then its blocks. */
void tsv_write(FILE *file, const struct tsv *tsv);

/* The name of a column, and a cell of it; ROW counts from 0. */
const char *tsv_name(const struct tsv_block *block, size_t column);
const char *tsv_cell(const struct tsv_block *block, size_t row, size_t column);

/* Sets *COLUMN to that called NAME; false if there is none. */
bool tsv_find(const struct tsv_block *block, const char *name, size_t *column);

/*
 * Whether COLUMN is a bound of a column X before it: X, X_low and X_high stand side by side, or
 * "X low" and "X high" as labels have them.
 */
bool tsv_is_bound(const struct tsv_block *block, size_t column);

/* Whether COLUMN has a number or NaN in every row. */
bool tsv_is_number(const struct tsv_block *block, size_t column);

/* A cell as a number with its bounds; NAN for what is missing or no number. */
struct interval tsv_number(const struct tsv_block *block, size_t row, size_t column);

/*
 * Whether the numbers of COLUMN are to be written with an exponent, all of them, so that a column
 * has one notation: one of them has more zeros than anybody counts, being less than 1e-6 or 1e15
 * and more.
 */
bool tsv_is_scientific(const struct tsv_block *block, size_t column);

/*
 * X for people, "value [low, high]" if it has bounds: with as many decimals as make two digits of
 * the half of its interval's width; without an interval, or with one of no width, with four digits,
 * and whole numbers in full. "-" for NAN. With an exponent if SCIENTIFIC, or if X alone asks for
 * that.
 */
void interval_format(struct interval x, bool scientific, char text[TSV_TEXT_MAX]);

#endif
