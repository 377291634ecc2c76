/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page of one run or of several: index.html, one file with the tables as JSON and the figures
 * as SVG. Its script shows the comparison of players at a glance, all figures and tables with
 * captions (page_items.c), and the provenance.
 *
 * Equal runs give equal pages, byte for byte: a page holds no times and no dates.
 */
#ifndef NXN_PAGE_H
#define NXN_PAGE_H

#include "analysis/tables/tsv.h"
#include "base/status.h"
#include "src/cli/options.h"
#include "src/report/figures.h"

#include <stdbool.h>
#include <stdio.h>

enum { PAGE_NAME_MAX = 96, PAGE_ITEMS_MAX = 40, PAGE_FILES_MAX = 12, PAGE_LINES_MAX = 32 };

/* A figure or table of a run. */
struct page_item {
	const char *name; /* "tiles" */
	char *path;	  /* relative to the page: "figures/tiles.svg" */
	char *caption;	  /* plain text */
};

/* A run; its texts are on the heap, and page_run_fini() frees its memory. */
struct page_run {
	char name[PAGE_NAME_MAX]; /* unique on the page */
	char *title;		  /* of its experiment, or its name */
	char *games;		  /* the number of games, a sentence for captions; or NULL */
	char *intervals;	  /* the method of the intervals, a sentence; or NULL */
	struct page_item figures[PAGE_ITEMS_MAX], tables[PAGE_ITEMS_MAX];
	size_t figure_count, table_count;
	char *provenance[PAGE_LINES_MAX + 1];  /* lines of its log; ends with NULL */
	const char *files[PAGE_FILES_MAX + 1]; /* other files, from the page; ends with NULL */
};

struct page {
	const char *directory; /* where index.html is written */
	struct page_run *const *runs;
	size_t run_count;
	/* Of all runs, for the end of the page; NULL: the page has one run, with its own lines. */
	const char *const *provenance;
	const char *files[PAGE_FILES_MAX + 1];
};

/*
 * Writes index.html, complete or not at all. STATUS_INPUT, with file and line, for an invalid
 * figure or table; STATUS_SYSTEM if one cannot be read, the templates (plots/page.html, page.css,
 * page.js) are missing, or the page cannot be written.
 */
MUST_USE enum status page_write(const struct page *page, struct why *why);

/*
 * Writes the page of a run in its folder DIRECTORY, with the tables that COMMAND wrote to tables/,
 * or only TABLE if that is not NULL, and with their figures in figures/. TITLE is used if the
 * tables have no title. Errors of page_write().
 */
MUST_USE enum status page_of_folder(const char *directory, const char *title, const char *command,
				    const char *table, struct why *why);

/* ---- Tables and figures of a run (page_items.c). */

/* Sets the title of RUN. */
void page_title(struct page_run *run, const char *title);

/*
 * Adds the table SHOWN, read from the file PATH into TSV, to RUN if the table has rows, and returns
 * whether it has. Takes over its title if it has one.
 */
bool page_table_add(struct page_run *run, const struct shown_table *shown, const char *path,
		    const struct tsv *tsv);

/*
 * Adds the figures of the tables of RUN, tables/BELOW/NAME.tsv in DIRECTORY, that are drawn in
 * figures/BELOW/NAME.svg there. BELOW is "" or begins with '/'. STATUS_INPUT for an invalid table,
 * STATUS_SYSTEM.
 */
MUST_USE enum status page_figures_add(struct page_run *run, const char *directory,
				      const char *below, struct why *why);

/*
 * Adds the `#` lines at the head of the file PATH to the provenance of RUN, and takes over its
 * title; in some logs these lines follow the header. STATUS_SYSTEM.
 */
MUST_USE enum status page_provenance_read(struct page_run *run, const char *path, struct why *why);

/* COMMAND without the options that do not change its games, such as --out; on the heap. */
char *command_reduce(const char *command);

void page_run_fini(struct page_run *run);

#endif
