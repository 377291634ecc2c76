/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bundles: finished runs as a folder that can be given away, with
 *
 *	provenance.txt      from what, by what and where it was made; marks a bundle
 *	README.md           figures and tables with captions; index.html the same to look at
 *	figures/RUN/        .svg and .pdf, beside each the .gp that draws it and the .tsv drawn
 *	tables/RUN/         .tsv as nxn writes them, .tex (booktabs) and .md for print
 *	data/RUN/           the logs behind them, and what else is needed to check them
 *	main.tex            if asked for, all of it in a document for pdflatex
 *	SHA256SUMS          of all these files, as sha256sum writes and checks it
 *
 * A bundle is made in a new folder, which is renamed when it is whole. Equal runs give equal
 * bundles, byte for byte: nothing in them tells the time; dates of PDF files are those of
 * SOURCE_DATE_EPOCH or 1970.
 */
#ifndef NXN_BUNDLE_H
#define NXN_BUNDLE_H

#include "analysis/logs/gamelog.h"
#include "base/file.h"
#include "src/cli/options.h"
#include "src/report/page.h"

#include <stdbool.h>
#include <stdio.h>

struct bundle_options {
	const char *directory; /* an earlier bundle there is replaced */
	bool latex, models;
	const char *against; /* the player that leads are over; NULL: the one of the runs */
	double width;	     /* figures are no wider, in inches; 0: as wide as they need */
};

/*
 * Makes the bundle of RUNS: folders of compare, duel, sweep or gap, game logs, tables of train or
 * tune, or folders of such tables. STATUS_INPUT if one is something else, or something else than a
 * bundle is in the way; STATUS_STOPPED after Ctrl-C; STATUS_SYSTEM. What was there is there then.
 */
MUST_USE enum status bundle_make(const struct bundle_options *options, const struct text_list *runs,
				 const struct invocation *call, struct why *why);

/*
 * Sets *BUNDLE to whether DIRECTORY is a bundle, and compares the files of one with their sums;
 * tells on standard output of each that differs or is not there. STATUS_INPUT if there are no sums
 * to read, STATUS_SYSTEM.
 */
MUST_USE enum status bundle_verify(const char *directory, bool *bundle, size_t *files, size_t *bad,
				   struct why *why);

/* ---- Parts of a bundle that is made. */

struct bundle_run {
	struct page_run page;	       /* its folders are called by its name */
	const char *source;	       /* the folder or file */
	const struct figure *single;   /* of the table of train or tune that it is; or NULL: */
	bool curves;		       /* it is all learning curves of the bundle, and no source */
	const struct rowlog_kind *log; /* that it has */
	bool logged;		       /* its tables are made of its log, since it has none */
	bool warned;		       /* that games are missing or do not count */
};

struct bundle {
	const struct bundle_options *options;
	char stage[FOLDER_PATH_MAX]; /* the folder that it is made in */
	char file[FOLDER_PATH_MAX];  /* that was created last */
	struct bundle_run *runs;
	size_t run_count;
	char *provenance[PAGE_LINES_MAX + 1];
};

/* The first line of provenance.txt, by which a bundle is known. */
extern const char bundle_mark[];

/*
 * Opens the new file STAGE/FORMAT, whose folder is made; closes it, after STATUS, what the
 * caller has come to. STATUS_SYSTEM.
 */
MUST_USE __attribute__((format(printf, 4, 5))) enum status bundle_create(struct bundle *bundle,
									 FILE **file,
									 struct why *why,
									 const char *format, ...);
MUST_USE enum status bundle_close(struct bundle *bundle, FILE *file, enum status status,
				  struct why *why);

/* Copies the file PATH, of any folder, to the end of OUT. STATUS_SYSTEM. */
MUST_USE enum status file_append(FILE *out, const char *path, struct why *why);

/* README.md, and main.tex if it is asked for (documents.c). */
MUST_USE enum status bundle_documents(struct bundle *bundle, struct why *why);

/* The tables `parameters` and `players` of RUN, which has a game log (players.c). */
MUST_USE enum status bundle_players(struct bundle *bundle, const struct bundle_run *run,
				    struct why *why);

/* Writes SHA256SUMS of all files, *COUNT (sums.c). */
MUST_USE enum status bundle_sums(struct bundle *bundle, size_t *count, struct why *why);

#endif
