/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The game log: an append-only text file with a line for every finished game.
 *
 *   # provenance, any number of lines
 *   config board label agent trained seed game score max_tile moves seconds tile_sum uncertainty
 *   00c0ffee00c0ffee 4x4 greedy greedy 0 1 0 3200 256 264 0.000312 NaN NaN
 *   00c0ffee00c0ffef 4x4 random random 0 1 0 1180 128 122 0.000010 274 1.327005
 *
 * One row per game, tab-separated. The last two are told of players who tell the chances of their
 * moves: the sum of the tiles in the end, and the mean distance to certainty of a move.
 *
 * Every record is one write(2) to a file opened with O_APPEND, so what a crash can leave behind is
 * at most a torn last line: readers ignore it and report it, the next writer cuts it off.
 *
 * `config` stands for board, agent, training and the rules of the game: a game is known by (config,
 * seed, game) and is in a log once, and a player is known by config, whatever its label. Games come
 * in the order in which they ended, which is nobody's; so a line `# player: LABEL` announces each
 * label before its first game, and that is the order of players in tables. A line `# training:
 * CONFIG SECONDS` tells what the training behind a player took. A run that is stopped leaves a line
 * `# stopped: CONFIG SEED GAMES WORKERS STEP` for each player whose games it has begun: how many it
 * was to play, on how many workers, and the number of shares among which they were divided. That is
 * what the reader needs to know which of the games are a sample (analysis/stats/counted.c).
 */
#ifndef NXN_GAMELOG_H
#define NXN_GAMELOG_H

#include "analysis/logs/rowlog.h"

#include <stdbool.h>
#include <stddef.h>

/* A finished game as it is written: a row, with no trace of how the player thinks. */
enum { RESULT_NAME_MAX = 64, RESULT_AGENT_MAX = 2048 };

struct result {
	uint64_t config;	      /* hash of all that decides the game but seed and index */
	char board[8];		      /* "4x4" */
	char label[RESULT_NAME_MAX];  /* what the table and the figures call the player */
	char agent[RESULT_AGENT_MAX]; /* canonical specification */
	uint64_t trained;	      /* training games behind the player; 0 if it does not learn */
	uint64_t seed, game;	      /* stream: key of the paired comparison, with board */
	uint64_t score;		      /* points */
	uint64_t max_tile;	      /* 2^exponent */
	uint64_t moves;
	double seconds;	    /* of thinking and play; NAN where it is not recorded */
	uint64_t sum;	    /* of the tiles in the end; 0 where it is not recorded */
	double uncertainty; /* mean distance to certainty of a move; NAN where not told */
};

/* Who played on which board. Rows of one player share one of these. */
struct gamelog_player {
	size_t number; /* its place in players */
	size_t place;  /* that of its label in labels */
	int cells;     /* of the board */
	uint64_t config;
	uint64_t trained;
	const char *board, *label, *agent; /* the label it was first seen with */
};

struct gamelog_row {
	const struct gamelog_player *player;
	uint64_t seed, game;
	uint64_t score, max_tile, moves;
	double seconds;	    /* NAN where it is not recorded */
	uint64_t sum;	    /* of the tiles in the end; 0 where it is not recorded */
	double uncertainty; /* mean distance to certainty; NAN where it is not recorded */
};

/* What the training behind a player took: seconds of one processor. */
struct gamelog_training {
	uint64_t config;
	double seconds;
};

/* A run that was to play GAMES games of CONFIG and SEED, and was stopped. */
struct gamelog_stop {
	uint64_t config, seed;
	uint64_t games, workers, step; /* as in struct games_plan; workers 0: not known */
};

/* Games in memory. Read the public members, change none. */
struct gamelog {
	struct gamelog_row *rows; /* in the order of the files */
	size_t count;
	struct gamelog_player **players; /* in order of first appearance */
	size_t player_count;
	char **labels; /* distinct, in the order announced; others as they appeared */
	size_t label_count;
	char **commands; /* that played, distinct, in the order of the files */
	size_t command_count;
	struct gamelog_training *trainings; /* as noted, perhaps several a player */
	size_t training_count;
	struct gamelog_stop *stops; /* in the order of the files */
	size_t stop_count;
	size_t duplicates; /* rows dropped because the same game was there already */
	size_t torn;	   /* files whose last line was torn, and ignored */

