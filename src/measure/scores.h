/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scores of games that nxn did not play: for `nxn report --scores` and `nxn duel --scores`.
 *
 * A file has one score per line, or is a table with tabs or commas whose first line names its
 * columns, of which one has the scores. Lines that begin with '#' are skipped, and so are empty
 * lines before and after the scores. Fields may be quoted, with quotes in them doubled.
 */
#ifndef NXN_SCORES_H
#define NXN_SCORES_H

#include "base/status.h"
#include "src/cli/options.h"

#include <stddef.h>

/* The options of both commands: a flag, and a const char *. */
#define SCORES_OPTIONS(flag, name)                                                                 \
	OPTION("scores", 0, NULL, FIELD_FLAG, FIELD(flag),                                         \
	       "Take files of scores of games that nxn did not play, one score per line"),         \
	    OPTION("column", 0, "NAME", FIELD_NAME, FIELD(name),                                   \
		   "The column that has the scores, with --scores of tables (TSV or CSV)")

struct scores {
	const char *path;
	double *score; /* in the order of the file; free() it */
	size_t n;
};

/*
 * Reads the file PATH; COLUMN names the column of a table, or is NULL. STATUS_INPUT, with file and
 * line, for text that is no score, a missing column, or a file without scores; STATUS_SYSTEM if the
 * file cannot be read.
 */
MUST_USE enum status scores_read(struct scores *scores, const char *path, const char *column,
				 struct why *why);

/*
 * Prints statistics of the scores in FILES: the mean and so on of each, then the ratio of the best
 * mean to each other one; for programs the table NAME, "summary" or "ratios", with PROVENANCE.
 */
MUST_USE enum status scores_report(const struct text_list *files, const char *column,
				   const struct table_printer *printer, const char *name, bool full,
				   const char *provenance, struct why *why);

#endif
