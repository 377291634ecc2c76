/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the two halves of a tournament share: tournament.c plays the games and keeps the log,
 * learners.c trains.
 */
#ifndef NXN_PARTICIPANT_H
#define NXN_PARTICIPANT_H

#include "src/games/logs.h"
#include "src/games/pool.h"
#include "src/measure/tournament.h"

/* What all participants share. */
struct tournament {
	const struct experiment *experiment;
	const struct tournament_options *options;
	bool shared;		      /* with other ranks */
	struct share share;	      /* of games, by entry and game, and of learners, by entry */
	char models[FOLDER_PATH_MAX]; /* folder of models */
	char traces[FOLDER_PATH_MAX]; /* folder of traces */
	struct gamelog played;	      /* games of earlier runs and experiments */
	struct gamelog fresh;	      /* games of this experiment, as logged; unless shared */
	struct shared_log log;
	struct participant *participants; /* [experiment->count], while they play */
	bool open;			  /* the log is open */
	uint64_t asked;			  /* games requested by all experiments so far */
	struct pool *pool;
	struct progress progress;
};

/* An entry while it is played. */
struct participant {
	struct job training, games;
	struct tournament *tournament;
	struct experiment_entry *entry;
	uint64_t number; /* index among those that train, or among the others */
	uint64_t chunk;	 /* games per unit: many for an agent that plays them side by side */
	struct instances instances;
	double *seconds; /* [repeat]: seconds of training at block ends, or NAN; NULL: untimed */
};

/* ---- Games, in tournament.c. */

/* X as the log returns it. */
double value_as_logged(double x);

/* Whether game INDEX after TRAINED training games must be traced and has not been. */
bool participant_lacks_trace(const struct participant *p, uint64_t trained, uint64_t index);

/* Whether game INDEX after TRAINED training games, or its trace, is missing. */
bool participant_lacks(const struct participant *p, uint64_t trained, uint64_t config,
		       uint64_t index);

/*
 * Plays game INDEX, and traces it if its trace is missing. STATUS_STOPPED if it was abandoned; else
 * as traces_play().
 */
MUST_USE enum status participant_play(const struct participant *p, struct agent *agent,
				      uint64_t trained, uint64_t index, struct outcome *outcome,
				      struct why *why);

/*
 * Plays game INDEX with AGENT after TRAINED training games, and logs it under CONFIG, unless the
 * log has it; if only its trace is missing, plays it again for the trace.
 */
MUST_USE enum status participant_run(const struct participant *p, struct agent *agent,
				     uint64_t trained, uint64_t config, uint64_t index,
				     struct why *why);

/* ---- Training, in learners.c. */

/* The progress that counts the training of ENTRY: of its games, or of its seconds. */
struct progress_count *learner_progress(struct tournament *t, const struct experiment_entry *entry);

/* Sets the ends of timed blocks from the note of the model of P, if it exists. */
MUST_USE enum status learner_ends_load(const struct participant *p, struct why *why);

/* Loads into AGENT the final model of the learner, which another rank may have trained. */
MUST_USE enum status learner_final_load(void *context, struct agent *agent, struct why *why);

/* The unit of the training job: the whole chain of blocks. */
MUST_USE enum status learner_unit(struct job *job, uint64_t unit, int thread, struct why *why);

#endif
