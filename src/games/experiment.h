/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What an experiment plays: entries, each a player on a board with a number of games and, for a
 * learner, a schedule of training and evaluation.
 *
 * The games of an entry are numbered from 0; game i is stream i of the experiment's seed for all
 * players. A learner plays `train` training games and then games 0 .. evaluate-1 with its weights
 * at that point; it does so `repeat` times, and finally plays games evaluate .. evaluate+games-1.
 *
 * With training by time a block takes `seconds` instead of `train` games. Once a block has ended,
 * its number of games is fixed as if the experiment contained it: with the seed it determines the
 * weights, and results are filed under it like any others.
 *
 * Blocks may end at a list of points, in games or seconds from the start of training. A learner
 * with several trainings has an entry for each; training N, from 0, and its games are those of an
 * experiment with a seed larger by N.
 *
 * A player may use the weights of a learner of the experiment, such as a search with its network.
 * Its entry has the schedule of the learner but its own number of evaluation games, which it plays
 * after each block of the learner's training.
 */
#ifndef NXN_EXPERIMENT_H
#define NXN_EXPERIMENT_H

#include "agents/agent.h"
#include "analysis/logs/gamelog.h"
#include "base/file.h"
#include "src/cli/provenance.h"
#include "src/games/logs.h"

enum { COUNT_MAX = 1000000000, ENTRIES_MAX = 10000, TIMED_BLOCKS_MAX = 100000, TRACES_MAX = 1000 };
enum { TRAINING_POINTS_MAX = 16, SCHEDULE_POINTS_MAX = 50, TRAININGS_MAX = 100 };

/* The largest time per move that can be requested, in milliseconds. */
#define MS_PER_MOVE_MAX 1e6

struct schedule {
	uint64_t games;
	uint64_t train, evaluate, repeat; /* all 0 without training */
	uint64_t seconds;   /* processor time of a block of training; then train is 0 */
	uint64_t trainings; /* entries to add; 0: one, refused beside another of its learner */
	/*
	 * Ascending ends of blocks: games if `train` > 0, else seconds; 0 first: equal blocks. An
	 * experiment file has TRAINING_POINTS_MAX at most, which results are filed under.
	 */
	double points[SCHEDULE_POINTS_MAX];
};

/* The training at the end of block K: games, or seconds if training is by time. */
static inline double schedule_point(const struct schedule *s, uint64_t k)
{
	return k > 0 && s->points[0] > 0 ? s->points[k - 1] : (double)(k * (s->train + s->seconds));
}

static inline bool schedule_trains(const struct schedule *schedule)
{
	return schedule->train || schedule->seconds;
}

struct experiment_entry {
	struct game game;
	char label[RESULT_NAME_MAX]; /* name in tables; unique on its board */
	bool labelled;		     /* the user chose it */
	char agent[SPEC_MAX];	     /* canonical */
	char settings[SPEC_MAX];     /* canonical, with all parameters */
	char parameters[SPEC_MAX];   /* player_parameters() */
	uint64_t contents;	     /* agent_input_digest() of the files that it reads */
	uint64_t trained_before;     /* training games before the experiment */
	uint64_t training;	     /* number of this training, from 0 */
	uint64_t seed;		     /* of its training and games: the experiment's + `training` */
	/* The learner whose weights it plays with and whose `ends` it shares, or NULL. */
	const struct experiment_entry *learner;
	bool keeps; /* a learner whose model is kept after each block of training, */
	const struct experiment_entry *from; /* for this player: that learner, or NULL */
	bool alone;	/* its games are measured one by one, after all others, on all threads */
	bool untrained; /* it is, or uses, an untrained learner */
	struct why untrained_why; /* the reason, from agent_trained_check() */
	struct schedule schedule;
	uint64_t first; /* number of its first game; 0 unless a caller sets it, without training */
	uint64_t
	    *ends; /* [repeat]: training games after each block, 0 if unknown; NULL unless timed */
};

/* Whether ENTRY is trained itself and does not play with another entry's weights. */
static inline bool entry_learns(const struct experiment_entry *entry)
{
	return schedule_trains(&entry->schedule) && !entry->learner;
}

/*
 * Writes all parameters that AGENT plays with on its board, as "depth=6,cutoff=0.0001"; "" if it
 * has none. A parameter that is auto is written as its value on the board or, if it changes during
 * games, as its rule in brackets: the text after "auto: " in its help. A value that was not
 * initialised is written as its name alone. AGENT must not play afterwards.
 */
void player_parameters(struct agent *agent, char text[SPEC_MAX]);

/* A zeroed experiment with a seed is empty. */
struct experiment {
	char *name, *title; /* on the heap, or NULL */
	char *duration;	    /* how long it takes, in words; on the heap, or NULL */
	uint64_t seed;
	double ms_per_move; /* for players with a parameter ms; 0: not set */
	double precision;   /* interval half-width to reach, as a share of the mean; 0: unused */
	uint64_t traces; /* number of first games of each player to trace, see src/games/traces.h */
	struct experiment_entry **entries; /* in the order of tables; addresses are stable */
	size_t count;
	struct sweep
	    *sweep; /* src/measure/sweep.h; NULL unless the entries are its cells; on the heap */
};

/*
 * Appends the player AGENT, in any spelling, on a copy of GAME, whose name replaces {board}. If
 * LABEL is NULL, the label is that of "LABEL=AGENT" or else AGENT, shortened if it is too long.
 * With experiment->ms_per_move a player with a parameter `ms` gets that time, and must not set `ms`
 * itself. The player is created once as a check. Several trainings are an entry each, whose labels
 * from the second on end with " #2" and so on. STATUS_INPUT for an agent that is wrong or does not
 * fit the board, an unusable label, training of an agent that cannot learn, or a player that is
 * already on the board.
 */
