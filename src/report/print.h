/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables and text in print: LaTeX and Markdown. What would be markup in a text is none. */
#ifndef NXN_PRINT_H
#define NXN_PRINT_H

#include "analysis/tables/tsv.h"

#include <stdbool.h>
#include <stdio.h>

/* TEXT as LaTeX or Markdown take it. */
void text_print(FILE *file, const char *text, bool latex);

/*
 * Writes TSV, which is SHOWN so: LaTeX `tabular`s with the rules of booktabs, each in \nxnfit{...},
 * which does nothing unless the document says something else; or a pipe table of Markdown. Write
 * errors stay in FILE.
 */
void table_print(FILE *file, const struct tsv *tsv, const struct shown_table *shown, bool latex);

#endif
