/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports of a game log: a table for people, tables for programs, figures. */
#ifndef NXN_REPORT_H
#define NXN_REPORT_H

#include "analysis/logs/gamelog.h"
#include "src/cli/options.h"
#include "src/cli/provenance.h"
#include "src/report/figures.h"

#include <stdbool.h>

struct report_options {
	const char *directory;	      /* for tables/; NULL writes none */
	struct table_printer printer; /* without a file: nothing is printed */
	const char *table;	      /* to print in other formats than text (tables.h) */
	bool spread;		      /* in text, prints the table spread instead */
	const char *against;	      /* the player that leads refer to; NULL: the best */
	bool by_board;		      /* prints the lists by board, if there are several boards */
	bool full; /* prints all tables for people, and how intervals were made */
};

/*
 * Prints the table of LOG, then writes tables, with PROVENANCE, to which notes on the games are
 * added. Equal games give equal reports. STATUS_INPUT if LOG has no games; STATUS_SYSTEM if a file
 * cannot be written: the files written before it stay.
 */
MUST_USE enum status report_make(const struct gamelog *log, const struct report_options *options,
				 struct provenance *provenance, struct why *why);

/* The error message if there is no argument LOG... */
#define LOGS_MISSING                                                                               \
	"the run is missing: a folder that compare, duel, sweep or gap has left, or its games.tsv"

/*
 * Calls report_make() for the logs in PATHS together and adds the provenance of COMMAND; a folder
 * means its games.tsv and the parts of games.tsv. If the only path is the folder of a stopped run,
 * the tables say how many games were played. Warns on standard error of logs with a torn last line.
 * STATUS_INPUT if a file is no log, and if no log has a game; STATUS_SYSTEM if a file cannot be
 * read; errors of report_make().
 */
MUST_USE enum status report_logs(const struct text_list *paths, const char *command,
				 const struct report_options *options, struct why *why);

/* Adds to PROVENANCE the commands that played the games of LOG, other than its own command. */
void report_commands_note(struct provenance *provenance, const struct gamelog *log);

/*
 * STATUS_SYSTEM without a reason if a folder of RUNS has some shares of a game log but not all. If
 * the folders are read TOGETHER, they may have the shares between them. Prints the missing share on
 * standard error.
 */
MUST_USE enum status report_shares_check(const struct text_list *runs, bool together,
					 struct why *why);

/* The note printed if an agent decides by the clock. */
extern const char report_clocked[];

/*
 * Draws the figures of the tables in DIRECTORY/tables, then writes the page of the files that
 * COMMAND wrote there, as page_of_folder(). STATUS_SYSTEM on any failure.
 */
MUST_USE enum status report_figures(const char *directory, const char *title, const char *command,
				    struct why *why);

/*
 * Copies the file TABLE, for which figure_single() found FIGURE, to DIRECTORY/tables, draws the
 * figure in DIRECTORY/figures, and writes a page of both. Creates DIRECTORY if needed. Errors of
 * figure_make(), and STATUS_SYSTEM.
 */
MUST_USE enum status report_single(const struct figure *figure, const char *table,
				   const char *directory, struct why *why);

/* Removes the page and the figures in DIRECTORY, which are older than its tables. */
void report_figures_remove(const char *directory);

/* Options of commands that report games: members for the reference player and for the lists. */
#define ACROSS_OPTIONS(AGAINST, BY_BOARD)                                                          \
	OPTION("against", 0, "PLAYER", FIELD_NAME, FIELD(AGAINST),                                 \
	       "With several boards: the player, by its name in tables, whose lead over others, "  \
	       "or theirs over it, is followed over the boards (default: the best)"),              \
	    OPTION(                                                                                \
		"by-board", 0, NULL, FIELD_FLAG, FIELD(BY_BOARD),                                  \
		"Print a list of the players of each board as well, if there are several boards")

#endif
