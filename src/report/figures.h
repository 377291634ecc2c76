/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures: gnuplot scripts (plots/) run on tables (analysis/tables/tables.h).
 *
 * The scripts are taken from the folder in the environment variable NXN_PLOTS if it is set, else
 * from where they were installed, else from the source tree that nxn was built from.
 */
#ifndef NXN_FIGURES_H
#define NXN_FIGURES_H

#include "base/status.h"
#include "base/file.h"

#include <stdbool.h>
#include <stdio.h>

enum { FIGURE_TABLES_MAX = 2 };

struct figure {
	const char *name; /* of the files drawn */
	const char
	    *script; /* without ".gp"; NULL: its name, under which it is left beside the figure */
	const char *tables[FIGURE_TABLES_MAX + 1]; /* without ".tsv"; ends with NULL */
	const char
	    *column;   /* of the first table: without a number but 0 in it, no figure; or NULL */
	size_t points; /* rows that a series of it must have, or no figure */
	const char *names; /* of a table that is a file of its own: what its names begin with */
	const char *caption;
};

/* All of them, as their captions tell; the list ends with a NULL name. */
extern const struct figure figures[];

/*
 * Formats a path into PATH, and returns it. Ends the process, with a line and exit status 2, if the
 * path is too long.
 */
__attribute__((format(printf, 2, 3))) char *path_make(char path[FOLDER_PATH_MAX],
						      const char *format, ...);

/* The folder that scripts, and the templates of pages, are taken from; see above. */
MUST_USE enum status figures_folder(char path[FOLDER_PATH_MAX], struct why *why);

/*
 * Draws the figures of the tables in the folder FROM, all that have rows there. Leaves in TO,
 * another folder, which is made if needed, NAME.svg and NAME.pdf, the tables, and a NAME.gp that
 * draws them again by `gnuplot NAME.gp`; figures of an earlier time are removed. They are no wider
 * than WIDTH inches, or as wide as they need if that is 0. Stops at the first failure: STATUS_INPUT
 * if a table cannot be read or gnuplot complains, with its first complaint; STATUS_SYSTEM if the
 * script is missing, a file cannot be written or opened or there is no gnuplot.
 * Scripts and tables stay then, so that they can be drawn once there is a gnuplot.
 */
MUST_USE enum status figures_write(const char *from, double width, const char *to, struct why *why);

/* The same of FIGURE alone, whose tables are there. */
MUST_USE enum status figure_make(const struct figure *figure, double width, const char *from,
				 const char *to, struct why *why);

/* Removes the figures in FOLDER that figures_write() may have drawn there. */
void figures_remove(const char *folder);

/*
 * Reads TEXT, a width with a unit or in inches, into the double *INCHES. STATUS_INPUT, which names
 * the option WHAT.
 */
MUST_USE enum status figure_width_read(void *inches, const char *what, const char *text,
				       struct why *why);

/*
 * Finds the figure of a table in a file of its own, PATH, by its first columns; NULL for another.
 * STATUS_SYSTEM.
 */
MUST_USE enum status figure_single(const char *path, const struct figure **figure, struct why *why);

/*
 * Copies the table in the file TABLE, which figure_single() has found to be one for FIGURE, without
 * the lines between its rows, which are for going on with; says if its last line is torn, which is
 * left out. STATUS_INPUT for a row that is none, or no row; STATUS_SYSTEM.
 */
MUST_USE enum status figure_single_copy(const struct figure *figure, const char *table, FILE *out,
					struct why *why);

/* The same into the folder TO, which is made if needed, as the table of FIGURE. */
MUST_USE enum status figure_single_leave(const struct figure *figure, const char *table,
					 const char *to, struct why *why);

#endif
