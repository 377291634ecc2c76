/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page of one run or of several: index.html, one file with the tables as JSON and the figures
 * as SVG, which its script shows: the comparison of players at a glance, all figures and tables
 * with captions (page_items.c), and where the numbers come from.
 *
 * Equal runs give equal pages, byte for byte: nothing in them tells the time.
 */
#ifndef NXN_PAGE_H
#define NXN_PAGE_H

#include "analysis/tables/tsv.h"
#include "base/status.h"
#include "src/cli/options.h"
#include "src/report/figures.h"

#include <stdbool.h>
#include <stdio.h>

enum {
	PAGE_NAME_MAX = 96,
	PAGE_ITEMS_MAX = 40,
	PAGE_CAPTION_MAX = 1024,
	PAGE_TITLE_MAX = 512,
	PAGE_PATH_MAX = 256,
	PAGE_FILES_MAX = 12,
	PAGE_LINES_MAX = 32
};

/* A figure or table of a run. */
struct page_item {
	char name[PAGE_NAME_MAX];	/* "tiles" */
	char path[PAGE_PATH_MAX];	/* from the page: "figures/tiles.svg", "tables/tiles.tsv" */
	char caption[PAGE_CAPTION_MAX]; /* plain text */
};

/* A run. What is on the heap is for page_run_fini(). */
struct page_run {
	char name[PAGE_NAME_MAX];	  /* unique on the page */
	char title[PAGE_TITLE_MAX];	  /* of its experiment, or its name */
	char games[96];			  /* how many, as a sentence, for captions; or "" */
	char intervals[PAGE_CAPTION_MAX]; /* how they were made, as a sentence; or "" */
	struct page_item figures[PAGE_ITEMS_MAX], tables[PAGE_ITEMS_MAX];
	size_t figure_count, table_count;
	char *provenance[PAGE_LINES_MAX + 1];  /* lines of its log; ends with NULL */
	const char *files[PAGE_FILES_MAX + 1]; /* others, from the page; ends with NULL */
};

struct page {
	const char *directory; /* gets index.html */
	struct page_run *const *runs;
	size_t run_count;
	/* Of the whole, for its end; NULL: it is the page of one run, whose these are. */
	const char *const *provenance;
	const char *files[PAGE_FILES_MAX + 1];
};

/*
 * Writes index.html, which appears complete or not at all. STATUS_INPUT, with file and line, for a
 * figure or table that is none; STATUS_SYSTEM if one cannot be read, the templates
 * (plots/page.html, page.css, page.js) are missing, or the page cannot be written.
 */
MUST_USE enum status page_write(const struct page *page, struct why *why);

/*
 * Writes the page of a run in its folder DIRECTORY, with the tables that COMMAND has left in
 * tables/, or the one TABLE if that is not NULL, and the figures of them in figures/. TITLE is
 * taken where tables have none. As page_write().
 */
MUST_USE enum status page_of_folder(const char *directory, const char *title, const char *command,
				    const char *table, struct why *why);

/* ---- What a run has (page_items.c). */

/*
 * Adds the table SHOWN, which is TSV and in the file PATH, to RUN, if it has a row; says whether it
 * has. Takes the title from it, if it tells one.
 */
bool page_table_add(struct page_run *run, const struct shown_table *shown, const char *path,
		    const struct tsv *tsv);

/*
 * Adds FIGURE, which is in the file PATH, to RUN; its tables are in the folder TABLES. STATUS_INPUT
 * for a table that is none, STATUS_SYSTEM.
 */
MUST_USE enum status page_figure_add(struct page_run *run, const struct figure *figure,
				     const char *tables, const char *path, struct why *why);

/*
 * Takes the `#` lines at the head of the file PATH into the provenance of RUN, and its title; some
 * logs have them below the names of their columns. STATUS_SYSTEM.
 */
MUST_USE enum status page_provenance_read(struct page_run *run, const char *path, struct why *why);

/* COMMAND, less what says where and how: equal games are of equal commands. On the heap. */
char *command_reduce(const char *command);

void page_run_fini(struct page_run *run);

#endif
