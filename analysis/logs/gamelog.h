/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The game log: an append-only text file with a line for every finished game.
 *
 *   # provenance, any number of lines
 *   config board label agent trained seed game score max_tile moves seconds tile_sum uncertainty
 *   00c0ffee00c0ffee 4x4 greedy greedy 0 1 0 3200 256 264 0.000312 NaN NaN
 *   00c0ffee00c0ffef 4x4 random random 0 1 0 1180 128 122 0.000010 274 1.327005
 *
 * One row per game, tab-separated. Players whose move probabilities are known have values in the
 * last two columns: the sum of the tiles at the end, and the mean distance to certainty of a move.
 *
 * Every record is one write(2) to a file opened with O_APPEND, so a crash leaves at most one torn
 * last line: readers ignore it and report it, the next writer cuts it off.
 *
 * `config` is a hash of board, agent, training and the rules of the game. The key of a game is
 * (config, seed, game), which is unique in a log; the key of a player is config, whatever its
 * label. Games are in the order in which they ended, which depends on timing. A line `# player:
 * LABEL` announces each label before its first game, and tables list players in this order. A line
 * `# training: CONFIG SECONDS` has the training time of a player, `# training: CONFIG SECONDS
 * POINT` that of a player whose training was to take POINT seconds. A stopped run writes a line `#
 * stopped: CONFIG SEED GAMES WORKERS STEP` for each player whose games had begun: the number of
 * games planned, the number of workers, and the number of shares. The reader needs it to find the
 * games that are an unbiased sample (analysis/stats/counted.c).
 */
#ifndef NXN_GAMELOG_H
#define NXN_GAMELOG_H

#include "analysis/logs/rowlog.h"

#include <stddef.h>

/* Room for the labels of an experiment. */
enum { RESULT_NAME_MAX = 64 };

/* A player on a board. All rows of the player point to it. */
struct gamelog_player {
	size_t number;	   /* its index in players */
	size_t place;	   /* index of its label in labels */
	int cells;	   /* of the board */
	uint64_t config;   /* hash of all that decides its games except seed and index */
	uint64_t trained;  /* training games; 0 if it does not learn */
	const char *board; /* "4x4" */
	const char *label; /* its first name in tables and figures */
	const char *agent; /* canonical specification */
};

/* A finished game. */
struct gamelog_row {
	const struct gamelog_player *player;
	uint64_t seed, game; /* stream: key of the paired comparison, with board */
	uint64_t score;	     /* points */
	uint64_t max_tile;   /* 2^exponent */
	uint64_t moves;
	double seconds;	    /* of thinking and play; NAN if not recorded */
	uint64_t sum;	    /* of the tiles at the end; 0 if not recorded */
	double uncertainty; /* mean distance to certainty of a move; NAN if not recorded */
};

/* The training time of a player, in seconds of one processor. */
struct gamelog_training {
	uint64_t config;
	double seconds; /* until the game ended during which `point` was reached */
	double point;	/* the time that training was to take; 0 if its games were counted */
};

/* A stopped run of GAMES planned games of CONFIG and SEED. */
struct gamelog_stop {
	uint64_t config, seed;
	uint64_t games, workers, step; /* as in struct games_plan; workers 0: unknown */
};

/* Games in memory. The members before index are public, and read-only. */
struct gamelog {
	struct gamelog_row *rows; /* in the order of the files */
	size_t count;
	struct gamelog_player **players; /* in order of first appearance */
	size_t player_count;
	char **labels; /* distinct, in announced order; others by first appearance */
	size_t label_count;
	char **commands; /* of all runs, distinct, in the order of the files */
	size_t command_count;
	struct gamelog_training *trainings; /* as recorded, perhaps several per player */
	size_t training_count;
	struct gamelog_stop *stops; /* in the order of the files */
	size_t stop_count;
	size_t duplicates; /* rows dropped because the log has the same game */
	size_t torn;	   /* files whose last line was torn, and ignored */

