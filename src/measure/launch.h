/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Common parts of commands that work in a folder; playing an experiment and reporting on it. */
#ifndef NXN_LAUNCH_H
#define NXN_LAUNCH_H

#include "src/cli/options.h"
#include "src/games/experiment.h"
#include "src/games/progress.h"
#include "src/games/logs.h"
#include "src/measure/tournament.h"

enum { MISSING_TEXT = 400 };

struct launch_options {
	const char *directory; /* NULL: the command's default */
	struct pace pace;
	struct share share;
	bool no_figures, no_times;
	bool full;	     /* print the full tables */
	const char *against; /* reference player of leads; NULL: the best */
	bool by_board;	     /* print lists by board if there are several */
	bool only;	     /* report the games of the command, not all of the log */
};

/* The options, for a member M. */
#define LAUNCH_OPTIONS(M)                                                                          \
	OPTION("out", 'o', "DIR", FIELD_NAME, FIELD(M.directory),                                  \
	       "Folder of the results; a run in that folder is continued"),                        \
	    OPTION("no-figures", 0, NULL, FIELD_FLAG, FIELD(M.no_figures),                         \
		   "Write tables, but no figures and no page"),                                    \
	    NO_TIMES_OPTION(M.no_times), FULL_OPTION(M.full), FORMAT_OPTION, PACE_OPTIONS(M.pace), \
	    SHARE_OPTION(M.share)

/*
 * The work of a command in a folder, for launch_run(). It is the first member of the command's own
 * struct, which its functions get.
 */
struct launch_task {
	const struct experiment *experiment; /* NULL: work() initialises the provenance */
	const struct launch_options *options;
	const struct invocation *call;
	struct provenance provenance; /* of the experiment; during work() and report() */
	/* Does the missing work and sets its progress. STATUS_STOPPED after a request to stop. */
	enum status (*work)(void *task, struct why *why);
	/*
	 * Prints the tables, and writes them to the folder unless `read_only` is set. If STOPPED,
	 * they are of the finished work, with unfinished_note(). NULL: there are no tables.
	 */
	enum status (*report)(void *task, bool stopped, struct why *why);
	const struct rowlog_kind *log; /* the first log that it writes; NULL: none */
	bool read_only;		       /* the log is read-only: finished work is shown */
	struct work_done searches, games;
	char missing[MISSING_TEXT]; /* ". Not yet played: corners on 3x3", or "" */
	const char *nothing;  /* "no search": the progress if nothing was counted yet; or NULL */
	const char *next;     /* " up to the next look": what the games are for; NULL: all */
	const char *title;    /* of the page, unless the experiment has one; NULL: no page */
	const char *results;  /* how a message calls the results: "Game log " */
	const char *log_file; /* the file named after it, "games.tsv"; "": the folder */
};

/* Options for playing with the provenance of TASK, which must outlive them. */
static inline struct tournament_options launch_tournament(const struct launch_task *task)
{
	const struct launch_options *options = task->options;
	return (struct tournament_options){.directory = options->directory,
					   .provenance = &task->provenance,
					   .threads = options->pace.threads,
					   .share = options->share,
					   .times = !options->no_times,
					   .progress = options->pace.progress};
}

/*
 * Does TASK within its time budget, reports, draws figures, writes the page and prints its path;
 * without figures, removes old ones. After Ctrl-C reports the finished work, prints how to resume,
 * and returns STATUS_STOPPED. Otherwise returns the first failure.
 */
MUST_USE enum status launch_run(struct launch_task *task, struct why *why);

/* Sets the provenance of TASK to that of its experiment as it is now. */
MUST_USE enum status launch_provenance(struct launch_task *task, struct why *why);

/*
 * Returns MADE, the status of the work between stop_catch() and launch_run(); after Ctrl-C, which
 * causes failures, instead prints how to resume and returns STATUS_STOPPED.
 */
MUST_USE enum status launch_begun(enum status made, const struct invocation *call);

/* Prints on standard error which players can differ only in their times. */
void alike_note(const struct experiment *experiment);

/* Adds the progress of TASK to its provenance. */
void unfinished_note(struct launch_task *task);

/* Prints on standard error "COMMAND: stopped TEXT" and the command that resumes. */
void launch_resume_print(const struct invocation *call, const char *text);

/*
 * Prints TABLES of DATA in the format of the call, only the first unless that is text, and writes
 * them to the folder unless it is read-only. Errors as tables_write().
 */
MUST_USE enum status launch_tables(const struct launch_task *task, const struct tables *tables,
				   const void *data, struct why *why);

/* Reads the log of rows of TASK, if it exists, so that its errors are reported before long work. */
MUST_USE enum status launch_log_check(const struct launch_task *task, struct why *why);

/* Prints a note if a player of EXPERIMENT decides by the clock. */
void clocked_note(const struct experiment *experiment);

/*
 * Prints the `nxn compare` command that plays AGENTS, in the syntax of --agents and with
 * --untrained if UNTRAINED, by the rules of GAME: GAMES games with SEED, or the defaults if GAMES
 * is 0. STATUS_SYSTEM.
 */
MUST_USE enum status compare_command_print(const struct game *game, const char *agents,
					   bool untrained, uint64_t seed, uint64_t games,
					   struct why *why);

/*
 * Plays the missing games of EXPERIMENT, prints the table and writes tables and figures. Errors as
 * launch_run().
 */
MUST_USE enum status launch(const struct experiment *experiment,
			    const struct launch_options *options, const struct invocation *call,
			    struct why *why);

#endif
