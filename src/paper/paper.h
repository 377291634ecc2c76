/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `nxn paper`: finished runs as a bundle that can be given away, a folder with
 *
 *	provenance.txt      from what, by what and where it was made; marks a bundle
 *	README.md           figures and tables with captions; index.html the same to look at
 *	figures/RUN/        .svg and .pdf, beside each the .gp that draws it and the .tsv drawn
 *	tables/RUN/         .tsv as nxn writes them, .tex (booktabs) and .md for print
 *	data/RUN/           the logs behind them, and what else is needed to check them
 *	main.tex            with --latex, all of it in a document for pdflatex
 *	SHA256SUMS          of all these files; without it a bundle is not whole
 *	runs/RUN/           experiments that were played for it; no part of it
 *
 * It is made in a folder of its own below that one, and put in its place when it is whole.
 * Equal runs give equal bundles, byte for byte: nothing in them tells the time, dates of PDF files
 * are those of SOURCE_DATE_EPOCH or 1970.
 */
#ifndef NXN_PAPER_H
#define NXN_PAPER_H

#include "analysis/tables/tsv.h"
#include "base/file.h"
#include "src/cli/options.h"
#include "src/report/page.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { PAPER_RUNS_MAX = 200 };

enum paper_kind {
	PAPER_GAMES, /* games.tsv: run, compare, duel */
	PAPER_SWEEP, /* searches.tsv */
	PAPER_GAP,   /* gap.tsv */
	PAPER_SINGLE /* a table of nxn train --curve or nxn tune */
};

struct paper_run {
	struct page_run page; /* its folders are called by its name */
	enum paper_kind kind;
	char source[FOLDER_PATH_MAX];	  /* the folder, or the file of PAPER_SINGLE */
	char experiment[FOLDER_PATH_MAX]; /* the file that is played into SOURCE first, or "" */
	bool warned;			  /* that games are missing or do not count */
};

struct paper {
	const char *directory;
	char stage[FOLDER_PATH_MAX]; /* the folder that it is made in */
	bool named; /* by the user: a bundle of other runs in it may be replaced */
	bool latex, models;
	double width;  /* figures are no wider, in inches; 0: as wide as they need */
	bool no_times; /* of games that are played for it */
	int threads;   /* that play them */
	struct paper_run *runs;
	size_t run_count;
	char *provenance[PAGE_LINES_MAX + 1]; /* of the bundle */
	struct text_list files;		      /* of the bundle when it is whole, sorted */
};

/* ---- The command. */

/*
 * Makes the bundle PAPER, of which the members before runs are set, of what RUNS name: folders of
 * run, compare, duel, sweep or gap, tables of train or tune or folders of such, experiment files or
 * names of those that come with nxn, which are played first.
 */
MUST_USE enum status paper_bundle(struct paper *paper, const struct text_list *runs,
				  const struct invocation *call, struct why *why);

/* ---- Files of the bundle (bundle.c). */

/* Opens a new file, PATH relative to the bundle, for part_finish() of *PLACE. STATUS_SYSTEM. */
MUST_USE enum status paper_create(const struct paper *paper, const char *path,
				  char place[FOLDER_PATH_MAX], FILE **file, struct why *why);

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

#endif
