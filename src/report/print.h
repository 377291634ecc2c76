/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables and text in LaTeX and Markdown; markup characters in a text are escaped. */
#ifndef NXN_PRINT_H
#define NXN_PRINT_H

#include "analysis/tables/tsv.h"

#include <stdbool.h>
#include <stdio.h>

/* Writes TEXT to FILE, escaped for LaTeX or Markdown. */
void text_print(FILE *file, const char *text, bool latex);

/*
 * Writes TSV in the layout SHOWN: as LaTeX `tabular`s with the rules of booktabs, each in
 * \nxnfit{...}, which does nothing unless the document redefines it; or as a Markdown pipe table.
 * The caller checks FILE for write errors.
 */
void table_print(FILE *file, const struct tsv *tsv, const struct shown_table *shown, bool latex);

#endif
