/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is to be played: entries, each a player on a board with its number of games, and for a
 * learner its alternation of training and evaluation.
 *
 * An entry's games are numbered from 0; game i is stream i of the experiment's seed, for every
 * player alike. An entry with training plays, K = 1 .. repeat times: `train` training games, then
 * games 0 .. evaluate-1 with the weights that it has by then; and after the last of them games
 * evaluate .. evaluate+games-1.
 *
 * Training by time is the same with blocks of `seconds` instead of `train` games. How many games a
 * block came to is known when it has ended, and from then on as good as written in the experiment:
 * with the seed it decides the weights, and results are filed under it like any others.
 *
 * Blocks may end at a list of points, in games or seconds from the beginning. A learner that is
 * trained several times is as many entries; the training number N, from 0, is that which an
 * experiment with the seed N higher would make, and so are its games.
 *
 * A player may use what a learner of the experiment has learned, such as a search with its network.
 * It has an entry with the schedule of the learner, but its own number of games to evaluate, which
 * it plays whenever the learner has played its own.
 */
#ifndef NXN_EXPERIMENT_H
#define NXN_EXPERIMENT_H

#include "agents/agent.h"
#include "analysis/logs/gamelog.h"
#include "base/file.h"
#include "src/cli/provenance.h"

#include <string.h>

enum { COUNT_MAX = 1000000000, ENTRIES_MAX = 10000, TIMED_BLOCKS_MAX = 100000, TRACES_MAX = 1000 };
enum { TRAINING_POINTS_MAX = 16, TRAININGS_MAX = 100 };

/* Milliseconds a move that may be asked for. */
#define MS_PER_MOVE_MAX 1e6

struct schedule {
	uint64_t games;
	uint64_t train, evaluate, repeat; /* no training: 0, evaluate and repeat too */
	uint64_t seconds;   /* of training a block, of processor time; then train is 0 */
	uint64_t trainings; /* to add, beside those of the same learner; 0: one, and no other */
	/* Where blocks end, ascending; 0 first: all are alike. Else train or seconds is not 0. */
	double points[TRAINING_POINTS_MAX];
};

/* Training up to the end of block K, in games or, where it is by time, seconds. */
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
	char label[RESULT_NAME_MAX]; /* what tables call the player; unique on its board */
	bool labelled;		     /* the user chose it */
	char agent[SPEC_MAX];	     /* canonical */
	char settings[SPEC_MAX];     /* the same with every parameter written out */
	char parameters[SPEC_MAX];   /* player_parameters() */
	uint64_t contents;	     /* agent_input_digest() of the files that it reads */
	uint64_t trained_before;     /* training games behind the player that it starts with */
	uint64_t training;	     /* the number of its training, from 0 */
	/* The entry whose knowledge it plays with, and whose `ends` it shares; NULL: its own. */
	const struct experiment_entry *learner;
	bool untrained;		  /* it is, or asks, a learner that has learned nothing */
	struct why untrained_why; /* what agent_trained_check() says of that */
	struct schedule schedule;
	uint64_t first; /* number of its first game, 0 unless a caller sets it; no training then */
	uint64_t
	    *ends; /* [repeat]: training games after each block, 0 if unknown; NULL unless timed */
};

/* Whether ENTRY is trained, and does not play with what another one learns. */
static inline bool entry_learns(const struct experiment_entry *entry)
{
	return schedule_trains(&entry->schedule) && !entry->learner;
}

/*
 * All parameters that AGENT plays with on its board, as "depth=6,cutoff=0.0001"; "" if it has none.
 * Where one is auto, its value there is told, or, if it changes during games, its rule in brackets:
 * what the help says behind "auto: ". A value that is never asked tells its name alone. AGENT must
 * not play after that.
 */
void player_parameters(struct agent *agent, char text[SPEC_MAX]);

/* Zeroed, with a seed, is an empty experiment. */
struct experiment {
	char *name, *title; /* NULL if it has none; on the heap */
	char *duration;	    /* how long it takes, in words; likewise */
	uint64_t seed;
	double ms_per_move; /* of players with a parameter ms; 0: as they are written */
	double precision;   /* share of a mean that its interval may be wide; 0: games are fixed */
	uint64_t traces; /* so many first games of each player are traced, see src/games/traces.h */
	struct experiment_entry **entries; /* in the order of tables; they stay where they are */
	size_t count;
	struct sweep
	    *sweep; /* src/measure/sweep.h; NULL unless the entries are its cells; on the heap */
};

/*
 * Appends the player AGENT, in any spelling, on a copy of GAME, with the name of that for {board}.
 * LABEL may be NULL for that of "LABEL=AGENT", or AGENT itself, cut where it is too long. With
 * experiment->ms_per_move a player with a parameter `ms` gets that much, and must not have `ms`
 * among its settings. The player is made once to see that it can be. Of several trainings each is
 * an entry, and the second on have " #2" and so on behind their label. STATUS_INPUT for an agent
 * that is wrong or does not fit the board, an unusable label, training of what cannot learn, or a
 * player that is on this board already.
 */
MUST_USE enum status experiment_add(struct experiment *experiment, const struct game *game,
				    const char *agent, const char *label,
				    const struct schedule *schedule, struct why *why);

