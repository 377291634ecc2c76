/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page of a bundle (nxn paper): one file, index.html, that shows the comparison of players at
 * a glance, then every run with its figures, tables and provenance. It loads nothing: style,
 * script and figures are in it. What it is made of stands in plots/page.html, page.css and
 * page.js, found as the scripts of figures are (src/report/figures.h).
 *
 * All is read from files in the bundle's folder; the paths are relative to it. Texts are plain:
 * whatever is in them is shown, never obeyed. Any list may be NULL.
 */
#ifndef NXN_PAGE_H
#define NXN_PAGE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * What is too large is not part of the page, which names and links the file instead: tables of more
 * than so many rows, columns or bytes, figures of more than 2 MB.
 */
enum { PAGE_ROWS_MAX = 400, PAGE_COLUMNS_MAX = 100, PAGE_BYTES_MAX = 1 << 20 };

struct page_figure {
	const char *name; /* "tiles": for anchors */
	const char *path; /* of the SVG: "figures/quickstart/tiles.svg" */
	const char *dark; /* the same as SVG text for a dark page; or NULL, if it looks the same */
	const char *caption; /* a sentence or two: also for those who cannot see the figure */
};

/*
 * Files beside a figure or a table with the same name but for .pdf, .gp, .tsv, .tex, .md are
 * linked.
 */
struct page_table {
	const char *name, *path; /* "summary", "tables/quickstart/summary.tsv" */
	const char *caption;
	bool main; /* shown open if it is short; all others are folded */
};

/*
 * A run. For its comparison at a glance are used, of its tables, by name: summary (means), tiles
 * (the largest tile), sizes (the order of players, which decides their colours as in the figures),
 * ratios (the best two); or gap, sweep or duel. A run with none of them is only linked there.
 */
struct page_section {
	const char *name, *title; /* "quickstart"; different for each run */
	const char *const *notes; /* sentences, ending with NULL */
	const struct page_figure *figures;
	size_t figure_count;
	const struct page_table *tables;
	size_t table_count;
	const char *const *provenance; /* lines, ending with NULL */
	const char *const *files;      /* further files of the run, paths, ending with NULL */
};

struct page {
	const char *title;
	const char *const *notes; /* what this is: sentences, ending with NULL */
	const struct page_section *sections;
	size_t section_count;
	const char *const *provenance; /* lines, ending with NULL */
	const char *const *files; /* of the whole bundle: checksums and such; ending with NULL */
	const char *generator;	  /* "nxn 0.1.0" */
};

/*
 * Writes DIRECTORY/index.html, which appears complete or not at all. STATUS_INPUT, with file and
 * line, for a figure or table that is none; STATUS_SYSTEM if one cannot be read, the templates are
 * missing, or the page cannot be written.
 */
MUST_USE enum status page_write(const struct page *page, const char *directory, struct why *why);

/* ---- What is shared by page.c and glance.c: what is being written, and where. */

struct page_writer {
	FILE *out;
	const char *directory;
	struct why *why;
};

/* Writes the players of a section at a glance. Errors of page_write(). */
MUST_USE enum status glance_write(struct page_writer *writer, const struct page_section *section);

#endif
