/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plays an experiment into a folder:
 *
 *	games.tsv       the game log, appended to as games end
 *	traces/         games move by move, see src/games/traces.h
 *	models/         what learners have learned, saved after each block of training
 *
 * Tables and figures are made afterwards (src/measure/launch.c).
 *
 * Resuming is playing again: a game that is in the log is not played a second time, and training
 * goes on from the saved model. What is played does not depend on threads, interruptions or order.
 */
#ifndef NXN_TOURNAMENT_H
#define NXN_TOURNAMENT_H

#include "src/games/experiment.h"
#include "src/games/progress.h"
#include "src/games/logs.h"

struct tournament_options {
	const char *directory;
	const struct provenance *provenance; /* of the experiment, for the head of the log */
	int threads;
	struct share share; /* of games and learners */
	bool own;	    /* the entries are that share already, of a whole */
	bool named;	    /* refuse labels that the log has for other agents: STATUS_INPUT */
	bool times;	    /* record the seconds of games; otherwise NAN */
	bool progress;	    /* show progress even if standard error is no terminal */
	const char *note;   /* at the end of the progress line; NULL for none */
	uint64_t games;	    /* of all experiments, for that line; 0: those of the present one */
};

/*
 * Plays what is missing. STATUS_STOPPED after Ctrl-C or SIGTERM (stop_catch() must have been
 * called); STATUS_INPUT, before anything is played, if the log there is not a game log, another
 * process is writing it, or a saved model does not fit; STATUS_SYSTEM if a file cannot be written.
 * COUNT, of games, is set unless the log could not be opened. GAMES, unless it is NULL, becomes all
 * that the log holds, if the status is STATUS_OK or STATUS_STOPPED; it is the caller's, for
 * gamelog_fini().
 */
MUST_USE enum status tournament_play(const struct experiment *experiment,
				     const struct tournament_options *options,
				     struct work_done *count, struct gamelog *games,
				     struct why *why);

/*
 * The same for one experiment after the other with OPTIONS, which outlive it; what earlier ones
 * have played is known and is not read again.
 */
struct tournament;
struct tournament *tournament_new(const struct tournament_options *options);

/* As tournament_play(). EXPERIMENT is not asked for later. */
MUST_USE enum status tournament_games(struct tournament *t, const struct experiment *experiment,
				      struct work_done *count, struct why *why);

/* All games that the log holds, valid until the next tournament_games(). */
const struct gamelog *tournament_log(const struct tournament *t);

/*
 * Ends and frees it, after work that has come to STATUS and WHY: which it returns, or the failure
 * of closing the log. GAMES as in tournament_play().
 */
MUST_USE enum status tournament_end(struct tournament *t, enum status status, struct gamelog *games,
				    struct why *why);

#endif
