/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A finished game as analysis sees it: a row, with no trace of how the player thinks.
 */
#ifndef NXN_RESULT_H
#define NXN_RESULT_H

#include "base/status.h"

#include <stdint.h>

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
	double seconds; /* of thinking and play; NAN where it is not recorded */
	uint64_t sum;	/* of the tiles in the end; 0 where it is not recorded */
	double
	    uncertainty; /* mean distance to certainty of a move; NAN where chances are not told */
};

#endif
