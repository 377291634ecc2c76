/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Table files: what each after-state of a board is worth under best play.
 *
 * A solver writes one, layer by layer of the tile sum. It is read where it lies, mapped into
 * memory, by any number of threads. Files are untrusted: whatever the bytes are, a reader answers
 * STATUS_INPUT with one line that begins with the path, and takes no more memory than a fraction
 * of what the file takes on the disk. (A file that another process cuts short while it is mapped
 * kills this one, as with all that is mapped.)
 */
#ifndef NXN_OPTIMUM_H
#define NXN_OPTIMUM_H

#include "agents/agent.h"

/* What perfect play is after: the goals that a board can be solved for. */
enum goal {
	GOAL_SCORE,	 /* expected points */
	GOAL_TARGET,	 /* probability of ever owning a tile */
	GOAL_MOVES,	 /* expected number of moves */
	GOAL_BEST_SCORE, /* points with the best luck */
	GOAL_BEST_MOVES, /* moves with the best luck */
	GOALS,
};

/* The goal in a word or two: "score". */
static inline const char *goal_name(enum goal goal)
{
	static const char *const names[GOALS] = {"score", "target", "moves", "best score",
						 "best moves"};
	return names[goal];
}

/* Whether spawns are the best instead of random ones. */
static inline bool goal_lucky(enum goal goal)
{
	return goal == GOAL_BEST_SCORE || goal == GOAL_BEST_MOVES;
}

/* What a move of REWARD points itself adds to the goal. */
static inline double goal_gain(enum goal goal, uint64_t reward)
{
	if (goal == GOAL_TARGET)
		return 0;
	return goal == GOAL_SCORE || goal == GOAL_BEST_SCORE ? (double)reward : 1;
}

/*
 * The largest sum of tiles that games reach: by the bound of boards/game.h one tile of each
 * exponent from the largest down, or MAX_SUM if that is less and not 0.
 */
static inline uint64_t sum_last(const struct game *game, uint64_t max_sum)
{
	const uint64_t most = ((uint64_t)2 << game->max_exponent) -
			      ((uint64_t)1 << (game->max_exponent + 1 - game->cells));
	return max_sum && max_sum < most ? max_sum : most;
}

enum { OPTIMUM_BOARD_MAX = 8, OPTIMUM_MADE_MAX = 256 };

struct optimum_header {
	char board[OPTIMUM_BOARD_MAX]; /* "3x3" */
	char spawn[SPAWN_TEXT_MAX];    /* "2:0.9,4:0.1", as spawn_format() writes it */
	char start[BOARD_TEXT_MAX];    /* the position that games start from, or "" */
	int start_tiles;	       /* spawned before the first move, unless there is a start */
	enum goal goal;
	int target;	  /* exponent, for GOAL_TARGET; else 0 */
	uint64_t max_sum; /* the game ends when the tiles sum to more; 0: it does not */
	int max_exponent; /* of any tile in an after-state of the table; decides the codes */
	double value;	  /* of the goal, from the start distribution */
	uint64_t states, afterstates;
	char made[OPTIMUM_MADE_MAX]; /* version of nxn, for the reader's information */
};

/* Fills in what GAME tells: board, spawn, start, start_tiles. */
void optimum_header_game(struct optimum_header *header, const struct game *game);

/* Whether two headers are of the same games: board, spawn rule and start. */
bool optimum_games_alike(const struct optimum_header *a, const struct optimum_header *b);

/* How they start, for messages: "2 start tiles", or the position. */
void optimum_starts(const struct optimum_header *header, char text[BOARD_TEXT_MAX]);

struct optimum;

/* Whether the file begins as a table does. */
bool optimum_claims(const char *path);

/*
 * Opens a table and checks its header and index; layers are checked when they are first used, or by
 * optimum_verify(). With GAME its board and spawn rule must be those of the table. STATUS_INPUT if
 * there is no such file, or it is not a table of this version, of another game, or damaged;
 * STATUS_SYSTEM if it cannot be read or memory runs out.
 */
MUST_USE enum status optimum_open(const char *path, const struct game *game,
				  struct optimum **optimum, struct why *why);

/* Valid until optimum_close(). */
const struct optimum_header *optimum_header(const struct optimum *optimum);

/* The file, for messages; valid as long. */
const char *optimum_path(const struct optimum *optimum);

/* STATUS_INPUT if the checksum of any layer is wrong. */
MUST_USE enum status optimum_verify(const struct optimum *optimum, struct why *why);

/*
 * WORTH[d]: what move d of TURN leads to under best play, from here on: reward + value of its
 * after-state (GOAL_SCORE, GOAL_BEST_SCORE), 1 + that (GOAL_MOVES, GOAL_BEST_MOVES), or the
 * probability of the target, 1 when it is there. NAN if d is illegal. False, and WORTH all NAN,
 * if the table does not hold where the moves lead: it does for every position that games from its
 * start reach, up to max_sum, unless a layer is damaged. Any thread.
 */
bool optimum_moves(const struct optimum *optimum, const struct turn *turn,
		   double worth[DIRECTIONS]);

/* NULL is fine. */
void optimum_close(struct optimum *optimum);

/*
 * Whether a table of HEAD's games may take the place of what is at PATH: nothing, an empty file,
 * or a table of the same board, spawn rule and start, whatever its goal, or one that cannot be
 * read any more. STATUS_INPUT if there is something else, which must not be lost; STATUS_SYSTEM
 * if it cannot be read.
 */
MUST_USE enum status optimum_replace_check(const char *path, const struct optimum_header *header,
					   struct why *why);

struct optimum_writer;

/*
 * Starts a table that is to be called PATH; it appears there complete or not at all. Of HEAD the
 * value, the counts and `made` may be missing yet. STATUS_INPUT if PATH exists and is not a
 * regular file, or keys of the game take more than 64 bits; STATUS_SYSTEM if the folder cannot be
 * written or memory runs out.
 */
MUST_USE enum status optimum_create(struct optimum_writer **writer, const char *path,
				    const struct optimum_header *header, struct why *why);

/*
 * Adds the layer SUM, less than the sums before: N ascending codes of folded after-states
 * (boards/simd/keys.h, with the header's max_exponent) and their values, finite. STATUS_SYSTEM.
 */
MUST_USE enum status optimum_put(struct optimum_writer *writer, uint64_t sum, const uint64_t *code,
				 const double *value, size_t n, struct why *why);

/*
 * Puts the complete file in its place. HEAD is that of optimum_create() with value, states and
 * made; its `afterstates` is what was put. On failure, or with HEAD NULL, which gives up, what was
 * at PATH before is still there. The writer is freed either way.
 */
MUST_USE enum status optimum_finish(struct optimum_writer *writer,
				    const struct optimum_header *header, struct why *why);

#endif