/*
 * Appends the player AGENT, called LABEL, which has {model} where the model file of LEARNER would
 * stand, and plays EVALUATE games with it at each point of its training. LEARNER is an entry of
 * EXPERIMENT that trains. Errors as experiment_add().
 */
MUST_USE enum status experiment_add_under(struct experiment *experiment,
					  const struct experiment_entry *learner, const char *agent,
					  const char *label, uint64_t evaluate, struct why *why);

/*
 * Makes the player of ENTRY, and before it, in *LEARNER, the untrained learner that it plays with;
 * NULL if it needs none. Errors as agent_new(); agent_free() frees both.
 */
MUST_USE enum status entry_agents(const struct experiment_entry *entry, struct agent **agent,
				  struct agent **learner, struct why *why);

/*
 * Refuses players of EXPERIMENT that have learned nothing and are not trained by it, as
 * agent_trained_check(); where they are ALLOWED, adds " (untrained)" to labels that do not say so.
 */
MUST_USE enum status experiment_untrained(struct experiment *experiment, bool allowed,
					  struct why *why);

/* Reads milliseconds a move, above 0, into a double; WHAT names them. STATUS_INPUT. */
MUST_USE enum status experiment_time(void *ms, const char *what, const char *text, struct why *why);

void experiment_fini(struct experiment *experiment);

/*
 * What a log knows the entry's games by, with TRAINED training games behind the player: the XXH3
 * hash of board, spawn rule, start and its tiles, the agent with all its parameters, TRAINED, the
 * number of its training if that is not 0, the contents of the files that it reads, and the same of
 * its learner.
 */
uint64_t entry_config(const struct experiment_entry *entry, uint64_t trained);

/*
 * The file in FOLDER for what ENTRY has learned under SEED, whose name ends with SUFFIX. It tells
 * board and label, and by a hash everything that training depends on, so that what another
 * experiment left in the folder is never taken for it. STATUS_INPUT if the path is too long.
 */
MUST_USE enum status entry_model_path(const struct experiment_entry *entry, uint64_t seed,
				      const char *folder, const char *suffix,
				      char path[FOLDER_PATH_MAX], struct why *why);

/* The seed of the training and the games of ENTRY in an experiment with SEED. */
static inline uint64_t entry_seed(const struct experiment_entry *entry, uint64_t seed)
{
	return seed + entry->training;
}

/* The training games behind the player after block K, 1 .. repeat; 0 if that is not known yet. */
uint64_t entry_stage(const struct experiment_entry *entry, uint64_t k);

/*
 * The number of training games in all, 0 if it is not known yet, and the number of games with
 * TRAINED of them behind.
 */
uint64_t entry_trained(const struct experiment_entry *entry);
uint64_t entry_games(const struct experiment_entry *entry, uint64_t trained);

/*
 * Whether A and B, of one board, cannot but play the same games: searches of a fixed depth that
 * differ at most in the size of their table and in threads, which change times alone.
 */
bool entries_play_alike(const struct experiment_entry *a, const struct experiment_entry *b);

/*
 * The first piece in which two lists of settings differ: NAME=VALUE between commas, or anything
 * between ", ". The texts need not end behind the pieces.
 */
struct setting_difference {
	const char *was, *now;
	int was_length, now_length;
};
struct setting_difference settings_compare(const char *was, const char *now);

/*
 * Refuses the table PATH, which is not WHAT, if a `#` line KEY: VALUE of its head is none of OWN,
 * which ends with NULL and has one of that key; names the first of OWN of which this is so, and
 * what differs. Another KEY matters not. *COLUMNS, on the heap, becomes the line behind the head,
 * NULL if there is none. STATUS_INPUT; STATUS_SYSTEM if it cannot be read.
 */
MUST_USE enum status table_head_check(const char *path, const char *what, const char *const *own,
				      char **columns, struct why *why);

/* All games of the entry, without training, and how many of them LOG has under SEED. */
uint64_t entry_total(const struct experiment_entry *entry);
uint64_t entry_played(const struct experiment_entry *entry, uint64_t seed,
		      const struct gamelog *log);

/*
 * ROWS[entry->schedule.games] become the games of ENTRY, which does not train, under SEED in LOG.
 * STATUS_SYSTEM if LOG lacks one.
 */
MUST_USE enum status entry_rows(const struct experiment_entry *entry, uint64_t seed,
				const struct gamelog *log, const struct gamelog_row **rows,
				struct why *why);

/* Where the experiment's numbers come from; its hash is that of the seed and all entries. */
MUST_USE enum status experiment_provenance(const struct experiment *experiment, const char *command,
					   struct provenance *provenance, struct why *why);

/*
 * Fills SELECTION with the games of LOG that EXPERIMENT asks for, in the experiment's order and
 * under its labels, whatever order they were played in. If it is to be WHOLE, behind them come all
 * other games, but for those of a player in whose place, by board and label, an entry of EXPERIMENT
 * has come. It is the caller's, for gamelog_fini(). STATUS_SYSTEM when memory runs out.
 */
MUST_USE enum status selection_init(struct gamelog *selection, const struct gamelog *log,
				    const struct experiment *experiment, bool whole,
				    struct why *why);

#endif