MUST_USE enum status experiment_add(struct experiment *experiment, const struct game *game,
				    const char *agent, const char *label,
				    const struct schedule *schedule, struct why *why);

/*
 * Appends the player AGENT with LABEL, whose text has {model} in place of the model file of
 * LEARNER, an entry of EXPERIMENT that trains. The player plays EVALUATE games after each block of
 * LEARNER's training. Errors as experiment_add().
 */
MUST_USE enum status experiment_add_under(struct experiment *experiment,
					  const struct experiment_entry *learner, const char *agent,
					  const char *label, uint64_t evaluate, struct why *why);

/*
 * Creates the player of ENTRY and, in *LEARNER, the untrained learner that it plays with, or NULL
 * if it needs none. The caller frees both with agent_free(). Errors as agent_new().
 */
MUST_USE enum status entry_agents(const struct experiment_entry *entry, struct agent **agent,
				  struct agent **learner, struct why *why);

/*
 * Refuses untrained players that EXPERIMENT does not train, as agent_trained_check(); if they are
 * ALLOWED, adds " (untrained)" to their labels instead, unless these contain "untrained".
 */
MUST_USE enum status experiment_untrained(struct experiment *experiment, bool allowed,
					  struct why *why);

/* Reads a time per move in milliseconds, above 0, into a double; errors name WHAT. STATUS_INPUT. */
MUST_USE enum status experiment_time(void *ms, const char *what, const char *text, struct why *why);

void experiment_fini(struct experiment *experiment);

/*
 * Returns the key of the entry's games after TRAINED training games in a log: the XXH3 hash of
 * board, spawn rule, start and its tiles, the agent with all its parameters, TRAINED, the number of
 * its training if that is not 0, the same of its learner, and the contents of the files that the
 * agent reads.
 */
uint64_t entry_config(const struct experiment_entry *entry, uint64_t trained);

/*
 * Writes the path in FOLDER of the model of ENTRY; if KEPT is not 0, of that which is kept after
 * KEPT training games. The file name has the board, the label and a hash of everything that
 * training depends on, so the model of another experiment is never taken for this one. STATUS_INPUT
 * if the path is too long.
 */
MUST_USE enum status entry_model_path(const struct experiment_entry *entry, const char *folder,
				      uint64_t kept, char path[FOLDER_PATH_MAX], struct why *why);

/*
 * The training games of the player after block K, 1 .. repeat, 0 if not yet known; of block 0 those
 * before the experiment.
 */
uint64_t entry_stage(const struct experiment_entry *entry, uint64_t k);

/*
 * The number of all training games, 0 if not yet known; and the number of games after TRAINED of
 * them, plus entry->first.
 */
uint64_t entry_trained(const struct experiment_entry *entry);
uint64_t entry_games(const struct experiment_entry *entry, uint64_t trained);

/*
 * Whether A and B certainly play the same games on one board: equal agents, or searches of a fixed
 * depth that differ only in table size and threads, which change nothing but times.
 */
bool entries_play_alike(const struct experiment_entry *a, const struct experiment_entry *b);

/*
 * The first items in which two lists of settings differ: NAME=VALUE between commas, or anything
 * between ", ". They point into the lists and are not terminated.
 */
struct setting_difference {
	const char *was, *now;
	int was_length, now_length;
};
struct setting_difference settings_compare(const char *was, const char *now);

/*
 * Refuses the table PATH, as not being WHAT, if a line `# KEY: VALUE` of its header differs from
 * the line of OWN with this KEY. OWN ends with NULL; other keys are ignored. The error names the
 * first such line of OWN and what differs. Sets *COLUMNS to the line after the header, on the heap,
 * or to NULL if there is none. STATUS_INPUT; STATUS_SYSTEM if the table cannot be read.
 */
MUST_USE enum status table_head_check(const char *path, const char *what, const char *const *own,
				      char **columns, struct why *why);

/*
 * Sets the ends of timed blocks after which LOG has games of the learner ENTRY, and unless it is
 * NULL SECONDS[repeat] to their times of training. Others stay as they are.
 */
void entry_ends_find(struct experiment_entry *entry, const struct gamelog *log, double *seconds);

/* The number of games of the entry without training. */
uint64_t entry_total(const struct experiment_entry *entry);

/*
 * The same and how many of them LOG has; of a player without training only those games that belong
 * to SHARE, where its game I is piece NUMBER + I of the work.
 */
struct work_done entry_work(const struct experiment_entry *entry, const struct gamelog *log,
			    const struct share *share, uint64_t number);

/*
 * Sets ROWS[entry->schedule.games] to the games of ENTRY, which does not train, in LOG,
 * which owns them. STATUS_SYSTEM if LOG lacks one.
 */
MUST_USE enum status entry_rows(const struct experiment_entry *entry, const struct gamelog *log,
				const struct gamelog_row **rows, struct why *why);

/* Initialises PROVENANCE, with a hash of the seed, the precision and all entries. */
MUST_USE enum status experiment_provenance(const struct experiment *experiment, const char *command,
					   struct provenance *provenance, struct why *why);

/*
 * Initialises SELECTION with the games of LOG that EXPERIMENT requests, in the experiment's order
 * and under its labels. If it is to be WHOLE, all other games follow, except those of players whose
 * board and label an entry of EXPERIMENT has now. The caller frees SELECTION with gamelog_fini().
 * STATUS_SYSTEM when memory runs out.
 */
MUST_USE enum status selection_init(struct gamelog *selection, const struct gamelog *log,
				    const struct experiment *experiment, bool whole,
				    struct why *why);

#endif
