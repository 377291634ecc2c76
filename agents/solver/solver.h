/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The exact optimum of a board: what perfect play is worth in every position that games can reach.
 *
 * Moves keep the sum of the tiles and spawns add to it, so positions fall into layers by that
 * sum. They are enumerated forwards, layer by layer from the starts, and then valued backwards.
 * Images of a position are one position.
 */
#ifndef NXN_SOLVER_H
#define NXN_SOLVER_H

#include "agents/solver/optimum.h"
#include "boards/board.h"

#include <stddef.h>

/* The positions whose tiles sum to SUM; _raw counts images apart. */
struct solve_layer {
	uint64_t sum;
	uint64_t states, states_raw; /* the player to move, starts and lost ones included */
	uint64_t live, live_raw;     /* of these, with a legal move */
	uint64_t afterstates, afterstates_raw; /* after a move, before the spawn */
	uint64_t pairs, pairs_raw;	       /* of a state and a legal move */
};

struct solve_progress {
	bool backward;	    /* after all layers were enumerated, ascending: valued, descending */
	uint64_t sum, last; /* the layer just finished, the largest sum there can be */
	uint64_t states;    /* found so far; when backward, all */
	uint64_t done;	    /* of these valued */
	const struct solve_layer *layer; /* that layer, unless backward */
};

struct solve_task {
	const struct game *game;
	enum goal goal;
	int target; /* of GOAL_TARGET: exponent; positions that have it are won, and not counted */
	uint64_t max_sum; /* the game is over when the tiles sum to more; 0: never for that */
	bool count;	  /* enumerate only */
	uint64_t memory;  /* bytes that may be taken */
	int threads;
	const char *work; /* folder to keep layers in, and to go on from; NULL: a temporary file */
	const char *out;  /* table file to write (agents/solver/optimum.h), or NULL */
	const char *made; /* what it tells its readers about where it comes from; NULL: nothing */
	/* A layer is finished; false to stop. NULL is fine. */
	bool (*tell)(void *context, const struct solve_progress *progress);
	void *context;
};

/* A position that games start from: the first of its images. */
struct solve_start {
	struct board board;
	double probability, value;
};

struct solve_result {
	struct solve_layer total;   /* its sum: the largest of all */
	struct solve_layer *layers; /* ascending, those with states */
	size_t layer_count;
	struct solve_start *starts; /* ascending by sum */
	size_t start_count;
	double value;	  /* of the goal, over the starts; NAN when only counted */
	int max_exponent; /* the largest there is in any state */
	uint64_t memory;  /* bytes taken at most */
	uint64_t disk;	  /* bytes of layers */
};

/*
 * Whether the positions of TASK can be told apart in 64 bits, which takes a board that is not too
 * large: STATUS_INPUT if not. Nothing else of it is looked at.
 */
MUST_USE enum status solve_check(const struct solve_task *task, struct why *why);

/*
 * Solves TASK. The same result for any number of threads, and wherever it was stopped and gone on
 * with. STATUS_INPUT: keys do not fit into 64 bits, more memory than allowed is needed, a target
 * that the shape cannot reach or that games start with, a start beyond max_sum, a folder that
 * holds another task; STATUS_SYSTEM: memory, disk; STATUS_STOPPED: tell() said so, and with a
 * folder nothing finished is lost. Starts threads; the result is for solve_result_free(), on
 * success only.
 */
MUST_USE enum status solve(const struct solve_task *task, struct solve_result *result,
			   struct why *why);

void solve_result_free(struct solve_result *result);

#endif
