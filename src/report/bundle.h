/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bundles: finished runs as a folder to publish, with
 *
 *	provenance.txt      sources, command, version and machine; marks a folder as a bundle
 *	README.md           figures and tables with captions; index.html shows the same
 *	figures/RUN/        .svg and .pdf, beside each the .gp that draws it and the .tsv drawn
 *	tables/RUN/         .tsv as nxn writes them, .tex (booktabs) and .md for print
 *	data/RUN/           the logs of the tables, and the files needed to check them
 *	main.tex            optional, the same as a document for pdflatex
 *	SHA256SUMS          of all these files, in the format of sha256sum
 *
 * A bundle is made in a new folder, which is renamed when it is complete. Equal runs give equal
 * bundles, byte for byte: no file holds the time; dates of PDF files are those of SOURCE_DATE_EPOCH
 * or 1970.
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
	const char *against; /* the player that leads refer to; NULL: that of the runs */
	double width;	     /* largest width of a figure in inches; 0: no limit */
};

/*
 * Makes the bundle of RUNS: folders of compare, duel, sweep or gap, game logs, tables of train or
 * tune, or folders of such tables. Ends the process on any failure, and after Ctrl-C:
 * STATUS_INPUT if a run is something else, or if the directory is no bundle. An earlier bundle then
 * stays.
 */
void bundle_make(const struct bundle_options *options, const struct text_list *runs,
		 const struct invocation *call);

/*
 * STATUS_INPUT if one of RUNS can only be reported as a bundle, as folders of gap and of sweep
 * without games, which have no game log; or if it is itself a bundle.
 */
MUST_USE enum status bundle_needed(const struct text_list *runs, struct why *why);

/*
 * Sets *BUNDLE to whether DIRECTORY is a bundle. If it is, compares its files with SHA256SUMS and
 * prints each file that differs or is missing on standard output. STATUS_INPUT if SHA256SUMS is
 * missing or invalid, STATUS_SYSTEM.
 */
MUST_USE enum status bundle_verify(const char *directory, bool *bundle, size_t *files, size_t *bad,
				   struct why *why);

/* ---- Parts of a bundle while it is made. */

struct bundle_run {
	struct page_run page;	       /* its name is that of the folders */
	const char *source;	       /* the folder or file */
	const struct figure *single;   /* of its table, if the run is a table of train or tune */
	bool curves;		       /* the run is all learning curves, without a source */
	const struct rowlog_kind *log; /* the kind of its log; or NULL */
	bool logged;		       /* its tables are computed from its log, not copied */
	bool warned;		       /* warned already of games that are missing or not counted */
};

struct bundle {
	const struct bundle_options *options;
	const struct invocation *call;
	struct lock lock;
	struct why why;		     /* for bundle_must() */
	char stage[FOLDER_PATH_MAX]; /* the folder in which it is made; "" before */
	char file[FOLDER_PATH_MAX];  /* the file created last */
	struct bundle_run *runs;
	size_t run_count;
	char *provenance[PAGE_LINES_MAX + 1];
};

/* The first line of provenance.txt, which marks a bundle. */
extern const char bundle_mark[];

/*
 * Ends the process with the reason bundle->why if STATUS is a failure; removes the stage. The other
 * functions here end it so themselves.
 */
void bundle_must(struct bundle *bundle, enum status status);

/* Opens the new file STAGE/FORMAT and creates its folder. */
__attribute__((format(printf, 2, 3))) FILE *bundle_create(struct bundle *bundle, const char *format,
							  ...);

/* Closes FILE, the file created last. */
void bundle_close(struct bundle *bundle, FILE *file);

/* Appends the file PATH to OUT. */
void file_append(struct bundle *bundle, FILE *out, const char *path);

/* Writes README.md, and main.tex if requested (documents.c). */
void bundle_documents(struct bundle *bundle);

/* Writes the tables `parameters` and `players` of RUN, which has a game log (players.c). */
void bundle_players(struct bundle *bundle, const struct bundle_run *run);

/* Writes SHA256SUMS of all files; returns their number (sums.c). */
size_t bundle_sums(struct bundle *bundle);

#endif