	struct row_index index; /* rows by config, seed and game */
};

void gamelog_init(struct gamelog *log);
void gamelog_fini(struct gamelog *log);

/*
 * Adds the games of the file PATH to LOG. An empty file is a log without games. STATUS_INPUT, with
 * file and line, for a file that does not exist or is not a game log, a malformed line, or a game
 * that contradicts one read before, as in gamelog_add().
 * STATUS_SYSTEM for a file that cannot be read. On failure the games in LOG are those from before
 * the call.
 */
MUST_USE enum status gamelog_read(struct gamelog *log, const char *path, struct why *why);

struct parts;

/*
 * Reads the logs in PATHS[n], of which a folder means its games.tsv and the parts of that, into
 * LOG. ENDS[n], or NULL: the games in LOG after each of them. TORN gets the files whose last line
 * was left out, for parts_free(). Fails as gamelog_read(), and with STATUS_INPUT if there is no
 * game in any.
 */
MUST_USE enum status gamelog_read_paths(struct gamelog *log, const char *const *paths, size_t n,
					size_t *ends, struct parts *torn, struct why *why);

/* Gives LABEL the next place in tables, unless it has one. */
void gamelog_announce(struct gamelog *log, const char *label);

/* Notes that the training behind the player CONFIG took SECONDS. */
void gamelog_note_training(struct gamelog *log, uint64_t config, double seconds);

/* Notes a run that was stopped. */
void gamelog_note_stop(struct gamelog *log, const struct gamelog_stop *stop);

/* The mean of what was noted of CONFIG, which may have trained more than once; NAN for nothing. */
double gamelog_training(const struct gamelog *log, uint64_t config);

/*
 * Adds the game ROW of PLAYER, whose config, board, label, agent and trained count and are copied.
 * A game that is there already is counted as a duplicate. STATUS_INPUT if it contradicts what is
 * there: another score, largest tile or number of moves of the same game, another player of the
 * same config.
 */
MUST_USE enum status gamelog_add(struct gamelog *log, const struct gamelog_player *player,
				 const struct gamelog_row *row, struct why *why);

/* A game, or NULL. Any thread, as long as nobody adds games to LOG. */
const struct gamelog_row *gamelog_find(const struct gamelog *log, uint64_t config, uint64_t seed,
				       uint64_t game);

/*
 * Game logs are written between rowlog_open() or gamelog_open() and append_close() of their file.
 */
extern const struct rowlog_kind gamelog_kind;

/*
 * As rowlog_open(), and adds the games that are there to LOG, as gamelog_read(); but on failure LOG
 * has some of them. A command of PROVENANCE that is new to the file is appended.
 */
MUST_USE enum status gamelog_open(struct rowlog_writer *writer, const char *path,
				  const char *const *provenance, struct gamelog *log,
				  struct why *why);

/*
 * Announces LABEL to LOG, which was read from this file, and if it is new there, in the file.
 * STATUS_INPUT for text that a line cannot hold; otherwise as gamelog_append().
 */
MUST_USE enum status gamelog_append_player(const struct rowlog_writer *writer, struct gamelog *log,
					   const char *label, struct why *why);

/* Appends what gamelog_note_training() notes. Any number of threads; fails as gamelog_append(). */
MUST_USE enum status gamelog_append_training(const struct rowlog_writer *writer, uint64_t config,
					     double seconds, struct why *why);

/* Appends what gamelog_note_stop() notes, likewise. */
MUST_USE enum status gamelog_append_stop(const struct rowlog_writer *writer,
					 const struct gamelog_stop *stop, struct why *why);

/* Appends one game, as rowlog_append(). Any number of threads. */
MUST_USE enum status gamelog_append(struct rowlog_writer *writer, const struct result *result,
				    struct why *why);

#endif
