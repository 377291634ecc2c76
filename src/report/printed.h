/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables for print: what a reader wants of a table for gnuplot (analysis/tables/summary_tables.h),
 * in LaTeX and in Markdown.
 *
 * A column NAME with NAME_low and NAME_high beside it becomes one, "value [low, high]"; shares are
 * in percent; numbers are rounded as src/report/sheet.h does, with commas between thousands.
 * Columns that few readers look for are left out, and those without any number or that say nothing
 * new; of a learner in the tables `summary` and `players` only the row after all of its training.
 * The blocks of `ratios` and `sizes`, of a row or few each, are one table. The file for gnuplot has
 * everything.
 */
#ifndef NXN_PRINTED_H
#define NXN_PRINTED_H

#include "src/report/sheet.h"

#include <stdio.h>

enum { PRINTED_TEXT_MAX = 256, PRINTED_COLUMNS_MAX = 512 };

/* A column for print, with its bounds if it has some. */
struct printed_column {
	size_t value;
	bool bounds;	 /* it has an interval */
	bool text;	 /* aligned left */
	bool percent;	 /* a share */
	bool plain;	 /* 2048, not 2,048 */
	bool scientific; /* all numbers with an exponent */
};

/* A block for print. */
struct printed {
	const struct sheet_block *block;
	const char *table; /* its name */
	struct printed_column column[PRINTED_COLUMNS_MAX];
	size_t columns;
};

/* Whether the table NAME is one for print: most are; those with a row a game are not. */
bool printed_is(const char *name);

/* BLOCK of the table NAME for print; columns beyond PRINTED_COLUMNS_MAX are left out. */
void printed_init(struct printed *printed, const struct sheet_block *block, const char *name);

/* Whether ROW is to be shown. */
bool printed_row(const struct printed *printed, size_t row);

/*
 * Sets *JOINED to all blocks of SHEET as one, whose first column has their names, if the table NAME
 * is one that is printed so; its cells belong to the caller, who frees them. False, too, if there
 * is no memory for that.
 */
bool printed_join(const struct sheet *sheet, const char *name, struct sheet_block *joined);

/* The heading of a column; the text of a cell, "-" where nothing is known. Without any markup. */
void printed_title(const struct printed *printed, size_t column, char text[PRINTED_TEXT_MAX]);
void printed_cell(const struct printed *printed, size_t row, size_t column,
		  char text[PRINTED_TEXT_MAX]);

/*
 * Writes all blocks of SHEET, the table NAME: LaTeX `tabular`s with the rules of booktabs, each in
 * \nxnfit{...}, which does nothing unless the document says something else, and none longer or
 * wider than a page (src/report/printed_latex.c); or pipe tables of Markdown. Write errors stay in
 * FILE.
 */
void printed_latex(FILE *file, const struct sheet *sheet, const char *name);
void printed_markdown(FILE *file, const struct sheet *sheet, const char *name);

/* TEXT as LaTeX and Markdown take it: what would be markup is none. */
void latex_text(FILE *file, const char *text);
void markdown_text(FILE *file, const char *text);

#endif
