/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures: gnuplot scripts (plots/) run on tables (analysis/tables/tables.h).
 *
 * The folder of the scripts is that of the environment variable NXN_PLOTS if it is set, else the
 * installed one, else that of the source tree that nxn was built from.
 */
#ifndef NXN_FIGURES_H
#define NXN_FIGURES_H

#include "base/status.h"
#include "base/file.h"

#include <stdbool.h>
#include <stdio.h>

enum { FIGURE_TABLES_MAX = 2 };

struct figure {
	const char *name;   /* of the drawn files and of the script beside them */
	const char *script; /* without ".gp"; NULL: NAME */
	const char *tables[FIGURE_TABLES_MAX + 1]; /* without ".tsv"; ends with NULL */
	const char
	    *column;   /* of the first table: no figure without a number other than 0; or NULL */
	size_t points; /* rows that a series of the table must have for a figure */
	const char *names; /* of a table in a file of its own: how its header begins */
	const char *caption;
};

/* All figures, in the order of the page; the list ends with a NULL name. */
extern const struct figure figures[];

/*
 * Formats a path into PATH, and returns it. Ends the process, with a line and exit status 2, if the
 * path is too long.
 */
__attribute__((format(printf, 2, 3))) char *path_make(char path[FOLDER_PATH_MAX],
						      const char *format, ...);

/* Sets PATH to the folder of the scripts and of the page's templates; see above. */
MUST_USE enum status figures_folder(char path[FOLDER_PATH_MAX], struct why *why);

/*
 * Draws the figures of all tables in the folder FROM that have rows. Writes to TO, another folder,
 * which is created by folder_make_in(): NAME.svg and NAME.pdf, the tables, and a NAME.gp, which
 * `gnuplot NAME.gp` draws again; removes earlier figures. The width is at most WIDTH inches,
 * without limit if that is 0. Stops at the first failure: STATUS_INPUT if a table cannot be read;
 * STATUS_SYSTEM if gnuplot reports an error, with its first message, if the script is missing, a
 * file cannot be written or opened or there is no gnuplot. Scripts and tables stay, to be drawn
 * later.
 */
MUST_USE enum status figures_write(const char *from, double width, const char *to, struct why *why);

/* As figures_write() for FIGURE alone, whose tables must exist. */
MUST_USE enum status figure_make(const struct figure *figure, double width, const char *from,
				 const char *to, struct why *why);

/* Removes the figures in FOLDER that figures_write() may have drawn there. */
void figures_remove(const char *folder);

/*
 * Reads TEXT, a width with a unit or in inches, into the double *INCHES. STATUS_INPUT; the error
 * names the option WHAT.
 */
MUST_USE enum status figure_width_read(void *inches, const char *what, const char *text,
				       struct why *why);

/*
 * Finds the figure of a table in a file of its own, PATH, by its first columns; NULL if none fits.
 * STATUS_SYSTEM.
 */
MUST_USE enum status figure_single(const char *path, const struct figure **figure, struct why *why);

/*
 * Copies the file TABLE, for which figure_single() found FIGURE, to OUT without the lines between
 * rows, which hold the state for resuming; warns of a torn last line, which is not copied.
 * STATUS_INPUT for an invalid row, or no row; STATUS_SYSTEM.
 */
MUST_USE enum status figure_single_copy(const struct figure *figure, const char *table, FILE *out,
					struct why *why);

/* Copies TABLE in the same way to the table of FIGURE in the folder TO, created if needed. */
MUST_USE enum status figure_single_leave(const struct figure *figure, const char *table,
					 const char *to, struct why *why);

#endif
