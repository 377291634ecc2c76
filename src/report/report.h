/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is made of a game log: the table for people, tables for programs, figures. */
#ifndef NXN_REPORT_H
#define NXN_REPORT_H

#include "analysis/logs/gamelog.h"
#include "src/cli/options.h"
#include "src/cli/provenance.h"
#include "src/report/figures.h"

#include <stdbool.h>

struct report_options {
	const char *directory; /* gets tables/ and figures/; NULL writes neither */
	struct table_printer printer;
	const char *table;	       /* to print if not text: of analysis/tables/tables.h */
	const char *const *provenance; /* as in analysis/tables/tables.h */
	const char *command;	       /* that draws figures and writes a page; NULL: none does */
	double width;		       /* figures are no wider, in inches; 0: as they need */
	bool spread;		       /* prints as text the table spread instead */
	const char *against;	       /* the player that leads are over; NULL: the best */
	bool by_board; /* prints the lists by board, where there are several boards */
	bool full;     /* prints all tables for people, and how intervals were made */
};

/*
 * Prints the table of LOG, then writes tables and figures. Equal games give
 * equal reports. STATUS_INPUT for a log without games;
 * STATUS_SYSTEM if a file cannot be written or a figure cannot be drawn, what came before it is
 * there then.
 */
MUST_USE enum status report_make(const struct gamelog *log, const struct report_options *options,
				 struct why *why);

/* What to say when there is no argument LOG... */
#define LOGS_MISSING                                                                               \
	"the run is missing: a folder that compare, duel, sweep or gap has left, or its games.tsv"

/*
 * The same of the logs in PATHS, together, for COMMAND, whose provenance is added; a folder means
 * its games.tsv and the parts of that. Of the folder of a run that was stopped, alone, the tables
 * say how far it came. Says on standard error which logs end in a torn line.
 * STATUS_INPUT for what is not a log, and if there is no game in any; STATUS_SYSTEM for what cannot
 * be read, and as report_make().
 */
MUST_USE enum status report_logs(const struct text_list *paths, const char *command,
				 const struct report_options *options, struct why *why);

/* Adds to PROVENANCE the commands that played the games of LOG, but for its own. */
void report_commands_note(struct provenance *provenance, const struct gamelog *log);

/*
 * STATUS_SYSTEM without a reason if a folder of RUNS has some shares of a game log but not all, and
 * the others do not have the rest where they are read TOGETHER; says on standard error which share
 * is missing.
 */
MUST_USE enum status report_shares_check(const struct text_list *runs, bool together,
					 struct why *why);

/* Whether AGENT, in its canonical form, decides by the clock; and what is then to be said. */
bool agent_clocked(const char *agent);
extern const char report_clocked[];

/*
 * Draws the figures of the tables in DIRECTORY/tables, no wider than WIDTH as figures_write() has
 * it, then writes the page of what COMMAND has left there, as page_of_folder(). STATUS_SYSTEM if
 * that fails.
 */
MUST_USE enum status report_figures(const char *directory, const char *title, const char *command,
				    double width, struct why *why);

/*
 * Leaves in DIRECTORY, which is made if needed, what is to be seen of the file TABLE, which
 * figure_single() has found to be one for FIGURE: the table in tables/, the figure in figures/, no
 * wider than WIDTH, and a page of both. As figure_make(), and STATUS_SYSTEM.
 */
MUST_USE enum status report_single(const struct figure *figure, double width, const char *table,
				   const char *directory, struct why *why);

/* Removes the page and the figures in DIRECTORY: its tables are newer. */
void report_figures_remove(const char *directory);

/* Options of commands that report games: members for the player of reference and for the lists. */
#define ACROSS_OPTIONS(AGAINST, BY_BOARD)                                                          \
	OPTION("against", 0, "PLAYER", FIELD_NAME, FIELD(AGAINST),                                 \
	       "With several boards: the player, by its name in tables, whose lead over others, "  \
	       "or theirs over it, is followed over the boards (default: the best)"),              \
	    OPTION(                                                                                \
		"by-board", 0, NULL, FIELD_FLAG, FIELD(BY_BOARD),                                  \
		"Print a list of the players of each board as well, if there are several boards")

/* An option of the member M of a command that draws figures. */
#define WIDTH_OPTION(M)                                                                            \
	OPTION_READER("width", 0, "WIDTH", FIELD(M), figure_width_read,                            \
		      "Figures no wider than WIDTH, with text of the usual size: 3.4 (inches), "   \
		      "86mm, 8.6cm or 246pt for a column of print")

#endif