	struct row_index index;		  /* rows by config, seed and game */
	struct row_index configs, places; /* players by config; labels by text */
};

void gamelog_init(struct gamelog *log);
void gamelog_fini(struct gamelog *log);

/*
 * Adds the games of the file PATH to LOG. An empty file is a log without games. STATUS_INPUT, with
 * file and line, if the file does not exist or is not a game log, a line is malformed, or a game
 * contradicts an earlier one, as in gamelog_add(). STATUS_SYSTEM if the file cannot be read. On
 * failure LOG may have some of the games.
 */
MUST_USE enum status gamelog_read(struct gamelog *log, const char *path, struct why *why);

struct parts;

/*
 * Reads the logs in PATHS[n] into LOG; a folder means its games.tsv and all parts of it. ENDS[n],
 * or NULL, gets the number of games in LOG after each path. TORN gets the files whose last line was
 * ignored, for parts_free(). Fails as gamelog_read(), and with STATUS_INPUT if no path has a game.
 */
MUST_USE enum status gamelog_read_paths(struct gamelog *log, const char *const *paths, size_t n,
					size_t *ends, struct parts *torn, struct why *why);

/* Appends LABEL to the labels, unless it is there. */
void gamelog_announce(struct gamelog *log, const char *label);

/* Records a training time. */
void gamelog_note_training(struct gamelog *log, const struct gamelog_training *training);

/* Records a stopped run. */
void gamelog_note_stop(struct gamelog *log, const struct gamelog_stop *stop);

/* The mean training time of CONFIG over its trainings; NAN if none is recorded. */
double gamelog_training(const struct gamelog *log, uint64_t config);

/*
 * Adds the game ROW of PLAYER, whose config, board, label, agent and trained are copied. A game
 * that LOG has is counted as a duplicate. STATUS_INPUT for a contradiction: the same game with
 * another score, largest tile or number of moves, or the same config with another player.
 */
MUST_USE enum status gamelog_add(struct gamelog *log, const struct gamelog_player *player,
				 const struct gamelog_row *row, struct why *why);

/* The player CONFIG, or NULL. */
const struct gamelog_player *gamelog_player(const struct gamelog *log, uint64_t config);

/* A game, or NULL. Any thread, while no thread adds games to LOG. */
const struct gamelog_row *gamelog_find(const struct gamelog *log, uint64_t config, uint64_t seed,
				       uint64_t game);

/*
 * Game logs are written between rowlog_open() or gamelog_open() and append_close() of their file.
 */
extern const struct rowlog_kind gamelog_kind;

/*
 * As rowlog_open(), and adds the games of the file to LOG, as gamelog_read(). Appends the command
 * in PROVENANCE if the file does not have it.
 */
MUST_USE enum status gamelog_open(struct rowlog_writer *writer, const char *path,
				  const char *const *provenance, struct gamelog *log,
				  struct why *why);

/*
 * Announces LABEL in LOG, which was read from this file, and, if it is new, in the file.
 * STATUS_INPUT if LABEL cannot be part of a line; otherwise as gamelog_append().
 */
MUST_USE enum status gamelog_append_player(const struct rowlog_writer *writer, struct gamelog *log,
					   const char *label, struct why *why);

/* Appends a `# training:` line. Any number of threads; fails as gamelog_append(). */
MUST_USE enum status gamelog_append_training(const struct rowlog_writer *writer,
					     const struct gamelog_training *training,
					     struct why *why);

/* Appends a `# stopped:` line, likewise. */
MUST_USE enum status gamelog_append_stop(const struct rowlog_writer *writer,
					 const struct gamelog_stop *stop, struct why *why);

/* Appends the game ROW of PLAYER, as rowlog_append(). Any number of threads. */
MUST_USE enum status gamelog_append(struct rowlog_writer *writer,
				    const struct gamelog_player *player,
				    const struct gamelog_row *row, struct why *why);

#endif
