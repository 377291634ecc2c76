/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What commands that work in a folder have in common: playing an experiment and reporting on it. */
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
	bool full;	     /* print all that the tables tell */
	const char *against; /* the player that leads are over; NULL: the best */
	bool by_board;	     /* print lists by board, where there are several */
	bool only;	     /* report what was asked for, not all that the log holds */
};

/* Their options, for a member M. */
#define LAUNCH_OPTIONS(M)                                                                          \
	OPTION("out", 'o', "DIR", FIELD_NAME, FIELD(M.directory),                                  \
	       "Folder of the results; a run in that folder is continued"),                        \
	    OPTION("no-figures", 0, NULL, FIELD_FLAG, FIELD(M.no_figures),                         \
		   "Write tables, but no figures and no page"),                                    \
	    NO_TIMES_OPTION(M.no_times), FULL_OPTION(M.full), FORMAT_OPTION, PACE_OPTIONS(M.pace), \
	    SHARE_OPTION(M.share)

/* What a command does in a folder, for launch_run(). The functions get CONTEXT. */
struct launch_task {
	/*
	 * Does what is missing, and sets how far it came. STATUS_STOPPED after a request to stop.
	 */
	enum status (*work)(void *context, struct why *why);
	/*
	 * Prints tables, and unless READ_ONLY writes them to the folder; where it STOPPED, of what
	 * there is, with unfinished_note(). NULL: there are none.
	 */
	enum status (*report)(void *context, bool stopped, struct why *why);
	void *context;
	const struct rowlog_kind *log; /* the first that it writes; NULL: it writes nothing */
	bool read_only;		       /* that may only be read: finished work is shown */
	struct work_done searches, games;
	char missing[MISSING_TEXT]; /* ". Not yet played: corners on 3x3", or "" */
	const char
	    *nothing;	   /* "no search": where there was nothing to count yet; NULL for no word */
	const char *next;  /* what the games lead up to, if that is not all; or NULL */
	const char *title; /* of the page, unless the experiment has one; NULL: nothing is left */
	const char *results;  /* how the results are told of: "Game log " */
	const char *log_file; /* which is behind that, "games.tsv"; "" for the folder itself */
};

/* How an experiment with PROVENANCE, which outlives the result, is played with OPTIONS. */
static inline struct tournament_options launch_tournament(const struct launch_options *options,
							  const struct provenance *provenance)
{
	return (struct tournament_options){.directory = options->directory,
					   .provenance = provenance,
					   .threads = options->pace.threads,
					   .share = options->share,
					   .times = !options->no_times,
					   .progress = options->pace.progress};
}

/*
 * Does TASK within the time of OPTIONS, reports, draws figures, writes the page and says where it
 * is; without figures, removes those of an earlier time. After Ctrl-C reports what is finished and
 * tells how to resume. STATUS_STOPPED then, and else
 * the failure of any of that.
 */
MUST_USE enum status launch_run(struct launch_task *task, const struct launch_options *options,
				const struct invocation *call, struct why *why);

/*
 * MADE, the status of what comes before launch_run(), done after stop_catch(): a failure after
 * Ctrl-C comes of that, so STATUS_STOPPED and a line on how to go on take its place.
 */
MUST_USE enum status launch_begun(enum status made, const struct invocation *call);

/* Says on standard error which players can differ in nothing but their times. */
void alike_note(const struct experiment *experiment);

/* Notes in PROVENANCE how far TASK came. */
void unfinished_note(const struct launch_task *task, struct provenance *provenance);

/* "COMMAND: stopped TEXT; to go on:" and how, on standard error. */
void launch_resume_print(const struct invocation *call, const char *text);

/*
 * Prints TABLES, made of DATA, as CALL asks for, the first of them if not as text; and writes them
 * to the folder, unless that may only be read. LINES as in tables_write(), as which it fails.
 */
MUST_USE enum status launch_tables(const struct launch_task *task,
				   const struct launch_options *options,
				   const struct invocation *call, const struct tables *tables,
				   const void *data, const char *const *lines, struct why *why);

/* Says so if a player of EXPERIMENT decides by the clock. */
void clocked_note(const struct experiment *experiment);

/*
 * Prints the `nxn compare` that plays AGENTS, separated as --agents has them, by the rules of GAME:
 * so many GAMES with SEED, or the usual ones if that is 0. STATUS_SYSTEM.
 */
MUST_USE enum status compare_command_print(const struct game *game, const char *agents,
					   uint64_t seed, uint64_t games, struct why *why);

/*
 * Plays what is missing of EXPERIMENT, prints the table and writes tables and figures, as
 * launch_run().
 */
MUST_USE enum status launch(const struct experiment *experiment,
			    const struct launch_options *options, const struct invocation *call,
			    struct why *why);

#endif
