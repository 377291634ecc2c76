/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Table files: the value of each after-state of a board under optimal play.
 *
 * A solver writes a table layer by layer of the tile sum. Readers map the file; any number of
 * threads may share it. Files are untrusted: for invalid bytes a reader returns STATUS_INPUT
 * with one line that begins with the path; it needs at most about three times the size of the file.
 * (If another process truncates a mapped file, this process is killed, as with all mappings.)
 */
#ifndef NXN_OPTIMUM_H
#define NXN_OPTIMUM_H

#include "agents/agent.h"

/* The goals that a board can be solved for. */
enum goal {
	GOAL_SCORE,	 /* expected points */
	GOAL_TARGET,	 /* probability of ever having a tile */
	GOAL_MOVES,	 /* expected number of moves */
	GOAL_BEST_SCORE, /* points with the best luck */
	GOAL_BEST_MOVES, /* moves with the best luck */
	GOALS,
};

/* Returns the name of the goal, such as "score". */
static inline const char *goal_name(enum goal goal)
{
	static const char *const names[GOALS] = {"score", "target", "moves", "best score",
						 "best moves"};
	return names[goal];
}

/* Whether the goal assumes the best spawns instead of random ones. */
static inline bool goal_lucky(enum goal goal)
{
	return goal == GOAL_BEST_SCORE || goal == GOAL_BEST_MOVES;
}

/* Returns what a move of REWARD points adds to the goal. */
static inline double goal_gain(enum goal goal, uint64_t reward)
{
	if (goal == GOAL_TARGET)
		return 0;
	return goal == GOAL_SCORE || goal == GOAL_BEST_SCORE ? (double)reward : 1;
}

/*
 * Returns the largest tile sum that games can reach: that of one tile of each exponent from the
 * largest down (the bound of boards/game.h), or MAX_SUM if that is smaller and not 0.
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
	char spawn[SPAWN_TEXT_MAX];    /* "2:0.9,4:0.1", as in struct spawn_rule */
	char start[BOARD_TEXT_MAX];    /* starting position of games, or "" */
	int start_tiles;	       /* number of start tiles; ignored with `start` */
	enum goal goal;
	int target;	  /* exponent, for GOAL_TARGET; else 0 */
	uint64_t max_sum; /* the game ends when the tiles sum to more; 0: it does not */
	int max_exponent; /* of after-states in the table; determines the codes */
	double value;	  /* value of the goal at the start of a game */
	uint64_t states, afterstates;
	char made[OPTIMUM_MADE_MAX]; /* version of nxn, for information */
};

/* Sets board, spawn, start and start_tiles from GAME. */
void optimum_header_game(struct optimum_header *header, const struct game *game);

struct optimum;

/* Whether the file begins like a table. */
bool optimum_claims(const char *path);

/*
 * Opens a table and checks its header and index, and its layers if it is to be WHOLE: a caller that
 * uses values needs that, or calls optimum_verify() first. Unless GAME is NULL, its board and spawn
 * rule must be those of the table. STATUS_INPUT if the file does not exist, is not a table of this
 * version, is of another game, or damaged; STATUS_SYSTEM if it cannot be read or memory runs out.
 */
MUST_USE enum status optimum_open(const char *path, const struct game *game, bool whole,
				  struct optimum **optimum, struct why *why);

/* The header is valid until optimum_close(). */
const struct optimum_header *optimum_header(const struct optimum *optimum);

/* Returns the path of the file; valid until optimum_close(). */
const char *optimum_path(const struct optimum *optimum);

/*
 * STATUS_INPUT unless the table is of GOAL and the games of GAME, with the same start, which end
 * when the tiles sum to more than MAX_SUM (0: never).
 */
MUST_USE enum status optimum_fits(const struct optimum *optimum, const struct game *game,
				  enum goal goal, uint64_t max_sum, struct why *why);

/* STATUS_INPUT if the checksum of any layer is wrong. */
MUST_USE enum status optimum_verify(const struct optimum *optimum, struct why *why);

/*
 * Sets WORTH[d] to the value of move d of TURN under optimal play afterwards: reward + value of its
 * after-state (GOAL_SCORE, GOAL_BEST_SCORE), 1 + that value (GOAL_MOVES, GOAL_BEST_MOVES), or the
 * probability of the target, 1 if the after-state has it. NAN if d is illegal. Returns false, with
 * WORTH all NAN, if the table lacks an after-state. The table has the
 * after-states of every position up to max_sum that games from its start reach. Any thread.
 */
bool optimum_moves(const struct optimum *optimum, const struct turn *turn,
		   double worth[DIRECTIONS]);

void optimum_close(struct optimum *optimum);

/*
 * Checks that a table for HEADER may replace what is at PATH: nothing, an empty file, a table of
 * the same board, spawn rule and start (with any goal), or one with an invalid header. STATUS_INPUT
 * for another regular file, which must not be lost; STATUS_SYSTEM if PATH cannot be read.
 */
MUST_USE enum status optimum_replace_check(const char *path, const struct optimum_header *header,
					   struct why *why);

struct optimum_writer;

/*
 * Starts writing a table; it appears at PATH complete or not at all. HEADER may lack the value, the
 * counts and `made`. STATUS_INPUT if PATH exists and is not a regular file, or keys of the game
 * need more than 64 bits; STATUS_SYSTEM if the folder is not writable or memory runs out.
 */
MUST_USE enum status optimum_create(struct optimum_writer **writer, const char *path,
				    const struct optimum_header *header, struct why *why);

/*
 * Writes the layer SUM, which is less than the sums before: N ascending codes of folded
 * after-states (boards/simd/keys.h, with the header's max_exponent) and their finite values.
 * STATUS_SYSTEM.
 */
MUST_USE enum status optimum_put(struct optimum_writer *writer, uint64_t sum, const uint64_t *code,
				 const double *value, size_t n, struct why *why);

/*
 * Completes the file and renames it to PATH. HEADER is that of optimum_create() with value, states
 * and made set; its `afterstates` is the number written. On failure, or if HEADER is NULL, which
 * discards the table, the old file at PATH is unchanged. Frees the writer in either case.
 */
MUST_USE enum status optimum_finish(struct optimum_writer *writer,
				    const struct optimum_header *header, struct why *why);

#endif
