/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `nxn paper`: finished runs as a bundle that can be given away, a folder with
 *
 *	provenance.txt      from what, by what and where it was made; written first: marks a bundle
 *	README.md           figures and tables with captions; index.html the same to look at
 *	figures/RUN/        .svg and .pdf, beside each the .gp that draws it and the .tsv drawn;
 *	                    latex/ the same with text set by LaTeX
 *	tables/RUN/         .tsv as nxn writes them, .tex (booktabs) and .md for print
 *	data/RUN/           the logs behind them, and what else is needed to check them
 *	main.tex            with --latex, all of it in a document for pdflatex
 *	SHA256SUMS          of all these files; written last: without it a bundle is not whole
 *	runs/RUN/           experiments that were played for it; no part of it
 *
 * Equal runs give equal bundles, byte for byte: nothing in them tells the time, dates of PDF files
 * are those of SOURCE_DATE_EPOCH or 1970. Every file appears complete or not at all, and doing it
 * again makes it whole again and removes what an earlier one had and this has not.
 */
#ifndef NXN_PAPER_H
#define NXN_PAPER_H

#include "analysis/tables/tsv.h"
#include "base/file.h"
#include "src/cli/options.h"
#include "src/report/figures.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum {
	PAPER_NAME_MAX = 96,
	PAPER_ITEMS_MAX = 40,
	PAPER_CAPTION_MAX = 1024,
	PAPER_TITLE_MAX = 512,
	PAPER_PATH_MAX = 256,
	PAPER_RUNS_MAX = 200,
	PAPER_LINES_MAX = 32
};

enum paper_kind {
	PAPER_GAMES, /* games.tsv: run, compare, duel */
	PAPER_SWEEP, /* searches.tsv */
	PAPER_GAP,   /* gap.tsv */
	PAPER_SINGLE /* a table of nxn train --curve or nxn tune */
};

/* A figure or table of a run. */
struct paper_item {
	char name[PAPER_NAME_MAX]; /* "tiles" */
	char path
	    [PAPER_PATH_MAX]; /* in the bundle: "figures/RUN/tiles.svg", "tables/RUN/tiles.tsv" */
	char caption[PAPER_CAPTION_MAX]; /* plain text */
	char *dark;			 /* of a figure: the same as SVG text for a dark page */
};

struct paper_run {
	char name[PAPER_NAME_MAX]; /* its folders are called so; unique */
	enum paper_kind kind;
	char source[FOLDER_PATH_MAX];	  /* the folder, or the file of PAPER_SINGLE */
	char experiment[FOLDER_PATH_MAX]; /* the file that is played into SOURCE first, or "" */
	char games[96];			  /* how many, as a sentence, for captions; or "" */
	char title[PAPER_TITLE_MAX];	  /* of its experiment, or its name */
	struct paper_item figures[PAPER_ITEMS_MAX], tables[PAPER_ITEMS_MAX];
	size_t figure_count, table_count;
	char *provenance[PAPER_LINES_MAX + 1]; /* lines of its log; ends with NULL */
};

struct paper {
	const char *directory;
	bool latex, models;
	bool no_times; /* of games that are played for it */
	int threads;   /* that play them */
	struct paper_run *runs;
	size_t run_count;
	char *provenance[PAPER_LINES_MAX + 1]; /* of the bundle */
	struct text_list files;		       /* written so far, relative to the folder */
};

/* ---- The command. */

/*
 * Makes the bundle PAPER, of which the first five members are set, of what RUNS name: folders of
 * run, compare, duel, sweep or gap, tables of train or tune or folders of such, experiment files or
 * names of those that come with nxn, which are played first.
 */
MUST_USE enum status paper_bundle(struct paper *paper, const struct text_list *runs,
				  const struct invocation *call, struct why *why);

struct paper_check {
	double
	    fraction;  /* of the games of each player at each point of training, and at least one */
	uint64_t seed; /* of their choice */
	int threads;
	struct game_options
	    game; /* rules that games may have been played by, beside the usual ones */
};

/*
 * Checks RUNS, folders of bundles or of runs: the files of a bundle against their checksums, games
 * of the logs by playing them again; prints a line for each player of each run, whose program it
 * does not start if it is another one. STATUS_INPUT if there is no log, or one that cannot be read,
 * STATUS_STOPPED after Ctrl-C, STATUS_SYSTEM without a reason if something differs.
 */
MUST_USE enum status paper_check(const struct text_list *runs, const struct paper_check *check,
				 struct why *why);

/* ---- Files of the bundle (bundle.c). */

/*
 * Opens a new file, PATH relative to the bundle; finishing it closes it and, if STATUS is that all
 * went well until then, puts it in its place and notes it. STATUS_SYSTEM, or STATUS.
 */
MUST_USE enum status paper_create(const struct paper *paper, const char *path, FILE **file,
				  struct why *why);
MUST_USE enum status paper_finish(struct paper *paper, const char *path, FILE *file,
				  enum status status, struct why *why);

/* Notes a file that was written otherwise. */
MUST_USE enum status paper_note(struct paper *paper, const char *path, struct why *why);

/* Copies the file PATH, of any folder, to the end of OUT. STATUS_SYSTEM. */
MUST_USE enum status file_append(FILE *out, const char *path, struct why *why);

/*
 * Sets *BUNDLE to whether DIRECTORY is a bundle, and compares the files of one with their sums;
 * tells on standard output of each that differs or is not there. STATUS_INPUT if there are no sums
 * to read, STATUS_SYSTEM.
 */
MUST_USE enum status paper_sums_check(const char *directory, bool *bundle, size_t *files,
				      size_t *bad, struct why *why);

/* ---- The parts of the bundle. */

/* Data, tables and figures of RUN, and what they are called (contents.c). */
MUST_USE enum status paper_contents(struct paper *paper, struct paper_run *run, struct why *why);

/*
 * Writes index.html, which appears complete or not at all (page.c). STATUS_INPUT, with file and
 * line, for a figure or table that is none; STATUS_SYSTEM if one cannot be read, the templates are
 * missing, or the page cannot be written.
 */
MUST_USE enum status page_write(const struct paper *paper, struct why *why);

/* ---- Tables for print (table_format.c). Write errors stay in FILE. */

/* Whether the table NAME is one for print: most are; those with a row a game are not. */
bool table_is_printed(const char *name);

/*
 * Writes all blocks of TSV, the table NAME: LaTeX `tabular`s with the rules of booktabs, each in
 * \nxnfit{...}, which does nothing unless the document says something else, and none longer or
 * wider than a page; or pipe tables of Markdown.
 */
void table_print(FILE *file, const struct tsv *tsv, const char *name, bool latex);

/* ---- The page. */

struct page_writer {
	FILE *out;
	const char *directory;
	struct why *why;
};

/* Writes the players of a run at a glance (glance.c). Errors of page_write(). */
MUST_USE enum status glance_write(struct page_writer *writer, const struct paper_run *run);

/* ---- Text in markup (markup.c): what would be markup is none. */

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

/*
 * A number of a table, "value [low, high]", its digits in threes; with an exponent if SCIENTIFIC,
 * see interval_format().
 */
void html_number(FILE *file, struct interval x, bool scientific);

#endif
