/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text in Markdown, LaTeX and HTML: what would be markup is none. */
#ifndef NXN_MARKUP_H
#define NXN_MARKUP_H

#include "analysis/tables/tsv.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* TEXT as LaTeX or Markdown take it. */
void text_print(FILE *file, const char *text, bool latex);

/*
 * In HTML, for an element and for an attribute between quotes: like fprintf(), with the escaped
 * texts in place of the %s. Bytes that are no UTF-8 and characters that XML does not have are
 * replaced by U+FFFD.
 */
__attribute__((format(printf, 2, 3))) void html_print(FILE *file, const char *format, ...);

/* Bytes for an address: letters, digits, "-_." and those in ALSO; all else in percent. */
void html_percent(FILE *file, const char *bytes, size_t size, const char *also);

/* Escaped text that may be broken into lines behind commas and colons: for long specifications. */
void html_breakable(FILE *file, const char *text);

/* TEXT as a word for id= and #: letters, digits, "-", "_" and "."; all else becomes "-". */
void html_word(FILE *file, const char *text);

enum { GROUPED_TEXT_MAX = 4 * TSV_TEXT_MAX };

/* Whether numbers of the column NAME of a table are written as 2048, not 2,048: tiles and seeds. */
bool column_is_plain(const char *name);

/* Such a number: whole, however wide its interval. */
void plain_format(struct interval x, char text[TSV_TEXT_MAX]);
void html_tile(FILE *file, struct interval x);

/*
 * Copies NUMBERS, the text of a cell of a table, with commas between groups of three digits of the
 * whole parts.
 */
void digits_group(const char *numbers, char text[GROUPED_TEXT_MAX]);

/* TEXT, "value [low, high]" or "value", its digits grouped. */
void html_measure(FILE *file, const char *text);

/*
 * A number of a table, "value [low, high]", its digits in threes; with an exponent if SCIENTIFIC,
 * see interval_format().
 */
void html_number(FILE *file, struct interval x, bool scientific);

#endif
