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

#include "analysis/logs/gamelog.h"
#include "base/file.h"
#include "src/cli/options.h"
#include "src/report/figures.h"
#include "src/report/sheet.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum {
	PAPER_NAME_MAX = 64,
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
	struct paper_run *runs;
	size_t run_count;
	char *provenance[PAPER_LINES_MAX + 1]; /* of the bundle */
	struct text_list files;		       /* written so far, relative to the folder */
};

/* ---- inputs.c: what is to go in. */

/*
 * Appends the run, or the runs, that ARGUMENT names: a folder of run, compare, duel, sweep or gap,
 * a table of train or tune or a folder of such, an experiment file or the name of one that comes
 * with nxn, which is then to be played into DIRECTORY/runs. STATUS_INPUT for anything else, and
 * for what cannot be read.
 */
MUST_USE enum status paper_add(struct paper *paper, const char *argument, struct why *why);
void paper_fini(struct paper *paper);

/* The title of RUN; cut, between characters, if it is too long. */
void paper_title(struct paper_run *run, const char *title);

/* ---- bundle.c: files of the bundle. */

/* What the bundle is made by, for its provenance: COMMAND, version, machine. STATUS_SYSTEM. */
MUST_USE enum status paper_origin(struct paper *paper, const char *command, struct why *why);

/*
 * Makes the folder a bundle of this paper, or goes on with one: writes provenance.txt.
 * STATUS_INPUT if there is something else.
 */
MUST_USE enum status paper_begin(struct paper *paper, struct why *why);

/* Writes provenance.txt again, when that of all runs is known. */
MUST_USE enum status paper_provenance(struct paper *paper, struct why *why);

/* Whether PATH is the folder of a bundle. STATUS_SYSTEM. */
MUST_USE enum status paper_bundle_find(const char *path, bool *found, struct why *why);

/*
 * Opens a new file, PATH relative to the bundle; finishing it closes it and, if STATUS is that all
 * went well until then, puts it in its place and notes it. STATUS_SYSTEM, or STATUS.
 */
MUST_USE enum status paper_create(const struct paper *paper, const char *path, FILE **file,
				  struct why *why);
MUST_USE enum status paper_finish(struct paper *paper, const char *path, FILE *file,
				  enum status status, struct why *why);

/* Copies the file FROM into the bundle. */
MUST_USE enum status paper_copy(struct paper *paper, const char *from, const char *path,
				struct why *why);

/* Notes a file that was written otherwise. */
MUST_USE enum status paper_note(struct paper *paper, const char *path, struct why *why);

/* Copies the file PATH, of any folder, to the end of OUT. STATUS_SYSTEM. */
MUST_USE enum status file_append(FILE *out, const char *path, struct why *why);

/* Writes SHA256SUMS and removes files of an earlier bundle that are no part of this one. */
MUST_USE enum status paper_end(struct paper *paper, struct why *why);

/*
 * Compares the files of a bundle with their sums; tells on standard output of each that differs or
 * is not there. STATUS_INPUT if there are no sums to read.
 */
MUST_USE enum status paper_sums_check(const char *directory, size_t *files, size_t *bad,
				      struct why *why);

/* ---- The parts of the bundle. */

/* Logs and what belongs to them (contents.c); the provenance of RUN. */
MUST_USE enum status paper_data(struct paper *paper, struct paper_run *run, struct why *why);

/* Tables in all formats (paper_tables.c); figures (contents.c); and what they are called. */
MUST_USE enum status paper_tables(struct paper *paper, struct paper_run *run, struct why *why);
MUST_USE enum status paper_figures(struct paper *paper, struct paper_run *run, struct why *why);

/* README.md; main.tex; index.html (documents.c). */
MUST_USE enum status paper_readme(struct paper *paper, struct why *why);
MUST_USE enum status paper_main(struct paper *paper, struct why *why);
MUST_USE enum status paper_page(struct paper *paper, struct why *why);

/* The date of the PDF file PATH becomes SOURCE_DATE_EPOCH, or 1970 (bundle.c). */
MUST_USE enum status paper_pdf_date(const char *path, struct why *why);

/* ---- captions.c: captions. */

/*
 * The caption of figure NAME, drawn from the table SHEET of RUN; that of table NAME, of which
 * those that tell the number of games leave it in RUN for others.
 */
void paper_figure_caption(const struct paper_run *run, const char *name, const struct sheet *sheet,
			  char caption[PAPER_CAPTION_MAX]);
void paper_table_caption(struct paper_run *run, const char *name, const struct sheet *sheet,
			 char caption[PAPER_CAPTION_MAX]);

/* ---- game_check.c: games played again. */

struct paper_check {
	double
	    fraction;  /* of the games of each player at each point of training, and at least one */
	uint64_t seed; /* of their choice */
	int threads;
	struct game_options
	    game; /* rules that games may have been played by, beside the usual ones */
};

struct paper_count {
	uint64_t games; /* in the logs */
	uint64_t done;	/* played again */
	uint64_t bad;	/* that came out otherwise */
	uint64_t left;	/* of players that cannot be checked */
};

/*
 * Checks what PATH is, a bundle or a run: adds to FILES and BAD the files of a bundle and those
 * that differ from their checksums, and to COUNT its games; prints a line for each player of each
 * run, whose program it does not start if it is another one. STATUS_INPUT if there is no log, or
 * one that cannot be read, STATUS_STOPPED after Ctrl-C.
 */
MUST_USE enum status paper_check_folder(const char *path, const struct paper_check *check,
					struct paper_count *count, size_t *files, size_t *bad,
					struct why *why);

/*
 * Adds the games of PATH, a log of nxn gap, to LOG, each with its points and moves and nothing
 * else. STATUS_INPUT, with file and line, for what is no such log; STATUS_SYSTEM if it cannot be
 * read (paper_gap.c).
 */
MUST_USE enum status paper_gap_read(struct gamelog *log, const char *path, struct why *why);

#endif
