/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plays an experiment into a folder:
 *
 *	games.tsv       the game log, appended to as games end
 *	traces/         games move by move, see src/games/traces.h
 *	models/         models of learners, saved after each block of training
 *
 * Or measures of each game something else, as a row of another log (struct measurement). Tables and
 * figures are made afterwards (src/measure/launch.c).
 *
 * The same call again resumes: games in the log are not played again, and training resumes from
 * the saved model. The games do not depend on threads, interruptions or order.
 */
#ifndef NXN_TOURNAMENT_H
#define NXN_TOURNAMENT_H

#include "src/games/experiment.h"
#include "src/games/progress.h"
#include "src/games/logs.h"

/* What is logged of each game, in place of its row in games.tsv; for players without training. */
struct measurement {
	const struct rowlog_kind *kind; /* its log */
	/* Sets ROW, of KIND, to the key of game INDEX of ENTRY. Any thread. */
	void (*key)(void *context, const struct experiment_entry *entry, uint64_t index, void *row);
	/*
	 * Plays the game of ROW with AGENT, NULL if ENTRY is `alone`, and completes ROW.
	 * STATUS_STOPPED if it abandons the game since POOL is ending. Any thread.
	 */
	enum status (*play)(void *context, const struct experiment_entry *entry,
			    struct agent *agent, struct pool *pool, void *row, struct why *why);
	void *context;
};

struct tournament_options {
	const struct measurement *measure; /* NULL: results, in games.tsv */
	const char *directory;
	const struct provenance *provenance; /* of the experiment, for the header of the log */
	int threads;
	struct share share; /* of games and learners */
	bool own;	    /* the entries are already those of the share */
	bool named;	    /* refuse labels that the log has for other agents: STATUS_INPUT */
	bool times;	    /* record the seconds of games; otherwise NAN */
	bool progress;	    /* show progress even if standard error is not a terminal */
	const char *note;   /* at the end of the progress line; NULL for none */
	uint64_t games;	    /* total of all experiments, for that line; 0: of the present one */
};

/*
 * Plays the missing games. STATUS_STOPPED after Ctrl-C or SIGTERM (stop_catch() must have been
 * called); STATUS_INPUT, before anything is played, if the log there is not a game log, another
 * process is writing it, or a saved model does not fit; STATUS_SYSTEM if a file cannot be written.
 * COUNT, of games, is set unless the log could not be opened. With STATUS_OK or STATUS_STOPPED,
 * GAMES, unless it is NULL, is set to all games of the log; the caller frees it with
 * gamelog_fini().
 */
MUST_USE enum status tournament_play(const struct experiment *experiment,
				     const struct tournament_options *options,
				     struct work_done *count, struct gamelog *games,
				     struct why *why);

/*
 * The same for several experiments in turn, with OPTIONS, which must outlive it; the games of
 * earlier ones are not read again.
 */
struct tournament;
struct tournament *tournament_new(const struct tournament_options *options);

/* As tournament_play(). EXPERIMENT is not used after the call. */
MUST_USE enum status tournament_games(struct tournament *t, const struct experiment *experiment,
				      struct work_done *count, struct why *why);

/* All games of the log, valid until the next tournament_games(). */
const struct gamelog *tournament_log(const struct tournament *t);

/*
 * Ends and frees the tournament, whose games ended with STATUS and WHY. Returns STATUS, or the
 * failure of closing the log. GAMES as in tournament_play().
 */
MUST_USE enum status tournament_end(struct tournament *t, enum status status, struct gamelog *games,
				    struct why *why);

#endif
