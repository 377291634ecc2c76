/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts that src/report/page.c makes a page of. */
#ifndef NXN_PAGE_PARTS_H
#define NXN_PAGE_PARTS_H

#include "src/report/page.h"
#include "src/report/page_colours.h"
#include "src/report/sheet.h"

#include <stdio.h>

/* What is being written. */
struct page_writer {
	FILE *out;
	const char *directory;
	struct colours colours;
	unsigned figures; /* so far: their ids begin with that number */
	struct why *why;
};

/* The players of a section at a glance. STATUS_INPUT, STATUS_SYSTEM as page_write(). */
MUST_USE enum status glance_write(struct page_writer *writer, const struct page_section *section);

/* A section with all that is in it; the same errors. */
MUST_USE enum status section_write(struct page_writer *writer, const struct page_section *section);

/* A table, folded; the same errors. */
MUST_USE enum status table_fold_write(struct page_writer *writer,
				      const struct page_section *section,
				      const struct page_table *table);

/* Links to what there is beside PATH, as a paragraph. */
void links_write(struct page_writer *writer, const char *path);

/* Links to FILES, as a paragraph behind TITLE; nothing if there are none. */
void files_write(struct page_writer *writer, const char *title, const char *const *files);

/* Each of LINES between <TAG> and </TAG>. */
void lines_write(struct page_writer *writer, const char *tag, const char *const *lines);

/* Provenance, folded; nothing without LINES. */
void provenance_fold_write(struct page_writer *writer, const char *const *lines);

/* A number of a table, "value [low, high]", its digits in threes. */
void number_html(FILE *file, struct interval x);

#endif
