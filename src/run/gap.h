/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `nxn gap`: players held against the exact optimum, in a folder:
 *
 *	gap.tsv             the log, appended to as games end (analysis/logs/gap_log.h)
 *	optimal-RxC.nxo     the optimum, where no table of it is given
 *	models/             learners at the points of their training where they are held against it
 *	tables/ figures/
 *
 * Doing it again goes on: no game that is in the log is played a second time, nothing is trained or
 * solved whose file is there. Results do not depend on threads, interruptions or order.
 */
#ifndef NXN_GAP_RUN_H
#define NXN_GAP_RUN_H

#include "agents/solver/optimum.h"
#include "analysis/logs/gap_log.h"
#include "src/run/experiment.h"
#include "base/file.h"
#include "src/run/launch.h"
#include "src/cli/options.h"
#include "src/run/pool.h"
#include "src/run/progress.h"
#include "src/run/share.h"

#include <pthread.h>
#include <stdatomic.h>

/* Which players get expected values instead of estimates. */
enum gap_exact {
	GAP_AUTO, /* whose moves are known, if that takes little: see gap_cost_max */
	GAP_ALWAYS,
	GAP_NEVER
};

struct gap_options {
	struct game_options game;
	struct text_list agents; /* none: all of the registry that a name makes */
	uint64_t seed;
	uint64_t games; /* of each player, and of a learner at each point */
	uint64_t train,
	    curve; /* training games of a learner; points of its training, the last included */
	const char *directory;
	const char *table; /* NULL: solve */
	enum gap_exact exact;
	uint64_t memory; /* bytes, for solving and for expected values */
	struct pace pace;
	struct share share; /* of games, by player and game, and of learners */
	bool no_figures;
};

/* More points of training than anybody looks at. */
enum { GAP_POINTS_MAX = 50 };

struct gap_player;

/* A player after so much training. */
struct gap_stage {
	struct job games;
	struct gap_player *player;
	uint64_t trained;
	uint64_t config; /* that its games are logged under */
	bool exact;
	pthread_mutex_t lock;
	struct agent *owner;  /* the instance that the others borrow weights from */
	struct agent **agent; /* of each thread, NULL until it plays; one of them is owner */
};

struct gap_player {
	struct job training;
	struct gap *gap;
	const struct entry *entry;
	bool trains;	 /* it learns here, from nothing */
	uint64_t number; /* among those that do, or among the others */
	struct gap_stage stage[GAP_POINTS_MAX];
	size_t stages;
};

/* All of a run. */
struct gap {
	const struct gap_options *options;
	struct game game;
	struct optimum *optimum;
	struct experiment experiment; /* the players as entries */
	struct gap_player *players;   /* of each entry */
	char path[FOLDER_PATH_MAX], models[FOLDER_PATH_MAX];
	struct rowlog played; /* by earlier runs */
	struct rowlog_writer log;
	struct pool *pool;
	struct progress progress;

	pthread_mutex_t lock; /* of writing to the log, and of the two below */
	enum status status;   /* of the first failure */
	struct why why;
	atomic_bool failed;
};

/* Positions of the board times positions looked at for a move: up to so many, values are expected ones. */
extern const double gap_cost_max;

/* Does all that OPTIONS ask for and reports on it. Returns the exit status; errors are printed. */
int gap_launch(const struct gap_options *options, const struct launch_command *command);

/* Keeps the first failure and ends the work. Any thread. */
void gap_fail(struct gap *gap, enum status status, const struct why *why);

/* Whether work should end now. Any thread. */
bool gap_ending(const struct gap *gap);

/*
 * Lets the jobs of the pool be done unless STATUS is a failure, frees it, and agrees with the other ranks.
 * STATUS_STOPPED if something is left to do; else the first failure.
 */
MUST_USE enum status gap_pool_run(struct gap *gap, enum status status, struct why *why);

/* Whether game INDEX of STAGE is to be played here; expected values belong to game 0. */
bool gap_owns(const struct gap_stage *stage, uint64_t index);

/* Logs a row of STAGE, and counts it as a game. Any thread. STATUS_STOPPED after a failure. */
MUST_USE enum status gap_result(struct gap_stage *stage, const struct gap_row *row,
				struct why *why);

/* ---- gap_truth.c: the optimum. */

/*
 * Opens the table of the options, if there is one. STATUS_INPUT if it is of another game, or of a
 * goal that games cannot be held against.
 */
MUST_USE enum status truth_open(struct gap *gap, struct why *why);

/* The same of the table in the folder, solved if it is not there; as solve() says. */
MUST_USE enum status truth_solve(struct gap *gap, struct why *why);

/* What results are, for tables; and what they are hashed by, beside the game. */
void truth_unit(const struct gap *gap, char text[64]);
void truth_text(const struct gap *gap, char text[64]);

/* ---- gap_play.c: games. */

/* The run of a job of games of a stage, and its end. */
void gap_games_run(struct job *job, uint64_t unit, int thread);
void gap_games_finish(struct job *job);

/* Frees the instances of STAGE. */
void gap_stage_drop(struct gap_stage *stage);

/* A new instance of the player at STAGE, borrowing from OWNER unless it is NULL; as agent_new(). */
MUST_USE enum status gap_stage_agent(const struct gap_stage *stage, const struct agent *owner,
				     struct agent **agent, struct why *why);

/* ---- gap_train.c: training. */

/* The run of a job that trains a player, and adds the games of its stages as they are ready. */
void gap_train_run(struct job *job, uint64_t unit, int thread);

/* The model file of STAGE. STATUS_INPUT if the path is too long. */
MUST_USE enum status gap_model_path(const struct gap_stage *stage, char path[FOLDER_PATH_MAX],
				    struct why *why);

/* ---- gap_players.c: who there is. */

/* Makes experiment and players; after truth_open() or truth_solve(). STATUS_INPUT for wrong agents. */
MUST_USE enum status gap_players_init(struct gap *gap, struct why *why);
void gap_players_fini(struct gap *gap);

/* Only the experiment, for errors that are better known before anything is solved. */
MUST_USE enum status gap_entries_init(struct gap *gap, struct why *why);

/*
 * STATUS_INPUT if expected values are always asked for and a player does not tell how it moves, or the
 * table is not of expected scores. After gap_entries_init() and truth_open().
 */
MUST_USE enum status gap_exact_check(const struct gap *gap, struct why *why);

/* ---- gap_exact.c: expected values. */

/* Works out all that is missing. As exact_play(). */
MUST_USE enum status gap_exact_all(struct gap *gap, struct why *why);

/* ---- gap_report.c */

/* Tables, and figures unless STOPPED or not asked for, from the log. */
MUST_USE enum status gap_report(const struct gap *gap, const char *command, bool stopped,
				struct why *why);

#endif
