/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The exact optimum of a board: the value of optimal play in every position that games can reach.
 *
 * Moves preserve the tile sum and spawns increase it, so positions form layers by sum. They are
 * enumerated forwards, layer by layer from the starts, and then evaluated backwards. Symmetric
 * images count as one position.
 */
#ifndef NXN_SOLVER_H
#define NXN_SOLVER_H

#include "agents/solver/optimum.h"
#include "boards/board.h"

#include <stddef.h>

/* The positions with tile sum SUM. Counts named _raw count symmetric images separately. */
struct solve_layer {
	uint64_t sum;
	uint64_t states, states_raw;	       /* including starts and terminal positions */
	uint64_t live, live_raw;	       /* of these, positions with a legal move */
	uint64_t afterstates, afterstates_raw; /* after a move, before the spawn */
	uint64_t pairs, pairs_raw;	       /* pairs of a state and a legal move */
};

struct solve_progress {
	bool backward;	    /* false: enumerating, ascending; true: evaluating, descending */
	uint64_t sum, last; /* the layer just finished; the largest possible sum */
	uint64_t states;    /* states found so far; all if `backward` */
	uint64_t done;	    /* states evaluated */
	const struct solve_layer *layer; /* the finished layer, unless `backward` */
};

struct solve_task {
	const struct game *game;
	enum goal goal;
	/* For GOAL_TARGET, an exponent that games reach; positions with it are won, not counted. */
	int target;
	/* The game ends when tiles sum to more; at least the sum of each start. 0: no limit. */
	uint64_t max_sum;
	bool count;	 /* only enumerate; not with `out` */
	uint64_t memory; /* limit in bytes */
	int threads;
	const char *work; /* folder for layers, to resume from; NULL: a temporary file */
	const char *out;  /* table file to write (agents/solver/optimum.h), or NULL */
	const char *made; /* provenance to store in the table; NULL: none */
	/* Called when a layer is finished; returns false to stop. May be NULL. */
	bool (*tell)(void *context, const struct solve_progress *progress);
	void *context;
};

/* A starting position: the first of its symmetric images. */
struct solve_start {
	struct board board;
	uint64_t code, sum; /* mixed key (boards/simd/keys.h), tile sum */
	double probability, value;
};

struct solve_result {
	struct solve_layer total;   /* totals; `sum` is the largest sum */
	struct solve_layer *layers; /* layers with states, ascending */
	size_t layer_count;
	struct solve_start *starts; /* ascending by sum */
	size_t start_count;
	double value;	  /* value of the goal at the start; NAN if only counted */
	int max_exponent; /* largest exponent of any state */
	uint64_t memory;  /* maximal bytes used */
	uint64_t disk;	  /* bytes of layers on the disk */
};

/*
 * Checks that the positions of TASK fit into 64 bits; STATUS_INPUT if the board is too large.
 * Checks nothing else.
 */
MUST_USE enum status solve_check(const struct solve_task *task, struct why *why);

/*
 * Solves TASK. The result does not depend on the number of threads, or on stops and resumptions.
 * STATUS_INPUT: keys need more than 64 bits, more memory than allowed is needed, games can start
 * with the target, the folder holds another task;
 * STATUS_SYSTEM: memory, disk; STATUS_STOPPED: tell() returned false; with a folder, finished
 * layers are kept. Starts threads. On success the caller frees RESULT with solve_result_free().
 */
MUST_USE enum status solve(const struct solve_task *task, struct solve_result *result,
			   struct why *why);

void solve_result_free(struct solve_result *result);

#endif
